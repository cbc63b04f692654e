"""What a view asks of the engine: its answer arrives, and so does what went wrong."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from polyrag_cli.engine import Engine
from polyrag_cli.errors import StoreError
from polyrag_cli.tui.app import PolyRAGApp
from polyrag_cli.tui.chat.chat_view import ChatView
from tests.tui.pilot import run, until
from tests.tui.shared import SharedApp


def _notices(app: PolyRAGApp) -> str:
    return "\n".join(notice.message for notice in app._notifications)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (StoreError("chunks.db is damaged.", "Run doctor."), "chunks.db is damaged. Run doctor."),
        (KeyError("home"), "unexpected KeyError: 'home'"),
    ],
)
def test_whatever_goes_wrong_in_a_views_thread_is_said(shared: SharedApp, error: Exception, said: str) -> None:
    def work(engine: Engine) -> None:
        raise error

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        app.front.views[0].ask_engine(work, "test")
        await until(pilot, lambda: said in _notices(app), "the notice")

    shared.run(flow)


def test_an_engine_that_cannot_be_opened_is_said_and_no_question_waits_for_it() -> None:
    def broken() -> Engine:
        raise ImportError("no module named 'faiss'")

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: "unexpected ImportError: no module named 'faiss'" in _notices(app), "the notice")
        app.query_one(ChatView).ask("Who is there?")
        await until(pilot, lambda: app.questions.state.turns[-1].phase == "failed", "the turn's end")
        assert "no module named 'faiss'" in app.questions.state.turns[-1].error

    run(PolyRAGApp(broken), flow)
