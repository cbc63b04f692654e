"""From a citation to its passage and back, by keys and by mouse."""

from __future__ import annotations

from textual.pilot import Pilot

from polyrag_cli.tui.app import PolyRAGApp
from polyrag_cli.tui.chat.question_box import QuestionBox
from polyrag_cli.tui.chat.turn_card import TurnCard
from polyrag_cli.tui.events import Asked, Heard
from polyrag_cli.tui.shell.document_text import DocumentText
from polyrag_cli.tui.shell.passage_screen import PassageScreen
from polyrag_cli.types import AnswerReady
from tests.tui.pilot import screen_text, until
from tests.tui.shared import SharedApp
from tests.tui.talk import RULE, asked, heard, ready
from tests.tui.turns import answer


def test_a_citation_opens_its_passage_by_keys(shared: SharedApp) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        await asked(app, pilot, RULE)
        found = app.questions.state.turns[-1].answer
        assert found is not None and found.sources
        await until(pilot, lambda: bool(app.questions.state.turns[-1].lines), "the lines")
        await pilot.press("shift+tab")
        await until(pilot, lambda: isinstance(app.focused, TurnCard), "the card")
        await pilot.press("1")
        await until(pilot, lambda: isinstance(app.screen, PassageScreen), "the passage")
        await until(pilot, lambda: "Regra B1 exige" in screen_text(app), "its text")
        text = screen_text(app)
        assert "regras.md" in text
        marked = [line for line in text.split("\n") if "▶" in line and "Regra B1 exige" in line]
        assert marked, text
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(app.screen, PassageScreen), "closing")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, PassageScreen), "the passage under the cursor")
        await pilot.press("n", "p", "q")
        await until(pilot, lambda: not isinstance(app.screen, PassageScreen), "closing")
        await pilot.press("escape")
        await until(pilot, lambda: app.focused is app.query_one(QuestionBox), "the box")

    shared.run(flow)


def test_a_citation_opens_its_passage_by_mouse(shared: SharedApp) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        await asked(app, pilot, RULE)
        lines = screen_text(app).split("\n")
        y = next(i for i, line in enumerate(lines) if "[1] " in line and "›" in line)
        await pilot.click(offset=(lines[y].index("[1]") + 1, y))
        await until(pilot, lambda: isinstance(app.screen, PassageScreen), "the passage")
        await pilot.click(offset=(0, 0))
        await until(pilot, lambda: not isinstance(app.screen, PassageScreen), "closing")

    shared.run(flow)


def test_corpus_text_reaches_the_screen_as_it_is(shared: SharedApp) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        question = Asked(1, "[b]what[/b] is [@click=app.quit]this[/]?")
        heard(app, question, Heard(1, AnswerReady(answer("[red]it[/red] \x1b[2J[1]"))))
        await until(pilot, lambda: "[red]it[/red] [2J[1]" in screen_text(app), "the answer")
        await until(pilot, lambda: "[b]what[/b] is [@click=app.quit]this[/]?" in screen_text(app), "the question")

    shared.run(flow)


def test_the_passage_screen_says_when_its_document_is_gone(shared: SharedApp) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        from polyrag_cli.tui.messages import PassageOpened

        await ready(app, pilot)
        app.post_message(PassageOpened("gone.md", 0, 5))
        await until(pilot, lambda: isinstance(app.screen, PassageScreen), "the screen")
        await until(pilot, lambda: "There is no document" in screen_text(app), "why")
        assert app.screen.query_one(DocumentText) is app.focused
        await pilot.press("escape")

    shared.run(flow)
