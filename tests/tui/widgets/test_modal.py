"""Screens over the views: they close once, and hold whatever keys and sizes come."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events
from textual.command import CommandPalette
from textual.geometry import Size
from textual.pilot import Pilot
from textual.widgets import DataTable

from polyrag_cli.tui.app import PolyRAGApp
from polyrag_cli.tui.chat.chat_view import ChatView
from polyrag_cli.tui.shell import input_filter
from polyrag_cli.tui.shell.palette import Palette
from polyrag_cli.tui.shell.settings_screen import SettingsScreen
from polyrag_cli.tui.telemetry.telemetry_view import TelemetryView
from tests.tui.pilot import dashboard, run, settled, until
from tests.tui.shared import SharedApp
from tests.tui.shell.test_front_screen import opened, type_at_once


@pytest.mark.parametrize("key", ["ctrl+p", "ctrl+r", "f1", "f8"])
def test_a_second_escape_closes_nothing_else(shared: SharedApp, key: str) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await opened(app, pilot)
        await pilot.press(key)
        await until(pilot, lambda: app.screen is not app.front, "the screen")
        screen = app.screen
        screen.dismiss()
        screen.dismiss()
        await until(pilot, lambda: app.screen is app.front, "the views")
        await until(pilot, lambda: app.focused is app.query_one(ChatView)._box, "the box")

    shared.run(flow)


def test_a_screen_below_another_one_doesnt_close_that(shared: SharedApp) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await opened(app, pilot)
        await pilot.press("f8")
        await until(pilot, lambda: isinstance(app.screen, SettingsScreen), "the settings")
        below = app.screen
        await pilot.press("f1")
        await until(pilot, lambda: app.screen is not below, "the help")
        below.dismiss()
        await pilot.pause()
        assert below is not app.screen is not app.front

    shared.run(flow)


def test_the_palettes_key_held_down(shared: SharedApp) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await opened(app, pilot)
        for _ in range(5):
            app.action_command_palette()
            await until(pilot, lambda: CommandPalette.is_open(app) and app.screen.is_mounted, "it")  # type: ignore[arg-type]
            app.screen.dismiss()
            # Before it is gone.
            app.action_command_palette()
            await until(pilot, lambda: not any(isinstance(node, Palette) for node in app._nodes), "its end")
        assert app.failure is None and app.is_running

    shared.run(flow)


def test_a_held_key_opens_no_screen_that_nobody_waits_for(shared: SharedApp, monkeypatch: pytest.MonkeyPatch) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await opened(app, pilot)
        for _ in range(4):
            key = events.Key("f8", None)
            key.time -= 10_000.0
            app.post_message(key)
        await until(pilot, lambda: isinstance(app.screen, SettingsScreen), "the settings")
        await pilot.pause()
        assert isinstance(app.screen, SettingsScreen)
        # Much later than those four, it is no repetition of them, late as it is.
        key = events.Key("f8", None)
        key.time -= 2000.0
        app.post_message(key)
        await until(pilot, lambda: app.screen is app.front, "the views")

    monkeypatch.setattr(input_filter, "_LATE_S", 1000.0)
    shared.run(flow)


def test_a_click_on_what_was_just_removed(small_data: Path) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await opened(app, pilot)
        welcome = app.query_one("#welcome")
        # Removed, and not drawn anew yet.
        parent, welcome._parent = welcome._parent, None
        x, y = welcome.region.x + 4, welcome.region.y
        app.post_message(events.MouseDown(None, x, y, 0, 0, 1, False, False, False, x, y))
        await pilot.pause()
        welcome._parent = parent
        assert app.failure is None and app.is_running

    run(dashboard(small_data), flow)


@pytest.mark.long
def test_paging_through_nothing(small_data: Path) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await opened(app, pilot)
        await pilot.press("f5")
        await until(pilot, lambda: app.front.tabs.active == "telemetry", "the tab")
        # An own table, as other tests may have left traces.
        app.query_one(TelemetryView).query_one(DataTable).clear()
        await pilot.press("pagedown", "pageup", "end", "f8")
        await until(pilot, lambda: isinstance(app.screen, SettingsScreen), "the settings")
        await pilot.press(*"no such", "enter", "pagedown", "pageup", "end")

    run(dashboard(small_data), flow)


def test_a_list_is_paged_before_it_is_drawn(shared: SharedApp) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await opened(app, pilot)
        for key in ("ctrl+r", "ctrl+p"):
            type_at_once(app, key, "down", "pagedown", "pageup")
            await until(pilot, lambda: app.screen is not app.front, "the list")
            await pilot.pause()
            await pilot.press("escape")
            await until(pilot, lambda: app.screen is app.front, "the views")

    shared.run(flow)


@pytest.mark.parametrize("key", ["ctrl+p", "ctrl+r"])
def test_a_terminal_of_three_columns(shared: SharedApp, key: str) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await opened(app, pilot)
        await pilot.press(key)
        for width, height in ((3, 2), (1, 1), (20, 5)):
            app.post_message(events.Resize(Size(width, height), Size(width, height)))
            await settled(app, pilot)
            type_at_once(app, "down", "pagedown")
            await settled(app, pilot)
        await until(pilot, lambda: app.size == (20, 5), "the last size")
        assert app.is_running
        if key == "ctrl+p":
            await until(pilot, lambda: CommandPalette.is_open(app), "the palette")  # type: ignore[arg-type]

    shared.run(flow)


def test_the_question_box_stays_in_a_low_terminal(shared: SharedApp) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await opened(app, pilot)
        box = app.query_one(ChatView)._box
        assert box.region.height and box.region.bottom <= 5

    shared.run(flow, (20, 5))
