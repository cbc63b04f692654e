"""Owns the two Parquet files of a long table: its values, and those cells of its source that they don't give back."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Sequence
from contextlib import closing
from typing import Any

from polyrag_cli.stores.faults import store_error
from polyrag_cli.stores.parquet_files import ROWS, ParquetFiles, literal, quoted, source_file
from polyrag_cli.stores.records import TypedTable
from polyrag_cli.stores.staged_values import StagedCells

# Part of the files' names: raised when what is written of the same bytes changes.
_REVISION = 1


def write_staged(files: ParquetFiles, table: TypedTable, staged: StagedCells) -> str:
    """Writes both files unless they are there already, and returns the name of the one with the values.

    It comes from the bytes that the rows were read from and from how their values are read, so that the same table
    always has the same name.

    Raises StoreError when the disk refuses.
    """
    target = files.path(_digest(table, staged) + ROWS)
    source = files.path(str(source_file(target.name)))
    from polyrag_cli.stores.duckdb_sandbox import engine

    duckdb = engine()
    columns = [(column.name, value) for column, value in zip(table.columns, staged.values, strict=True)]
    try:
        if not files.is_kept(source):
            restored = _restored(staged)
            kept = [place for place, value in enumerate(restored) if value is None] or [0]
            with files.written(source) as temporary:
                staged.rows.copy_cells(kept, temporary)
        if not files.is_kept(target):
            with files.written(target) as temporary:
                staged.rows.copy(columns, temporary)
    except duckdb.Error as error:
        raise store_error(error, target) from error
    return target.name


def packed_layout(table: TypedTable, staged: StagedCells) -> bytes:
    """What the catalog holds in place of a table's cells: the header, and which column of values gives back which cells
    (None where the file of the source has them)."""
    names = [None if place is None else table.columns[place].name for place in _restored(staged)]
    return zlib.compress(json.dumps({"header": staged.header, "columns": names}, ensure_ascii=False).encode(), 6)


def source_rows(files: ParquetFiles, name: str, layout: dict[str, Any], most: int | None) -> list[list[str]]:
    """The cells of a long table as its source holds them, at most the first `most` lines, header first.

    Raises StoreError when a file is lost.
    """
    header = [layout["header"]] if layout["header"] is not None else []
    source = files.path(str(source_file(name)))
    cells = ", ".join(
        f"source.c{place}" if column is None else f"coalesce(held.{quoted(column)}::VARCHAR, '')"
        for place, column in enumerate(layout["columns"])
    )
    limit = "" if most is None else f" LIMIT {max(0, most - len(header))}"
    held, rest = (f"read_parquet({literal(str(path))})" for path in (files.path(name), source))
    from polyrag_cli.stores.duckdb_sandbox import engine

    duckdb = engine()
    try:
        with closing(duckdb.connect(":memory:", config={"autoload_known_extensions": False})) as connection:
            query = f"SELECT {cells} FROM {held} AS held POSITIONAL JOIN {rest} AS source{limit}"
            rows = connection.execute(query).fetchall()
    except duckdb.Error as error:
        raise store_error(error, source) from error
    return [*header, *map(list, rows)]


def _restored(staged: StagedCells) -> list[int | None]:
    """For each column of the file the place of the values that give its cells back, None without."""
    places: list[int | None] = [None] * staged.rows.width
    for place, value in enumerate(staged.values):
        if places[value.column] is None and staged.rows.gives_back(value):
            places[value.column] = place
    return places


def _digest(table: TypedTable, staged: StagedCells) -> str:
    read: Sequence[Any] = [
        (column.name, value.how, value.column, value.type, sorted(value.nothing), list(value.read.items()), value.rows)
        for column, value in zip(table.columns, staged.values, strict=True)
    ]
    return hashlib.sha256(json.dumps([_REVISION, staged.digest, table.rows, read], default=str).encode()).hexdigest()
