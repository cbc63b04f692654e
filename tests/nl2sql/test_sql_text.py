from __future__ import annotations

from polyrag_cli.nl2sql.algebra import Condition
from polyrag_cli.nl2sql.sql_text import condition_sql, literal, quoted
from polyrag_cli.types import Column

CITY = Column("cidade", "cidade", "text", values=("Natal",), distinct=1)
SELECT = Column("select", "select", "integer", values=("1",), distinct=1, nulls=2)
DAY = Column("dia", "dia", "date", values=("2024-01-01",), distinct=1)


def test_identifiers_are_quoted_only_where_needed() -> None:
    assert [quoted(n) for n in ("cidade", "select", "Ação", 'a"b', "2x")] == [
        "cidade",
        '"select"',
        '"Ação"',
        '"a""b"',
        '"2x"',
    ]


def test_literals_are_escaped() -> None:
    assert literal("D'Ávila'; DROP TABLE t; --", CITY) == "'D''Ávila''; DROP TABLE t; --'"
    assert literal("2024-01-01", DAY) == "DATE '2024-01-01'"
    assert literal("12", SELECT) == "12"
    assert literal(True) == "TRUE"
    assert literal(None) == "NULL"


def test_negations_keep_nulls() -> None:
    assert condition_sql(Condition("select", "!=", (1,)), SELECT) == '"select" IS DISTINCT FROM 1'
    assert (
        condition_sql(Condition("select", "not in", (1, 2)), SELECT) == '("select" NOT IN (1, 2) OR "select" IS NULL)'
    )
    assert condition_sql(Condition("cidade", "!=", ("Natal",)), CITY) == "cidade <> 'Natal'"


def test_parts_of_dates() -> None:
    assert condition_sql(Condition("dia", "month", (1, 2)), DAY) == "MONTH(dia) IN (1, 2)"
    assert condition_sql(Condition("dia", "year", (2024,)), DAY) == "YEAR(dia) = 2024"
    between = Condition("dia", "between", ("2024-01-01", "2024-03-31"))
    assert condition_sql(between, DAY) == "dia BETWEEN DATE '2024-01-01' AND DATE '2024-03-31'"
