"""JSON Lines: a file of documents when every record has a text, a table otherwise."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from polyrag_cli.errors import LoadError
from polyrag_cli.loaders.encoding import cleaned, read_text
from polyrag_cli.loaders.plain import paragraphs
from polyrag_cli.loaders.records import records_table
from polyrag_cli.types import LoadedDocument


class JSONLLoader:
    """Reads one JSON object a line."""

    name = "jsonl"
    version = "2"

    def load(self, path: Path) -> tuple[LoadedDocument, ...]:
        """A document for each record when all have a `text` (key: the record's id, else its line); else one table.

        Records with an empty text give nothing. Raises LoadError naming the first line that is no JSON object.
        """
        decoded = read_text(path)
        records = list(_records(decoded.text, path.name))
        if not records:
            return ()
        if all(isinstance(record.get("text"), str) for _, record in records):
            return tuple(_documents(records, decoded.warnings))
        table = records_table(path.stem, [record for _, record in records])
        return (LoadedDocument("", tables=(table,), warnings=decoded.warnings),)


def _records(text: str, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    # Only \n ends a line: U+2028 and others are legal inside a JSON string.
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
            raise LoadError(f"{name}, line {number}: not JSON ({reason}).") from error
        if not isinstance(record, dict):
            raise LoadError(f"{name}, line {number}: not a JSON object.")
        yield number, record


def _documents(records: list[tuple[int, dict[str, Any]]], warnings: tuple[str, ...]) -> Iterator[LoadedDocument]:
    seen: dict[str, int] = {}
    for number, record in records:
        text, notes = cleaned(record["text"])
        key, _ = cleaned(_scalar(record.get("id")) or str(number))
        key = " ".join(key.split()) or str(number)
        seen[key] = seen.get(key, 0) + 1
        if seen[key] > 1:
            notes = (*notes, f"The id {key} stands in {seen[key]} lines.")
            key = _free_key(key, seen)
        title, _ = cleaned(_scalar(record.get("title")))
        if text.strip():
            title = " ".join(title.split())
            yield LoadedDocument(text, paragraphs(text), title=title, key=key, warnings=warnings + notes)
            warnings = ()


def _free_key(key: str, seen: dict[str, int]) -> str:
    number = seen[key]
    while f"{key}~{number}" in seen:
        number += 1
    seen[f"{key}~{number}"] = 1
    return f"{key}~{number}"


def _scalar(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False) if value else ""
    return json.dumps(value)
