"""Names in place of the codes of another table."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.nl2sql.named_codes import with_names
from polyrag_cli.tables import typed_tables
from polyrag_cli.tables.relations import relations_of
from polyrag_cli.types import Cell, Rows
from tests.nl2sql.answers import answered, stated
from tests.nl2sql.tables import MemoryStore, raw

CUSTOMERS = """
cliente_id;Cliente;Cidade
C101;Padaria Estrela;Aveiro
C102;Talho Central;Braga
C103;Florista Magnólia;Braga
""".strip()
BILLS = """
Fatura;cliente_id;Valor;Situação
FT-2001;C102;339,39;Pendente
FT-2002;C101;534,40;Pendente
FT-2003;C103;2.300,50;Paga
FT-2004;C102;288,00;Pendente
FT-2005;C109;90,00;Paga
""".strip()
TABLES = [
    *typed_tables([raw("clientes", CUSTOMERS, ";")], "clientes.csv"),
    *typed_tables([raw("faturas", BILLS, ";")], "faturas.csv"),
]
STORE = MemoryStore(TABLES)
SCHEMAS = STORE.schemas(None)
INDEX = SchemaIndex([schema for schema in SCHEMAS if schema.name == "faturas"])
BOTH = SchemaIndex(SCHEMAS)


def _run(sql: str, tables: Sequence[str]) -> Rows:
    return STORE.execute(None, sql, tables)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Que cliente tem o maior valor de faturas pendentes?", (("Talho Central", 627.39),)),
        # Who isn't in the other table keeps its code; the order is that of the answer.
        (
            "Qual o valor total por cliente?",
            (("Padaria Estrela", 534.4), ("Talho Central", 627.39), ("Florista Magnólia", 2300.5), ("C109", 90.0)),
        ),
    ],
)
def test_names_stand_for_codes(question: str, rows: tuple[tuple[Cell, ...], ...]) -> None:
    chosen, table = with_names(answered("pt", question, INDEX, STORE), BOTH, relations_of(SCHEMAS), _run)
    assert table == "clientes"
    assert [(row[0], pytest.approx(row[1])) for row in rows] == [row[:2] for row in chosen.rows.rows]
    assert str(rows[0][0]) in stated(chosen, "pt", STORE)
    assert "LEFT JOIN clientes" in chosen.sql


@pytest.mark.parametrize(
    "question",
    ["Qual cliente_id tem o maior valor?", "Qual é a fatura com o maior valor?", "Quantas faturas estão pendentes?"],
)
def test_what_is_no_code_or_asked_as_one_stays(question: str) -> None:
    plain = answered("pt", question, INDEX, STORE)
    assert with_names(plain, BOTH, relations_of(SCHEMAS), _run) == (plain, "")


def test_without_relations_codes_stay() -> None:
    plain = answered("pt", "Qual o valor total por cliente?", INDEX, STORE)
    assert with_names(plain, BOTH, (), _run) == (plain, "")


def test_nothing_stands_for_a_name() -> None:
    states = "code;place;mayor\nWE;Westmark;Ann Loxley Moss\nEA;Eastholm;Bo Sandringham\nNO;Northby;Cy Underwood"
    tolls = "place;toll\nWestmark;4\nEastholm;9\nNorthby;2\nWestmark;5"
    store = MemoryStore(
        [*typed_tables([raw("states", states, ";")], "s.csv"), *typed_tables([raw("tolls", tolls, ";")], "t.csv")]
    )
    schemas = store.schemas(None)
    index = SchemaIndex([schema for schema in schemas if schema.name == "tolls"])
    chosen = answered("en", "Which place has the highest toll?", index, store)

    named, table = with_names(
        chosen, SchemaIndex(schemas), relations_of(schemas), lambda sql, tables: store.execute(None, sql, tables)
    )

    assert (named.rows.rows[0][0], table) == ("Eastholm", "")
