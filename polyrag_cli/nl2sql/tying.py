"""Owns the working out of how tables hang together, from their columns and the relations between these."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from polyrag_cli.nl2sql.index import ColumnEntry, TableEntry
from polyrag_cli.nl2sql.notions import PEOPLE, PLACES
from polyrag_cli.nl2sql.question import word_parts
from polyrag_cli.nl2sql.ties import GroupTies, Hop, MemoryTies, RoleOf, TableTies
from polyrag_cli.text.stem import all_stems
from polyrag_cli.types import Relation

# A text that nearly always is the name of a row of another table, though several rows may have that name.
_NAMES = 0.8
_NAMES_AGREEING = 0.6
_LEAST_NAMES = 3
# Names that repeat more say that several rows record one thing.
_OWN_NAME = 0.75
# Of the names that are looked at, so many are like people's.
_LOOKED_AT = 200
_MOSTLY = 0.6


def tied(tables: Iterable[TableEntry], relations: Sequence[Relation]) -> MemoryTies:
    """Return how tables hang together by the relations between them."""
    by_name = {table.schema.name: table for table in tables}
    found = groups(by_name.keys(), relations)
    group_of = {name: number for number, names in enumerate(found) for name in names}
    own: list[list[Relation]] = [[] for _ in found]
    for relation in relations:
        if relation.table in group_of and relation.other in group_of:
            own[group_of[relation.table]].append(relation)
    of_groups: dict[tuple[str, ...], GroupTies] = {}
    of_tables: dict[str, TableTies] = {}
    for names, among in zip(found, own, strict=True):
        group = _Group([by_name[name] for name in names], among)
        of_groups[names] = group.ties()
        of_tables.update(group.tables())
    return MemoryTies(tuple(found), of_groups, of_tables)


def groups(names: Collection[str], relations: Sequence[Relation]) -> list[tuple[str, ...]]:
    """Return which of some tables relations connect, by name, sorted; those without any are in no group."""
    beside: dict[str, set[str]] = defaultdict(set)
    for relation in relations:
        beside[relation.table].add(relation.other)
        beside[relation.other].add(relation.table)
    found: list[tuple[str, ...]] = []
    seen: set[str] = set()
    for start in sorted(beside):
        if start in seen:
            continue
        group, left = {start}, [start]
        while left:
            near = beside[left.pop()] - group
            group |= near
            left += near
        seen |= group
        found.append(tuple(sorted(group)))
    known = (tuple(name for name in group if name in names) for group in sorted(found))
    return [group for group in known if len(group) > 1]


class _Group:
    """Tables that hang together, while it is worked out how."""

    def __init__(self, tables: Sequence[TableEntry], relations: Sequence[Relation]) -> None:
        self._entries = {table.schema.name: table for table in sorted(tables, key=lambda table: table.schema.name)}
        self._columns = {
            (name, entry.column.name): entry for name, table in self._entries.items() for entry in table.columns
        }
        kept = _settled(self._entries, relations)
        self._referring = {(r.table, r.column) for r in kept}
        self._names = {name: self._name(table) for name, table in self._entries.items()}
        hops = [self._hop(relation) for relation in kept]
        hops += list(self._within())
        hops += list(self._by_names(hops))
        self._hops: dict[str, list[Hop]] = defaultdict(list)
        for hop in hops:
            self._hops[hop.table].append(hop)
            self._hops[hop.other].append(hop.back)
        self._references = {hop.referring: hop for hop in hops}

    def tables(self) -> Mapping[str, TableTies]:
        """What holds of each table."""
        found = {}
        for name, table in self._entries.items():
            own = self._names[name]
            repeated = own is not None and own.column.distinct < _OWN_NAME * max(
                1, table.schema.rows - own.column.nulls
            )
            column = own.column.name if own is not None else None
            found[name] = TableTies(column, repeated, _nouns(table), self._extends(name), tuple(self._hops[name]))
        return found

    def ties(self) -> GroupTies:
        """What holds of all of them together."""
        named = {name: own is not None for name, own in self._names.items()}
        people = tuple(name for name, table in self._entries.items() if _of_people(table, self._names[name]))
        dated, placed = [], []
        for name, table in self._entries.items():
            for entry in table.columns:
                hop = self._references.get((name, entry.column.name))
                if (hop is not None and hop.single) or entry.column.distinct < 2 or entry is self._names[name]:
                    continue
                if entry.role in ("date", "year"):
                    dated.append((name, entry.column.name))
                if entry.role == "text" and entry.concepts & PLACES:
                    placed.append((name, entry.column.name))
        return GroupTies(named, tuple(self._roles()), people, tuple(dated), tuple(placed))

    def _roles(self) -> Iterator[RoleOf]:
        for place, hop in sorted(self._references.items(), key=lambda item: item[0]):
            if hop.role:
                yield self._columns[place].phrase, hop.role, place
        referring = Counter(name for name, _ in self._references)
        for name, table in self._entries.items():
            if referring[name] > 1:
                stems = frozenset(stem for group in _nouns(table) for stem in group)
                yield " ".join(word_parts(table.schema.label)), stems, (name, "")

    # ------------------------------------------------------------ what rows are called
    def _name(self, table: TableEntry) -> ColumnEntry | None:
        if self._extends(table.schema.name):
            return None
        own = [c for c in table.columns if (table.schema.name, c.column.name) not in self._referring]
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

    def _extends(self, name: str) -> bool:
        columns = self._entries[name].columns
        referring = [c for c in columns if (name, c.column.name) in self._referring]
        return any(c.unique for c in referring) and not any(c.names_rows and c not in referring for c in columns)

    # ------------------------------------------------------------ steps
    def _hop(self, relation: Relation) -> Hop:
        column = self._columns[relation.table, relation.column]
        key = self._columns[relation.other, relation.other_column]
        role = _role(column, key, self._entries[relation.other])
        return Hop(
            relation.table,
            relation.column,
            relation.other,
            relation.other_column,
            True,
            single=column.unique,
            role=role,
        )

    def _within(self) -> Iterator[Hop]:
        """Columns that refer to rows of their own table, as a name says that numbers rows: "manager id"."""
        for table, entry in self._entries.items():
            keys = [c for c in entry.columns if c.unique and c.role == "code" and not c.column.nulls]
            for column in entry.columns:
                place = (table, column.column.name)
                if column.unique or place in self._referring or not _coded(column, entry):
                    continue
                for key in keys[:1]:
                    role = _role(column, key, entry)
                    if role and key.column.type == column.column.type and _among(column, key):
                        yield Hop(table, column.column.name, table, key.column.name, True, role=role)

    def _by_names(self, hops: Sequence[Hop]) -> Iterator[Hop]:
        """Texts that name rows of another table, where names alone don't tell its rows apart."""
        holders = self._holders()
        agreeing: dict[tuple[str, str], tuple[str, str]] = {}
        for hop in hops:
            agreeing.setdefault((hop.other, hop.table), (hop.other_column, hop.column))
        for table, entry in self._entries.items():
            for column in entry.columns:
                if column.role != "text" or column.column.distinct < _LEAST_NAMES or not _whole(column):
                    continue
                if (table, column.column.name) in self._referring or column is self._names[table]:
                    continue
                shared = Counter(name for value in column.column.values for name in holders.get(value, ()))
                for other in sorted(shared.keys() - {table}):
                    pair = agreeing.get((table, other))
                    least = _NAMES_AGREEING if pair is not None else _NAMES
                    name = self._names[other]
                    if name is None or shared[other] < least * len(column.column.values):
                        continue
                    role = _role(column, name, self._entries[other])
                    pairs = (pair,) if pair is not None else ()
                    yield Hop(table, column.column.name, other, name.column.name, True, False, pairs, role)

    def _holders(self) -> Mapping[str, list[str]]:
        """The tables of which a row is called by a text."""
        found: dict[str, list[str]] = defaultdict(list)
        for table, name in self._names.items():
            if name is not None and name.role == "text" and _whole(name):
                for value in set(name.column.values):
                    found[value].append(table)
        return found


def _nouns(table: TableEntry) -> tuple[frozenset[str], ...]:
    words = word_parts(table.schema.label) or word_parts(table.schema.name)
    return tuple(frozenset(all_stems(w)) for w in words if not table.lexicon.is_function_word(w))


def _of_people(table: TableEntry, name: ColumnEntry | None) -> bool:
    """Whether a table's rows are people, or are called as people are."""
    known = PEOPLE - {"name"}
    if name is None:
        return False
    if known & table.label_concepts:
        return True
    if name.role != "text":
        return False
    if name.concepts & known:
        return True
    values = [value.split() for value in name.column.values[:_LOOKED_AT]]
    named = sum(1 for words in values if 2 <= len(words) <= 4 and words[0][:1].isupper() and words[-1][:1].isupper())
    return named >= _MOSTLY * max(1, len(values))


def _whole(column: ColumnEntry) -> bool:
    """Whether all that a column holds is known."""
    return len(column.column.values) == column.column.distinct


def _among(column: ColumnEntry, key: ColumnEntry) -> bool:
    """Whether all that a column holds are codes of a key."""
    if not (_whole(column) and _whole(key)) or not column.column.values or key.role != "code":
        return False
    return set(key.column.values).issuperset(column.column.values)


def _coded(column: ColumnEntry, table: TableEntry) -> bool:
    """Whether a column's label says that it numbers or codes rows, rather than naming them."""
    words = word_parts(column.column.label.replace("_", " "))
    return any(table.lexicon.identifies(word) for word in words)


def _role(column: ColumnEntry, key: ColumnEntry, other: TableEntry) -> frozenset[str]:
    identifying = other.lexicon.tables.identifiers | other.lexicon.tables.notions["name"]
    plain = {stem for group in key.stems for stem in group} | other.label_stems
    words = [w for w in column.words if w not in identifying and plain.isdisjoint(all_stems(w))]
    return frozenset(stem for word in words for stem in all_stems(word))


def _settled(entries: Mapping[str, TableEntry], relations: Sequence[Relation]) -> list[Relation]:
    """Keep of several keys with the same values the one of the table that is named after it."""
    known = [r for r in relations if r.table in entries and r.other in entries]
    pairs = {(r.table, r.column, r.other, r.other_column) for r in known}
    counted = Counter((relation.other, relation.other_column) for relation in known)

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
