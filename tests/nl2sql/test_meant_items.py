"""Words for money and for things that no column is called after, in a small table of sales."""

from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.tables import typed_tables
from tests.nl2sql.answers import line_of, outcome_of
from tests.nl2sql.tables import MemoryStore, raw

SALES = """
Date,Product,Units,Unit price,Amount,Payment,Cashier
2024-01-05,Croissant,21,2.10,44.10,Card,Maeve
2024-01-26,Rye loaf,36,5.20,187.20,Cash,Tobias
2024-02-03,Croissant,30,2.10,63.00,Cash,Tobias
2024-02-20,Cheesecake,4,22.50,90.00,Card,Maeve
2025-01-11,Cheesecake,6,22.50,135.00,Cash,Maeve
""".strip()
STORE = MemoryStore(typed_tables([raw("bakery_sales", SALES, ",")], "bakery_sales.csv"))
INDEX = SchemaIndex(STORE.schemas(None))


@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [
        ("en", "Which cashier took the most money?", "Maeve: 269.10 (highest sum of Amount)"),
        ("pt", "Qual o total de dinheiro em 2025?", "135,00 ("),
        ("en", "What were the takings in 2025?", "135.00 ("),
        ("en", "Which month of 2024 had the highest takings?", "2024-01: 231.30 ("),
        ("en", "How much more did Maeve sell than Tobias?", "18.90 (Maeve 269.10 against Tobias 250.20, "),
        ("pt", "Quanto a Maeve vendeu a mais que o Tobias?", "18,90 (Maeve 269,10 contra Tobias 250,20, "),
        ("en", "How many more units did Maeve sell than Tobias?", "-35 ("),
        ("en", "Which cashier sold the most croissants?", "Tobias: 30 (highest sum of Units)"),
        ("en", "How many croissants were sold?", "51 ("),
        ("en", "What was the biggest single sale?", "187.20 ("),
    ],
)
def test_answers(language: str, question: str, answer: str) -> None:
    assert line_of(language, question, INDEX, STORE).startswith(answer)


def test_what_sold_the_most_is_open_between_money_and_units() -> None:
    outcome = outcome_of("en", "Which product sold the most?", INDEX, STORE)
    assert outcome.chosen is None
    assert {c.sql.split("SUM(")[1].split(")")[0] for c in outcome.alternatives[:2]} == {"amount", "units"}


def test_who_is_never_a_product() -> None:
    outcome = outcome_of("en", "Who spent the most?", INDEX, STORE)
    assert outcome.chosen is None or outcome.chosen.rows.columns[0] == "cashier"
