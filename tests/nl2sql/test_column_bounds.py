"""Columns set against each other, in small tables of a store, a budget and bills."""

from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.tables import typed_tables
from tests.nl2sql.answers import line_of, outcome_of
from tests.nl2sql.tables import MemoryStore, raw

STOCK = """
Item,Aisle,Quantity,Reorder level,Unit cost
Claw hammer,A,10,20,€12.50
Wood chisel,B,31,25,€85.70
Garden hose,A,7,15,€53.91
Bench vice,B,9,9,€31.00
""".strip()
BUDGET = """
Despesa;Previsto;Realizado
Merenda;R$ 871,00;R$ 1.076,00
Transporte;R$ 115,00;R$ 96,00
Drenagem;R$ 300,00;R$ 310,50
""".strip()
BILLS = """
Bill,Issued on,Due date,Payment date,Value
B1,2024-01-02,2024-02-01,2024-02-20,10.50
B2,2024-01-05,2024-02-04,2024-02-01,99.00
B3,2024-02-11,2024-03-12,,45.25
""".strip()
TABLES = [
    *typed_tables([raw("hardware_stock", STOCK, ",")], "hardware_stock.csv"),
    *typed_tables([raw("despesas", BUDGET, ";")], "despesas.csv"),
    *typed_tables([raw("bills", BILLS, ",")], "bills.csv"),
]
STORE = MemoryStore(TABLES)
INDEX = SchemaIndex(STORE.schemas(None))


@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [
        ("en", "Which items are below their reorder level?", "Claw hammer; Garden hose"),
        ("en", "How many items are not below their reorder level?", "2 ("),
        ("en", "Which items have a quantity above the reorder level?", "Wood chisel"),
        ("en", "How many items in aisle A have a quantity below their reorder level?", "2 ("),
        ("pt", "Quais despesas ultrapassaram o previsto?", "Drenagem; Merenda"),
        ("pt", "Quais despesas têm realizado abaixo do previsto?", "Transporte"),
        ("en", "How many bills were paid after the due date?", "1 ("),
        ("en", "How many bills were paid before the due date?", "1 ("),
    ],
)
def test_answers(language: str, question: str, answer: str) -> None:
    assert line_of(language, question, INDEX, STORE).startswith(answer)


@pytest.mark.parametrize(
    "question",
    ["Which items have a unit cost above the reorder level?", "Which items are above their colour?"],
)
def test_other_kinds_are_not_compared(question: str) -> None:
    outcome = outcome_of("en", question, INDEX, STORE)
    assert outcome.chosen is None or " > reorder_level" not in outcome.chosen.sql


def test_a_mean_is_no_column() -> None:
    line = line_of("en", "Which items have a unit cost above the average?", INDEX, STORE)
    assert line.startswith("Garden hose: €53.91; Wood chisel: €85.70")
