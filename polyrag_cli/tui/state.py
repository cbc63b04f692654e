"""The conversation as a value, and the pure function that takes it from one event to the next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from polyrag_cli.tui.events import Answered, Asked, Decided, Event, Located, Refused, SpanSeen
from polyrag_cli.types import Answer, RouteDecision, SpanEvent, SpanRecord

Phase = Literal["asking", "answered", "failed"]

MAX_TURNS = 100
"""Turns that a conversation keeps; older ones are forgotten."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One question and what has become of it so far.

    spans: those heard while it runs, one entry a span, in order of their start; empty once the answer brings its own.
    lines: where the cited passages stand in their documents, by the number of the source.
    """

    number: int
    question: str
    route: str | None = None
    strategy: str | None = None
    beside: int | None = None
    phase: Phase = "asking"
    decision: RouteDecision | None = None
    spans: tuple[SpanEvent, ...] = ()
    answer: Answer | None = None
    lines: Mapping[int, str] = field(default_factory=dict)
    error: str = ""


@dataclass(frozen=True, slots=True)
class State:
    """The conversation: its turns, oldest first."""

    turns: tuple[Turn, ...] = ()

    def turn(self, number: int) -> Turn | None:
        """The turn of that number, None when it is forgotten."""
        return next((turn for turn in reversed(self.turns) if turn.number == number), None)


def reduce(state: State, events: Sequence[Event]) -> State:
    """The state after some events, in their order; events of turns that are unknown or have ended change nothing."""
    turns = {turn.number: turn for turn in state.turns}
    heard: dict[int, list[SpanEvent]] = {}
    for event in events:
        match event:
            case Asked():
                turns[event.turn] = Turn(event.turn, event.question, event.route, event.strategy, event.beside)
            case SpanSeen():
                heard.setdefault(event.turn, []).append(event.span)
            case Decided() | Located() | Answered() | Refused():
                turn = turns.get(event.turn)
                if turn is not None and turn.phase == "asking":
                    turns[event.turn] = _moved(turn, event)
    for number, spans in heard.items():
        turn = turns.get(number)
        if turn is not None and turn.phase != "answered":
            # One pass for all spans of a batch: a flood must not cost the square of its length.
            turns[number] = replace(turn, spans=_merged(turn.spans, spans))
    return State(tuple(turns.values())[-MAX_TURNS:])


def _moved(turn: Turn, event: Decided | Located | Answered | Refused) -> Turn:
    match event:
        case Decided():
            return replace(turn, decision=event.decision)
        case Located():
            return replace(turn, lines=event.lines)
        case Answered():
            return replace(turn, phase="answered", answer=event.answer, decision=event.answer.decision, spans=())
        case Refused():
            return replace(turn, phase="failed", error=event.message)


def _merged(known: Iterable[SpanEvent], heard: Iterable[SpanEvent]) -> tuple[SpanEvent, ...]:
    """One entry a span: its end takes the place of its start."""
    spans = {span.span_id: span for span in known}
    for span in heard:
        if span.ms is not None or span.span_id not in spans:
            spans[span.span_id] = span
    return tuple(spans.values())


def span_records(turn: Turn, now_ms: float, limit: int | None = None) -> tuple[SpanRecord, ...]:
    """The turn's spans as a tree of records, at most the first `limit`; what still runs lasts until now.

    now_ms: milliseconds since the Unix epoch.
    """
    if turn.answer is not None:
        return turn.answer.spans[:limit]
    spans = turn.spans[:limit]
    if not spans:
        return ()
    index = {span.span_id: i for i, span in enumerate(spans)}
    origin = min(span.start_ms for span in spans)
    return tuple(
        SpanRecord(
            name=span.name,
            parent=index.get(span.parent_id, -1),
            start_ms=round(span.start_ms - origin, 3),
            ms=round(span.ms if span.ms is not None else max(0.0, now_ms - span.start_ms), 3),
            attributes=span.attributes,
            error=span.error,
        )
        for span in spans
    )
