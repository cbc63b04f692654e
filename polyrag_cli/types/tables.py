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
class Reference:
    """A foreign key as its database declares it: `column` holds values of `other_column` of `other`, a table of the
    same document; all three as their source calls them."""

    column: str
    other: str
    other_column: str


@dataclass(frozen=True, slots=True)
class Relation:
    """A column that holds keys of another table, all by their SQL identifiers.

    containment: the share of the column's different values that the key has (0–1). declared: whether a database says
    so, rather than names and values.
    """

    table: str
    column: str
    other: str
    other_column: str
    containment: float
    declared: bool = False


@dataclass(frozen=True, slots=True)
class TableSchema:
    """A stored table: `name` is its SQL identifier, `file` its Parquet file's name, `values` of columns are capped.

    keys: labels of the columns that its database declares unique, each by itself. references: its declared foreign
    keys of one column.
    has_header: whether its source names the columns; otherwise their labels are made up.
    """

    name: str
    document: str
    label: str
    columns: tuple[Column, ...]
    rows: int
    file: str = ""
    heading: str = ""
    notes: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    references: tuple[Reference, ...] = ()
    has_header: bool = True


@dataclass(frozen=True, slots=True)
class Rows:
    """The result of a SELECT."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    sql: str = ""
    truncated: bool = False
