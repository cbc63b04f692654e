"""Owns how tables hang together, as plain data: what each row of a table is, and the steps from its rows to others'."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Hop:
    """From rows of `table` to the rows of `other` that hold in `other_column` what the former hold in `column`.

    up: to the one row that is referred to, rather than to all that refer. single: to one row both ways. agreeing: pairs
    of columns that must hold the same too. role: stems of the words by which the referring column says more than what
    it refers to ("manager" of "manager_id").
    """

    table: str
    column: str
    other: str
    other_column: str
    up: bool
    single: bool = False
    agreeing: tuple[tuple[str, str], ...] = ()
    role: frozenset[str] = frozenset()

    @property
    def back(self) -> Hop:
        """The way back."""
        agreeing = tuple((theirs, ours) for ours, theirs in self.agreeing)
        return Hop(
            self.other, self.other_column, self.table, self.column, not self.up, self.single, agreeing, self.role
        )

    @property
    def referring(self) -> tuple[str, str]:
        """The table and the column that refer."""
        return (self.table, self.column) if self.up else (self.other, self.other_column)


Path = tuple[Hop, ...]
RoleOf = tuple[str, frozenset[str], tuple[str, str]]
"""Words that say how rows are related: as they are compared by meaning, their stems, and of what.

Of a column that refers in a role, (table, column); of a table that refers to several others, (table, "").
"""


@dataclass(frozen=True, slots=True)
class TableTies:
    """What each row of a table is, and where it leads.

    name: the column that says what a row is called; None where rows only connect others. repeated: whether several
    rows stand for one thing of that name. nouns: stems of the words of its title, one set a word. extends: whether it
    only says more of what each row of another is. hops: the steps from its rows.
    """

    name: str | None
    repeated: bool
    nouns: tuple[frozenset[str], ...]
    extends: bool
    hops: tuple[Hop, ...]


@dataclass(frozen=True, slots=True)
class GroupTies:
    """Tables that hang together, by name, as far as all of them are looked at for a question.

    named: whether its rows have a name, for each table, in order. people: those whose rows are people. dated, placed:
    (table, column) of the columns that hold dates and places, of what nothing but a column says.
    """

    named: Mapping[str, bool]
    roles: tuple[RoleOf, ...]
    people: tuple[str, ...]
    dated: tuple[tuple[str, str], ...]
    placed: tuple[tuple[str, str], ...]


Paths = dict[tuple[str, str], tuple[Path, ...]]


class Ties(Protocol):
    """How the tables of one commit hang together."""

    @property
    def groups(self) -> Sequence[tuple[str, ...]]:
        """Tables that relations connect, each group by name; those without any are in none."""

    @property
    def paths(self) -> Paths:
        """The ways between tables that questions have asked for so far."""

    def group(self, names: tuple[str, ...]) -> GroupTies:
        """What holds of one of the groups as a whole."""

    def table(self, name: str) -> TableTies:
        """What holds of a table of any group."""


@dataclass(frozen=True)
class MemoryTies:
    """Ties that are in memory as a whole."""

    groups: tuple[tuple[str, ...], ...]
    of_groups: Mapping[tuple[str, ...], GroupTies]
    of_tables: Mapping[str, TableTies]
    paths: Paths = field(default_factory=dict)

    def group(self, names: tuple[str, ...]) -> GroupTies:
        return self.of_groups[names]

    def table(self, name: str) -> TableTies:
        return self.of_tables[name]
