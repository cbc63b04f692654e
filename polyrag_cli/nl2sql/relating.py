"""Owns how tables hang together: what each row of a table is, and the ways from its rows to those of other tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from polyrag_cli.nl2sql.index import ColumnEntry, TableEntry
from polyrag_cli.nl2sql.question import word_parts
from polyrag_cli.text.stem import all_stems
from polyrag_cli.types import Relation

# More tables between two others say nothing of what relates them.
_LONGEST = 4
_MOST_PATHS = 4
# A text that nearly always is the name of a row of another table, though several rows may have that name.
_NAMES = 0.8
_NAMES_AGREEING = 0.6
_LEAST_NAMES = 3
# Names that repeat more say that several rows record one thing.
_OWN_NAME = 0.75


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


@dataclass(frozen=True)
class Thing:
    """A table as what its rows are.

    name: the column that says what a row is called; None where rows only connect others. repeated: whether several
    rows stand for one thing of that name. nouns: stems of the words of its title, one set a word.
    """

    entry: TableEntry
    name: ColumnEntry | None
    repeated: bool
    nouns: tuple[frozenset[str], ...]

    @property
    def table(self) -> str:
        return self.entry.schema.name


class Database:
    """Tables that hang together, and the ways between them."""

    def __init__(self, tables: Sequence[TableEntry], relations: Sequence[Relation]) -> None:
        self._entries = {table.schema.name: table for table in tables}
        kept = _settled(self._entries, relations)
        self._references = {(r.table, r.column): r for r in kept}
        self.things = {name: self._thing(table) for name, table in sorted(self._entries.items())}
        hops = [self._hop(relation) for relation in kept]
        hops += list(self._within())
        hops += list(self._by_names(hops))
        self.hops: dict[str, list[Hop]] = defaultdict(list)
        for hop in hops:
            self.hops[hop.table].append(hop)
            self.hops[hop.other].append(hop.back)
        self.references = {hop.referring: hop for hop in hops}
        self._paths: dict[tuple[str, str], tuple[Path, ...]] = {}

    def column(self, table: str, name: str) -> ColumnEntry:
        """A column of a table."""
        return next(c for c in self._entries[table].columns if c.column.name == name)

    def _thing(self, table: TableEntry) -> Thing:
        name = self._name(table)
        repeated = name is not None and name.column.distinct < _OWN_NAME * max(1, table.schema.rows - name.column.nulls)
        words = word_parts(table.schema.label) or word_parts(table.schema.name)
        nouns = tuple(frozenset(all_stems(w)) for w in words if not table.lexicon.is_function_word(w))
        return Thing(table, name, repeated, nouns)

    def _name(self, table: TableEntry) -> ColumnEntry | None:
        if self.extends(table.schema.name):
            return None
        own = [c for c in table.columns if (table.schema.name, c.column.name) not in self._references]
        refers = len(own) < len(table.columns)
        texts = [c for c in own if c.role in ("text", "code") and not c.yes_no and c.column.distinct > 1]
        named = [c for c in texts if c.role == "text" and not _coded(c, table)]
        for likely in (
            [c for c in named if c.names_rows],
            [c for c in named if c.concepts & {"name", "title"}],
            [c for c in named if c.unique],
        ):
            if likely:
                return likely[0]
        key = next((c for c in own if c.unique and (c.role in ("code", "text") or c is table.columns[0])), None)
        if key is not None and key.column.type in ("integer", "text"):
            return key
        return None if refers or not texts else texts[0]

    def extends(self, table: str) -> bool:
        """Whether a table only says more of what each row of another is."""
        entry = self._entries[table]
        own = {c.column.name: c for c in entry.columns}
        referring = [own[column] for name, column in self._references if name == table]
        return any(c.unique for c in referring) and not any(c.names_rows and c not in referring for c in entry.columns)

    def _hop(self, relation: Relation) -> Hop:
        column = self.column(relation.table, relation.column)
        other = self._entries[relation.other]
        key = self.column(relation.other, relation.other_column)
        return Hop(
            relation.table,
            relation.column,
            relation.other,
            relation.other_column,
            True,
            single=column.unique,
            role=_role(column, key, other),
        )

    def _within(self) -> Iterator[Hop]:
        """Columns that refer to rows of their own table, as a name says that numbers rows: "manager id"."""
        for table, entry in sorted(self._entries.items()):
            keys = [c for c in entry.columns if c.unique and c.role == "code" and not c.column.nulls]
            for column in entry.columns:
                place = (table, column.column.name)
                if column.unique or place in self._references or not _coded(column, entry):
                    continue
                for key in keys[:1]:
                    role = _role(column, key, entry)
                    if role and key.column.type == column.column.type and _names(column, key, 1.0, "code"):
                        yield Hop(table, column.column.name, table, key.column.name, True, role=role)

    def _by_names(self, hops: Sequence[Hop]) -> Iterator[Hop]:
        """Texts that name rows of another table, where names alone don't tell its rows apart."""
        for table, entry in sorted(self._entries.items()):
            for column in entry.columns:
                if column.role != "text" or column.column.distinct < _LEAST_NAMES:
                    continue
                if (table, column.column.name) in self._references or column is self.things[table].name:
                    continue
                for other, thing in self.things.items():
                    agreeing = tuple((h.other_column, h.column) for h in hops if (h.table, h.other) == (other, table))
                    least = _NAMES_AGREEING if agreeing else _NAMES
                    if other == table or thing.name is None or not _names(column, thing.name, least):
                        continue
                    role = _role(column, thing.name, thing.entry)
                    yield Hop(table, column.column.name, other, thing.name.column.name, True, False, agreeing[:1], role)

    # ------------------------------------------------------------ ways
    def paths(self, table: str, other: str) -> tuple[Path, ...]:
        """Return the ways from rows of a table to those of another, or of the same, shortest first, at most 4.

        They lead to what refers to a row, then to what that refers to; never from what is referred to down again, since
        what two rows refer to alike doesn't relate them.
        """
        key = (table, other)
        if key not in self._paths:
            found = sorted(
                self._ways(table, other, ()), key=lambda p: (len(p), [(h.column, h.other, h.other_column) for h in p])
            )
            self._paths[key] = tuple(found[:_MOST_PATHS])
        return self._paths[key]

    def _ways(self, table: str, other: str, done: Path) -> Iterator[Path]:
        for hop in self.hops[table]:
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

    @cached_property
    def roles(self) -> tuple[tuple[str, frozenset[str], tuple[str, str]], ...]:
        """The words that say how rows are related: as they are compared by meaning, their stems, and of what.

        Of a column that refers in a role, (table, column); of a table that refers to several others, (table, "").
        """
        found = []
        for (table, column), hop in sorted(self.references.items()):
            if hop.role:
                found.append((self.column(table, column).phrase, hop.role, (table, column)))
        for name, thing in self.things.items():
            if self.records(name):
                stems = frozenset(stem for group in thing.nouns for stem in group)
                found.append((" ".join(word_parts(thing.entry.schema.label)), stems, (name, "")))
        return tuple(found)

    def records(self, table: str) -> bool:
        """Whether rows of a table refer to those of several others: what they did, not what they are."""
        return sum(1 for name, _ in self.references if name == table) > 1

    def connects(self, table: str) -> bool:
        """Whether rows of a table only connect those of others."""
        return self.things[table].name is None and self.records(table)

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


def _names(column: ColumnEntry, name: ColumnEntry, least: float, role: str = "text") -> bool:
    values, others = column.column.values, name.column.values
    whole = len(values) == column.column.distinct and len(others) == name.column.distinct
    if not whole or not values or name.role != role:
        return False
    known = set(others)
    return sum(1 for value in values if value in known) >= least * len(values)


def _coded(column: ColumnEntry, table: TableEntry) -> bool:
    """Whether a column's label says that it numbers or codes rows, rather than naming them."""
    words = word_parts(column.column.label.replace("_", " "))
    return any(table.lexicon.identifies(word) for word in words)


def _role(column: ColumnEntry, key: ColumnEntry, other: TableEntry) -> frozenset[str]:
    identifying = other.lexicon.tables.identifiers | other.lexicon.tables.notions["name"]
    plain = {stem for group in key.stems for stem in group} | other.label_stems
    words = [w for w in column.words if w not in identifying and plain.isdisjoint(all_stems(w))]
    return frozenset(stem for word in words for stem in all_stems(word))


def _settled(entries: dict[str, TableEntry], relations: Sequence[Relation]) -> list[Relation]:
    """Keep of several keys with the same values the one of the table that is named after it."""
    known = [r for r in relations if r.table in entries and r.other in entries]
    pairs = {(r.table, r.column, r.other, r.other_column) for r in known}
    counted: dict[tuple[str, str], int] = defaultdict(int)
    for relation in known:
        counted[relation.other, relation.other_column] += 1

    def rank(table: str, column: str) -> tuple[bool, int, str]:
        label = word_parts(column.replace("_", " "))
        about = any(not entries[table].label_stems.isdisjoint(all_stems(word)) for word in label)
        return (not about, -counted[table, column], table)

    def better(relation: Relation) -> bool:
        """Whether the key is that of the table that it is about."""
        back = (relation.other, relation.other_column, relation.table, relation.column) in pairs
        return not back or rank(relation.other, relation.other_column) < rank(relation.table, relation.column)

    upward = [r for r in known if better(r)]
    owned = {(r.table, r.column): (r.other, r.other_column) for r in upward}
    found = []
    for relation in upward:
        owner = owned.get((relation.other, relation.other_column))
        also = owner is not None and (relation.table, relation.column, *owner) in pairs
        if not also:
            found.append(relation)
    return found


def groups(names: Collection[str], relations: Sequence[Relation]) -> list[tuple[str, ...]]:
    """Return which of some tables relations connect, by name, sorted; those without any are in no group."""
    found: dict[str, set[str]] = {}
    for relation in relations:
        joined = found.get(relation.table, {relation.table}) | found.get(relation.other, {relation.other})
        for name in joined:
            found[name] = joined
    known = ((name for name in group if name in names) for group in sorted({tuple(sorted(g)) for g in found.values()}))
    return [group for group in map(tuple, known) if len(group) > 1]


def database(tables: Iterable[TableEntry], relations: Sequence[Relation]) -> Database:
    """Return one group of tables with the relations between them."""
    entries = tuple(tables)
    names = {table.schema.name for table in entries}
    return _database(entries, tuple(r for r in relations if r.table in names and r.other in names))


@lru_cache(maxsize=16)
def _database(tables: tuple[TableEntry, ...], relations: tuple[Relation, ...]) -> Database:
    return Database(tables, relations)


def databases(tables: Iterable[TableEntry], relations: Sequence[Relation]) -> tuple[Database, ...]:
    """Return the groups of tables that relations connect; tables without any are in none."""
    by_name = {table.schema.name: table for table in tables}
    return tuple(database([by_name[name] for name in group], relations) for group in groups(by_name.keys(), relations))


__all__ = ["Database", "Hop", "Path", "Thing", "database", "databases", "groups"]
