"""One clause's share of an answer, and which of two is likelier to be one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from polyrag_cli.types import ClauseDecision, Hit, Retrieval


@dataclass(frozen=True, slots=True)
class ClauseAnswer:
    """One clause's share of an answer; text is None when nothing supports one, its marks [n] count `quotes`.

    probability: that the quotes answer; None where nothing could be quoted. signs: what it is computed from, by
    the names of its weights. span: of the text, the thing asked for.
    """

    clause: ClauseDecision
    retrieval: Retrieval
    text: str | None
    quotes: tuple[Hit, ...] = ()
    probability: float | None = None
    span: tuple[int, int] | None = None
    signs: Mapping[str, float] = field(default_factory=dict)


def probability_of(stated: ClauseAnswer) -> float:
    """The probability that its quotes answer, 0.0 where nothing could be quoted."""
    return stated.probability or 0.0


def likelier(one: ClauseAnswer | None, other: ClauseAnswer) -> ClauseAnswer | None:
    """Whose quotes answer with the greater probability; the first of equals, None where neither has any."""
    if other.probability is None:
        return one
    return other if one is None or other.probability > probability_of(one) else one
