from __future__ import annotations

import threading
from pathlib import Path

import pytest
from textual.pilot import Pilot

from polyrag_cli.tui.app import PolyRAGApp
from polyrag_cli.tui.chat_view import ChatView
from polyrag_cli.tui.conversation import Conversation
from polyrag_cli.tui.details_sheet import DetailsSheet
from polyrag_cli.tui.document_text import DocumentText
from polyrag_cli.tui.events import Answered, Asked, SpanSeen
from polyrag_cli.tui.passage_screen import PassageScreen
from polyrag_cli.tui.picker import Picker
from polyrag_cli.tui.question_box import MAX_CHARS, QuestionBox
from polyrag_cli.tui.state import MAX_TURNS
from polyrag_cli.tui.turn_card import TurnCard
from tests.tui.pilot import FULL, NARROW, WIDE, dashboard, run, screen_text, until
from tests.tui.turns import answer, span

RULE = "Quem autoriza a saída com vento forte segundo a Regra B1?"
FIGURE = "Qual foi a receita total da linha Foz?"
SPREAD = "receita por linha em janeiro"


async def ready(app: PolyRAGApp, pilot: Pilot[None]) -> QuestionBox:
    await until(pilot, lambda: app.warm, "the engine")
    return app.query_one(QuestionBox)


async def asked(app: PolyRAGApp, pilot: Pilot[None], question: str) -> None:
    before = len(app.state.turns)
    app.query_one(QuestionBox).load_text(question)
    await pilot.press("enter")
    await until(pilot, lambda: len(app.state.turns) > before, "the question")
    await ended(app, pilot)


async def ended(app: PolyRAGApp, pilot: Pilot[None]) -> None:
    await until(pilot, lambda: all(turn.phase != "asking" for turn in app.state.turns), "the answer")
    await pilot.pause(0.1)


@pytest.mark.parametrize("size", [NARROW, WIDE, FULL])
def test_a_question_is_typed_and_answered_with_its_arithmetic(small_data: Path, size: tuple[int, int]) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        box = await ready(app, pilot)
        assert app.focused is box
        await pilot.press(*"Qual", "space", *"foi")
        assert box.text == "Qual foi"
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

    run(dashboard(small_data), flow, size)


def test_a_citation_opens_its_passage_by_keys(small_data: Path) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        await asked(app, pilot, RULE)
        found = app.state.turns[-1].answer
        assert found is not None and found.sources
        await until(pilot, lambda: bool(app.state.turns[-1].lines), "the lines")
        await pilot.press("shift+tab")
        assert isinstance(app.focused, TurnCard)
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
        assert app.focused is app.query_one(QuestionBox)

    run(dashboard(small_data), flow)


def test_a_citation_opens_its_passage_by_mouse(small_data: Path) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        await asked(app, pilot, RULE)
        lines = screen_text(app).split("\n")
        y = next(i for i, line in enumerate(lines) if "[1] " in line and "›" in line)
        await pilot.click(offset=(lines[y].index("[1]") + 1, y))
        await until(pilot, lambda: isinstance(app.screen, PassageScreen), "the passage")
        await pilot.click(offset=(0, 0))
        await until(pilot, lambda: not isinstance(app.screen, PassageScreen), "closing")

    run(dashboard(small_data), flow)


def test_a_figure_stands_over_its_sql_and_rows(small_data: Path) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        await asked(app, pilot, FIGURE)
        text = screen_text(app)
        assert "SELECT" in text
        assert "travessias.csv" in text

    run(dashboard(small_data), flow)


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


def test_each_clause_has_its_decision_and_an_earlier_turn_shows_its_own_again(small_data: Path) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        await asked(app, pilot, f"{FIGURE} E quem autoriza a saída com vento forte?")
        sheet = app.query_one(DetailsSheet)
        assert any(line.strip().startswith("clause 2:") for line in sheet.lines)
        await asked(app, pilot, RULE)
        assert sheet.turn is app.state.turns[1]
        assert not any("clause 2:" in line for line in sheet.lines)
        await pilot.press("ctrl+up")
        assert sheet.turn is app.state.turns[0]
        assert any("clause 2:" in line for line in sheet.lines)
        assert app.focused is app.query_one(QuestionBox)
        await pilot.press("ctrl+down")
        assert sheet.turn is app.state.turns[1]
        await pilot.click(app.query_one(Conversation).cards[0])
        assert sheet.turn is app.state.turns[0]

    run(dashboard(small_data), flow)


def test_the_cursor_moves_over_sources_and_turns_down_to_the_box(small_data: Path) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        box = await ready(app, pilot)
        await asked(app, pilot, RULE)
        await asked(app, pilot, "xyzzy plugh frobnicate?")
        first, second = app.query_one(Conversation).cards
        await pilot.press("shift+tab")
        assert app.focused is second
        for _ in range(4):
            await pilot.press("up")
        assert app.focused is first
        assert "▸ [1]" in screen_text(app)
        for _ in range(9):
            await pilot.press("down")
        assert app.focused is box

    run(dashboard(small_data), flow)


def test_a_repeated_question_comes_from_the_cache_and_says_which(own_data: Path) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        await asked(app, pilot, RULE)
        await asked(app, pilot, RULE)
        assert app.state.turns[-1].answer is not None and app.state.turns[-1].answer.cached
        sheet = "\n".join(app.query_one(DetailsSheet).lines)
        assert "cached · asked before as “Quem autoriza" in sheet
        assert "(cosine 1.00)" in sheet
        assert "decided when that was asked" in sheet

    run(dashboard(own_data), flow)


def test_route_and_strategy_are_forced_by_keys_and_by_mouse(small_data: Path) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        await pilot.press("ctrl+r")
        await until(pilot, lambda: isinstance(app.screen, Picker), "the list")
        assert "auto" in screen_text(app)
        await pilot.press("down", "down", "enter")
        await pilot.pause()
        view = app.query_one(ChatView)
        routes = [route.name for route in app.engine.result().settings.routes]
        assert view.route == routes[1]
        assert f"route {routes[1]}" in screen_text(app)

        await pilot.press("ctrl+t")
        await until(pilot, lambda: isinstance(app.screen, Picker), "the list")
        await pilot.press("down", "enter")
        await pilot.pause()
        assert view.strategy == "corrective"
        await asked(app, pilot, RULE)
        turn = app.state.turns[-1]
        assert (turn.route, turn.strategy) == (routes[1], "corrective")
        assert turn.decision is not None and turn.decision.clauses[0].stage == 0
        assert f"forced: route {routes[1]}, strategy corrective" in "\n".join(app.query_one(DetailsSheet).lines)

        lines = screen_text(app).split("\n")
        y = next(i for i, line in enumerate(lines) if "ask · route" in line)
        await pilot.click(offset=(lines[y].index("route") + 2, y))
        await until(pilot, lambda: isinstance(app.screen, Picker), "the list")
        await pilot.press("home", "enter")
        await pilot.pause()
        assert view.route is None
        await pilot.press("ctrl+r")
        await until(pilot, lambda: isinstance(app.screen, Picker), "the list")
        await pilot.press("end", "escape")
        await pilot.pause()
        assert view.route is None

    run(dashboard(small_data), flow)


@pytest.mark.parametrize("size", [NARROW, WIDE])
def test_a_question_is_compared_down_two_routes(small_data: Path, size: tuple[int, int]) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        box = await ready(app, pilot)
        await pilot.press("ctrl+d")
        await pilot.pause()
        assert "Nothing to compare yet" in screen_text(app)
        box.load_text(RULE)
        await pilot.press("ctrl+d")
        await until(pilot, lambda: isinstance(app.screen, Picker), "the list")
        await pilot.press("enter")
        await until(pilot, lambda: len(app.state.turns) == 2, "two questions")
        await ended(app, pilot)
        first, second = app.state.turns
        assert (first.beside, second.beside) == (2, 1)
        assert (first.route, second.route) == (None, app.engine.result().settings.routes[0].name)
        assert first.answer is not None and not first.answer.cached
        assert box.text == ""
        left, right = app.query_one(Conversation).cards
        if size == NARROW:
            assert left.region.x == right.region.x and left.region.bottom <= right.region.y
        else:
            assert left.region.right <= right.region.x and left.region.y == right.region.y
        await pilot.press("up")
        assert box.text == RULE
        box.clear()
        await pilot.press("ctrl+d")
        await until(pilot, lambda: isinstance(app.screen, Picker), "the list for the selected turn")
        await pilot.press("down", "enter")
        await until(pilot, lambda: len(app.state.turns) == 4, "two more questions")
        await ended(app, pilot)
        assert app.state.turns[2].question == RULE

    run(dashboard(small_data), flow, size)


def test_the_details_fold_where_there_is_no_room_beside(small_data: Path) -> None:
    async def narrow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        await asked(app, pilot, RULE)
        await until(pilot, lambda: "margin ├" in screen_text(app), "the decision")
        assert "▾ " in screen_text(app)
        await pilot.press("ctrl+o")
        await until(pilot, lambda: "margin ├" not in screen_text(app), "folding")
        text = screen_text(app)
        line = next(line for line in text.split("\n") if "▸ " in line and "·" in line)
        y = text.split("\n").index(line)
        await pilot.click(offset=(10, y))
        await until(pilot, lambda: "margin ├" in screen_text(app), "unfolding")
        await pilot.press("ctrl+pagedown")
        await until(pilot, lambda: app.query_one(DetailsSheet).scroll_offset.y > 0, "scrolling")

    async def wide(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        await asked(app, pilot, RULE)
        await pilot.press("ctrl+o")
        await pilot.pause(0.1)
        assert "margin ├" in screen_text(app)

    run(dashboard(small_data), narrow, NARROW)
    run(dashboard(small_data), wide, WIDE)


def test_an_empty_question_gives_a_hint_alone(small_data: Path) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        await pilot.press("space", "enter")
        await pilot.pause()
        assert "Nothing to ask yet" in screen_text(app)
        assert app.state.turns == ()
        await pilot.press("a")
        await pilot.pause()
        assert "Nothing to ask yet" not in screen_text(app)

    run(dashboard(small_data), flow)


def test_lines_history_and_pastes_in_the_box(small_data: Path) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        from textual import events

        box = await ready(app, pilot)
        await asked(app, pilot, "first?")
        await asked(app, pilot, "second?")
        await pilot.press("d", "ctrl+j", "e", "shift+enter", "f")
        assert box.text == "d\ne\nf"
        await pilot.press("up", "up", "up")
        assert box.text == "second?"
        await pilot.press("up")
        assert box.text == "first?"
        await pilot.press("up", "down", "down")
        assert box.text == "d\ne\nf"
        await pilot.pause()
        assert box.size.height == 3

        box.clear()
        app.post_message(events.Paste("one\r\ntwo\x1b[31m\n" + "x " * MAX_CHARS))
        await until(pilot, lambda: len(box.text) == MAX_CHARS, "the paste")
        assert box.text.startswith("one\ntwo[31m\nx x")
        assert len(app.state.turns) == 2
        await pilot.pause()
        assert box.size.height == 5

    run(dashboard(small_data), flow)


def test_several_questions_run_at_once_and_typing_goes_on(small_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go = threading.Event()

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        box = await ready(app, pilot)
        engine = app.engine.result()
        ask = engine.ask

        def slow(question: str, **options: object) -> object:
            assert go.wait(20)
            return ask(question, **options)  # type: ignore[arg-type]

        monkeypatch.setattr(engine, "ask", slow)
        for question in (RULE, FIGURE, SPREAD):
            box.load_text(question)
            await pilot.press("enter")
        await until(pilot, lambda: len(app.state.turns) == 3, "three questions")
        await pilot.press(*"draft")
        await pilot.pause(0.1)
        assert box.text == "draft"
        assert "deciding …" in app.query_one(DetailsSheet).lines
        assert [turn.phase for turn in app.state.turns] == ["asking"] * 3
        go.set()
        await ended(app, pilot)
        assert [turn.phase for turn in app.state.turns] == ["answered"] * 3
        assert box.text == "draft"

    run(dashboard(small_data), flow)


def test_a_flood_of_spans_is_drawn_whole_and_keys_go_through(small_data: Path) -> None:
    count = 20_000

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        box = await ready(app, pilot)
        app._feed.put(Asked(1, "flood"))
        app._feed.put(SpanSeen(1, span(0)))
        app.take_events()

        def flood(thread: int) -> None:
            for n in range(1 + thread, count, 4):
                app._feed.put(SpanSeen(1, span(n, 1.0, parent=0)))

        threads = [threading.Thread(target=flood, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        await pilot.press(*"typed")
        assert box.text == "typed"
        for thread in threads:
            thread.join()
        await until(pilot, lambda: len(app.state.turns[0].spans) == count, "every span")
        await until(pilot, lambda: any("more spans" in line for line in app.query_one(DetailsSheet).lines), "drawing")
        assert f"{count - 200:,} more spans" in "\n".join(app.query_one(DetailsSheet).lines)
        app._feed.put(Answered(1, answer()))
        await until(pilot, lambda: "Lots need an inspection" in screen_text(app), "the answer")

    run(dashboard(small_data), flow)


def test_cards_of_forgotten_turns_go(small_data: Path) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        for number in range(1, MAX_TURNS + 8):
            app._feed.put(Asked(number, f"question {number}", beside={1: 2, 2: 1}.get(number)))
            app._feed.put(Answered(number, answer()))
            if number % 20 == 0:
                await pilot.pause()
        await until(pilot, lambda: len(app.query_one(Conversation).cards) == MAX_TURNS, "the cards")
        assert [turn.number for turn in app.state.turns] == [
            card.turn.number for card in app.query_one(Conversation).cards
        ]

    run(dashboard(small_data), flow)


def test_corpus_text_reaches_the_screen_as_it_is(small_data: Path) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        app._feed.put(Asked(1, "[b]what[/b] is [@click=app.quit]this[/]?"))
        app._feed.put(Answered(1, answer("[red]it[/red] \x1b[2J[1]")))
        await until(pilot, lambda: "[red]it[/red] [2J[1]" in screen_text(app), "the answer")
        assert "[b]what[/b] is [@click=app.quit]this[/]?" in screen_text(app)

    run(dashboard(small_data), flow)


def test_the_passage_screen_says_when_its_document_is_gone(small_data: Path) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        from polyrag_cli.tui.messages import PassageOpened

        await ready(app, pilot)
        app.post_message(PassageOpened("gone.md", 0, 5))
        await until(pilot, lambda: isinstance(app.screen, PassageScreen), "the screen")
        await until(pilot, lambda: "no document" in screen_text(app).lower() or "gone.md" in screen_text(app), "why")
        assert app.screen.query_one(DocumentText) is app.focused
        await pilot.press("escape")

    run(dashboard(small_data), flow)


def test_draft_history_and_choices_survive(small_data: Path) -> None:
    kept: dict[str, object] = {}

    async def before(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        await asked(app, pilot, RULE)
        view = app.query_one(ChatView)
        view._force_route(("graph", ""))
        view._force_strategy(("dense", ""))
        await pilot.press(*"half a".replace(" ", "_"))
        kept.update(view.saved())

    async def after(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        box = await ready(app, pilot)
        view = app.query_one(ChatView)
        view.restore({**kept, "unknown": 1})
        await pilot.pause()
        assert (box.text, view.route, view.strategy) == ("half_a", "graph", "dense")
        assert "route graph" in screen_text(app)
        await pilot.press("up")
        assert box.text == RULE
        view.restore({"asked": 3, "draft": None, "route": "gone", "strategy": ["x"]})
        assert view.route == "graph"

    run(dashboard(small_data), before)
    run(dashboard(small_data), after)
