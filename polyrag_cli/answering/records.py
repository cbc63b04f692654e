"""Answers as JSON and back, exactly.

Owns the stored form of an answer.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from polyrag_cli.errors import StoreError
from polyrag_cli.routing.replay import decision_from_json
from polyrag_cli.types import Answer, Hit, as_json
from polyrag_cli.types.decoding import decoded


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
        return decoded(Answer, {**fields, "decision": decision_from_json(fields["decision"])})
    except (KeyError, ValueError) as error:
        raise StoreError(f"The stored answer can't be read ({error}).", "Ask again to store a new one.") from error


def hit_from_json(fields: Any) -> Hit:
    """The passage that `as_json` made these fields of. Raises ValueError when they are none."""
    return decoded(Hit, fields)
