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
    from polyrag_cli.types import Answer, RouteDecision


def ask(
    open_engine: Callable[[], Engine], asked: Asked, put: Callable[[Event], None], decided: Callable[[], None]
) -> None:
    """Asks and puts what happens; never raises.

    open_engine: gives the engine, waiting until it is open. decided: called after the decision was put.
    """
    from polyrag_cli import tracing

    turn = asked.turn

    def on_decision(decision: RouteDecision) -> None:
        put(Decided(turn, decision))
        decided()

    try:
        engine = open_engine()
        with tracing.listening(lambda span: put(SpanSeen(turn, span))):
            answer = engine.ask(
                asked.question,
                route=asked.route,
                strategy=asked.strategy,
                use_cache=asked.beside is None,
                on_decision=on_decision,
            )
        lines = _lines(engine, answer)
    except Exception as error:  # noqa: BLE001 - the boundary of the thread: the dashboard stays open
        put(Refused(turn, told(error)))
    else:
        if lines:
            put(Located(turn, lines))
        put(Answered(turn, answer))


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
