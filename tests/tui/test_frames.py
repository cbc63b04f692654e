"""What is drawn in which frame while a question runs: the decision first, then the answer, each alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from polyrag_cli.tui import app as application
from polyrag_cli.tui.app import PolyRAGApp
from polyrag_cli.tui.chat.chat_view import ChatView
from polyrag_cli.tui.chat.question_box import QuestionBox
from tests.tui.pilot import WIDE, dashboard, run, until
from tests.tui.talk import ready

QUESTION = "Who runs the ferry?"


async def _answered(app: PolyRAGApp, pilot: Pilot[None]) -> None:
    app.query_one(QuestionBox).load_text(QUESTION)
    await pilot.press("enter")
    await until(pilot, lambda: app.state.turns[-1:] != () and app.state.turns[-1].answer is not None, "the answer")


@pytest.mark.parametrize("size", [WIDE, (80, 9)])
def test_the_engine_goes_on_when_the_decision_is_drawn(
    small_data: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    # Were it the timeout that lets it go on, there would be no answer in time. In nine lines no decision is drawn.
    monkeypatch.setattr(application, "_DRAWING_S", 600.0)

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        await _answered(app, pilot)

    run(dashboard(small_data), flow, size)


def test_the_emptied_box_is_not_in_the_frame_of_the_decision(small_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    still: list[bool] = []
    seen = ChatView.on_details_sheet_decision_seen

    def noted(view: ChatView) -> None:
        still.append(view._box.still)
        seen(view)

    monkeypatch.setattr(ChatView, "on_details_sheet_decision_seen", noted)

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        await _answered(app, pilot)
        await until(pilot, lambda: not app.query_one(QuestionBox).still, "the box")
        assert still[0]

    run(dashboard(small_data), flow)


def test_a_box_that_is_still_is_drawn_once_it_is_let_go(small_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    render = QuestionBox.render_lines

    def noted(box: QuestionBox, crop: object) -> object:
        drawn.append(box.text)
        return render(box, crop)  # type: ignore[arg-type]

    monkeypatch.setattr(QuestionBox, "render_lines", noted)

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        box = app.query_one(QuestionBox)
        box.still = True
        box.insert("quem?")
        await pilot.pause(0.2)
        assert "quem?" not in drawn
        box.still = False
        await until(pilot, lambda: "quem?" in drawn, "the text")

    run(dashboard(small_data), flow)
