"""The conversation: a question's answer and arithmetic, earlier turns, two routes beside each other, many at once."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from textual.pilot import Pilot

from polyrag_cli.tui.app import PolyRAGApp
from polyrag_cli.tui.chat.compare_view import CompareView
from polyrag_cli.tui.chat.conversation import Conversation
from polyrag_cli.tui.chat.details_sheet import DetailsSheet
from polyrag_cli.tui.chat.picker import Picker
from polyrag_cli.tui.chat.question_box import QuestionBox
from polyrag_cli.tui.events import Asked, Heard
from polyrag_cli.tui.state import MAX_TURNS
from polyrag_cli.tui.telemetry.telemetry_view import TelemetryView
from polyrag_cli.types import AnswerReady, SpanEnded, SpanStarted
from tests.command_line import PATIENCE_S
from tests.tui.pilot import FULL, NARROW, WIDE, dashboard, run, screen_text, settled, until
from tests.tui.shared import SharedApp
from tests.tui.talk import FIGURE, RULE, SPREAD, asked, ended, heard, ready
from tests.tui.turns import answer, span


@pytest.mark.parametrize("size", [NARROW, pytest.param(WIDE, marks=pytest.mark.long), FULL])
def test_a_question_is_typed_and_answered_with_its_arithmetic(shared: SharedApp, size: tuple[int, int]) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        box = await ready(app, pilot)
        assert app.focused is box
        await pilot.press(*"Qual", "space", *"foi")
        await until(pilot, lambda: box.text == "Qual foi", "the keys")
        box.clear()
        await asked(app, pilot, RULE)
        text = screen_text(app)
        assert f"› {RULE}"[: size[0] // 2] in text
        assert "Mestre de Cais" in text
        details = "\n".join(app.query_one(DetailsSheet).lines)
        for part in ("▸", "margin ├", "delta", "tau_low", "tau_high", "stage", "strategy", "reason", "ask", "▇"):
            assert part in details, part
        assert "▸" in text and "margin" in text
        assert app.focused is box and box.text == ""

    shared.run(flow, size)


def test_a_figure_stands_over_its_sql_and_rows(shared: SharedApp) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        await asked(app, pilot, FIGURE)
        text = screen_text(app)
        assert "SELECT" in text
        assert "travessias.csv" in text

    shared.run(flow)


def test_nothing_found_and_no_corpus_are_said(small_data: Path, tmp_path: Path) -> None:
    async def nothing(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        await asked(app, pilot, "xyzzy plugh frobnicate?")
        assert "Nothing in this corpus answers that." in screen_text(app)

    async def empty(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        await until(pilot, lambda: "  Nothing is ingested" in screen_text(app), "the hint")
        await asked(app, pilot, "anything?")
        assert "error: Nothing is ingested" in screen_text(app)
        assert "no decision" in app.query_one(DetailsSheet).lines

    run(dashboard(small_data), nothing)
    run(dashboard(tmp_path / "none"), empty)


def test_each_clause_has_its_decision_and_an_earlier_turn_shows_its_own_again(shared: SharedApp) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        await asked(app, pilot, f"{FIGURE} E quem autoriza a saída com vento forte?")
        sheet = app.query_one(DetailsSheet)
        await until(pilot, lambda: sheet.turn is app.questions.state.turns[0], "its decision")
        assert any(line.strip().startswith("clause 2:") for line in sheet.lines)
        await asked(app, pilot, RULE)
        await until(pilot, lambda: sheet.turn is app.questions.state.turns[1], "its decision")
        assert not any("clause 2:" in line for line in sheet.lines)
        await pilot.press("ctrl+up")
        await until(pilot, lambda: sheet.turn is app.questions.state.turns[0], "the first decision")
        assert any("clause 2:" in line for line in sheet.lines)
        assert app.focused is app.query_one(QuestionBox)
        await pilot.press("ctrl+down")
        await until(pilot, lambda: sheet.turn is app.questions.state.turns[1], "the second decision")
        await pilot.click(app.query_one(Conversation).cards[0])
        await until(pilot, lambda: sheet.turn is app.questions.state.turns[0], "the first decision")

    shared.run(flow)


def test_the_cursor_moves_over_sources_and_turns_down_to_the_box(shared: SharedApp) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        box = await ready(app, pilot)
        await asked(app, pilot, RULE)
        await asked(app, pilot, "xyzzy plugh frobnicate?")
        first, second = app.query_one(Conversation).cards
        await pilot.press("shift+tab")
        await until(pilot, lambda: app.focused is second, "the newest card")
        await pilot.press(*["up"] * 4)
        await until(pilot, lambda: app.focused is first, "the card above")
        await until(pilot, lambda: "▸ [1]" in screen_text(app), "its cursor")
        await pilot.press(*["down"] * 9)
        await until(pilot, lambda: app.focused is box, "the box")

    shared.run(flow)


def test_an_answers_trace_is_opened_from_its_card(own_data: Path) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        await asked(app, pilot, RULE)
        await asked(app, pilot, FIGURE)
        await pilot.press("shift+tab")
        await until(pilot, lambda: app.focused is app.query_one(Conversation).cards[1], "the newest card")
        await pilot.press("up", "up")
        await until(pilot, lambda: app.focused is app.query_one(Conversation).cards[0], "the card above")
        await pilot.press("t")
        await until(pilot, lambda: app.front.tabs.active == "telemetry", "the tab")
        view = app.query_one(TelemetryView)
        await until(pilot, lambda: (a := view.shown_answer()) is not None and a.question == RULE, "the trace")

    run(dashboard(own_data), flow)


def test_a_repeated_question_comes_from_the_cache_and_says_which(own_data: Path) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        await asked(app, pilot, RULE)
        await asked(app, pilot, RULE)
        assert app.questions.state.turns[-1].answer is not None and app.questions.state.turns[-1].answer.cached
        sheet = "\n".join(app.query_one(DetailsSheet).lines)
        assert "cached · asked before as “Quem autoriza" in sheet
        assert "(cosine 1.00)" in sheet
        assert "decided when that was asked" in sheet

    run(dashboard(own_data), flow)


@pytest.mark.parametrize("size", [NARROW, pytest.param(WIDE, marks=pytest.mark.long)])
def test_a_question_is_compared_down_two_routes(shared: SharedApp, size: tuple[int, int]) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        box = await ready(app, pilot)
        await pilot.press("ctrl+d")
        await until(pilot, lambda: "Nothing to compare yet" in screen_text(app), "the hint")
        box.load_text(RULE)
        await pilot.press("ctrl+d")
        await until(pilot, lambda: isinstance(app.screen, Picker), "the list")
        await pilot.press("enter")
        await until(pilot, lambda: len(app.questions.state.turns) == 2, "two questions")
        await ended(app, pilot)
        first, second = app.questions.state.turns
        assert (first.beside, second.beside) == (2, 1)
        assert (first.route, second.route) == (None, app.engine.result().settings.routes[0].name)
        assert first.answer is not None and not first.answer.cached
        assert box.text == ""
        left, right = app.query_one(Conversation).cards
        if size == NARROW:
            assert left.region.x == right.region.x and left.region.bottom <= right.region.y
        else:
            assert left.region.right <= right.region.x and left.region.y == right.region.y
            assert left.region.y == app.query_one(CompareView).children[0].region.bottom
        for card in (left, right):
            # Its last line is the decision; nothing of it is cut off.
            width = card.content_size.width
            assert card.content_size.height == card.draw(width).get_height({}, width)
            assert card.region.bottom <= card.parent.region.bottom  # type: ignore[union-attr]
        await pilot.press("up")
        await until(pilot, lambda: box.text == RULE, "the question before")
        box.clear()
        await pilot.press("ctrl+d")
        await until(pilot, lambda: isinstance(app.screen, Picker), "the list for the selected turn")
        await pilot.press("down", "enter")
        await until(pilot, lambda: len(app.questions.state.turns) == 4, "two more questions")
        await ended(app, pilot)
        assert app.questions.state.turns[2].question == RULE

    shared.run(flow, size)


def test_the_details_fold_where_there_is_no_room_beside(shared: SharedApp) -> None:
    async def narrow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        await asked(app, pilot, RULE)
        await until(pilot, lambda: "+ evidence" in screen_text(app), "the decision")
        assert "▾ " in screen_text(app)
        await pilot.press("ctrl+o")
        await until(pilot, lambda: "+ evidence" not in screen_text(app), "folding")
        text = screen_text(app)
        line = next(line for line in text.split("\n") if "▸ " in line and "·" in line)
        y = text.split("\n").index(line)
        await pilot.click(offset=(10, y))
        await until(pilot, lambda: "+ evidence" in screen_text(app), "unfolding")
        await pilot.press("ctrl+pagedown")
        await until(pilot, lambda: app.query_one(DetailsSheet).scroll_offset.y > 0, "scrolling")

    async def wide(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        await asked(app, pilot, RULE)
        await until(pilot, lambda: "+ evidence" in screen_text(app), "the decision")
        await pilot.press("ctrl+o")
        await settled(app, pilot)
        assert "+ evidence" in screen_text(app)

    shared.run(narrow, NARROW)
    shared.run(wide, WIDE)


def test_several_questions_run_at_once_and_typing_goes_on(shared: SharedApp, monkeypatch: pytest.MonkeyPatch) -> None:
    go = threading.Event()

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        box = await ready(app, pilot)
        engine = app.engine.result()
        ask = engine.ask_events

        def slow(question: str, **options: object) -> object:
            assert go.wait(PATIENCE_S)
            return ask(question, **options)  # type: ignore[arg-type]

        monkeypatch.setattr(engine, "ask_events", slow)
        for question in (RULE, FIGURE, SPREAD):
            box.load_text(question)
            await pilot.press("enter")
        await until(pilot, lambda: len(app.questions.state.turns) == 3, "three questions")
        await pilot.press(*"draft")
        await until(pilot, lambda: box.text == "draft", "the keys")
        await until(pilot, lambda: "deciding …" in app.query_one(DetailsSheet).lines, "the drawing")
        assert [turn.phase for turn in app.questions.state.turns] == ["asking"] * 3
        go.set()
        await ended(app, pilot)
        assert [turn.phase for turn in app.questions.state.turns] == ["answered"] * 3
        assert box.text == "draft"

    shared.run(flow)


@pytest.mark.parametrize("count", [4000, pytest.param(20_000, marks=pytest.mark.long)])
def test_a_flood_of_spans_is_drawn_whole_and_keys_go_through(shared: SharedApp, count: int) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        box = await ready(app, pilot)
        heard(app, Asked(1, "flood"), Heard(1, SpanStarted(span(0))))

        def flood(thread: int) -> None:
            for n in range(1 + thread, count, 4):
                app.questions.hear(Heard(1, SpanEnded(span(n, 1.0, parent=0))))

        threads = [threading.Thread(target=flood, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        await pilot.press(*"typed")
        await until(pilot, lambda: box.text == "typed", "the keys")
        for thread in threads:
            thread.join()
        await until(pilot, lambda: len(app.questions.state.turns[0].spans) == count, "every span")
        more = f"{count - 200:,} more spans"
        await until(pilot, lambda: any(more in line for line in app.query_one(DetailsSheet).lines), "drawing")
        heard(app, Heard(1, AnswerReady(answer())))
        await until(pilot, lambda: "Lots need an inspection" in screen_text(app), "the answer")

    shared.run(flow)


def test_cards_of_forgotten_turns_go(shared: SharedApp) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        for number in range(1, MAX_TURNS + 8):
            asked = Asked(number, f"question {number}", beside={1: 2, 2: 1}.get(number))
            heard(app, asked, Heard(number, AnswerReady(answer())))
            if number % 20 == 0:
                await until(pilot, lambda number=number: _last_card(app) == number, "the cards")
        await until(pilot, lambda: len(app.query_one(Conversation).cards) == MAX_TURNS, "the cards")
        assert [turn.number for turn in app.questions.state.turns] == [
            card.turn.number for card in app.query_one(Conversation).cards
        ]

    shared.run(flow)


def _last_card(app: PolyRAGApp) -> int:
    cards = app.query_one(Conversation).cards
    return cards[-1].turn.number if cards else 0
