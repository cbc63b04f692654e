"""Answers as JSON and back, exactly.

Owns the stored form of an answer.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from polyrag_cli.errors import StoreError
from polyrag_cli.routing.replay import decision_from_json
from polyrag_cli.types import Answer, HeadScore, Hit, SpanRecord, as_json


def answer_to_json(answer: Answer) -> str:
    """An answer as one line of JSON, ASCII only."""
    return json.dumps(as_json(answer), ensure_ascii=True, separators=(",", ":"))


def answer_from_json(text: str) -> Answer:
    """The answer that `answer_to_json` wrote.

    Raises StoreError when the text holds no answer.
    """
    return answer_from_fields(stored_fields(text))


def stored_fields(text: str) -> dict[str, Any]:
    """The fields of a stored answer, whose decision may be read where the rest is of another version.

    Raises StoreError when the text holds none.
    """
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise StoreError(f"The stored answer can't be read ({error!r}).", "Ask again to store a new one.") from error
    if not isinstance(fields, dict) or not fields.keys() >= {"decision", "trace_id"}:
        raise StoreError("The stored answer can't be read (it holds no decision).", "Ask again to store a new one.")
    return fields


def answer_from_fields(fields: Mapping[str, Any]) -> Answer:
    """The answer behind `types.as_json` of one.

    Raises StoreError when the fields aren't an answer's.
    """
    try:
        return Answer(
            **{
                **fields,
                "routes": tuple(fields["routes"]),
                "columns": tuple(fields["columns"]),
                "rows": tuple(tuple(row) for row in fields["rows"]),
                "sources": tuple(hit_from_json(hit) for hit in fields["sources"]),
                "decision": decision_from_json(fields["decision"]),
                "warnings": tuple(fields["warnings"]),
                "spans": tuple(SpanRecord(**span) for span in fields["spans"]),
                "path": tuple(fields["path"]),
                "degraded": tuple(fields.get("degraded", ())),
                "closest": None if fields["closest"] is None else hit_from_json(fields["closest"]),
            }
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise StoreError(f"The stored answer can't be read ({error!r}).", "Ask again to store a new one.") from error


def hit_from_json(fields: Mapping[str, Any]) -> Hit:
    """The passage that `as_json` made these fields of. Raises KeyError, TypeError or ValueError when they are none."""
    rest = {name: value for name, value in fields.items() if name not in ("from", "quotes", "heads")}
    quotes = tuple((start, end) for start, end in fields["quotes"])
    heads = tuple(HeadScore(**head) for head in fields.get("heads", ()))
    return Hit(**rest, source=fields["from"], quotes=quotes, heads=heads)
