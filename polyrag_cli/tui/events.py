"""What happens in the conversation, as plain values, each with the number of the turn that it happens to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from polyrag_cli.types import Event as QuestionEvent


@dataclass(frozen=True, slots=True)
class Asked:
    """A question was put. turn: its number; route, strategy: forced ones; beside: the turn that it is compared with."""

    turn: int
    question: str
    route: str | None = None
    strategy: str | None = None
    beside: int | None = None


@dataclass(frozen=True, slots=True)
class Heard:
    """The engine told of a step on the way to the turn's answer, or of the answer."""

    turn: int
    event: QuestionEvent


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


Event = Asked | Heard | Located | Refused
