"""The search view, driven by keys and mouse."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Select

from polyrag_cli.tui.app import PolyRAGApp
from polyrag_cli.tui.messages import PassageOpened
from polyrag_cli.tui.search.hit_list import HitList
from polyrag_cli.tui.search.search_view import SearchView
from polyrag_cli.tui.shell.shell import Shell
from tests.tui.pilot import NARROW, WIDE, dashboard, run, screen_text, until


async def _opened(app: PolyRAGApp, pilot: Pilot[None]) -> SearchView:
    await until(pilot, app.engine.done, "the engine")
    await pilot.press("f4")
    view = app.query_one(SearchView)
    view.query_one(Input).focus()
    return view


async def _search(view: SearchView, pilot: Pilot[None], query: str) -> HitList:
    view.query_one(Input).value = query
    view.query_one(Input).focus()
    await pilot.press("enter")
    hits = view.query_one(HitList)
    await until(pilot, lambda: bool(hits.items) and hits.has_focus, "the passages")
    return hits


@pytest.mark.parametrize("size", [NARROW, pytest.param(WIDE, marks=pytest.mark.long)])
def test_passages_are_shown_with_the_heads_that_found_them(small_data: Path, size: tuple[int, int]) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        view = await _opened(app, pilot)
        view.query_one("#search-strategy", Select).value = "hybrid"
        hits = await _search(view, pilot, "transporte de combustível")
        assert hits.items[0].heading.endswith("Regra B2")
        assert {head.head for head in hits.items[0].heads} >= {"dense", "lexical"}
        line = next(line for line in screen_text(app).splitlines() if "dense" in line and "#1" in line)
        assert "█" in line and "lexical" in line

    run(dashboard(small_data), flow, size)


def test_enter_opens_the_passage_at_its_quote(small_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[PassageOpened] = []
    monkeypatch.setattr(Shell, "on_passage_opened", lambda app, message: opened.append(message))

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        hits = await _search(await _opened(app, pilot), pilot, "winter ferry")
        await pilot.press("enter")
        await until(pilot, lambda: bool(opened), "the passage")
        hit = hits.items[0]
        assert (opened[0].document, opened[0].start, opened[0].quotes) == (hit.document, hit.start, hit.quotes)

    run(dashboard(small_data), flow)


def test_route_strategy_and_number_are_chosen(small_data: Path) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        view = await _opened(app, pilot)
        hits = await _search(view, pilot, "a travessia do rio")
        await pilot.press("minus")
        await until(pilot, lambda: len(hits.items) == 5, "fewer passages")
        view.query_one("#search-strategy", Select).value = "lexical"
        await until(pilot, lambda: {h.source for h in hits.items} == {"lexical"}, "the strategy")
        view.query_one("#search-route", Select).value = "graph"
        view.query_one("#search-strategy", Select).value = "auto"
        # The graph's own ranking takes the others' passages in: each says which heads found it.
        await until(pilot, lambda: hits.items[0].source.startswith("graph+"), "the route")
        assert {"graph", "dense"} <= {head.head for head in hits.items[0].heads}
        await until(pilot, lambda: "graph █" in screen_text(app), "the graph's part of the score")

    run(dashboard(small_data), flow)


def test_what_is_refused_and_what_finds_nothing_is_said_in_a_line(small_data: Path) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        view = await _opened(app, pilot)
        view.query_one(Input).value = "?!"
        await pilot.press("enter")
        await until(pilot, lambda: "the question holds no words" in screen_text(app), "the refusal")
        view.query_one("#search-strategy", Select).value = "lexical"
        view.query_one(Input).value = "xyzzy"
        await pilot.press("enter")
        await until(pilot, lambda: "nothing found for “xyzzy”" in screen_text(app), "the note")

    run(dashboard(small_data), flow)


@pytest.mark.long
def test_results_survive_tab_switches_and_restarts(small_data: Path) -> None:
    saved: dict[str, object] = {}

    async def first(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        view = await _opened(app, pilot)
        view.query_one("#search-strategy", Select).value = "hybrid"
        hits = await _search(view, pilot, "canoa emprestada")
        await pilot.press("down")
        await until(pilot, lambda: hits.cursor == 1, "the next passage")
        await pilot.press("f3")
        await until(pilot, lambda: app.front.tabs.active == "corpus", "the other tab")
        await pilot.press("f4")
        await until(pilot, lambda: app.front.tabs.active == "search", "the tab")
        assert hits.items and hits.cursor == 1
        saved.update(json.loads(json.dumps(view.saved())))
        saved["hits_seen"] = [hit.chunk_id for hit in hits.items]

    async def second(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        view = await _opened(app, pilot)
        view.restore(saved)
        hits = view.query_one(HitList)
        assert [hit.chunk_id for hit in hits.items] == saved["hits_seen"]
        assert hits.items[0].heads and hits.cursor == 1
        await until(pilot, lambda: "as found earlier" in screen_text(app), "the note")
        view.restore({"hits": [{"document": 1}], "query": 5, "top_k": "x", "cursor": None})
        assert view.query_one(Input).value == "canoa emprestada"

    run(dashboard(small_data), first)
    run(dashboard(small_data), second)
