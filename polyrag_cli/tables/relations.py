"""Owns which columns hold keys of other tables: as databases declare it, or as names and values show it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from polyrag_cli.languages import UNDETERMINED, language
from polyrag_cli.tables.description import TOTAL_NOTE
from polyrag_cli.text.fold import fold
from polyrag_cli.text.stem import all_stems
from polyrag_cli.types import Column, Relation, TableSchema

Shares = Callable[[Sequence[Relation]], Sequence[float | None]]
"""The exact containment of each relation, whatever the schemas keep of its values; None where it can't be had."""

# A column that is named after the other table may lack some of its keys; one that isn't has to match by values alone.
_NAMED_TEXTS = 0.5
_NAMED_NUMBERS = 0.8
_UNNAMED = 0.9
# Of a column without a name that says so: so many different values, words rather than codes.
_UNNAMED_DISTINCT = 3
_PROBES = 3
_KEY_TYPES = ("integer", "text", "date")
_WORD = re.compile(r"[^\W\d_]+|\d+")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_CODE = re.compile(r"\W*(?:\w{1,2}|\w*\d\w*)\W*")
# Of a column with fewer values, schemas keep every one that isn't too long.
_ALL_KEPT = 1000
# Pairs whose values schemas don't keep are counted in the rows, at most so many of them.
_MOST_COUNTED = 40
# So many of a column's kept values should be among a key's kept ones before it tells that none is.
_SURELY_MET = 10
# Shorter beginnings of a name stand for too many.
_SHORTENED = 3


@dataclass(frozen=True)
class _Side:
    """A column of a table, and what of it is looked at more than once."""

    table: TableSchema
    column: Column
    position: int

    @cached_property
    def values(self) -> frozenset[str]:
        """Those that it has, without what rows of totals are called."""
        return frozenset(self.column.values).difference(
            note.removeprefix(TOTAL_NOTE) for note in self.column.notes if note.startswith(TOTAL_NOTE)
        )

    @cached_property
    def words(self) -> tuple[str, ...]:
        return _words(self.column.label)

    @property
    def whole(self) -> bool:
        """Whether the schema keeps every value."""
        return len(self.column.values) == self.column.distinct

    @cached_property
    def prose(self) -> bool:
        """Whether some of its texts are too long for the schema to keep: such tell of things, and name none."""
        return not self.whole and self.column.type == "text" and len(self.column.values) < _ALL_KEPT

    @property
    def unique(self) -> bool:
        if self.column.label in self.table.keys:
            return True
        # Where a row states a total, no cell need say whose.
        total = len(self.table.total_rows)
        return self.column.nulls <= total and self.column.distinct == self.table.rows - self.column.nulls > 1

    @cached_property
    def running(self) -> bool:
        """Whether it counts its rows: such numbers are contained in any other count."""
        return self.column.type == "integer" and self.whole and _run(self.values)


def relations_of(schemas: Sequence[TableSchema], shares: Shares | None = None) -> tuple[Relation, ...]:
    """Return the relations between tables, by table and column; of several keys of one table the likeliest.

    Only a key, a column whose values are all there and all different, is related to. Numbers and dates need a name
    that says so, since running numbers are contained in each other; texts also relate by their values alone.

    shares: counts where the schemas keep only a part of the values, for a bounded number of pairs; without it such
    columns relate only if declared.
    """
    sides = [[_Side(table, column, i) for i, column in enumerate(table.columns)] for table in schemas]
    declared = _declared(schemas, sides)
    found = _named(schemas, sides) + _by_values(sides)
    return _settled(declared, found, shares)


# ---------------------------------------------------------------- candidates
@dataclass(frozen=True)
class _Candidate:
    """A pair that may be a relation. floor: the containment that makes it one; rank: the lower, the likelier."""

    column: _Side
    key: _Side
    floor: float
    rank: int

    def relation(self, containment: float, declared: bool = False) -> Relation:
        table, other = self.column.table.name, self.key.table.name
        return Relation(table, self.column.column.name, other, self.key.column.name, containment, declared)


def _declared(schemas: Sequence[TableSchema], sides: Sequence[Sequence[_Side]]) -> list[_Candidate]:
    """What a database says of its own tables; a document's tables are known by their labels."""
    places = {(table.document, fold(table.label)): own for table, own in zip(schemas, sides, strict=True)}
    found = []
    for table, own in zip(schemas, sides, strict=True):
        for reference in table.references:
            column = _labelled(own, reference.column)
            key = _labelled(places.get((table.document, fold(reference.other)), ()), reference.other_column)
            if column is not None and key is not None:
                found.append(_Candidate(column, key, 0.0, 0))
    return found


def _labelled(sides: Iterable[_Side], label: str) -> _Side | None:
    return next((side for side in sides if fold(side.column.label) == fold(label)), None)


class _Titles:
    """What the tables are called, and which of them a column's name mentions."""

    def __init__(self, schemas: Sequence[TableSchema]) -> None:
        self.titles = [_words(table.label) or _words(table.name) for table in schemas]
        self._shared = Counter(stem for title in self.titles for stem in {all_stems(word)[0] for word in title})
        self._tables_of: dict[str, set[int]] = {}
        for position, title in enumerate(self.titles):
            for name in _forms(title):
                self._tables_of.setdefault(name, set()).add(position)
        self._known: dict[tuple[str, ...], tuple[tuple[int, frozenset[str]], ...]] = {}

    def mentioned(self, words: tuple[str, ...]) -> tuple[tuple[int, frozenset[str]], ...]:
        """Return the tables that a column mentions, by position, each with those of its words that do."""
        if words not in self._known:
            near = set().union(*(self._tables_of.get(name, ()) for name in _forms(words)))
            found = ((position, _mentioned(words, self.titles[position], self._shared)) for position in sorted(near))
            self._known[words] = tuple((position, spoken) for position, spoken in found if spoken)
        return self._known[words]


def _forms(words: Iterable[str]) -> set[str]:
    return {form for word in words for form in (*all_stems(word), word[:_SHORTENED])}


def _named(schemas: Sequence[TableSchema], sides: Sequence[Sequence[_Side]]) -> list[_Candidate]:
    """Pairs of which the one column is called like the other one or its table."""
    titles = _Titles(schemas)
    keys = [
        [side for side in own if side.column.type in _KEY_TYPES and side.unique and not side.prose] for own in sides
    ]
    keys_of: dict[tuple[str, ...], list[_Side]] = {}
    for side in (side for own in keys for side in own):
        keys_of.setdefault(side.words, []).append(side)
    found = []
    for column in (side for own in sides for side in own):
        if column.column.type not in _KEY_TYPES or not column.column.distinct or column.prose:
            continue
        alike = keys_of.get(column.words, ())
        found += [_candidate(column, key, 1) for key in alike if _same_kind(column, key) and _tells(column, key)]
        for position, spoken in titles.mentioned(column.words):
            fitting = (key for key in keys[position] if _same_kind(column, key))
            found += [
                _candidate(column, key, 2) for key in fitting if _means(column, key, spoken, titles.titles[position])
            ]
    return found


def _candidate(column: _Side, key: _Side, rank: int) -> _Candidate:
    return _Candidate(column, key, _NAMED_TEXTS if column.column.type == "text" else _NAMED_NUMBERS, rank)


def _same_kind(column: _Side, key: _Side) -> bool:
    return column.column.type == key.column.type and column.table is not key.table


def _tells(column: _Side, key: _Side) -> bool:
    """Whether a name that two columns share says that they hold the same things; `rank` and `id` say no such thing."""
    if column.column.type != "integer":
        return True
    if not (key.running or column.unique):
        return column.column.distinct > 1
    identifying = language(UNDETERMINED).tables.identifiers
    return len(key.words) > 1 and any(word in identifying for word in key.words)


def _means(column: _Side, key: _Side, spoken: frozenset[str], title: Sequence[str]) -> bool:
    """Whether a column that mentions a table holds a certain key of it.

    spoken: the words of the column that are the table's. `customer_id` and `customer` hold `id` of customers; a figure
    beside the name (`customer count`), or the very name (`customers`, how many), doesn't.
    """
    if column.column.type == "text":
        return True
    others = [word for word in column.words if word not in spoken]
    if others:
        return any(word in key.words for word in others)
    return tuple(title) != column.words


def _mentioned(words: Sequence[str], title: Sequence[str], shared: Counter[str]) -> frozenset[str]:
    """The words of a column that name a table: all of its title, or half of it if no other table has that word."""
    spoken = {word: [part for part in title if _same_word(word, part)] for word in words}
    parts = {part for found in spoken.values() for part in found}
    alone = any(shared[all_stems(part)[0]] == 1 for part in parts)
    if len(parts) < len(set(title)) and not (alone and 2 * len(parts) >= len(set(title))):
        return frozenset()
    return frozenset(word for word, found in spoken.items() if found)


@lru_cache(maxsize=65536)
def _same_word(word: str, part: str) -> bool:
    if word == part or not set(all_stems(word)).isdisjoint(all_stems(part)):
        return True
    return len(word) >= _SHORTENED and part.startswith(word)


def _by_values(sides: Sequence[Sequence[_Side]]) -> list[_Candidate]:
    """Pairs of texts of which the one's values are among the other's, whatever they are called."""
    probing: dict[str, list[_Side]] = {}
    for column in (side for own in sides for side in own):
        for value in _probes(column):
            probing.setdefault(value, []).append(column)
    found: list[_Candidate] = []
    for key in (side for own in sides for side in own if side.column.type == "text" and side.unique):
        if not key.whole or key.column.distinct < _UNNAMED_DISTINCT:
            continue
        hit = {id(side): side for value in key.values & probing.keys() for side in probing[value]}
        found += [_Candidate(side, key, _UNNAMED, 3) for side in hit.values() if _same_kind(side, key)]
    return found


def _probes(column: _Side) -> Sequence[str]:
    """A few values of a column that are looked for in keys: one of them is there if nine in ten are."""
    if column.column.type != "text" or not column.whole or column.column.distinct < _UNNAMED_DISTINCT:
        return ()
    values = column.column.values
    chosen = [values[i * (len(values) - 1) // (_PROBES - 1)] for i in range(_PROBES)]
    return () if sum(map(bool, map(_CODE.fullmatch, chosen))) > 1 else chosen


# ---------------------------------------------------------------- how much is contained
def _settled(
    declared: Sequence[_Candidate], found: Sequence[_Candidate], shares: Shares | None
) -> tuple[Relation, ...]:
    known = [(candidate, _share(candidate)) for candidate in (*declared, *found)]
    open_ones = [candidate for candidate, share in known if share is None and _may_hold(candidate)]
    # The order is that of the tables, so that it is always the same ones that are counted.
    open_ones = sorted(open_ones, key=lambda one: one.rank)[:_MOST_COUNTED]
    counted = shares([one.relation(0.0) for one in open_ones]) if shares is not None and open_ones else ()
    exact = dict(zip(map(id, open_ones), counted, strict=False))
    best: dict[tuple[str, str, str], tuple[tuple[float, ...], Relation]] = {}
    for candidate, known_share in known:
        share = known_share if known_share is not None else exact.get(id(candidate))
        stated = candidate.rank == 0
        if share is None and stated:
            # The database holds it, and so vouches for the values.
            share = 1.0
        if share is None or share < candidate.floor:
            continue
        relation = candidate.relation(round(share, 6), declared=stated)
        order = (candidate.rank, -relation.containment, candidate.key.position)
        place = (relation.table, relation.column, relation.other)
        if place not in best or order < best[place][0]:
            best[place] = (order, relation)
    return tuple(best[place][1] for place in sorted(best))


def _share(candidate: _Candidate) -> float | None:
    """The share of a column's values that are keys; None when the schemas don't keep enough of them."""
    column, key = candidate.column, candidate.key
    if not (column.whole and key.whole):
        return None
    return len(column.values & key.values) / len(column.values) if column.values else 0.0


def _may_hold(candidate: _Candidate) -> bool:
    """Whether the values that schemas keep leave it open: where many should be in both, some are."""
    column, key = candidate.column, candidate.key
    expected = len(column.values) * len(key.values) / max(1, key.column.distinct)
    return candidate.rank == 0 or expected < _SURELY_MET or not column.values.isdisjoint(key.values)


def _run(values: frozenset[str]) -> bool:
    numbers = {int(value) for value in values if value.lstrip("-").isdigit()}
    return bool(numbers) and min(numbers) in (0, 1) and max(numbers) - min(numbers) == len(numbers) - 1


def _words(name: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(fold(_HUMP.sub(" ", name)).replace("_", " ")))
