"""The box that questions are typed into: hints, lines, history, pastes, forced routes, what survives."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from polyrag_cli.tui.app import PolyRAGApp
from polyrag_cli.tui.chat.chat_view import ChatView
from polyrag_cli.tui.chat.details_sheet import DetailsSheet
from polyrag_cli.tui.chat.picker import Picker
from polyrag_cli.tui.chat.question_box import MAX_CHARS, QuestionBox
from tests.tui.pilot import dashboard, run, screen_text, until
from tests.tui.shared import SharedApp
from tests.tui.talk import RULE, asked, ready


def test_route_and_strategy_are_forced_by_keys_and_by_mouse(shared: SharedApp) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        await pilot.press("ctrl+r")
        await until(pilot, lambda: isinstance(app.screen, Picker), "the list")
        assert "auto" in screen_text(app)
        await pilot.press("down", "down", "enter")
        view = app.query_one(ChatView)
        routes = [route.name for route in app.engine.result().settings.routes]
        await until(pilot, lambda: view.route == routes[1], "the choice")
        await until(pilot, lambda: f"route {routes[1]}" in screen_text(app), "its line")

        await pilot.press("ctrl+t")
        await until(pilot, lambda: isinstance(app.screen, Picker), "the list")
        await pilot.press("down", "enter")
        await until(pilot, lambda: view.strategy == "corrective", "the choice")
        await asked(app, pilot, RULE)
        turn = app.questions.state.turns[-1]
        assert (turn.route, turn.strategy) == (routes[1], "corrective")
        assert turn.decision is not None and turn.decision.clauses[0].stage == 0
        assert f"forced: route {routes[1]}, strategy corrective" in "\n".join(app.query_one(DetailsSheet).lines)

        lines = screen_text(app).split("\n")
        y = next(i for i, line in enumerate(lines) if "ask · route" in line)
        await pilot.click(offset=(lines[y].index("route") + 2, y))
        await until(pilot, lambda: isinstance(app.screen, Picker), "the list")
        await pilot.press("home", "enter")
        await until(pilot, lambda: view.route is None, "the choice")
        await pilot.press("ctrl+r")
        await until(pilot, lambda: isinstance(app.screen, Picker), "the list")
        await pilot.press("end", "escape")
        await until(pilot, lambda: app.screen is app.front, "closing")
        assert view.route is None

    shared.run(flow)


def test_an_empty_question_gives_a_hint_alone(shared: SharedApp) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        await pilot.press("space", "enter")
        await until(pilot, lambda: "Nothing to ask yet" in screen_text(app), "the hint")
        assert app.questions.state.turns == ()
        await pilot.press("a")
        await until(pilot, lambda: "Nothing to ask yet" not in screen_text(app), "its end")

    shared.run(flow)


def test_lines_history_and_pastes_in_the_box(shared: SharedApp) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        from textual import events

        box = await ready(app, pilot)
        await asked(app, pilot, "first?")
        await asked(app, pilot, "second?")
        await pilot.press("d", "ctrl+j", "e", "shift+enter", "f")
        await until(pilot, lambda: box.text == "d\ne\nf", "three lines")
        await pilot.press("up", "up", "up")
        await until(pilot, lambda: box.text == "second?", "the newest question")
        await pilot.press("up")
        await until(pilot, lambda: box.text == "first?", "the oldest question")
        await pilot.press("up", "down", "down")
        await until(pilot, lambda: box.text == "d\ne\nf", "the draft")
        await until(pilot, lambda: box.size.height == 3, "three lines")

        box.clear()
        app.post_message(events.Paste("one\r\ntwo\x1b[31m\n" + "x " * MAX_CHARS))
        await until(pilot, lambda: len(box.text) == MAX_CHARS, "the paste")
        assert box.text.startswith("one\ntwo[31m\nx x")
        assert len(app.questions.state.turns) == 2
        await until(pilot, lambda: box.size.height == 5, "the highest box")

    shared.run(flow)


@pytest.mark.long
def test_draft_history_and_choices_survive(small_data: Path) -> None:
    kept: dict[str, object] = {}

    async def before(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        await asked(app, pilot, RULE)
        view = app.query_one(ChatView)
        view._force_route(("graph", ""))
        view._force_strategy(("dense", ""))
        await pilot.press(*"half_a")
        await until(pilot, lambda: app.query_one(QuestionBox).text == "half_a", "the keys")
        kept.update(view.saved())

    async def after(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        box = await ready(app, pilot)
        view = app.query_one(ChatView)
        view.restore({**kept, "unknown": 1})
        assert (box.text, view.route, view.strategy) == ("half_a", "graph", "dense")
        await until(pilot, lambda: "route graph" in screen_text(app), "the choice")
        await pilot.press("up")
        await until(pilot, lambda: box.text == RULE, "the question before")
        view.restore({"asked": 3, "draft": None, "route": "gone", "strategy": ["x"]})
        assert view.route == "graph"

    run(dashboard(small_data), before)
    run(dashboard(small_data), after)
