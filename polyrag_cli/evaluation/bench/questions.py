"""Questions made from a corpus itself, for measuring without a labelled set."""

from __future__ import annotations

from collections.abc import Sequence

from polyrag_cli.engine import Engine
from polyrag_cli.types import Column, TableSchema

# A text column with this many distinct values or fewer groups rows; one with more names them.
_GROUPING_VALUES = 12
_YEARS = (1800, 2200)


def own_questions(engine: Engine, limit: int = 24) -> list[str]:
    """At most `limit` questions in a fixed order: totals of tables' number columns, and headings, by turns."""
    totals = [question for schema in engine.corpus.tables() for question in _totals(schema)]
    headings = [f"{heading.split(' › ')[-1]}?" for heading in engine.corpus.headings()]
    pairs = [question for pair in zip(totals, headings, strict=False) for question in pair]
    rest = totals[len(pairs) // 2 :] + headings[len(pairs) // 2 :]
    return list(dict.fromkeys([*pairs, *rest]))[:limit]


def _totals(schema: TableSchema) -> list[str]:
    """Up to two totals of a table, each for one value where a column groups the rows, else for the whole table."""
    numeric = [column for column in schema.columns if column.type in ("integer", "number") and not _is_year(column)]
    groups = [c for c in schema.columns if c.type == "text" and c.values and 2 <= c.distinct <= _GROUPING_VALUES]
    values: Sequence[str] = groups[0].values if groups else (_words(schema.label),)
    return [f"total {_words(column.label)} {values[i % len(values)]}" for i, column in enumerate(numeric[:2])]


def _words(label: str) -> str:
    return " ".join(label.replace("_", " ").split())


def _is_year(column: Column) -> bool:
    """Whether all known values are years, which nobody adds up."""
    low, high = _YEARS
    whole = [int(value) for value in column.values if value.isdecimal()]
    return bool(whole) and len(whole) == len(column.values) and all(low <= year <= high for year in whole)
