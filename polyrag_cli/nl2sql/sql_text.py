"""Owns how identifiers, values and restrictions are written as SQL in DuckDB's dialect."""

from __future__ import annotations

import re

from polyrag_cli.nl2sql.algebra import Condition
from polyrag_cli.types import Cell, Column


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PLAIN = re.compile(r"[a-z_][a-z0-9_]*")
_RESERVED = _words(
    """
    all analyse analyze and anti any array as asc asof asymmetric at authorization between bigint binary bit
    boolean both by case cast char check coalesce collate collation column columns concurrently constraint
    create cross current_date current_time default deferrable desc describe distinct do else end except
    exists extract false fetch for foreign freeze from full generated glob group grouping grouping_id having
    ilike in initially inner int integer interval intersect into is isnull join lambda lateral leading left
    like limit map natural not notnull null offset on only or order outer overlaps pivot pivot_longer
    pivot_wider placing positional primary qualify references returning right row select semi show similar
    some struct summarize symmetric table tablesample then time timestamp to trailing true try_cast tuple
    union unique unpack unpivot update using values variadic verbose when where window with
    """
)


def quoted(name: str) -> str:
    """Return an identifier as SQL needs it: as it is, or in double quotes when it is reserved or not plain."""
    if _PLAIN.fullmatch(name) and name not in _RESERVED:
        return name
    return '"' + name.replace('"', '""') + '"'


def literal(value: Cell, column: Column | None = None) -> str:
    """Return a value as a literal of its column's type."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (int, float)):
        return repr(value)
    if column is not None and column.type in ("integer", "number") and re.fullmatch(r"-?\d+(\.\d+)?", value):
        return value
    text = "'" + value.replace("'", "''") + "'"
    return f"DATE {text}" if column is not None and column.type == "date" else text


def condition_sql(condition: Condition, column: Column) -> str:
    """Return one restriction as SQL."""
    name = quoted(condition.column)
    values = [literal(value, column) for value in condition.values]
    nullable = column.nulls > 0
    match condition.operator:
        case "not null":
            return f"{name} IS NOT NULL"
        case "is null":
            return f"{name} IS NULL"
        case "between":
            return f"{name} BETWEEN {values[0]} AND {values[1]}"
        case "in":
            return f"{name} IN ({', '.join(values)})"
        case "not in":
            inside = f"{name} NOT IN ({', '.join(values)})"
            return f"({inside} OR {name} IS NULL)" if nullable else inside
        case "!=":
            return f"{name} IS DISTINCT FROM {values[0]}" if nullable else f"{name} <> {values[0]}"
        case "year" | "month":
            part = f"{condition.operator.upper()}({name})"
            numbers = [repr(value) for value in condition.values]
            return f"{part} = {numbers[0]}" if len(numbers) == 1 else f"{part} IN ({', '.join(numbers)})"
        case _:
            return f"{name} {condition.operator} {values[0]}"
