"""Owns what questions leave behind: traces and cached answers, kept beside the corpus.

Writes are short transactions without the writer lock. Where the file can't be written they raise a StoreError, which
a caller turns into a warning.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.errors import StoreError, UsageError
from polyrag_cli.stores.base import DataPaths
from polyrag_cli.stores.faults import store_errors
from polyrag_cli.stores.sqlite_connections import file_identity, open_reader, open_writer, transaction
from polyrag_cli.stores.sqlite_schema import ACTIVITY_DDL
from polyrag_cli.stores.storable import storable
from polyrag_cli.text.fold import fold

MAX_TRACES = 1000
MAX_ENTRIES = 2000
# A question doesn't wait for another one's trace.
_BUSY_TIMEOUT_MS = 500
# The column holds the routes of all clauses, a line each.
_BETWEEN = "\n"
_WENT_TO = "instr(char(10) || route || char(10), char(10) || ? || char(10))"


@dataclass(frozen=True, slots=True)
class TraceRecord:
    """A stored trace; `created` is a Unix time in seconds, `payload` its JSON ("" in lists).

    routes: where its clauses went, each once.
    """

    trace_id: str
    created: float
    question: str
    routes: tuple[str, ...]
    cached: bool
    failed: bool
    took_ms: float
    payload: str = ""

    @property
    def route(self) -> str:
        """Where its first clause went."""
        return self.routes[0]


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


class Activity:
    """Traces and cache entries of one data directory, bounded to the newest ones; thread-safe.

    max_traces, max_entries: how many are kept.
    """

    def __init__(self, paths: DataPaths, max_traces: int = MAX_TRACES, max_entries: int = MAX_ENTRIES) -> None:
        self._path = paths.activity
        self._max_traces = max_traces
        self._max_entries = max_entries
        self._lock = threading.Lock()
        self._reader: sqlite3.Connection | None = None
        self._writer: sqlite3.Connection | None = None
        self._identity: tuple[int, int] | None = None
        self._immutable = False

    # ------------------------------------------------------------ traces
    def put_trace(
        self,
        trace_id: str,
        question: str,
        routes: Sequence[str],
        cached: bool,
        failed: bool,
        took_ms: float,
        payload_json: str,
    ) -> None:
        """Keeps a trace, and forgets the oldest ones beyond the bound.

        Raises StoreError when the file can't be written now.
        """
        payload = zlib.compress(payload_json.encode("utf-8", "replace"), 1)
        row = (trace_id, time.time(), storable(question), _BETWEEN.join(routes), cached, failed, took_ms, payload)
        with self._writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO traces (trace_id, created, question, route, cached, failed, took_ms, payload)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                row,
            )
            _keep_newest(connection, "traces", self._max_traces)

    def forget_traces(self, question: str, since: float) -> None:
        """Forgets the traces of a question that were kept since a Unix time in seconds.

        Raises StoreError when the file can't be written now.
        """
        with self._writing() as connection:
            connection.execute("DELETE FROM traces WHERE question = ? AND created >= ?", (storable(question), since))

    def list_traces(
        self,
        limit: int = 20,
        route: str | None = None,
        cached: bool | None = None,
        failed: bool | None = None,
        min_ms: float | None = None,
        text: str = "",
    ) -> list[TraceRecord]:
        """The newest traces first, without payload.

        route: only those of which a clause went there, where asked; cached, failed: only those. min_ms: only those
        that took at least so many milliseconds.
        text: only those whose question holds it, case and accents aside, or whose id begins with it.
        """
        asked = {_WENT_TO: route, "cached = ?": cached, "failed = ?": failed, "took_ms >= ?": min_ms}
        given = {condition: value for condition, value in asked.items() if value is not None}
        wanted = fold(text.strip())
        with self._reading() as connection:
            if connection is None:
                return []
            rows = connection.execute(
                "SELECT trace_id, created, question, route, cached, failed, took_ms FROM traces"
                f" WHERE {' AND '.join(given) or '1'} ORDER BY id DESC LIMIT ?",
                (*given.values(), -1 if wanted else limit),
            ).fetchall()
        matching = (row for row in rows if not wanted or wanted in fold(row[2]) or row[0].startswith(wanted))
        return [_trace_record(row) for row in islice(matching, limit)]

    def newest_trace(self) -> int:
        """A number that grows with each trace that any process keeps; 0 before the first."""
        return self._number("SELECT COALESCE(MAX(id), 0) FROM traces")

    def trace(self, trace_id: str) -> TraceRecord:
        """The trace of that id, or of the only id that begins so.

        Raises UsageError when none or several do, StoreError when what is kept of it is damaged.
        """
        rows = []
        with self._reading() as connection:
            if connection is not None and trace_id:
                rows = connection.execute(
                    "SELECT trace_id, created, question, route, cached, failed, took_ms, payload FROM traces"
                    " WHERE substr(trace_id, 1, length(?1)) = ?1 ORDER BY trace_id = ?1 DESC, id DESC LIMIT 2",
                    (storable(trace_id),),
                ).fetchall()
        if not rows:
            raise UsageError(f"There is no trace {trace_id!r}.", "`polyrag trace list` shows the traces.")
        if len(rows) > 1 and rows[0][0] != trace_id:
            raise UsageError(f"Several traces begin with {trace_id!r}.", "Give more of its digits.")
        try:
            payload = zlib.decompress(rows[0][7]).decode()
        except (zlib.error, UnicodeDecodeError, TypeError) as error:
            name = f"trace {rows[0][0][:8]}"
            raise StoreError(f"damaged {name} ({error}).", "Ask again to store a new one.") from error
        return _trace_record(rows[0], payload)

    # ------------------------------------------------------------ cached answers
    def put_entry(self, entry: CacheEntry) -> None:
        """Keeps a cached answer in place of the one of the same id, and forgets the oldest ones beyond the bound.

        Raises StoreError when the file can't be written now.
        """
        vector = np.asarray(entry.vector, dtype="<f4").tobytes()
        texts = (entry.slots_json, entry.answer_json, json.dumps(dict(entry.sources), sort_keys=True))
        with self._writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO entries"
                " (entry_id, config_hash, generation, question, vector, slots, answer, sources)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    *(entry.entry_id, entry.config_hash, entry.generation, storable(entry.question), vector),
                    *(storable(text) for text in texts),
                ),
            )
            _keep_newest(connection, "entries", self._max_entries)
            _count_up(connection)

    def entries(self, config_hash: str) -> list[CacheEntry]:
        """The cached answers that were made under a configuration, oldest first."""
        with self._reading() as connection:
            if connection is None:
                return []
            rows = connection.execute(
                "SELECT entry_id, question, vector, slots, answer, sources, config_hash, generation FROM entries"
                " WHERE config_hash = ? ORDER BY id",
                (config_hash,),
            ).fetchall()
        return [
            CacheEntry(
                entry_id, question, np.frombuffer(vector, dtype="<f4"), slots, answer, json.loads(sources), *made
            )
            for entry_id, question, vector, slots, answer, sources, *made in rows
        ]

    def clear(self) -> None:
        """Forgets all cached answers; traces stay.

        Raises StoreError when the file can't be written now.
        """
        with self._writing() as connection:
            connection.execute("DELETE FROM entries")
            _count_up(connection)

    @property
    def version(self) -> int:
        """A number that grows when any process changes the cached answers, so that an index of them knows it is old."""
        return self._number("SELECT value FROM counters WHERE name = 'entries'")

    def _number(self, query: str) -> int:
        """The one number that a query gives; 0 where nothing was ever written."""
        with self._reading() as connection:
            return 0 if connection is None else int(connection.execute(query).fetchone()[0])

    def check(self) -> str:
        """What is kept, in words; a file that isn't there is well. Raises StoreError when it is damaged."""
        if self._path.exists():
            with store_errors(self._path):
                connection, _ = open_reader(self._path)
                with closing(connection):
                    (result,) = connection.execute("PRAGMA quick_check(1)").fetchone()
                if result != "ok":
                    raise StoreError(f"{self._path} is damaged: {result}.", "Run `polyrag doctor --fix`.")
        return "traces and cached answers"

    def repair(self) -> None:
        """Deletes the file where it is damaged; the next question begins a new one."""
        try:
            self.check()
        except StoreError as error:
            if "damaged" in error.message:
                self.close()
                for suffix in ("", "-wal", "-shm"):
                    self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            self._drop()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._lock, store_errors(self._path):
            if self._writer is None or self._identity != file_identity(self._path):
                self._drop()
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._writer = _create(self._path)
                self._identity = file_identity(self._path)
            with transaction(self._writer, "BEGIN IMMEDIATE"):
                yield self._writer

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection | None]:
        """A connection to read on; None where nothing was ever written."""
        with self._lock, store_errors(self._path):
            identity = file_identity(self._path)
            if identity != self._identity:
                self._drop()
            if self._reader is None and identity is not None:
                self._reader, self._immutable = open_reader(self._path)
                self._identity = identity
            if self._reader is not None and not _is_complete(self._reader):
                # Another process is just making it.
                self._drop()
            yield self._reader
            if self._immutable:
                # Somebody with more rights may write after this: the next reading must look again.
                self._drop()

    def _drop(self) -> None:
        for connection in (self._reader, self._writer):
            if connection is not None:
                with suppress(sqlite3.Error):
                    connection.close()
        self._reader = self._writer = self._identity = None
        self._immutable = False


def _trace_record(row: Sequence[Any], payload: str = "") -> TraceRecord:
    trace_id, created, question, went_to, cached, failed, took_ms = row[:7]
    routes = tuple(went_to.split(_BETWEEN))
    return TraceRecord(trace_id, created, question, routes, bool(cached), bool(failed), took_ms, payload)


def _create(path: Path) -> sqlite3.Connection:
    path.touch()
    connection = open_writer(path)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA busy_timeout = {_BUSY_TIMEOUT_MS}")
        if not _is_complete(connection):
            connection.executescript(f"BEGIN IMMEDIATE; {ACTIVITY_DDL} COMMIT;")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _is_complete(connection: sqlite3.Connection) -> bool:
    # The DDL is one transaction, so its last table stands for all.
    row = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'counters'").fetchone()
    return row is not None


def _keep_newest(connection: sqlite3.Connection, table: str, bound: int) -> None:
    connection.execute(
        f"DELETE FROM {table} WHERE id <= (SELECT id FROM {table} ORDER BY id DESC LIMIT 1 OFFSET ?)", (bound,)
    )


def _count_up(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE counters SET value = value + 1 WHERE name = 'entries'")
