"""Owns the activity file: opening it, reading it beside writers, making it anew where it is gone or damaged."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from polyrag_cli.errors import StoreError
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.faults import store_errors
from polyrag_cli.stores.sqlite_connections import file_identity, open_reader, open_writer, transaction
from polyrag_cli.stores.sqlite_schema import ACTIVITY_DDL

# A question doesn't wait for another one's trace.
_BUSY_TIMEOUT_MS = 500


class ActivityFile:
    """Connections to the activity file of one data directory; thread-safe."""

    def __init__(self, paths: DataPaths) -> None:
        self._path = paths.activity
        self._lock = threading.Lock()
        self._reader: sqlite3.Connection | None = None
        self._writer: sqlite3.Connection | None = None
        self._identity: tuple[int, int] | None = None
        self._immutable = False

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
    row = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'entry_keys'").fetchone()
    return row is not None
