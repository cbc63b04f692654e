from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.algebra import Condition, Expression, Figure, Measure, Ranked, Scan, Where
from polyrag_cli.nl2sql.operators.aggregate import Aggregate
from polyrag_cli.nl2sql.operators.grouping import Grouped
from polyrag_cli.nl2sql.operators.select import Shown
from polyrag_cli.nl2sql.operators.sharing import Share
from polyrag_cli.nl2sql.stating import MAX_WORDS, Speaker, capped, in_lines
from polyrag_cli.types import Cell, Column, Rows, TableSchema

PRICE = Column("preco", "Preço (R$)", "number", values=("1.5",), distinct=1, unit="R$")
YEAR = Column("ano", "ano", "integer", values=("2024",), distinct=1)
NAME = Column("nome", "nome", "text", values=("a", "b"), distinct=2)
DAY = Column("dia", "dia", "date", values=("2024-03-05",), distinct=1)
TABLE = TableSchema("t", "t.csv", "t", (PRICE, YEAR, NAME, DAY), 40)
ALL = Scan("t")
SUM = Figure(ALL, Measure("sum", "preco"))


def stated(expression: Expression, language: str, *rows: tuple[Cell, ...], matched: int | None = None) -> str:
    columns = tuple(f"c{i}" for i in range(len(rows[0])))
    return expression.state(Speaker(TABLE, language, matched), Rows(columns, rows))


def test_a_sum_says_how_it_came() -> None:
    total = Aggregate(SUM)
    assert stated(total, "pt", (4988300.5,), matched=8) == "R$ 4.988.300,50 (soma de Preço, 8 de 40 linhas)"
    assert stated(total, "en", (4988300,), matched=8) == "R$ 4,988,300 (sum of Preço, 8 of 40 rows)"


def test_a_count_says_of_how_many() -> None:
    count = Aggregate(Figure(ALL, Measure("count")))
    assert stated(count, "pt", (3,)) == "3 (3 de 40 linhas)"
    assert stated(count, "en", (3,)) == "3 (3 of 40 rows)"
    kinds = Aggregate(Figure(ALL, Measure("count_distinct", "nome")))
    assert stated(kinds, "en", (2,), matched=40) == "2 (distinct values of nome)"


def test_years_and_dates_are_no_amounts() -> None:
    assert stated(Shown(ALL, ("ano",)), "pt", (2024,)) == "2024"
    assert stated(Shown(ALL, ("dia",)), "pt", ("2024-03-05",)) == "05/03/2024"
    assert stated(Shown(ALL, ("dia",)), "en", ("2024-03-05",)) == "2024-03-05"


def test_long_lists_are_cut_with_their_rest_counted() -> None:
    text = stated(Shown(ALL, ("nome",)), "pt", *((f"nome {i}",) for i in range(100)))
    assert len(text.split()) <= MAX_WORDS
    assert text.endswith(f"e mais {100 - text.count('nome ')}")


def test_the_first_of_a_rank_say_by_what() -> None:
    best = Shown(Ranked(ALL, "preco", True), ("nome", "preco"))
    assert stated(best, "en", ("b", 9.0)) == "b: R$ 9 (highest Preço)"
    assert stated(best, "pt", ("b", 9.0)) == "b: R$ 9 (maior Preço)"


def test_a_share() -> None:
    part = Share(Figure(Where(ALL, (Condition("nome", "=", ("a",)),)), SUM.measure), SUM)
    assert stated(part, "pt", (12.5, 1.0, 8.0)) == "12,5% (R$ 1 de R$ 8, soma de Preço)"
    assert stated(part, "en", (12.5, None, 8.0)) == "12.5% (R$ 0 of R$ 8, sum of Preço)"


def test_groups_say_by_what() -> None:
    text = stated(Grouped(ALL, "nome", Measure("sum", "preco")), "en", ("a", 1.5), ("b", 2.0))
    assert text == "a: R$ 1.50; b: R$ 2 (sum of Preço by nome)"


@pytest.mark.parametrize(("language", "none"), [("pt", "nenhum valor"), ("en", "no value")])
def test_rows_in_words(language: str, none: str) -> None:
    speaker = Speaker(TABLE, language)
    lines = in_lines(speaker, Rows(("nome", "preco"), (("a", 1.5), ("b", None))), ("nome", "preco"))
    assert lines[1] == f"b: {none}"
    assert capped(speaker, lines, "x").endswith(" (x)")


def test_a_language_without_a_file_is_answered_in_english() -> None:
    assert stated(Aggregate(SUM), "fi", (1,), matched=1) == "R$ 1 (sum of Preço, 1 of 40 rows)"
