"""Owns the typed parts that the words of a question over several tables are read as, before and while they combine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from polyrag_cli.nl2sql.algebra import Comparison
from polyrag_cli.nl2sql.related.things import Every, Function, Reach, Test, Things, kept, table_of
from polyrag_cli.types import Cell


@dataclass(frozen=True, slots=True)
class Most:
    """The most or the least: of what is counted, of the one figure that a notion names, or of one yet to be named."""

    descending: bool
    notions: tuple[str, ...] = ()
    counts: bool = False
    first: int = 1
    last: int = 1


@dataclass(frozen=True, slots=True)
class Attribute:
    """A column of a table."""

    table: str
    column: str


@dataclass(frozen=True, slots=True)
class MostOf:
    """The most or the least of a column: "the largest population"; of a figure over it where there is a function."""

    most: Most
    attribute: Attribute
    function: Function | None = None


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure over what rows hold, and in which column: "total", "average price"."""

    function: Function
    attribute: Attribute | None = None


@dataclass(frozen=True, slots=True)
class Noun:
    """Rows: all of a table, those of one name, or any others.

    waiting: superlatives that hold of what else restricts the rows, too. both: the names, where several are joined by
    "and". roles: how what follows is related ("bordering states", of what?). loose: whether a word of asking ("who"),
    or one of nearly the same meaning, stands for them.
    """

    things: Things
    kind: Literal["all", "name", "some"]
    waiting: tuple[Most | MostOf | MostNoun, ...] = ()
    both: tuple[Things, ...] = ()
    roles: tuple[tuple[str, str], ...] = ()
    loose: Literal["", "asked", "near"] = ""

    @property
    def table(self) -> str:
        return table_of(self.things)

    def kept(self, *tests: Test) -> Noun:
        """The same, of which tests hold."""
        return replace(self, things=kept(self.things, *tests), kind="some", both=(), roles=(), loose="")


@dataclass(frozen=True, slots=True)
class MostNoun:
    """The most or the fewest of some rows: "the most orders"; roles say how they are related."""

    most: Most
    noun: Noun
    roles: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """What restricts rows of a table; guessed: by a column that no word names."""

    table: str
    tests: tuple[Test, ...]
    guessed: bool = False


@dataclass(frozen=True, slots=True)
class Held:
    """What rows hold in a column, or in one that a way leads up to; the most of it where `function` says so.

    summed: whether it means something only as one figure of all of them.
    """

    noun: Noun
    reach: Reach
    column: Attribute
    function: Function | None = None
    summed: bool = False


@dataclass(frozen=True, slots=True)
class Role:
    """A word that says how rows are related: of a referring column, or of a table that connects (column "")."""

    table: str
    column: str


@dataclass(frozen=True, slots=True)
class Bound:
    """A comparison with a figure, or with one yet to come."""

    operator: Comparison
    value: Cell
    notions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BoundOf:
    """A comparison of a column."""

    attribute: Attribute
    bound: Bound


@dataclass(frozen=True, slots=True)
class BoundNoun:
    """A comparison of how many of some rows there are: "more than 3 orders"."""

    bound: Bound
    noun: Noun
    roles: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Not:
    """What turns round what follows it, and that, where it is a noun."""

    noun: Noun | None = None


@dataclass(frozen=True, slots=True)
class Named:
    """What says that a name follows, and that name."""

    noun: Noun | None = None


@dataclass(frozen=True, slots=True)
class By:
    """What says by which column a superlative compares, and that column."""

    attribute: Attribute | None = None


@dataclass(frozen=True, slots=True)
class Per:
    """What says "for each", and of what: of rows, or of what a column holds."""

    of: Noun | Attribute | None = None


@dataclass(frozen=True, slots=True)
class Groups:
    """Rows counted, or a column of theirs summed up, for each of what a column holds, or of some rows.

    most: the groups of the most or the least alone.
    """

    noun: Noun
    of: Noun | Attribute
    held: Reach | None = None
    most: Most | None = None


@dataclass(frozen=True, slots=True)
class Joint:
    """ "And" or "or"."""

    both: bool


@dataclass(frozen=True, slots=True)
class How:
    """A question for what an adjective measures: "how long"."""

    notions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Nothing:
    """Words that hold of every row."""


Part = (
    Most
    | Attribute
    | MostOf
    | Noun
    | MostNoun
    | Check
    | Held
    | Role
    | Bound
    | BoundOf
    | BoundNoun
    | Not
    | Named
    | By
    | Figure
    | Per
    | Groups
    | Joint
    | How
    | Nothing
)


def every(table: str) -> Noun:
    """All rows of a table."""
    return Noun(Every(table), "all")
