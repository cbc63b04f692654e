"""Owns what a restriction is, and the comparison words before it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from polyrag_cli.nl2sql.algebra import Comparison, Condition
from polyrag_cli.nl2sql.index import ColumnEntry
from polyrag_cli.nl2sql.question import AskedWord, Question

BOUNDS: dict[str, Comparison] = {
    "above": ">", "at_least": ">=", "below": "<", "at_most": "<=", "equal": "=",
    "after": ">", "before": "<", "since": ">=", "until": "<=",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Filter:
    """One restriction as the question's words state it.

    tokens: words that it accounts for. conditions: all must hold, on the column at `position`.
    """

    tokens: tuple[int, ...]
    position: int
    conditions: tuple[Condition, ...]
    quality: float


def equal(entry: ColumnEntry, values: Sequence[str]) -> Condition:
    """Return the condition that a column holds the value, or one of the values."""
    return Condition(entry.column.name, "=" if len(values) == 1 else "in", tuple(values))


_SIGNS: dict[str, Comparison] = {
    ">=": ">=", "=>": ">=", "≥": ">=", "<=": "<=", "=<": "<=", "≤": "<=", "!=": "!=", "<>": "!=", "≠": "!=",
    ">": ">", "<": "<", "=": "=", "==": "=",
}  # fmt: skip
_SIGN = re.compile(r"(>=|=>|≥|<=|=<|≤|!=|<>|≠|==|>|<|=)\s*[^\w\s]?\s*$")


def sign_before(question: Question, first: int) -> Comparison | None:
    """Return the comparison that a sign right before a token states."""
    start = question.tokens[first - 1].word.end if first else 0
    match = _SIGN.search(question.text[start : question.tokens[first].word.start])
    return _SIGNS[match[1]] if match is not None else None


def comparator_before(question: Question, first: int) -> tuple[Comparison, tuple[int, ...]] | None:
    """Return the comparison that stands right before a token (function words between), with its tokens."""
    sign = sign_before(question, first)
    if sign is not None:
        return sign, ()
    for mark in question.marks:
        if mark.operation in BOUNDS and mark.last < first:
            between = range(mark.last + 1, first)
            if len(between) <= 3 and all(_passes(question.tokens[i]) for i in between):
                return BOUNDS[mark.operation], tuple(range(mark.first, mark.last + 1))
    return None


def _passes(token: AskedWord) -> bool:
    return token.empty or bool(token.date_part)
