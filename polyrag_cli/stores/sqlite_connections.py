"""Owns how the catalog's SQLite file is created and opened."""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from polyrag_cli.errors import StoreError
from polyrag_cli.stores.faults import store_errors
from polyrag_cli.stores.sqlite_schema import CATALOG_DDL, SCHEMA_VERSION, read_meta

BUSY_TIMEOUT_S = 15.0
_UNWRITABLE = frozenset({sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY})


def create_catalog(path: Path) -> None:
    """Creates an empty catalog under a temporary name and renames it, so that nobody meets a half-made one.

    Must be called under the writer lock. Does nothing when `path` exists.
    """
    if path.exists():
        return
    fresh = path.with_name(path.name + ".new")
    with store_errors(path):
        for left in (fresh, fresh.with_name(fresh.name + "-wal"), fresh.with_name(fresh.name + "-shm")):
            left.unlink(missing_ok=True)
        with closing(sqlite3.connect(fresh, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.executescript(f"BEGIN; {CATALOG_DDL}")
            values = {
                "schema_version": str(SCHEMA_VERSION),
                "generation": "0",
                "commit": "",
                "catalog": uuid.uuid4().hex,
            }
            connection.executemany("INSERT INTO meta VALUES (?, ?)", values.items())
            connection.execute("COMMIT")
        fresh.replace(path)


def file_identity(path: Path) -> tuple[int, int] | None:
    """Tells whether `path` is still the same file: (device, inode), None when there is none."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def open_writer(path: Path) -> sqlite3.Connection:
    """A connection that may write; transactions are begun and ended by hand."""
    connection = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode=rw",
        uri=True,
        isolation_level=None,
        timeout=BUSY_TIMEOUT_S,
        check_same_thread=False,
    )
    for pragma in ("synchronous = NORMAL", "foreign_keys = ON", "secure_delete = OFF", "cache_size = -32768"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def open_reader(path: Path) -> tuple[sqlite3.Connection, bool]:
    """A connection that only reads, and whether it takes the file as immutable.

    A WAL file needs its side files; where nobody left them and the folder can't be written, the file is complete alone.
    """
    try:
        return _read_only(path, "mode=ro"), False
    except sqlite3.OperationalError as error:
        wal = path.with_name(path.name + "-wal")
        if (error.sqlite_errorcode & 0xFF) not in _UNWRITABLE or (wal.exists() and wal.stat().st_size):
            raise
        return _read_only(path, "immutable=1"), True


def _read_only(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"{path.resolve().as_uri()}?{mode}"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=BUSY_TIMEOUT_S, check_same_thread=False)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        connection.execute("PRAGMA cache_size = -16384")
    except (sqlite3.Error, UnicodeDecodeError):
        connection.close()
        raise
    return connection


@contextmanager
def transaction(connection: sqlite3.Connection, begin: str) -> Iterator[None]:
    """Runs the block between `begin` and COMMIT; rolls back when anything is raised."""
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def check_schema(connection: sqlite3.Connection, path: Path) -> None:
    """Raises StoreError when the catalog was written by a version with another layout."""
    try:
        found = read_meta(connection, "schema_version")
    except sqlite3.OperationalError:
        found = None
    if found is None:
        raise StoreError(f"{path} holds no corpus of PolyRAG.", "Move it away, or use --data DIR with another folder.")
    if found != str(SCHEMA_VERSION):
        raise StoreError(
            f"{path} has layout {found}, this version reads layout {SCHEMA_VERSION}.",
            "Use the version that wrote it, or move the data directory away and run `polyrag ingest` again.",
        )
