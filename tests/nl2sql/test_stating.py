from __future__ import annotations

from polyrag_cli.nl2sql.plans import Condition, Measure, Plan
from polyrag_cli.nl2sql.stating import MAX_WORDS, state_rows
from polyrag_cli.types import Column, Rows, TableSchema

PRICE = Column("preco", "Preço (R$)", "number", values=("1.5",), distinct=1, unit="R$")
YEAR = Column("ano", "ano", "integer", values=("2024",), distinct=1)
NAME = Column("nome", "nome", "text", values=("a", "b"), distinct=2)
DAY = Column("dia", "dia", "date", values=("2024-03-05",), distinct=1)
TABLE = TableSchema("t", "t.csv", "t", (PRICE, YEAR, NAME, DAY), 40)


def rows(*cells: tuple[object, ...], columns: tuple[str, ...] = ("x",)) -> Rows:
    return Rows(columns, cells)  # type: ignore[arg-type]


def test_a_sum_says_how_it_came() -> None:
    plan = Plan("t", "aggregate", measure=Measure("sum", "preco"))
    assert state_rows("", rows((4988300.5,)), TABLE, plan, "pt", 8) == "R$ 4.988.300,50 (soma de Preço, 8 de 40 linhas)"
    assert state_rows("", rows((4988300,)), TABLE, plan, "en", 8) == "R$ 4,988,300 (sum of Preço, 8 of 40 rows)"


def test_a_count() -> None:
    assert state_rows("", rows((3,)), TABLE, Plan("t", "count", measure=Measure("count")), "pt") == "3 (3 de 40 linhas)"


def test_years_and_dates_are_no_amounts() -> None:
    assert state_rows("", rows((2024,), columns=("ano",)), TABLE, Plan("t", "project", select=("ano",)), "pt") == "2024"
    assert (
        state_rows("", rows(("2024-03-05",), columns=("dia",)), TABLE, Plan("t", "project", select=("dia",)), "pt")
        == "05/03/2024"
    )
    assert (
        state_rows("", rows(("2024-03-05",), columns=("dia",)), TABLE, Plan("t", "project", select=("dia",)), "en")
        == "2024-03-05"
    )


def test_long_lists_are_cut_with_their_rest_counted() -> None:
    listed = rows(*((f"nome {i}",) for i in range(100)), columns=("nome",))
    text = state_rows("", listed, TABLE, Plan("t", "project", select=("nome",)), "pt")
    assert len(text.split()) <= MAX_WORDS
    shown = text.count("nome ")
    assert text.endswith(f"e mais {100 - shown}")


def test_a_comparison_names_both_values() -> None:
    pair = (Condition("nome", "=", ("a",)), Condition("nome", "=", ("b",)))
    plan = Plan("t", "compare", measure=Measure("sum", "preco"), group="nome", pair=pair, descending=True)
    both = rows(("b", 9.0), ("a", 4.0), columns=("nome", "s"))
    assert state_rows("", both, TABLE, plan, "en") == "b: a R$ 4; b R$ 9 (sum of Preço)"
    tied = rows(("a", 4.0), ("b", 4.0), columns=("nome", "s"))
    assert state_rows("", tied, TABLE, plan, "en").startswith("A tie: ")
    yes_no = Plan("t", "compare", measure=plan.measure, group="nome", pair=pair, descending=True, yes_no=True)
    assert state_rows("", both, TABLE, yes_no, "pt").startswith("Não: ")
    one_sided = rows(("a", 4.0), columns=("nome", "s"))
    assert state_rows("", one_sided, TABLE, yes_no, "pt").startswith("a R$ 4; b nenhum valor")


def test_a_share() -> None:
    plan = Plan("t", "share", measure=Measure("sum", "preco"))
    assert state_rows("", rows((12.5, 1.0, 8.0)), TABLE, plan, "pt") == "12,5% (R$ 1 de R$ 8, soma de Preço)"


def test_rows_without_a_plan() -> None:
    two = rows(("a", 1.5), ("b", None), columns=("nome", "preco"))
    assert state_rows("", two, TABLE, None, "pt") == "a: R$ 1,50; b: nenhum valor"
    assert state_rows("", rows(), TABLE, None, "en") == "0 rows"
