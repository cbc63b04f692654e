"""The conversation as a value, and the pure function that takes it from one event to the next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from polyrag_cli.tui.events import Asked, Event, Heard, Located, Refused
from polyrag_cli.types import (
    Answer,
    AnswerReady,
    DecisionMade,
    RouteDecision,
    SpanEnded,
    SpanEvent,
    SpanStarted,
    TokenWritten,
)

Phase = Literal["asking", "answered", "failed"]

MAX_TURNS = 100
"""Turns that a conversation keeps; older ones are forgotten."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One question and what has become of it so far.

    spans: those heard while it runs, one entry a span, in order of their start; empty once the answer brings its own.
    written: the answer's text as far as it is written. lines: where the cited passages stand in their documents, by the
    number of the source.
    """

    number: int
    question: str
    route: str | None = None
    strategy: str | None = None
    beside: int | None = None
    phase: Phase = "asking"
    decision: RouteDecision | None = None
    spans: tuple[SpanEvent, ...] = ()
    written: str = ""
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
    spans: dict[int, list[SpanEvent]] = {}
    for event in events:
        match event:
            case Asked():
                turns[event.turn] = Turn(event.turn, event.question, event.route, event.strategy, event.beside)
            case Heard(turn=number, event=SpanStarted(span=span) | SpanEnded(span=span)):
                spans.setdefault(number, []).append(span)
            case Heard() | Located() | Refused():
                turn = turns.get(event.turn)
                if turn is not None and turn.phase == "asking":
                    turns[event.turn] = _moved(turn, event)
    for number, heard in spans.items():
        turn = turns.get(number)
        if turn is not None and turn.phase != "answered":
            # One pass for all spans of a batch: a flood must not cost the square of its length.
            turns[number] = replace(turn, spans=_merged(turn.spans, heard))
    return State(tuple(turns.values())[-MAX_TURNS:])


def _moved(turn: Turn, event: Heard | Located | Refused) -> Turn:
    match event:
        case Heard(event=DecisionMade(decision=decision)):
            return replace(turn, decision=decision)
        case Heard(event=TokenWritten(text=text)):
            return replace(turn, written=turn.written + text)
        case Heard(event=AnswerReady(answer=answer)):
            return replace(turn, phase="answered", answer=answer, decision=answer.decision, spans=(), written="")
        case Located():
            return replace(turn, lines=event.lines)
        case Refused():
            return replace(turn, phase="failed", error=event.message)
    return turn


def restored(saved: tuple[Turn, ...], running: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """Kept turns before those of the running conversation, numbered up to 0 so that no number is there twice."""
    new = {turn.number: number for number, turn in enumerate(saved, start=1 - len(saved))}
    before = tuple(
        replace(turn, number=new[turn.number], beside=None if turn.beside is None else new.get(turn.beside))
        for turn in saved
    )
    return (before + running)[-MAX_TURNS:]


def _merged(known: Iterable[SpanEvent], heard: Iterable[SpanEvent]) -> tuple[SpanEvent, ...]:
    """One entry a span: its end takes the place of its start."""
    spans = {span.span_id: span for span in known}
    for span in heard:
        if span.ms is not None or span.span_id not in spans:
            spans[span.span_id] = span
    return tuple(spans.values())
