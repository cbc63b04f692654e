"""JSON: an array of records is a table, and so is each array of records in an object."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from polyrag_cli.errors import LoadError
from polyrag_cli.loaders.encoding import read_text
from polyrag_cli.loaders.records import records_table
from polyrag_cli.types import LoadedDocument, RawTable


class JSONLoader:
    """Reads files of records; any other JSON holds no table."""

    name = "json"
    version = "1"

    def load(self, path: Path) -> tuple[LoadedDocument, ...]:
        """One document with a table for each array of records; () when there is none.

        Raises LoadError for what isn't JSON.
        """
        decoded = read_text(path)
        if not decoded.text.strip():
            return ()
        try:
            content = json.loads(decoded.text)
        except (ValueError, RecursionError) as error:
            said = f"line {error.lineno}: {error.msg}" if isinstance(error, json.JSONDecodeError) else str(error)
            raise LoadError(f"{path.name}: not JSON ({said}).") from error
        tables = tuple(_tables(content, path.stem))
        return (LoadedDocument("", tables=tables, warnings=decoded.warnings),) if tables else ()


def _tables(content: Any, stem: str) -> list[RawTable]:
    if _is_records(content):
        return [records_table(stem, content)]
    if not isinstance(content, Mapping):
        return []
    arrays = {key: value for key, value in content.items() if _is_records(value)}
    # What stands beside says what the records are about: "source", "updated".
    notes = tuple(f"{key}: {value}" for key, value in content.items() if isinstance(value, str) and value.strip())
    if len(arrays) == 1:
        return [records_table(stem, records, key, notes) for key, records in arrays.items()]
    return [records_table(key, records, key, notes) for key, records in arrays.items()]


def _is_records(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(record, Mapping) for record in value)
