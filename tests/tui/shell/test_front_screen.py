"""The focus: always on what is seen, wherever one goes and however fast."""

from __future__ import annotations

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input

from polyrag_cli.tui.app import PolyRAGApp
from polyrag_cli.tui.chat.chat_view import ChatView
from polyrag_cli.tui.chat.picker import Picker
from polyrag_cli.tui.corpus.document_table import DocumentTable
from tests.tui.pilot import WIDE, settled, until
from tests.tui.shared import SharedApp


async def opened(app: PolyRAGApp, pilot: Pilot[None]) -> None:
    await until(pilot, lambda: app.summary is not None and len(app.front.views) == 4, "the views")
    await pilot.pause()


def type_at_once(app: PolyRAGApp, *keys: str) -> None:
    """As a terminal sends keys: without waiting for what the one before does."""
    for key in keys:
        app.post_message(events.Key(key, key if len(key) == 1 else None))


@pytest.mark.parametrize("way", [("f3", "f4"), ("f4", "f3", "f5", "f4"), ("f5", "f2", "f4")])
def test_what_is_typed_after_a_tab_key_goes_to_that_tab(shared: SharedApp, way: tuple[str, ...]) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await opened(app, pilot)
        type_at_once(app, *way, "a", "b")
        await until(pilot, lambda: app.query_one("#search-query", Input).value == "ab", "the text")
        await settled(app, pilot)
        assert app.front.tabs.active == "search" and app.query_one(ChatView)._box.text == ""
        assert app.query_one("#file-filter", Input).value == "" and app.screen is app.front

    shared.run(flow)


def test_a_late_focus_in_a_hidden_tab_is_dropped(shared: SharedApp) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await opened(app, pilot)
        app.query_one("#file-filter").focus()
        app.query_one("#search-query").focus()
        await pilot.pause()
        await until(pilot, lambda: app.focused is app.query_one(ChatView)._box, "the box")
        assert app.front.tabs.active == "chat"

    shared.run(flow)


def test_the_focus_leaves_what_a_smaller_terminal_hides(shared: SharedApp) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await opened(app, pilot)
        await pilot.press("f3")
        await until(pilot, lambda: bool(app.query_one(DocumentTable).items), "the files")
        await pilot.press("enter")
        await until(pilot, lambda: app.focused is not None and app.focused.id == "contents", "the contents")
        app.query_one(DocumentTable).focus()
        await pilot.pause()
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: app.focused is not None and app.focused.id == "contents", "what is seen")
        app.front.set_focus(None)
        await until(pilot, lambda: app.focused is not None, "a focus")

    shared.run(flow, WIDE)


def test_a_tab_doesnt_change_behind_a_dialog(shared: SharedApp) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await opened(app, pilot)
        await pilot.press("ctrl+r", "f4")
        await until(pilot, lambda: isinstance(app.screen, Picker), "the list")
        await settled(app, pilot)
        assert isinstance(app.screen, Picker) and app.front.tabs.active == "chat"

    shared.run(flow)
