"""What happens while a question is answered, in the order in which it happens."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from polyrag_cli.types.answers import Answer
from polyrag_cli.types.routing import RouteDecision
from polyrag_cli.types.spans import SpanEvent


@dataclass(frozen=True, slots=True)
class SpanStarted:
    """A piece of work has begun; its `ms` is None."""

    event: Literal["span_started"] = field(default="span_started", init=False)
    span: SpanEvent


@dataclass(frozen=True, slots=True)
class SpanEnded:
    """A piece of work that was told as started is done, or has failed."""

    event: Literal["span_ended"] = field(default="span_ended", init=False)
    span: SpanEvent


@dataclass(frozen=True, slots=True)
class DecisionMade:
    """The router has decided, nothing is retrieved yet; comes again where the corpus changed before it was."""

    event: Literal["decision_made"] = field(default="decision_made", init=False)
    decision: RouteDecision


@dataclass(frozen=True, slots=True)
class TokenWritten:
    """The answer goes on with `text`; all of them joined are the answer's text."""

    event: Literal["token_written"] = field(default="token_written", init=False)
    text: str


@dataclass(frozen=True, slots=True)
class AnswerReady:
    """The answer with all that supports it, also one that says that nothing was found: the last event."""

    event: Literal["answer_ready"] = field(default="answer_ready", init=False)
    answer: Answer


Event = SpanStarted | SpanEnded | DecisionMade | TokenWritten | AnswerReady
"""One step of a question; its `event` names its kind in JSON."""


def answer_of(events: Iterable[Event]) -> Answer:
    """The answer that a question's events end with."""
    *_, last = events
    if not isinstance(last, AnswerReady):
        raise TypeError(f"the last event of a question is its answer, not {last.event}")
    return last.answer
