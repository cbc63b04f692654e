"""The telemetry view: what is listed, followed live, filtered, opened and replayed."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from polyrag_cli.engine import Engine
from polyrag_cli.tui.app import PolyRAGApp
from polyrag_cli.tui.messages import TraceOpened
from polyrag_cli.tui.telemetry.replay_screen import ReplayScreen
from polyrag_cli.tui.telemetry.telemetry_view import TelemetryView
from polyrag_cli.tui.telemetry.trace_detail import TraceScreen
from polyrag_cli.tui.telemetry.trace_filter import Filter, FilterLine
from polyrag_cli.tui.telemetry.trace_table import TraceTable
from tests.tui.pilot import NARROW, dashboard, run, screen_text, until

QUESTIONS = ("Qual foi a receita total de Amieira?", "What does Regra B2 depend on?", "Quem descobriu o Brasil?")


def asked(data: Path, *questions: str) -> list[str]:
    """Asks as another process would, and gives the ids of the traces."""
    with Engine.open(data_dir=data, overrides={"embedder.name": "hashing"}) as engine:
        return [engine.ask(question).trace_id for question in questions]


async def opened(app: PolyRAGApp, pilot: Pilot[None], rows: int) -> TraceTable:
    await until(pilot, lambda: app.summary is not None, "the corpus")
    await pilot.press("f5")
    table = app.query_one(TraceTable)
    await until(pilot, lambda: table.row_count == rows, f"{rows} traces")
    return table


async def shown(app: PolyRAGApp, pilot: Pilot[None], question: str) -> None:
    view = app.query_one(TelemetryView)
    await until(pilot, lambda: (answer := view.shown_answer()) is not None and answer.question == question, question)
    await pilot.pause()


def test_traces_with_times_decision_and_spans(own_data: Path) -> None:
    asked(own_data, *QUESTIONS, QUESTIONS[0])

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await opened(app, pilot, 4)
        await shown(app, pilot, QUESTIONS[0])
        text = screen_text(app)
        assert "cached" in text and "nothing" in text and "from the cache" in text and "p95" in text
        await pilot.press("down", "down")
        await shown(app, pilot, QUESTIONS[1])
        text = screen_text(app)
        assert "rag.graph.pagerank" in text and "▇" in text and "tau_low" in text and "strategy graph_walk" in text
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, TraceScreen), "the details")
        await until(pilot, lambda: "rag.graph.pagerank" in screen_text(app), "the spans")
        await pilot.press("end")
        await until(pilot, lambda: "attributes" in screen_text(app), "the end")
        await pilot.press("escape")

    run(dashboard(own_data), flow)


def test_filters_by_key_and_by_text(own_data: Path) -> None:
    asked(own_data, *QUESTIONS, QUESTIONS[0])

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        table = await opened(app, pilot, 4)
        for key, rows in (("c", 1), ("c", 4), ("f", 1), ("f", 4), ("s", 1), ("s", 4)):
            await pilot.press(key)
            await until(pilot, lambda rows=rows: table.row_count == rows, f"{rows} after {key}")  # type: ignore[misc]
        names: list[str] = []
        line = app.query_one(TelemetryView).query_one(FilterLine)
        for _ in range(4):
            before = line.chosen.route
            await pilot.press("o")
            await until(pilot, lambda before=before: line.chosen.route != before, "the next route")  # type: ignore[misc]
            names.append(line.chosen.route)
        assert {"relational", "graph", "vectorial", "direct"} == set(names)
        await pilot.press("o", "slash")
        await until(pilot, lambda: isinstance(app.focused, Input), "the box")
        await pilot.press(*"REGRA")
        await until(pilot, lambda: table.row_count == 1, "the trace of these words")
        app.query_one(TelemetryView).query_one(Input).value = ">99999"
        await until(pilot, lambda: table.row_count == 0, "nothing so slow")
        await until(pilot, lambda: "No trace is chosen." in screen_text(app), "no trace")
        await pilot.press("escape")
        await until(pilot, lambda: app.focused is table, "the list")

    run(dashboard(own_data), flow)


def test_traces_of_other_processes_appear_and_the_cursor_stays(own_data: Path) -> None:
    first, _ = asked(own_data, *QUESTIONS[:2])

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        table = await opened(app, pilot, 2)
        await pilot.press("down")
        await until(pilot, lambda: table.chosen == first, "the older trace")
        asked(own_data, QUESTIONS[2])
        await until(pilot, lambda: table.row_count == 3, "the new trace")
        await pilot.pause()
        assert table.chosen == first

    run(dashboard(own_data), flow)


@pytest.mark.parametrize("size", [NARROW, pytest.param((200, 60), marks=pytest.mark.long)])
def test_replay_says_the_same_or_what_changed(own_data: Path, size: tuple[int, int]) -> None:
    asked(own_data, QUESTIONS[1])

    async def same(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await opened(app, pilot, 1)
        await shown(app, pilot, QUESTIONS[1])
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen), "the replay")
        await until(pilot, lambda: "Same decision" in screen_text(app), "what it says")

    async def other(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await opened(app, pilot, 1)
        await shown(app, pilot, QUESTIONS[1])
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen), "the replay")
        await until(pilot, lambda: "Decided differently today: " in screen_text(app), "what it says")
        await pilot.press("end")
        await until(pilot, lambda: "tau_high: " in screen_text(app), "the end")

    run(dashboard(own_data), same, size)
    run(dashboard(own_data, **{"routes.graph.tau_high": 0.66, "routes.vectorial.tau_high": 0.66}), other, size)


@pytest.mark.long
def test_a_decision_of_another_generation_is_the_same(own_data: Path) -> None:
    asked(own_data, QUESTIONS[1])

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        engine = app.engine.result()
        for text in ("A rope lies on the quay.", "A rope lies."):
            engine.ingest_text(text, "rope.txt")
        engine.remove("rope.txt")
        await opened(app, pilot, 1)
        await shown(app, pilot, QUESTIONS[1])
        # From the list, and from the opened trace.
        for keys in (("r",), ("escape", "enter", "r")):
            await pilot.press(*keys)
            await until(pilot, lambda: isinstance(app.screen, ReplayScreen), "the replay")
            await until(pilot, lambda: "Same decision; corpus generation 1 → 4." in screen_text(app), "what it says")
            assert "what changed since" not in screen_text(app)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, TraceScreen), "the trace below")

    run(dashboard(own_data), flow)


@pytest.mark.long
def test_filters_that_match_nothing_say_so_and_are_cleared(own_data: Path) -> None:
    asked(own_data, *QUESTIONS)

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await opened(app, pilot, len(QUESTIONS))
        await pilot.press("slash", *"zzzz")
        await until(pilot, lambda: "No trace matches; x clears" in screen_text(app), "that nothing matches")
        await pilot.press("escape", "x")
        await until(pilot, lambda: app.query_one(TraceTable).row_count == len(QUESTIONS), "all traces")
        await until(pilot, lambda: "No trace matches" not in screen_text(app), "the list alone")
        assert app.query_one(FilterLine).chosen == Filter()

    run(dashboard(own_data), flow)


@pytest.mark.long
def test_a_trace_is_opened_from_elsewhere(own_data: Path) -> None:
    first, *_ = asked(own_data, *QUESTIONS)

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: app.summary is not None, "the corpus")
        app.post_message(TraceOpened(first))
        await shown(app, pilot, QUESTIONS[0])
        await until(pilot, lambda: app.query_one(TraceTable).chosen == first, "its line")
        assert app.front.tabs.active == "telemetry"

    run(dashboard(own_data), flow)


@pytest.mark.long
def test_without_a_corpus_nothing_is_listed(tmp_path: Path) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: app.summary is not None, "the look at nothing")
        await pilot.press("f5", "r", "enter", "s", "o")
        await until(pilot, lambda: "No question was asked yet." in screen_text(app), "that there is none")

    run(dashboard(tmp_path / "none"), flow)
