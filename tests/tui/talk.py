"""The chat as tests drive it: questions about the small corpus, asked and waited for."""

from __future__ import annotations

from textual.pilot import Pilot

from polyrag_cli.tui.app import PolyRAGApp
from polyrag_cli.tui.chat.chat_view import ChatView
from polyrag_cli.tui.chat.conversation import Conversation
from polyrag_cli.tui.chat.details_sheet import DetailsSheet
from polyrag_cli.tui.chat.question_box import QuestionBox
from polyrag_cli.tui.events import Event
from tests.tui.pilot import until

RULE = "Quem autoriza a saída com vento forte segundo a Regra B1?"
FIGURE = "Qual foi a receita total da linha Foz?"
SPREAD = "receita por linha em janeiro"


async def ready(app: PolyRAGApp, pilot: Pilot[None]) -> QuestionBox:
    await until(pilot, lambda: app.warm, "the engine")
    return app.query_one(QuestionBox)


async def asked(app: PolyRAGApp, pilot: Pilot[None], question: str) -> None:
    before = len(app.questions.state.turns)
    app.query_one(QuestionBox).load_text(question)
    await pilot.press("enter")
    await until(pilot, lambda: len(app.questions.state.turns) > before, "the question")
    await ended(app, pilot)


async def put(app: PolyRAGApp, pilot: Pilot[None], question: str) -> None:
    """Asks without the box, and waits for the end."""
    number = app.query_one(ChatView).ask(question)

    def is_over() -> bool:
        turn = app.questions.state.turn(number)
        return turn is not None and turn.phase != "asking"

    await until(pilot, is_over, question)


def heard(app: PolyRAGApp, *events: Event) -> None:
    """Has events happen, as a question's thread would."""
    for event in events:
        app.questions.hear(event)
    app.query_one(ChatView)._tick_on()


async def ended(app: PolyRAGApp, pilot: Pilot[None]) -> None:
    await until(pilot, lambda: all(turn.phase != "asking" for turn in app.questions.state.turns), "the answer")
    await until(pilot, lambda: _drawn(app), "its drawing")


def _drawn(app: PolyRAGApp) -> bool:
    cards = {card.turn.number: card.turn for card in app.query_one(Conversation).cards}
    beside = app.query_one(DetailsSheet).turn is app.query_one(ChatView).selected
    return beside and all(cards.get(turn.number) is turn for turn in app.questions.state.turns)
