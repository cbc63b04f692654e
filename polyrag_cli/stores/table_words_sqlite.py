"""Owns what is kept of tables for questions: an entry for each table, and the words by which questions find it.

All of it can be made anew from the tables. It lies in the catalog's file, so that a snapshot sees the entries of its
own tables: a table that goes or changes takes its entry along, whoever writes it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from polyrag_cli.errors import StoreError
from polyrag_cli.stores.base import DataPaths, Snapshot, Writer
from polyrag_cli.stores.sqlite_transactions import connection_of
from polyrag_cli.stores.table_words import KeptTable, KeptTables, TableWordStore
from polyrag_cli.types import TableKey

# Ids are never used twice: rows of an entry that is gone are nobody else's until they are swept.
_DDL = (
    """CREATE TABLE IF NOT EXISTS table_entries (
        id INTEGER PRIMARY KEY AUTOINCREMENT, document TEXT NOT NULL, ordinal INTEGER NOT NULL, version TEXT NOT NULL,
        content TEXT NOT NULL, UNIQUE (document, ordinal)
    )""",
    """CREATE TABLE IF NOT EXISTS table_words (
        kind TEXT NOT NULL, word TEXT NOT NULL, entry INTEGER NOT NULL, value TEXT NOT NULL,
        PRIMARY KEY (kind, word, entry)
    ) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS table_spellings (
        length INTEGER NOT NULL, text TEXT NOT NULL, entry INTEGER NOT NULL, found TEXT NOT NULL,
        PRIMARY KEY (length, text, entry)
    ) WITHOUT ROWID""",
    "CREATE TABLE IF NOT EXISTS table_relations (version TEXT PRIMARY KEY, content TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS table_leftovers (id INTEGER PRIMARY KEY)",
    """CREATE TRIGGER IF NOT EXISTS tables_removed AFTER DELETE ON tables BEGIN
        DELETE FROM table_entries WHERE document = OLD.document AND ordinal = OLD.ordinal;
    END""",
    """CREATE TRIGGER IF NOT EXISTS tables_changed AFTER UPDATE ON tables BEGIN
        DELETE FROM table_entries WHERE document = OLD.document AND ordinal = OLD.ordinal;
    END""",
    """CREATE TRIGGER IF NOT EXISTS table_entries_removed AFTER DELETE ON table_entries BEGIN
        INSERT INTO table_leftovers VALUES (OLD.id);
    END""",
)


class SQLiteTableWords(TableWordStore):
    """Entries and words in the catalog's SQLite file."""

    def __init__(self, paths: DataPaths) -> None:
        pass

    def known(self, snapshot: Snapshot) -> Mapping[TableKey, tuple[int, str]]:
        """The id and version of each table's entry."""
        rows = _read(snapshot, "SELECT document, ordinal, id, version FROM table_entries")
        return {(document, ordinal): (number, version) for document, ordinal, number, version in rows}

    def state(self, snapshot: Snapshot) -> int:
        """The highest number that was ever given to an entry."""
        query = "SELECT seq FROM sqlite_sequence WHERE name = 'table_entries'"
        return next((int(number) for (number,) in _read(snapshot, query)), 0)

    def of(self, snapshot: Snapshot) -> KeptTables:
        """What is kept, as a snapshot sees it."""
        return _Kept(snapshot)

    def put(self, writer: Writer, tables: Iterable[KeptTable]) -> None:
        """Keeps what is known of tables, in place of what was."""
        connection = _prepared(writer)
        for table in tables:
            connection.execute("DELETE FROM table_entries WHERE document = ? AND ordinal = ?", table.key)
            number = connection.execute(
                "INSERT INTO table_entries (document, ordinal, version, content) VALUES (?, ?, ?, ?)",
                (*table.key, table.version, table.content),
            ).lastrowid
            connection.executemany(
                "INSERT INTO table_words VALUES (?, ?, ?, ?)",
                sorted((kind, word, number, value) for kind, word, value in table.words),
            )
            connection.executemany(
                "INSERT OR IGNORE INTO table_spellings VALUES (?, ?, ?, ?)",
                sorted((length, text, number, json.dumps(found)) for length, text, found in table.spellings),
            )

    def put_relations(self, writer: Writer, version: str, content: str) -> None:
        """Keeps the relations between tables, in place of those of any other version."""
        connection = _prepared(writer)
        connection.execute("DELETE FROM table_relations")
        connection.execute("INSERT INTO table_relations VALUES (?, ?)", (version, content))

    def sweep(self, writer: Writer) -> None:
        """Drops the words of tables that are gone."""
        connection = _prepared(writer)
        if connection.execute("SELECT 1 FROM table_leftovers LIMIT 1").fetchone():
            for table in ("table_words", "table_spellings"):
                connection.execute(f"DELETE FROM {table} WHERE entry IN (SELECT id FROM table_leftovers)")
            connection.execute("DELETE FROM table_leftovers")


class _Kept(KeptTables):
    """What one snapshot sees."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def entry(self, number: int) -> str:
        for (content,) in _read(self._snapshot, "SELECT content FROM table_entries WHERE id = ?", (number,)):
            return str(content)
        raise StoreError("What is kept of a table is gone.", "Ingest its folder again: that keeps it anew.")

    def hollow(self) -> frozenset[int]:
        return frozenset(
            number for (number,) in _read(self._snapshot, "SELECT id FROM table_entries WHERE content = ''")
        )

    def find(self, kind: str, word: str) -> Sequence[tuple[int, str]]:
        query = "SELECT entry, value FROM table_words WHERE kind = ? AND word = ?"
        return list(_read(self._snapshot, query, (kind, word)))

    def words(self, kind: str) -> Iterator[tuple[str, int]]:
        return _read(self._snapshot, "SELECT word, entry FROM table_words WHERE kind = ?", (kind,))

    def spellings(self, least: int, most: int) -> Iterator[tuple[str, int, list[str]]]:
        query = "SELECT text, entry, found FROM table_spellings WHERE length BETWEEN ? AND ?"
        for text, number, found in _read(self._snapshot, query, (least, most)):
            yield text, number, json.loads(found)

    def relations(self, version: str) -> str | None:
        query = "SELECT content FROM table_relations WHERE version = ?"
        return next((str(content) for (content,) in _read(self._snapshot, query, (version,))), None)


def _prepared(writer: Writer) -> sqlite3.Connection:
    connection = connection_of(writer)
    for statement in _DDL:
        connection.execute(statement)
    return connection


def _read(snapshot: Snapshot, query: str, values: Sequence[object] = ()) -> Iterator[Any]:
    """The rows of a query; none where nothing was ever kept."""
    connection = connection_of(snapshot)
    try:
        yield from connection.execute(query, values)
    except sqlite3.OperationalError as error:
        if "no such table" not in str(error):
            raise
