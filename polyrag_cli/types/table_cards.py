"""What is known of one table, for people who check it."""

from __future__ import annotations

from dataclasses import dataclass

from polyrag_cli.types.tables import ColumnType, Relation, TableSchema


@dataclass(frozen=True, slots=True)
class ColumnCard:
    """A column as its card shows it.

    null_share: the share of rows that hold nothing there (0–1). samples: a few of its values. unread: how many cells
    don't fit the type and count as nothing; unread_samples: a few of their texts. total: as of `Column`.
    """

    name: str
    label: str
    type: ColumnType
    unit: str
    null_share: float
    distinct: int
    samples: tuple[str, ...]
    notes: tuple[str, ...]
    unread: int
    unread_samples: tuple[str, ...]
    total: bool


@dataclass(frozen=True, slots=True)
class TableCard:
    """A table's audit card.

    document, place: its file, and where in it; dialect: how it was read, and why so. hidden: whether its program
    doesn't show it. total_rows: how many rows state totals of others, and are left out of sums. unread: how many cells
    don't fit their column's type. relations: those of its columns to keys of other tables, and of other tables' columns
    to its keys.
    """

    name: str
    document: str
    place: str
    dialect: str
    hidden: bool
    heading: str
    rows: int
    columns: tuple[ColumnCard, ...]
    keys: tuple[str, ...]
    total_rows: int
    unread: int
    notes: tuple[str, ...]
    relations: tuple[Relation, ...]


_SAMPLES = 3


def table_card(table: TableSchema, relations: tuple[Relation, ...]) -> TableCard:
    """The card of a table. relations: those of the whole corpus."""
    columns = tuple(
        ColumnCard(
            name=column.name,
            label=column.label,
            type=column.type,
            unit=column.unit,
            null_share=round(column.nulls / table.rows, 6) if table.rows else 0.0,
            distinct=column.distinct,
            samples=column.values[:_SAMPLES],
            notes=column.notes,
            unread=column.unread,
            unread_samples=column.unread_samples,
            total=column.total,
        )
        for column in table.columns
    )
    return TableCard(
        name=table.name,
        document=table.document,
        place=table.place,
        dialect=table.dialect,
        hidden=table.hidden,
        heading=table.heading,
        rows=table.rows,
        columns=columns,
        keys=table.keys,
        total_rows=len(table.total_rows),
        unread=sum(column.unread for column in table.columns),
        notes=table.notes,
        relations=tuple(one for one in relations if table.name in (one.table, one.other)),
    )
