"""Owns which quantities an expression computes with, and what that means where their cells don't all fit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from polyrag_cli.nl2sql.algebra import Against, Condition, Measure, Ranked
from polyrag_cli.nl2sql.index import TableEntry
from polyrag_cli.nl2sql.profile import number_of
from polyrag_cli.types import Column

_BOUNDS = frozenset({">", ">=", "<", "<=", "between"})


def computed_columns(expression: object, table: TableEntry) -> list[Column]:
    """Return the columns whose values an expression adds up, ranks or compares, in the table's order."""
    names = set(_names(expression))
    names |= {number_of(name) for name in names}
    return [entry.column for entry in table.columns if entry.column.name in names]


def _names(node: object) -> Iterator[str]:
    if isinstance(node, Measure) and node.column is not None and not node.counts:
        yield node.column
    elif isinstance(node, Ranked):
        yield node.by
    elif isinstance(node, Against) or (isinstance(node, Condition) and node.operator in _BOUNDS):
        yield node.column
        yield getattr(node, "other", "") or node.column
    if isinstance(node, tuple):
        for item in node:
            yield from _names(item)
    elif is_dataclass(node):
        for each in fields(node):
            yield from _names(getattr(node, each.name))


def mixed_units(columns: list[Column]) -> str:
    """Say which column holds several units, so that its cells can't be added up or compared; "" where none does."""
    for column in columns:
        if column.units:
            return (
                f"“{column.label}” holds several units ({', '.join(column.units)}), which can't be added up or compared"
            )
    return ""


def left_out(columns: list[Column]) -> tuple[str, ...]:
    """Say for each column how many of its cells hold nothing that can be computed with."""
    return tuple(
        f"{column.unread} cell{'s'[: column.unread > 1]} of “{column.label}” can't be read as a value"
        f" ({', '.join(column.unread_samples)}) and {'are' if column.unread > 1 else 'is'} left out"
        for column in columns
        if column.unread
    )
