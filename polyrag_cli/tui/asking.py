"""What the thread of a question does: the engine's spans, decision and answer become events.

Runs outside the drawing thread and must never touch a widget.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from polyrag_cli.errors import PolyRAGError, told
from polyrag_cli.tui.events import Answered, Asked, Decided, Event, Located, Refused, SpanSeen

if TYPE_CHECKING:
    from polyrag_cli.engine import Engine
    from polyrag_cli.types import Answer


def ask(
    open_engine: Callable[[], Engine], asked: Asked, put: Callable[[Event], None], decided: Callable[[], None]
) -> None:
    """Asks and puts what happens; never raises.

    open_engine: gives the engine, waiting until it is open. decided: called after the decision was put.
    """
    from polyrag_cli.types import AnswerReady, DecisionMade, SpanEnded, SpanStarted

    turn = asked.turn
    try:
        engine = open_engine()
        for event in engine.ask_events(
            asked.question, route=asked.route, strategy=asked.strategy, use_cache=asked.beside is None
        ):
            match event:
                case SpanStarted() | SpanEnded():
                    put(SpanSeen(turn, event.span))
                case DecisionMade():
                    put(Decided(turn, event.decision))
                    decided()
                case AnswerReady():
                    if lines := _lines(engine, event.answer):
                        put(Located(turn, lines))
                    put(Answered(turn, event.answer))
    except Exception as error:  # noqa: BLE001 - the boundary of the thread: the dashboard stays open
        put(Refused(turn, told(error)))


def _lines(engine: Engine, answer: Answer) -> dict[int, str]:
    """Where the cited passages stand in their documents."""
    from polyrag_cli.display.answers import cited, lines_of

    hits = cited(answer)
    texts: dict[str, str] = {}
    for document in dict.fromkeys(hit.document for _, hit in hits):
        # A document may be gone by now.
        with suppress(PolyRAGError):
            texts[document] = engine.document_text(document)
    return {n: lines_of(hit, texts[hit.document]) for n, hit in hits if hit.document in texts}
