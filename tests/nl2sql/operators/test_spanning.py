"""Years between rows."""

from __future__ import annotations

from polyrag_cli.nl2sql.algebra import Condition, Scan, Where
from polyrag_cli.nl2sql.operators.spanning import Span
from tests.nl2sql.operators.asked import answered
from tests.nl2sql.operators.staff import rows_of


def test_the_years_between_two_rows() -> None:
    assert answered("towers", "How many years are between Alder Spire and Cedar Point?") == [16]
    assert answered("towers", "How many years lie between Dogwood Hall and Birch House?") == [13]


def test_years_between_the_first_and_the_last() -> None:
    assert rows_of(Span(Scan("club"), "season"), "club")[0][0] == 6
    assert rows_of(Span(Scan("staff"), "hired"), "staff")[0][0] == 6
    won = Where(Scan("club"), (Condition("champion", "=", ("Amieira",)),))
    assert rows_of(Span(won, "season"), "club")[0][0] == 0
