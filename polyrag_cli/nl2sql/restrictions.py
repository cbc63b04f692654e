"""Owns what a restriction is, and the comparison words before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from polyrag_cli.nl2sql.index import ColumnEntry
from polyrag_cli.nl2sql.plans import Condition, Operator
from polyrag_cli.nl2sql.question import AskedWord, Question

BOUNDS: dict[str, Operator] = {
    "above": ">", "at_least": ">=", "below": "<", "at_most": "<=", "equal": "=",
    "after": ">", "before": "<", "since": ">=", "until": "<=",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Filter:
    """One restriction as the question's words state it.

    tokens: words that it accounts for. conditions: all must hold, on the column at `position`.
    consumed: indices of column mentions that only say which column is meant.
    """

    tokens: tuple[int, ...]
    position: int
    conditions: tuple[Condition, ...]
    quality: float
    consumed: tuple[int, ...] = ()


def equal(entry: ColumnEntry, values: Sequence[str]) -> Condition:
    """Return the condition that a column holds the value, or one of the values."""
    return Condition(entry.column.name, "=" if len(values) == 1 else "in", tuple(values))


def comparator_before(question: Question, first: int) -> tuple[Operator, tuple[int, ...]] | None:
    """Return the comparison that stands right before a token (function words between), with its tokens."""
    for mark in question.marks:
        if mark.operation in BOUNDS and mark.last < first:
            between = range(mark.last + 1, first)
            if len(between) <= 3 and all(_passes(question.tokens[i]) for i in between):
                return BOUNDS[mark.operation], tuple(range(mark.first, mark.last + 1))
    return None


def _passes(token: AskedWord) -> bool:
    return token.empty or bool(token.date_part)
