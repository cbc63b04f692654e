"""Owns tables that hang together as a question asks of them: what their rows are, and the ways between these."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TypeVar

from polyrag_cli.nl2sql.index import ColumnEntry, TableEntry
from polyrag_cli.nl2sql.ties import GroupTies, Hop, Path, Ties

__all__ = ["Database", "Hop", "Path", "Thing"]

# More tables between two others say nothing of what relates them.
_LONGEST = 4
_MOST_PATHS = 4

Value = TypeVar("Value")


class Thing:
    """A table as what its rows are; its entry is read when it is first asked for.

    repeated: whether several rows stand for one thing of its name. nouns: stems of the words of its title, one set a
    word. extends: whether it only says more of what each row of another is.
    """

    def __init__(self, table: str, ties: Ties, entry: Callable[[str], TableEntry]) -> None:
        self.table = table
        self._ties = ties
        self._entry = entry

    @cached_property
    def entry(self) -> TableEntry:
        return self._entry(self.table)

    @cached_property
    def name(self) -> ColumnEntry | None:
        """The column that says what a row is called; None where rows only connect others."""
        name = self._ties.table(self.table).name
        return next(c for c in self.entry.columns if c.column.name == name) if name is not None else None

    @property
    def repeated(self) -> bool:
        return self._ties.table(self.table).repeated

    @property
    def nouns(self) -> tuple[frozenset[str], ...]:
        return self._ties.table(self.table).nouns

    @property
    def extends(self) -> bool:
        return self._ties.table(self.table).extends


class _References(Mapping[tuple[str, str], Hop]):
    """The steps to what columns refer to, by table and column."""

    def __init__(self, names: Mapping[str, bool], ties: Ties) -> None:
        self._names = names
        self._ties = ties
        self._of: dict[str, Mapping[str, Hop]] = {}

    def of(self, table: str) -> Mapping[str, Hop]:
        """Those of a table, by column."""
        if table not in self._of:
            self._of[table] = {hop.column: hop for hop in self._ties.table(table).hops if hop.up}
        return self._of[table]

    def __getitem__(self, place: tuple[str, str]) -> Hop:
        return self.of(place[0])[place[1]]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return ((table, column) for table in self._names for column in self.of(table))

    def __len__(self) -> int:
        return sum(len(self.of(table)) for table in self._names)


class Database:
    """One group of tables that hang together, and the ways between them; a table is read when it is first asked of."""

    def __init__(self, names: tuple[str, ...], ties: Ties, entry: Callable[[str], TableEntry]) -> None:
        """names: of the group. entry: gives a table by name."""
        self.group: GroupTies = ties.group(names)
        self.things = {name: Thing(name, ties, entry) for name in self.group.named}
        self.references = _References(self.group.named, ties)
        self._ties = ties

    def column(self, table: str, name: str) -> ColumnEntry:
        """A column of a table."""
        return next(c for c in self.things[table].entry.columns if c.column.name == name)

    def hops(self, table: str) -> tuple[Hop, ...]:
        """The steps from rows of a table."""
        return self._ties.table(table).hops

    # ------------------------------------------------------------ ways
    def paths(self, table: str, other: str) -> tuple[Path, ...]:
        """Return the ways from rows of a table to those of another, or of the same, shortest first, at most 4.

        They lead to what refers to a row, then to what that refers to; never from what is referred to down again, since
        what two rows refer to alike doesn't relate them.
        """
        key = (table, other)
        known = self._ties.paths.get(key)
        if known is None:
            found = sorted(
                self._ways(table, other, ()), key=lambda p: (len(p), [(h.column, h.other, h.other_column) for h in p])
            )
            known = self._ties.paths[key] = tuple(found[:_MOST_PATHS])
        return known

    def _ways(self, table: str, other: str, done: Path) -> Iterator[Path]:
        for hop in self.hops(table):
            if done and (hop.referring == done[-1].referring or _turns_down(done, hop)):
                continue
            if hop.other in {h.table for h in done} and hop.other != other:
                continue
            way = (*done, hop)
            if hop.other == other:
                yield way
            elif len(way) < _LONGEST:
                yield from self._ways(hop.other, other, way)

    def reaches(self, table: str, column: str, of: str) -> tuple[Path, ...]:
        """Return the ways from a row of a table to the one value of a column of a table; () is the row itself."""
        if table == of:
            return ((),)
        return tuple(p for p in self.paths(table, of) if all(h.up or h.single for h in p))

    def records(self, table: str) -> bool:
        """Whether rows of a table refer to those of several others: what they did, not what they are."""
        return len(self.references.of(table)) > 1

    def connects(self, table: str) -> bool:
        """Whether rows of a table only connect those of others."""
        return not self.group.named[table] and self.records(table)

    def plays(self, path: Path, role: tuple[str, str]) -> bool:
        """Whether a way leads through what a role names."""
        table, column = role
        if column:
            return any(hop.referring == role for hop in path)
        return any(hop.other == table for hop in path[:-1])

    def unsaid(self, path: Path) -> int:
        """In how many roles a way leads that want to be named."""
        return sum(1 for hop in path if hop.role)


def _turns_down(done: Path, hop: Hop) -> bool:
    return not hop.up and not hop.single and any(h.up and not h.single for h in done)
