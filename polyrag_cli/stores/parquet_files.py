"""Owns the immutable Parquet files of `tables/`: their names by content, how they are written, and their sweep."""

from __future__ import annotations

import hashlib
import json
import math
import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from polyrag_cli.stores.base import Snapshot
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.faults import store_error, store_errors
from polyrag_cli.stores.records import TypedTable
from polyrag_cli.stores.sqlite_transactions import connection_of
from polyrag_cli.whole_file import replacing

SWEEP_AGE_S = 600.0

_SQL_TYPES = {"number": "DOUBLE", "date": "DATE", "boolean": "BOOLEAN", "text": "VARCHAR"}
_MAGIC = b"PAR1"
_BIGINT = 2**63
# Parquet has no wider integer than this.
_WIDEST = 10**38


# The endings of a long table's two files: its values, and the cells that these don't give back.
ROWS, SOURCE = ".rows.parquet", ".source.parquet"


def rows_file(name: str) -> str:
    """The file of values that a file of `tables/` belongs to: itself, or the one whose source it holds."""
    return name.removesuffix(SOURCE) + ROWS if name.endswith(SOURCE) else name


def source_file(name: str) -> str | None:
    """The file that holds the source of a file of values; None for a table whose source the catalog holds."""
    return name.removesuffix(ROWS) + SOURCE if name.endswith(ROWS) else None


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
        types = [sql_type(column.type, cells) for column, cells in zip(table.columns, table.cells, strict=True)]
        columns = [storable_values(kind, cells) for kind, cells in zip(types, table.cells, strict=True)]
        names = [column.name for column in table.columns]
        target = self.folder / f"{_digest(names, types, columns)}.parquet"
        if not self.is_kept(target):
            with self.written(target) as temporary:
                self._copy(names, types, columns, temporary)
        return target.name

    def is_kept(self, target: Path) -> bool:
        """Whether a file is there as a whole; it is young from now on, so that no sweep takes it before its commit."""
        with store_errors(target):
            if not is_whole(target):
                return False
            os.utime(target)
            return True

    @contextmanager
    def written(self, target: Path) -> Iterator[Path]:
        """A path to write to, which becomes the target when the block ends.

        Raises StoreError when the disk refuses.
        """
        with store_errors(target):
            self.folder.mkdir(parents=True, exist_ok=True)
            with replacing(target) as temporary:
                yield temporary

    def _copy(self, names: Sequence[str], types: Sequence[str], columns: Sequence[list[Any]], path: Path) -> None:
        import duckdb

        selected = ", ".join(f"unnest(?::{kind}[]) AS {quoted(name)}" for name, kind in zip(names, types, strict=True))
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


def sql_type(column_type: str, cells: Sequence[object]) -> str:
    """The SQL type of a column that holds some values; of other integers, they fit 64 bits."""
    if column_type != "integer":
        return _SQL_TYPES[column_type]
    widest = max((abs(cell) for cell in cells if isinstance(cell, int)), default=0)
    if widest < _BIGINT:
        return "BIGINT"
    return "DECIMAL(38,0)" if widest < _WIDEST else "DOUBLE"


def storable_values(kind: str, cells: Sequence[object]) -> list[Any]:
    """Values as a parameter of an SQL type takes them."""
    if kind == "DOUBLE":
        return [None if cell is None else _finite(float(cell)) for cell in cells]  # type: ignore[arg-type]
    if kind == "VARCHAR":
        return [None if cell is None else str(cell).encode("utf-8", "replace").decode() for cell in cells]
    if kind == "DECIMAL(38,0)":
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
    unused = [path for path in paths.tables.glob("*.parquet") if rows_file(path.name) not in referenced]
    left = [*paths.tables.glob("*.tmp"), *paths.cache.glob("**/*.tmp")]
    deleted = []
    for path in (*unused, *left):
        with suppress(OSError):
            if path.stat().st_mtime < oldest:
                path.unlink()
                deleted.append(path.name)
    return tuple(sorted(deleted))
