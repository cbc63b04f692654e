"""Stored tables with their typed columns, and the rows of a SELECT."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ColumnType = Literal["integer", "number", "date", "boolean", "text"]
Cell = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Column:
    """A typed column: `name` is the SQL identifier, `label` the header as it stands in the source."""

    name: str
    label: str
    type: ColumnType
    values: tuple[str, ...] = ()
    distinct: int = 0
    nulls: int = 0
    decimal: str = ""
    unit: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableSchema:
    """A stored table: `name` is its SQL identifier, `file` its Parquet file's name, `values` of columns are capped."""

    name: str
    document: str
    label: str
    columns: tuple[Column, ...]
    rows: int
    file: str = ""
    heading: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rows:
    """The result of a SELECT."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    sql: str = ""
    truncated: bool = False
