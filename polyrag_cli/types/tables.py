"""Stored tables with their typed columns, and the rows of a SELECT."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ColumnType = Literal["integer", "number", "date", "boolean", "text"]
Cell = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Column:
    """A typed column: `name` is the SQL identifier, `label` the header as it stands in the source.

    values: its different values as text, at most as many as are kept (then `truncated_values`); distinct: how many
    there are. decimals: most digits behind the decimal mark in the source.
    unit: what its numbers are in; scale: how many of it one stands for (1,000 under "k EUR"); units: several that don't
    convert into each other, so that its cells mustn't be added up or compared.
    lists: separators by which its cells list several values. unread: how many cells don't fit the type and hold
    nothing here, with up to 3 of their texts. total: whether it says which rows state totals of others; it isn't the
    source's.
    """

    name: str
    label: str
    type: ColumnType
    values: tuple[str, ...] = ()
    distinct: int = 0
    nulls: int = 0
    decimal: str = ""
    unit: str = ""
    notes: tuple[str, ...] = ()
    decimals: int = 0
    scale: float = 1.0
    units: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    unread: int = 0
    unread_samples: tuple[str, ...] = ()
    truncated_values: bool = False
    total: bool = False


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


TableKey = tuple[str, int]
"""A table by its document and its place there."""


@dataclass(frozen=True, slots=True)
class TableRef:
    """A stored table without its columns: its name, its file, and which words of its path tell it from others."""

    name: str
    document: str
    ordinal: int
    file: str
    path_words: tuple[str, ...]

    @property
    def key(self) -> TableKey:
        """What it is known by."""
        return self.document, self.ordinal


@dataclass(frozen=True, slots=True)
class TableSchema:
    """A stored table: `name` is its SQL identifier, `file` its Parquet file's name, `values` of columns are capped.

    place: where in its file it stands, such as a sheet and a range.
    dialect: how a file of delimited text was read, and why so. hidden: whether its program doesn't show it.
    path_words: folded words of its file's path that its name doesn't hold; of tables that are called alike, those that
    tell them apart ("2025" of `2025/sales.csv` beside `2024/sales.csv`).
    keys: labels of the columns that its database declares unique, each by itself. references: its declared foreign
    keys of one column.
    has_header: whether its source names the columns; otherwise their labels are made up. total_rows: positions of the
    rows that state totals of others; a query leaves out exactly these by its column with `total`, or where there is
    none, by the values that its columns' notes name.
    """

    name: str
    document: str
    label: str
    columns: tuple[Column, ...]
    rows: int
    file: str = ""
    heading: str = ""
    notes: tuple[str, ...] = ()
    place: str = ""
    dialect: str = ""
    hidden: bool = False
    path_words: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    references: tuple[Reference, ...] = ()
    has_header: bool = True
    total_rows: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Rows:
    """The result of a SELECT; `types` are the database's names of the columns' types.

    notes: why a person's statement may have found nothing: values that no row holds, with the nearest ones.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    sql: str = ""
    truncated: bool = False
    types: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
