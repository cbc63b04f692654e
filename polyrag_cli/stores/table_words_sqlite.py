"""Owns what is kept of tables for questions: an entry for each table, and the words by which questions find it.

All of it can be made anew from the tables. It lies in the catalog's file, so that a snapshot sees the entries of its
own tables: a table that goes or changes takes its entry along, whoever writes it.

Each row has a mark of what it holds, and each entry says how many rows it has. A question checks the rows that it reads
and that none is missing; `damaged` checks all of them.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any
from zlib import crc32

from polyrag_cli.errors import StoreError
from polyrag_cli.stores.base import Snapshot, Transaction, Writer
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.faults import DamagedKeptWords
from polyrag_cli.stores.sqlite_transactions import connection_of
from polyrag_cli.stores.table_words import KeptTable, KeptTables, TableWordStore
from polyrag_cli.types import TableKey

# Ids are never used twice: rows of an entry that is gone are nobody else's until they are swept.
_DDL = (
    """CREATE TABLE IF NOT EXISTS table_entries (
        id INTEGER PRIMARY KEY AUTOINCREMENT, document TEXT NOT NULL, ordinal INTEGER NOT NULL, version TEXT NOT NULL,
        content TEXT NOT NULL, content_mark INTEGER NOT NULL, words INTEGER NOT NULL, spellings INTEGER NOT NULL,
        mark INTEGER NOT NULL, UNIQUE (document, ordinal)
    )""",
    """CREATE TABLE IF NOT EXISTS table_words (
        kind TEXT NOT NULL, word TEXT NOT NULL, entry INTEGER NOT NULL, value TEXT NOT NULL, mark INTEGER NOT NULL,
        PRIMARY KEY (kind, word, entry)
    ) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS table_spellings (
        length INTEGER NOT NULL, text TEXT NOT NULL, entry INTEGER NOT NULL, found TEXT NOT NULL,
        mark INTEGER NOT NULL, PRIMARY KEY (length, text, entry)
    ) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS table_relations (
        version TEXT NOT NULL, part TEXT NOT NULL, content TEXT NOT NULL, mark INTEGER NOT NULL,
        PRIMARY KEY (version, part)
    ) WITHOUT ROWID""",
    "CREATE TABLE IF NOT EXISTS table_leftovers (id INTEGER PRIMARY KEY)",
    # How tables hang together is said of all of them at once.
    """CREATE TRIGGER IF NOT EXISTS tables_removed AFTER DELETE ON tables BEGIN
        DELETE FROM table_entries WHERE document = OLD.document AND ordinal = OLD.ordinal;
        DELETE FROM table_relations;
    END""",
    """CREATE TRIGGER IF NOT EXISTS tables_changed AFTER UPDATE ON tables BEGIN
        DELETE FROM table_entries WHERE document = OLD.document AND ordinal = OLD.ordinal;
        DELETE FROM table_relations;
    END""",
    """CREATE TRIGGER IF NOT EXISTS table_entries_removed AFTER DELETE ON table_entries BEGIN
        INSERT OR IGNORE INTO table_leftovers VALUES (OLD.id);
    END""",
)
_TABLES = ("table_entries", "table_words", "table_spellings", "table_relations", "table_leftovers")
_TRIGGERS = ("tables_removed", "tables_changed", "table_entries_removed")
_HEAD = "id, document, ordinal, version, content_mark, words, spellings"
TIES = -1
"""Stands for the ties among damaged entries."""
_NAMED = 3
# Rows that are read at once.
_ROWS = 500


class SQLiteTableWords(TableWordStore):
    """Entries and words in the catalog's SQLite file."""

    def __init__(self, paths: DataPaths) -> None:
        # The state that was found damaged, and the one whose rows were counted last, with what is known of it.
        self._distrusted: tuple[str, int] | None = None
        self._known: tuple[tuple[str, int], Mapping[TableKey, tuple[int, str]]] | None = None

    def known(self, snapshot: Snapshot) -> Mapping[TableKey, tuple[int, str]]:
        """The id and version of each table's entry, of those that have all their rows."""
        state = self.state(snapshot)
        if state < 0:
            return {}
        if self._known is None or self._known[0] != (snapshot.commit, state):
            try:
                heads = list(_read(snapshot, f"SELECT {_HEAD}, mark FROM table_entries"))
                lacking = _lacking(snapshot, heads)
            except DamagedKeptWords:
                return {}
            sound = [head for head in heads if _mark(*head[:-1]) == head[-1] and head[0] not in lacking]
            found = {(document, ordinal): (number, version) for number, document, ordinal, version, *_ in sound}
            self._known = (snapshot.commit, state), found
        return self._known[1]

    def state(self, snapshot: Snapshot) -> int:
        """The highest number that was ever given to an entry; -1 where what is kept was found damaged."""
        state = _state(snapshot)
        return -1 if (snapshot.commit, state) == self._distrusted else state

    def of(self, snapshot: Snapshot) -> KeptTables:
        """What is kept, as a snapshot sees it."""
        return _Kept(snapshot, self._distrust)

    def put(self, writer: Writer, tables: Iterable[KeptTable]) -> None:
        """Keeps what is known of tables, in place of what was."""
        connection = _prepared(writer)
        for table in tables:
            connection.execute("DELETE FROM table_entries WHERE document = ? AND ordinal = ?", table.key)
            words = sorted(table.words)
            spellings = {(length, text): json.dumps(found) for length, text, found in sorted(table.spellings)}
            head = (*table.key, table.version, _mark(table.content), len(words), len(spellings))
            number = connection.execute(
                "INSERT INTO table_entries (document, ordinal, version, content_mark, words, spellings, content, mark)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, 0)",
                (*head, table.content),
            ).lastrowid
            connection.execute("UPDATE table_entries SET mark = ? WHERE id = ?", (_mark(number, *head), number))
            rows: list[tuple[object, ...]] = [(kind, word, number, value) for kind, word, value in words]
            connection.executemany("INSERT INTO table_words VALUES (?, ?, ?, ?, ?)", map(_marked, rows))
            rows = [(length, text, number, found) for (length, text), found in spellings.items()]
            connection.executemany("INSERT INTO table_spellings VALUES (?, ?, ?, ?, ?)", map(_marked, rows))

    def put_ties(self, writer: Writer, version: str, parts: Mapping[str, str]) -> None:
        """Keeps how tables hang together, part by part, in place of any other version; it goes when a table does."""
        connection = _prepared(writer)
        connection.execute("DELETE FROM table_relations")
        rows = ((version, part, content) for part, content in sorted(parts.items()))
        connection.executemany("INSERT INTO table_relations VALUES (?, ?, ?, ?)", map(_marked, rows))

    def sweep(self, writer: Writer) -> None:
        """Drops the words of tables that are gone."""
        connection = _prepared(writer)
        if connection.execute("SELECT 1 FROM table_leftovers LIMIT 1").fetchone():
            for table in ("table_words", "table_spellings"):
                connection.execute(f"DELETE FROM {table} WHERE entry IN (SELECT id FROM table_leftovers)")
            connection.execute("DELETE FROM table_leftovers")

    def damaged(self, transaction: Transaction) -> frozenset[int]:
        """The entries of which anything isn't as it was put, once every row was read; -1 stands for the ties."""
        query = f"SELECT {_HEAD}, content, mark FROM table_entries"
        heads = list(_read(transaction, query, raw=True))
        found = {head[0] for head in heads if _mark(*head[:-2]) != head[-1] or _mark(head[-2]) != head[4]}
        for place, table, columns in (
            (5, "table_words", "kind, word, entry, value"),
            (6, "table_spellings", "length, text, entry, found"),
        ):
            sound: Counter[int] = Counter()
            for row in _read(transaction, f"SELECT {columns}, mark FROM {table}", raw=True):
                if _mark(*row[:-1]) == row[-1]:
                    sound[row[2]] += 1
            found.update(head[0] for head in heads if sound[head[0]] != head[place])
        ties = _read(transaction, "SELECT version, part, content, mark FROM table_relations", raw=True)
        if any(_mark(*row[:-1]) != row[-1] for row in ties):
            found.add(TIES)
        return frozenset(found)

    def drop(self, writer: Writer, numbers: Collection[int]) -> None:
        """Forgets damaged entries, as `damaged` names them: what is left is made anew from the tables."""
        connection = _prepared(writer)
        if TIES in numbers:
            connection.execute("DELETE FROM table_relations")
        for number in sorted(set(numbers) - {TIES}):
            connection.execute("DELETE FROM table_entries WHERE id = ?", (number,))
        if numbers:
            # What was misread of them may name no entry at all.
            for table in ("table_words", "table_spellings"):
                connection.execute(f"DELETE FROM {table} WHERE entry NOT IN (SELECT id FROM table_entries)")
            connection.execute("DELETE FROM table_leftovers")
        self._known = self._distrusted = None

    def check(self, snapshot: Snapshot) -> str:
        """How many tables something is kept of. Raises StoreError that names those of which it is damaged."""
        found = self.damaged(snapshot)
        names = dict(_read(snapshot, "SELECT id, document FROM table_entries", raw=True))
        if found:
            told = sorted({str(names[number]) for number in found if number != TIES})
            told += ["how tables hang together"] if TIES in found else []
            more = f" and {len(told) - _NAMED} more" if len(told) > _NAMED else ""
            raise StoreError(
                f"What is kept of tables for questions is damaged: {', '.join(told[:_NAMED])}{more}.",
                "Run `polyrag doctor --fix`: it is made anew from the tables.",
            )
        return f"{len(names)} kept"

    def _distrust(self, snapshot: Snapshot) -> None:
        self._distrusted = snapshot.commit, _state(snapshot)


class _Kept(KeptTables):
    """What one snapshot sees."""

    def __init__(self, snapshot: Snapshot, distrust: Callable[[Snapshot], None]) -> None:
        """distrust: told the snapshot when a row is damaged."""
        self._snapshot = snapshot
        self._distrust = distrust

    def entry(self, number: int) -> str:
        for content, mark in self._rows("SELECT content, content_mark FROM table_entries WHERE id = ?", (number,)):
            if _mark(content) != mark:
                # Of this table alone: what it says is worked out from its schema.
                raise _damage()
            return str(content)
        raise StoreError("What is kept of a table is gone.", "Ingest its folder again: that keeps it anew.")

    def hollow(self) -> frozenset[int]:
        return frozenset(number for (number,) in self._rows("SELECT id FROM table_entries WHERE content = ''"))

    def find(self, kind: str, word: str) -> Sequence[tuple[int, str]]:
        query = "SELECT kind, word, entry, value, mark FROM table_words WHERE kind = ? AND word = ?"
        return [(number, value) for _, _, number, value in map(self._sound, self._rows(query, (kind, word)))]

    def words(self, kind: str) -> Iterator[tuple[str, int]]:
        query = "SELECT kind, word, entry, value, mark FROM table_words WHERE kind = ?"
        return ((word, number) for _, word, number, _ in map(self._sound, self._rows(query, (kind,))))

    def spellings(self, least: int, most: int, numbers: Collection[int]) -> Iterator[str]:
        others = [n for (n,) in self._rows("SELECT id FROM table_entries") if n not in numbers]
        others += [n for (n,) in self._rows("SELECT id FROM table_leftovers")]
        without = f" AND entry NOT IN ({', '.join(map(str, others))})" if others else ""
        query = f"SELECT DISTINCT text FROM table_spellings WHERE length BETWEEN ? AND ?{without}"
        return (text for (text,) in self._rows(query, (least, most)))

    def spelled(self, letters: int, text: str) -> Sequence[tuple[int, list[str]]]:
        query = "SELECT length, text, entry, found, mark FROM table_spellings WHERE length = ? AND text = ?"
        rows = map(self._sound, self._rows(query, (letters, text)))
        return [(number, json.loads(found)) for _, _, number, found in rows]

    def ties(self, version: str, part: str) -> str | None:
        query = "SELECT version, part, content, mark FROM table_relations WHERE version = ? AND part = ?"
        return next((content for _, _, content in map(self._sound, self._rows(query, (version, part)))), None)

    def all_ties(self, version: str) -> Mapping[str, str]:
        query = "SELECT version, part, content, mark FROM table_relations WHERE version = ?"
        return {part: content for _, part, content in map(self._sound, self._rows(query, (version,)))}

    def _rows(self, query: str, values: Sequence[object] = ()) -> Iterator[Any]:
        try:
            yield from _read(self._snapshot, query, values)
        except DamagedKeptWords:
            self._distrust(self._snapshot)
            raise

    def _sound(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        """A row without its mark."""
        if _mark(*row[:-1]) != row[-1]:
            self._distrust(self._snapshot)
            raise _damage()
        return row[:-1]


def _mark(*held: object) -> int:
    return crc32("\0".join(map(str, held)).encode("utf-8", "surrogatepass"))


def _marked(row: tuple[object, ...]) -> tuple[object, ...]:
    return (*row, _mark(*row))


def _damage() -> DamagedKeptWords:
    return DamagedKeptWords("What is kept of tables is damaged.", "Run `polyrag doctor --fix`.")


def _state(snapshot: Snapshot) -> int:
    query = "SELECT seq FROM sqlite_sequence WHERE name = 'table_entries'"
    return next((int(number) for (number,) in _read(snapshot, query)), 0)


def _lacking(snapshot: Snapshot, heads: Sequence[tuple[Any, ...]]) -> set[int]:
    """The entries that don't have as many rows as they say."""
    found: set[int] = set()
    if _totals(snapshot) != [sum(head[place] for head in heads if isinstance(head[place], int)) for place in (5, 6)]:
        for place, table in ((5, "table_words"), (6, "table_spellings")):
            rows = dict(_read(snapshot, f"SELECT entry, count(*) FROM {table} GROUP BY entry"))
            found.update(head[0] for head in heads if rows.get(head[0], 0) != head[place])
    return found


def _totals(snapshot: Snapshot) -> list[int]:
    """How many rows of words and of spellings there are, without those of entries that are gone."""
    (left,) = next(_read(snapshot, "SELECT count(*) FROM table_leftovers"), (0,))
    without = " WHERE entry NOT IN (SELECT id FROM table_leftovers)" if left else ""
    tables = ("table_words", "table_spellings")
    return [next(_read(snapshot, f"SELECT count(*) FROM {table}{without}"), (0,))[0] for table in tables]


def _prepared(writer: Writer) -> sqlite3.Connection:
    connection = connection_of(writer)
    columns = {row[1] for row in connection.execute("PRAGMA table_info(table_words)")}
    if columns and "mark" not in columns:
        # Of an earlier layout: all of it is made anew.
        for trigger in _TRIGGERS:
            connection.execute(f"DROP TRIGGER IF EXISTS {trigger}")
        for table in _TABLES:
            connection.execute(f"DROP TABLE IF EXISTS {table}")
    for statement in _DDL:
        connection.execute(statement)
    return connection


def _read(transaction: Transaction, query: str, values: Sequence[object] = (), *, raw: bool = False) -> Iterator[Any]:
    """The rows of a query; none where nothing was ever kept, or in another layout.

    raw: whether what is no text comes as bytes. Raises DamagedKeptWords for it otherwise.
    """
    connection = connection_of(transaction)
    cursor = connection.cursor()
    before = connection.text_factory
    try:
        if raw:
            connection.text_factory = _lenient
        cursor.execute(query, values)
        # Whoever stops reading may be cleared away when the connection is closed: nothing may be open on it then.
        while rows := cursor.fetchmany(_ROWS):
            yield from rows
    except sqlite3.OperationalError as error:
        if "decode" in str(error).lower():
            raise _damage() from error
        if "no such table" not in str(error) and "no such column" not in str(error):
            raise
    finally:
        connection.text_factory = before


def _lenient(content: bytes) -> str | bytes:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content
