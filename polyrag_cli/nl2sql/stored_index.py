"""Owns the index of stored tables: what was kept of them is read as a question needs it, the rest is worked out."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from threading import Lock

from polyrag_cli.lru import Bounded
from polyrag_cli.nl2sql.index import Hit, SchemaIndex, TableEntry, Tables, table_entry
from polyrag_cli.nl2sql.kept_entry import KeptEntry, packed, version
from polyrag_cli.nl2sql.postings import AskedRows, Postings
from polyrag_cli.nl2sql.table_words import MemoryWords, near_texts, word_rows
from polyrag_cli.stores.base import RelationalStore, Snapshot
from polyrag_cli.stores.faults import DamagedKeptWords
from polyrag_cli.stores.table_words import KeptTable, KeptTables, TableWordStore
from polyrag_cli.text.fold import fold
from polyrag_cli.types import TableRef, TableSchema

_MAX_EXPLAINED = 200_000


def version_of(ref: TableRef) -> str:
    """Return the version that a table's entry must have: what is known of it depends on its name and its path."""
    named = "\0".join((ref.name, ref.document, *ref.path_words))
    return f"{version()}-{hashlib.sha256(named.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def kept_table(ref: TableRef, schema: TableSchema) -> KeptTable:
    """Return what is to be kept of a table; ref: the table, schema: its columns."""
    if not schema.columns:
        return KeptTable(ref.key, version_of(ref), "", (), ())
    table = TableEntry(schema)
    near = near_texts(table)
    spellings = [(len(fold(text)), text, values) for text, values in near.items()]
    return KeptTable(ref.key, version_of(ref), packed(table), list(word_rows(table)), spellings)


class CommitTables:
    """The tables of one commit, with those that questions have read so far; thread-safe.

    numbers: of the entries that are kept of them, by name; those without one are worked out here.
    """

    def __init__(self, relational: RelationalStore, words: TableWordStore | None, snapshot: Snapshot) -> None:
        self._relational = relational
        self._words = words
        self._read: dict[str, TableEntry] = {}
        self._lock = Lock()
        refs = relational.refs(snapshot)
        known = words.known(snapshot) if words is not None else {}
        found = {ref.name: known.get(ref.key, (0, "")) for ref in refs}
        self.numbers = {ref.name: found[ref.name][0] for ref in refs if found[ref.name][1] == version_of(ref)}
        empty = self._without_columns(snapshot, [ref.name for ref in refs if ref.name not in self.numbers])
        self.names = tuple(ref.name for ref in refs if ref.name not in empty)
        self.documents = tuple(ref.document for ref in refs if ref.name not in empty)
        self._places = {self.numbers[name]: i for i, name in enumerate(self.names) if name in self.numbers}
        rest = {i: self.entry(name, snapshot) for i, name in enumerate(self.names) if name not in self.numbers}
        self._rest = MemoryWords(rest)
        self.asked = AskedRows()
        self.explained: Bounded[tuple[str, str, bool], Mapping[int, Hit]] = Bounded(_MAX_EXPLAINED)

    def index(self, snapshot: Snapshot) -> SchemaIndex:
        """The index of the tables, read through a snapshot of their commit."""
        return StoredIndex(self, snapshot)

    def entry(self, name: str, snapshot: Snapshot) -> TableEntry:
        """A table's entry."""
        with self._lock:
            found = self._read.get(name)
            if found is None:
                (schema,) = self._relational.schemas(snapshot, {name})
                found = self._read[name] = self._made(schema, snapshot)
            return found

    def lists(self, snapshot: Snapshot) -> StoredWords:
        """The words of all tables."""
        kept = self._words.of(snapshot) if self._words is not None and self._places else None
        return StoredWords(kept, self._places, self._rest)

    def _without_columns(self, snapshot: Snapshot, unkept: Sequence[str]) -> set[str]:
        hollow = self._words.of(snapshot).hollow() if self._words is not None else frozenset()
        # What is kept of a table may be damaged: whether it has no columns its schema says.
        doubtful = {name for name, number in self.numbers.items() if number in hollow}.union(unkept)
        schemas = self._relational.schemas(snapshot, doubtful) if doubtful else ()
        return {schema.name for schema in schemas if not schema.columns}

    def _made(self, schema: TableSchema, snapshot: Snapshot) -> TableEntry:
        if self._words is None or schema.name not in self.numbers:
            return table_entry(schema)
        try:
            kept = KeptEntry(self._words.of(snapshot).entry(self.numbers[schema.name]))
            made = TableEntry(schema, kept)
            # What is damaged shows now or never.
            made.parts_of("")
        except (DamagedKeptWords, ValueError, KeyError, TypeError):
            return table_entry(schema)
        return table_entry(schema, made)


class StoredIndex(SchemaIndex):
    """The index of a commit's tables, for as long as a snapshot of that commit is open."""

    def __init__(self, commit: CommitTables, snapshot: Snapshot) -> None:
        self.names = commit.names
        self.documents = commit.documents
        made: list[Callable[[], TableEntry]] = [partial(commit.entry, name, snapshot) for name in self.names]
        self.tables = Tables(made)
        self.postings = Postings(commit.lists(snapshot), commit.asked)
        self.explained = commit.explained


class StoredWords:
    """The kept words of tables, with those of tables of which none were kept."""

    def __init__(self, kept: KeptTables | None, places: Mapping[int, int], rest: MemoryWords) -> None:
        """places: a table's position by the number of its entry. rest: the other tables."""
        self._kept = kept
        self._places = places
        self._rest = rest

    def find(self, kind: str, word: str) -> Sequence[tuple[int, str]]:
        rows = self._kept.find(kind, word) if self._kept is not None else ()
        found = [(self._places[number], value) for number, value in rows if number in self._places]
        return sorted([*found, *self._rest.find(kind, word)])

    def words(self, kind: str) -> list[str]:
        rows = self._kept.words(kind) if self._kept is not None else ()
        return sorted({word for word, number in rows if number in self._places}.union(self._rest.words(kind)))

    def near(self, least: int, most: int) -> Iterator[str]:
        if self._kept is not None:
            yield from self._kept.spellings(least, most, self._places.keys())
        yield from self._rest.near(least, most)

    def spelled(self, text: str) -> Iterator[tuple[str, ...]]:
        rows = self._kept.spelled(len(fold(text)), text) if self._kept is not None else ()
        yield from (tuple(values) for number, values in rows if number in self._places)
        yield from self._rest.spelled(text)
