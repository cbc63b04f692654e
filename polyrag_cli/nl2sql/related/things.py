"""Owns rows of related tables, their figures and what holds of them, as data that nests by type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from polyrag_cli.nl2sql.algebra import Comparison, Condition
from polyrag_cli.nl2sql.ties import Hop, Path
from polyrag_cli.types import Cell

Function = Literal["sum", "avg", "median", "min", "max"]


# ---------------------------------------------------------------- rows
@dataclass(frozen=True, slots=True)
class Every:
    """All rows of a table."""

    table: str


@dataclass(frozen=True, slots=True)
class Kept:
    """The rows for which all tests hold."""

    things: Things
    tests: tuple[Test, ...]


@dataclass(frozen=True, slots=True)
class Ranked:
    """The rows whose rank by a figure of each is `first` to `last`, counted from 1; equal ones share a rank."""

    things: Things
    by: Reach | Tally
    descending: bool
    first: int = 1
    last: int = 1


Things = Every | Kept | Ranked


# ---------------------------------------------------------------- figures of a row, and one of all
@dataclass(frozen=True, slots=True)
class Reach:
    """What a row, or the one row that a way leads up to, holds in a column."""

    path: Path
    column: str


@dataclass(frozen=True, slots=True)
class Tally:
    """How many of some rows a way leads to, or a figure over what these hold in a column."""

    path: Path
    things: Things
    function: Function | None = None
    column: str = ""


@dataclass(frozen=True, slots=True)
class Totalled:
    """One figure over what rows hold in a column."""

    things: Things
    reach: Reach
    function: Function


# ---------------------------------------------------------------- what holds of a row
@dataclass(frozen=True, slots=True)
class Holds:
    """A restriction on a column."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class Among:
    """Whether a way leads to any of some rows; to none, where `negated`."""

    path: Path
    things: Things
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Bounded:
    """A figure of each row compared with a number, or with a figure of other rows."""

    by: Reach | Tally
    operator: Comparison
    against: Cell | Totalled


@dataclass(frozen=True, slots=True)
class Either:
    """At least one of some tests holds."""

    options: tuple[Test, ...]


@dataclass(frozen=True, slots=True)
class Each:
    """Each of some tests holds by itself: the rows that one finds needn't be those of another."""

    tests: tuple[Test, ...]


Test = Holds | Among | Bounded | Either | Each


def table_of(things: Things) -> str:
    """Return the table that rows are of."""
    while not isinstance(things, Every):
        things = things.things
    return things.table


def kept(things: Things, *tests: Test) -> Things:
    """Return the rows for which tests hold.

    What is said one after the other of rows that refer to one is said of the same ones: "the customers who ordered a
    lamp in May".
    """
    held = list(things.tests) if isinstance(things, Kept) else []
    rows = things.things if isinstance(things, Kept) else things
    for test in tests:
        place, joined = next(((i, j) for i, other in enumerate(held) if (j := _joined_tests(other, test))), (-1, None))
        if joined is not None:
            held[place] = joined
        elif test not in held:
            held.append(test)
    return Kept(rows, tuple(held)) if held else rows


def _joined_tests(one: Test, other: Test) -> Test | None:
    if not isinstance(one, Among) or not isinstance(other, Among) or one.negated or other.negated:
        return None
    hop = one.path[0]
    if hop != other.path[0] or hop.up or hop.single:
        return None
    first, second = _first_rows(one), _first_rows(other)
    if isinstance(second, Kept) and isinstance(second.things, Every):
        return Among((hop,), kept(first, *second.tests))
    if isinstance(first, Kept) and isinstance(first.things, Every):
        return Among((hop,), kept(second, *first.tests))
    return (
        Among((hop,), second if isinstance(first, Every) else first) if Every in (type(first), type(second)) else None
    )


def recorded(things: Things, hop: Hop) -> Things | None:
    """Return the rows to which a way's first step leads that a test of things asks for; None without one."""
    tests = things.tests if isinstance(things, Kept) else ()
    for test in tests:
        if isinstance(test, Among) and not test.negated and test.path[0] == hop:
            return _first_rows(test)
    return None


def _first_rows(test: Among) -> Things:
    """The rows that the first step of a way leads to."""
    if len(test.path) == 1:
        return test.things
    return Kept(Every(test.path[0].other), (Among(test.path[1:], test.things),))
