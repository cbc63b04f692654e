"""Owns the immutable Parquet files of `tables/`: their names by content, how they are written, and their sweep."""

from __future__ import annotations

import hashlib
import json
import math
import os
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from polyrag_cli.stores.base import DataPaths, Snapshot, TypedTable
from polyrag_cli.stores.faults import store_error, store_errors
from polyrag_cli.stores.sqlite_transactions import connection_of
from polyrag_cli.whole_file import replacing

SWEEP_AGE_S = 600.0

_SQL_TYPES = {"number": "DOUBLE", "date": "DATE", "boolean": "BOOLEAN", "text": "VARCHAR"}
_MAGIC = b"PAR1"
_BIGINT = 2**63
# Parquet has no wider integer than this.
_WIDEST = 10**38


def quoted(identifier: str) -> str:
    """An SQL identifier in double quotes."""
    return '"' + identifier.replace('"', '""') + '"'


def literal(text: str) -> str:
    """An SQL string literal."""
    return "'" + text.replace("'", "''") + "'"


class ParquetFiles:
    """Writes tables as `<sha256 of their typed cells>.parquet`: the same table always has the same name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.Lock()
        self._connection: Any = None

    def path(self, name: str) -> Path:
        """Where a file of that name stands."""
        return self.folder / name

    def write(self, table: TypedTable) -> str:
        """Writes a table's file unless it is there already, and returns its name; the file is whole or absent.

        Raises StoreError when the disk refuses.
        """
        types = [_sql_type(column.type, cells) for column, cells in zip(table.columns, table.cells, strict=True)]
        columns = [_values(sql_type, cells) for sql_type, cells in zip(types, table.cells, strict=True)]
        names = [column.name for column in table.columns]
        target = self.folder / f"{_digest(names, types, columns)}.parquet"
        with store_errors(target):
            if is_whole(target):
                # A young file is safe from the sweep until its commit.
                os.utime(target)
                return target.name
            self.folder.mkdir(parents=True, exist_ok=True)
            with replacing(target) as temporary:
                self._copy(names, types, columns, temporary)
        return target.name

    def _copy(self, names: Sequence[str], types: Sequence[str], columns: Sequence[list[Any]], path: Path) -> None:
        import duckdb

        selected = ", ".join(
            f"unnest(?::{sql_type}[]) AS {quoted(name)}" for name, sql_type in zip(names, types, strict=True)
        )
        with self._lock:
            if self._connection is None:
                self._connection = duckdb.connect(":memory:", config={"threads": 1, "autoload_known_extensions": False})
            try:
                self._connection.execute(f"CREATE OR REPLACE TEMP TABLE written AS SELECT {selected}", columns)
                self._connection.execute(
                    f"COPY written TO {literal(str(path))} (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)"
                )
                self._connection.execute("DROP TABLE written")
            except duckdb.Error as error:
                raise store_error(error, path) from error


def _sql_type(column_type: str, cells: Sequence[object]) -> str:
    if column_type != "integer":
        return _SQL_TYPES[column_type]
    widest = max((abs(cell) for cell in cells if isinstance(cell, int)), default=0)
    if widest < _BIGINT:
        return "BIGINT"
    return "DECIMAL(38,0)" if widest < _WIDEST else "DOUBLE"


def _values(sql_type: str, cells: Sequence[object]) -> list[Any]:
    if sql_type == "DOUBLE":
        return [None if cell is None else _finite(float(cell)) for cell in cells]  # type: ignore[arg-type]
    if sql_type == "VARCHAR":
        return [None if cell is None else str(cell).encode("utf-8", "replace").decode() for cell in cells]
    if sql_type == "DECIMAL(38,0)":
        # As numbers, a list of narrow and wide integers would be read as one of floats.
        return [None if cell is None else str(cell) for cell in cells]
    return list(cells)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _digest(names: Sequence[str], types: Sequence[str], columns: Sequence[list[Any]]) -> str:
    digest = hashlib.sha256(json.dumps([names, types]).encode())
    for cells in columns:
        digest.update(json.dumps(cells, default=str).encode())
        digest.update(b"\n")
    return digest.hexdigest()


def is_whole(path: Path) -> bool:
    """Whether a Parquet file is there with both of its ends."""
    try:
        with path.open("rb") as file:
            head = file.read(4)
            file.seek(-4, os.SEEK_END)
            return head == file.read() == _MAGIC
    except OSError:
        return False


def sweep(snapshot: Snapshot, paths: DataPaths, min_age_s: float = SWEEP_AGE_S) -> tuple[str, ...]:
    """Deletes Parquet files that the snapshot doesn't refer to, and left temporary files, older than `min_age_s`.

    Called under the writer lock, with a snapshot of the committed state. Returns the names of what it deleted, sorted.
    """
    referenced = {name for (name,) in connection_of(snapshot).execute("SELECT DISTINCT file FROM tables")}
    oldest = time.time() - min_age_s
    unused = [path for path in paths.tables.glob("*.parquet") if path.name not in referenced]
    left = [*paths.tables.glob("*.tmp"), *paths.cache.glob("**/*.tmp")]
    deleted = []
    for path in (*unused, *left):
        with suppress(OSError):
            if path.stat().st_mtime < oldest:
                path.unlink()
                deleted.append(path.name)
    return tuple(sorted(deleted))
