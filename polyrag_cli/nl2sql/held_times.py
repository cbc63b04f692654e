"""Owns which times a table doesn't cover."""

from __future__ import annotations

from polyrag_cli.nl2sql.algebra import Condition
from polyrag_cli.nl2sql.index import ColumnEntry


def beyond(condition: Condition, entry: ColumnEntry) -> bool:
    """Tell whether a restriction names a year in which the table holds nothing."""
    held = entry.column.values
    if not held or entry.column.distinct > len(held):
        return False
    if entry.role == "date":
        years = {int(value[:4]) for value in held}
        if condition.operator == "year":
            return not years.intersection(int(str(value)) for value in condition.values)
        if condition.operator in ("=", "between"):
            return str(condition.values[-1]) < min(held) or str(condition.values[0]) > max(held)
        return False
    if entry.role == "year" and condition.operator in ("=", "in"):
        held_years = [int(float(value)) for value in held]
        asked = [int(str(value)) for value in condition.values]
        return all(not min(held_years) <= year <= max(held_years) for year in asked)
    return False
