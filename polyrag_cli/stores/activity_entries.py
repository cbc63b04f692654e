"""Owns the cached answers in the activity file: kept, found again, counted, and forgotten when long unused or old."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.stores.activity_file import ActivityFile
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.storable import storable

MAX_ENTRIES = 2000


@dataclass(frozen=True, slots=True)
class CacheEntry:
    """A cached answer; `vector` is the question's (d,) float32 embedding, `sources` maps source documents to hashes."""

    entry_id: str
    question: str
    vector: NDArray[np.float32]
    slots_json: str
    answer_json: str
    sources: Mapping[str, str]
    config_hash: str
    generation: int


@dataclass(frozen=True, slots=True)
class EntryKey:
    """What finds a cached answer without reading it: `row` is its place in the file, `created` a Unix time in seconds.

    key: of the question's verbatim form. sketch: of its vector, b"" without one.
    """

    row: int
    key: bytes
    sketch: bytes
    created: float


@dataclass(frozen=True, slots=True)
class KeptEntry:
    """A cached answer as a list shows it; times are Unix times in seconds, `hits` how often it was served."""

    entry_id: str
    question: str
    config_hash: str
    created: float
    used: float
    hits: int


_COLUMNS = "entry_id, question, vector, slots, answer, sources, config_hash, generation"


class EntryFile(ActivityFile):
    """Cached answers, bounded to the last used ones; thread-safe.

    max_entries: how many are kept.
    """

    def __init__(self, paths: DataPaths, max_entries: int = MAX_ENTRIES) -> None:
        super().__init__(paths)
        self._max_entries = max_entries

    def put_entry(self, entry: CacheEntry, key: bytes = b"", sketch: bytes = b"") -> None:
        """Keeps a cached answer in place of the one of the same id, and forgets those longest unused beyond the bound.

        Raises StoreError when the file can't be written now.
        """
        vector = np.asarray(entry.vector, dtype="<f4").tobytes()
        texts = (entry.slots_json, entry.answer_json, json.dumps(dict(entry.sources), sort_keys=True))
        now = time.time()
        with self._writing() as connection:
            connection.execute(
                "DELETE FROM entry_keys WHERE id IN (SELECT id FROM entries WHERE entry_id = ?)", (entry.entry_id,)
            )
            row = connection.execute(
                "INSERT OR REPLACE INTO entries"
                " (entry_id, config_hash, generation, question, vector, slots, answer, sources)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    *(entry.entry_id, entry.config_hash, entry.generation, storable(entry.question), vector),
                    *(storable(text) for text in texts),
                ),
            ).lastrowid
            connection.execute(
                "INSERT INTO entry_keys VALUES (?, ?, ?, ?, ?, ?, 0)", (row, entry.config_hash, key, sketch, now, now)
            )
            _keep_used(connection, self._max_entries)
            _count_up(connection)

    def keys(self, config_hash: str, after: int = 0) -> list[EntryKey]:
        """What finds the answers of a configuration, oldest first. after: only those of later rows."""
        with self._reading() as connection:
            if connection is None:
                return []
            rows = connection.execute(
                "SELECT id, key, sketch, created FROM entry_keys WHERE config_hash = ? AND id > ? ORDER BY id",
                (config_hash, after),
            ).fetchall()
        return [EntryKey(*row) for row in rows]

    def count(self, config_hash: str) -> int:
        """How many answers of a configuration are kept."""
        with self._reading() as connection:
            if connection is None:
                return 0
            query = "SELECT count(*) FROM entry_keys WHERE config_hash = ?"
            return int(connection.execute(query, (config_hash,)).fetchone()[0])

    def vectors(self, rows: Sequence[int]) -> dict[int, NDArray[np.float32]]:
        """The questions' vectors of those rows that are still kept."""
        return {row: np.frombuffer(blob, dtype="<f4") for row, blob in self._of_rows("id, vector", rows)}

    def rows(self, rows: Sequence[int]) -> dict[int, CacheEntry]:
        """The entries of those rows that are still kept."""
        return {row: _entry(values) for row, *values in self._of_rows(f"id, {_COLUMNS}", rows)}

    def _of_rows(self, columns: str, rows: Sequence[int]) -> list[tuple[Any, ...]]:
        with self._reading() as connection:
            if connection is None or not rows:
                return []
            query = f"SELECT {columns} FROM entries WHERE id IN (SELECT value FROM json_each(?))"
            return connection.execute(query, (json.dumps(list(rows)),)).fetchall()

    def entries(self, config_hash: str) -> list[CacheEntry]:
        """The cached answers that were made under a configuration, oldest first."""
        with self._reading() as connection:
            if connection is None:
                return []
            query = f"SELECT {_COLUMNS} FROM entries WHERE config_hash = ? ORDER BY id"
            return [_entry(row) for row in connection.execute(query, (config_hash,))]

    def note_use(self, row: int) -> None:
        """Notes that an answer was served, so that it isn't forgotten before others.

        Raises StoreError when the file can't be written now.
        """
        now = time.time()
        with self._writing() as connection:
            connection.execute("UPDATE entry_keys SET used = ?, hits = hits + 1 WHERE id = ?", (now, row))

    def kept(self, limit: int = -1) -> list[KeptEntry]:
        """The cached answers of every configuration, those used last first. limit: at most so many; -1 for all."""
        with self._reading() as connection:
            if connection is None:
                return []
            rows = connection.execute(
                "SELECT entry_id, question, entries.config_hash, created, used, hits FROM entry_keys"
                " JOIN entries USING (id) ORDER BY used DESC, id DESC LIMIT ?",
                (limit,),
            ).fetchall()
        return [KeptEntry(*row) for row in rows]

    def forget_older(self, created: float) -> None:
        """Forgets the answers that were kept before a Unix time in seconds.

        Raises StoreError when the file can't be written now.
        """
        with self._writing() as connection:
            connection.execute(
                "DELETE FROM entries WHERE id IN (SELECT id FROM entry_keys WHERE created < ?)", (created,)
            )
            if connection.execute("DELETE FROM entry_keys WHERE created < ?", (created,)).rowcount:
                _count_up(connection)

    def clear(self) -> int:
        """Forgets all cached answers and tells how many there were; traces stay.

        Raises StoreError when the file can't be written now.
        """
        with self._writing() as connection:
            forgotten = connection.execute("DELETE FROM entries").rowcount
            connection.execute("DELETE FROM entry_keys")
            _count_up(connection)
        return int(forgotten)

    @property
    def version(self) -> int:
        """A number that grows when any process changes the cached answers, so that an index of them knows it is old."""
        return self._number("SELECT value FROM counters WHERE name = 'entries'")


def _entry(row: Sequence[object]) -> CacheEntry:
    entry_id, question, vector, slots, answer, sources, *made = row
    found = np.frombuffer(vector, dtype="<f4")  # type: ignore[call-overload]
    return CacheEntry(entry_id, question, found, slots, answer, json.loads(str(sources)), *made)  # type: ignore[arg-type]


def _keep_used(connection: sqlite3.Connection, bound: int) -> None:
    over = connection.execute("SELECT count(*) FROM entry_keys").fetchone()[0] - bound
    if over > 0:
        query = "SELECT id FROM entry_keys ORDER BY used, id LIMIT ?"
        gone = json.dumps([row for (row,) in connection.execute(query, (over,))])
        for table in ("entries", "entry_keys"):
            connection.execute(f"DELETE FROM {table} WHERE id IN (SELECT value FROM json_each(?))", (gone,))


def _count_up(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE counters SET value = value + 1 WHERE name = 'entries'")
