"""Owns the algebra that questions of tables are read into: predicates, rows and figures, as data that nests by type.

"Which of the orders above 100 euros came last?" shows one column of `Ranked(Where(Scan("orders"), …), "date", …)`.
What is finally asked of rows (to show, to count, to compare …) is an `Expression`; each operator has its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from polyrag_cli.types import Cell

if TYPE_CHECKING:
    from polyrag_cli.nl2sql.rendering import Renderer
    from polyrag_cli.nl2sql.stating import Speaker
    from polyrag_cli.types import Rows as Result

Function = Literal["sum", "avg", "median", "min", "max", "count", "count_distinct"]
DatePart = Literal["", "month", "year"]
Comparison = Literal["=", "!=", ">", ">=", "<", "<=", "between", "in", "not in", "year", "month", "is null", "not null"]


# ---------------------------------------------------------------- predicates
@dataclass(frozen=True, slots=True)
class Condition:
    """A restriction on one column; dates are `datetime.date` in ISO text, `between` includes both ends.

    `month` and `year` restrict the parts of a date; `!=` and `not in` keep rows where the column holds nothing.
    other: the column that it is compared with in place of values.
    """

    column: str
    operator: Comparison
    values: tuple[Cell, ...]
    other: str = ""


@dataclass(frozen=True, slots=True)
class Either:
    """At least one of the conditions holds."""

    options: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Against:
    """A column compared with a figure of rows: "deeper than the average", "more than Bruno has"."""

    column: str
    operator: Comparison
    figure: Figure


@dataclass(frozen=True, slots=True)
class Alike:
    """A column holds what it holds in one of other rows, which are left out themselves."""

    column: str
    rows: Rows


Predicate = Condition | Either | Against | Alike


# ---------------------------------------------------------------- rows
@dataclass(frozen=True, slots=True)
class Scan:
    """All rows of a table but those that `excluded` leaves out, which state totals of others."""

    table: str
    excluded: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Where:
    """The rows for which all predicates hold."""

    rows: Rows
    predicates: tuple[Predicate, ...]


@dataclass(frozen=True, slots=True)
class Ranked:
    """The rows whose rank by a column is `first` to `last`, counted from 1; equal values share a rank.

    by: "" ranks by the order in which the rows stand in the source, where no two are equal.
    """

    rows: Rows
    by: str
    descending: bool
    first: int = 1
    last: int = 1


@dataclass(frozen=True, slots=True)
class Beside:
    """The row of `rows` that stands `step` places behind the last (before the first, if negative) of `anchor`.

    whole: all rows behind, or before, instead of one.
    """

    rows: Rows
    anchor: Rows
    step: int
    whole: bool = False


Rows = Scan | Where | Ranked | Beside


def restricted(rows: Rows, predicates: tuple[Predicate, ...]) -> Rows:
    """Return the rows for which predicates hold; the same rows where there are none."""
    return Where(rows, predicates) if predicates else rows


# ---------------------------------------------------------------- figures
@dataclass(frozen=True, slots=True)
class Measure:
    """A function over a column; `column` is None for the count of rows."""

    function: Function
    column: str | None = None

    @property
    def counts(self) -> bool:
        """Whether it is a number of things, without a unit."""
        return self.function in ("count", "count_distinct")


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of rows."""

    rows: Rows
    measure: Measure


# ---------------------------------------------------------------- what is asked
class Expression(Protocol):
    """What is asked of one table's rows, by one operator."""

    @property
    def rows(self) -> Rows:
        """The rows that it reads."""

    def render(self, renderer: Renderer) -> str:
        """The SELECT that answers it; rows come in an order that their values alone decide."""

    def state(self, speaker: Speaker, result: Result) -> str:
        """The answer's first line, at most 60 words, in the speaker's language.

        result: what the SELECT gave, at least one row.
        """
