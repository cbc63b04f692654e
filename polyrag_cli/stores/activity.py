"""Owns what questions leave behind: traces and cached answers, kept beside the corpus.

Writes are short transactions without the writer lock. Where the file can't be written they raise a StoreError, which
a caller turns into a warning.
"""

from __future__ import annotations

import sqlite3
import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from polyrag_cli.errors import StoreError, UsageError
from polyrag_cli.stores.activity_entries import MAX_ENTRIES, CacheEntry, EntryFile, EntryKey, KeptEntry
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.storable import storable
from polyrag_cli.text.fold import fold

__all__ = ["MAX_ENTRIES", "MAX_TRACES", "Activity", "CacheEntry", "EntryKey", "KeptEntry", "TraceRecord"]

MAX_TRACES = 1000
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


class Activity(EntryFile):
    """Traces and cache entries of one data directory, bounded; thread-safe.

    max_traces: how many of the newest traces are kept. max_entries: how many of the last used cached answers are.
    """

    def __init__(self, paths: DataPaths, max_traces: int = MAX_TRACES, max_entries: int = MAX_ENTRIES) -> None:
        super().__init__(paths, max_entries)
        self._max_traces = max_traces

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
            _keep_newest(connection, self._max_traces)

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


def _trace_record(row: Sequence[Any], payload: str = "") -> TraceRecord:
    trace_id, created, question, went_to, cached, failed, took_ms = row[:7]
    routes = tuple(went_to.split(_BETWEEN))
    return TraceRecord(trace_id, created, question, routes, bool(cached), bool(failed), took_ms, payload)


def _keep_newest(connection: sqlite3.Connection, bound: int) -> None:
    connection.execute(
        "DELETE FROM traces WHERE id <= (SELECT id FROM traces ORDER BY id DESC LIMIT 1 OFFSET ?)", (bound,)
    )
