"""What happens to a question, as plain values that the reducer takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from polyrag_cli.types import Answer, RouteDecision, SpanEvent


@dataclass(frozen=True, slots=True)
class Asked:
    """A question was put. turn: its number; route, strategy: forced ones; beside: the turn that it is compared with."""

    turn: int
    question: str
    route: str | None = None
    strategy: str | None = None
    beside: int | None = None


@dataclass(frozen=True, slots=True)
class Decided:
    """The router has decided; nothing is retrieved yet."""

    turn: int
    decision: RouteDecision


@dataclass(frozen=True, slots=True)
class SpanSeen:
    """A span of the question's trace started or ended."""

    turn: int
    span: SpanEvent


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer is there, also one that says that nothing was found."""

    turn: int
    answer: Answer


@dataclass(frozen=True, slots=True)
class Located:
    """The lines on which the coming answer's cited passages stand, by the number of the source: "lines 12–13"."""

    turn: int
    lines: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Refused:
    """The question ended in an error, told in one line."""

    turn: int
    message: str


Event = Asked | Decided | SpanSeen | Answered | Located | Refused
