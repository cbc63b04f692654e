from __future__ import annotations

from polyrag_cli.nl2sql.algebra import Condition, Figure, Measure, Ranked, Scan, Where
from polyrag_cli.nl2sql.operators.aggregate import Aggregate
from polyrag_cli.nl2sql.operators.select import Shown
from polyrag_cli.nl2sql.used_columns import computed_columns, left_out, mixed_units
from polyrag_cli.types import Column
from tests.nl2sql.operators.staff import entry

ALL = Scan("staff")


def computed(expression: object) -> list[str]:
    return [column.name for column in computed_columns(expression, entry("staff"))]


def test_what_is_added_up_ranked_or_bounded_is_computed_with() -> None:
    above = Where(ALL, (Condition("age", ">", (30,)), Condition("office", "=", ("Leeds",))))
    assert computed(Aggregate(Figure(above, Measure("sum", "salary")))) == ["salary", "age"]
    assert computed(Shown(Ranked(ALL, "hired", True), ("name",))) == ["hired"]
    assert computed(Aggregate(Figure(ALL, Measure("count_distinct", "office")))) == []


def test_several_units_are_told() -> None:
    mixed = Column("price", "Price", "number", units=("EUR", "USD"))
    assert "“Price” holds several units (EUR, USD)" in mixed_units([Column("a", "A", "number"), mixed])
    assert mixed_units([Column("a", "A", "number")]) == ""


def test_cells_that_cannot_be_read_are_told() -> None:
    unread = Column("price", "Price", "number", unread=2, unread_samples=("n/a", "?"))
    assert left_out([unread]) == ("2 cells of “Price” can't be read as a value (n/a, ?) and are left out",)
    assert left_out([Column("a", "A", "number")]) == ()
