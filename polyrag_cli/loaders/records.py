"""Owns how records of JSON become a table: one column for each path to a value."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from polyrag_cli.loaders.encoding import cleaned
from polyrag_cli.loaders.values import cell_text, column_type
from polyrag_cli.types import ColumnType, RawTable

_DEEPEST = 4


def records_table(
    name: str, records: Sequence[Mapping[str, Any]], heading: str = "", notes: tuple[str, ...] = ()
) -> RawTable:
    """The records as rows, in their order; keys as columns, in the order in which they first come."""
    flat = [dict(flattened(record)) for record in records]
    keys = list(dict.fromkeys(key for record in flat for key in record))
    columns = [[_text(record.get(key)) for record in flat] for key in keys]
    types = tuple(_type([record.get(key) for record in flat], texts) for key, texts in zip(keys, columns, strict=True))
    header = tuple(cleaned(key)[0] for key in keys)
    return RawTable(name, (header, *zip(*columns, strict=True)), heading=heading, notes=notes, types=types)


def flattened(record: Mapping[str, Any], prefix: str = "", depth: int = 1) -> Iterator[tuple[str, Any]]:
    """A record's values with the path to each: `address.city`."""
    for key, value in record.items():
        if isinstance(value, dict) and value and depth < _DEEPEST:
            yield from flattened(value, f"{prefix}{key}.", depth + 1)
        else:
            yield f"{prefix}{key}", value


def _text(value: Any) -> str:
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False) if value else ""
    return cell_text(value)


def _type(values: Sequence[Any], texts: Sequence[str]) -> ColumnType | None:
    """What JSON says of a column: figures and logical values; a text may well be a date or a figure."""
    if all(value is None or isinstance(value, bool) for value in values):
        return "boolean" if any(isinstance(value, bool) for value in values) else None
    return column_type(texts)
