"""An answer while it comes: the decision as soon as it is made, the text as it is written, then what supports it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from rich.text import Text

from polyrag_cli.commands.output import console, emit_json, write
from polyrag_cli.commands.show_answer import show_support
from polyrag_cli.display.answers import decided_text, nothing_found, summary, took
from polyrag_cli.types import AnswerReady, DecisionMade, Event, LinedText, TokenWritten


def show_events(
    events: Iterable[Event], lined_text: Callable[[str], LinedText], explain: bool = False
) -> Iterator[Event]:
    """The same events, with the decision on stderr and the answer on stdout, each printed when it is there."""
    decided = written = False
    for event in events:
        match event:
            case DecisionMade(decision=decision):
                console(stderr=True).print(Text(decided_text(decision), style="dim"), soft_wrap=True)
                decided = True
            case TokenWritten(text=text):
                write(text, end="")
                written = True
            case AnswerReady(answer=answer):
                write("" if written else answer.answer if answer.answer is not None else nothing_found(answer))
                show_support(answer, lined_text, explain, took(answer) if decided else summary(answer))
        yield event


def emit_events(events: Iterable[Event]) -> Iterator[Event]:
    """The same events, each printed as one JSON object on a line of stdout."""
    for event in events:
        emit_json(event)
        yield event
