"""Owns tables that hang together as a question asks of them: what their rows are, and the ways between these."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TypeVar

from polyrag_cli.nl2sql.index import ColumnEntry, TableEntry
from polyrag_cli.nl2sql.ties import GroupTies, Hop, Path, Ties

# More tables between two others say nothing of what relates them.
_LONGEST = 4
_MOST_PATHS = 4
_FAR = _LONGEST + 1
_NOWHERE = (_FAR, _FAR)

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
        self._steps: dict[str, Mapping[str, tuple[int, int]]] = {}

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
            found: list[Path] = []
            for length in range(1, _LONGEST + 1) if table in self._near(other) else ():
                ways = self._ways(table, other, (), length)
                found += sorted(ways, key=lambda p: [(h.column, h.other, h.other_column) for h in p])
                if len(found) >= _MOST_PATHS:
                    break
            known = self._ties.paths[key] = tuple(found[:_MOST_PATHS])
        return known

    def sources(self, other: str) -> tuple[str, ...]:
        """Return the tables with named rows from which ways may lead to those of one, by name."""
        return tuple(name for name in sorted(self._near(other)) if self.group.named[name])

    def _ways(self, table: str, other: str, done: Path, length: int) -> Iterator[Path]:
        """Yield the ways of so many steps in all that begin with those `done`."""
        near, left = self._near(other), length - len(done) - 1
        for hop in self.hops(table):
            if done and (hop.referring == done[-1].referring or _turns_down(done, hop)):
                continue
            if hop.other == other:
                if not left:
                    yield (*done, hop)
                continue
            way = (*done, hop)
            if near.get(hop.other, _NOWHERE)[_rises(way)] <= left and hop.other not in {h.table for h in done}:
                yield from self._ways(hop.other, other, way, length)

    def _near(self, other: str) -> Mapping[str, tuple[int, int]]:
        """Return for each table from which a way may lead to another how many steps that takes at least: any, and such
        as go up alone. Ways are looked for from where they end."""
        if other not in self._steps:
            least: dict[tuple[str, bool], int] = {(other, True): 0}
            front = [(other, True)]
            for steps in range(1, _LONGEST + 1):
                # A way that goes down may not have gone up before.
                met = {
                    (hop.other, rising and (hop.single or not hop.up))
                    for table, rising in front
                    for hop in self.hops(table)
                    if rising or hop.single or hop.up
                }
                front = sorted(met - least.keys())
                least.update(dict.fromkeys(front, steps))
            risen = {table: steps for (table, rising), steps in least.items() if rising}
            self._steps[other] = {
                table: (min(least.get((table, False), _FAR), risen.get(table, _FAR)), risen.get(table, _FAR))
                for table, _ in least
            }
        return self._steps[other]

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
    return not hop.up and not hop.single and _rises(done)


def _rises(way: Path) -> bool:
    """Whether a way goes up, so that what follows must, too."""
    return any(h.up and not h.single for h in way)
