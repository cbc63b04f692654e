"""What surrounds the views: keys, palette, settings, copying, export, notices, an end by an error."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from textual.command import CommandPalette
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import DataTable, Input, OptionList, Static

from polyrag_cli.tui.app import PolyRAGApp
from polyrag_cli.tui.shell.copy_screen import CopyScreen
from polyrag_cli.tui.shell.export_screen import ExportScreen
from polyrag_cli.tui.shell.header_line import HeaderLine
from polyrag_cli.tui.shell.help_screen import HelpScreen
from polyrag_cli.tui.shell.key_list import entries, own_bindings
from polyrag_cli.tui.shell.palette import ViewCommands
from polyrag_cli.tui.shell.pieces import pieces
from polyrag_cli.tui.shell.settings_screen import SettingsScreen, chosen_settings
from polyrag_cli.tui.shell.status_line import status
from polyrag_cli.tui.view import View
from tests.tui.pilot import NARROW, WIDE, dashboard, run, screen_text, until
from tests.tui.shared import SharedApp
from tests.tui.talk import put
from tests.tui.turns import answer

QUESTION = "What does Regra B2 depend on?"


async def ready(app: PolyRAGApp, pilot: Pilot[None]) -> None:
    await until(pilot, lambda: app.summary is not None, "the corpus")


def noticed(app: PolyRAGApp) -> str:
    return "\n".join(notice.message for notice in app._notifications)


async def answered(app: PolyRAGApp, pilot: Pilot[None]) -> None:
    await ready(app, pilot)
    await put(app, pilot, QUESTION)


def test_help_shows_every_binding_with_a_description(shared: SharedApp) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        nodes = [app, *app.query(View)]
        nodes += [node for view in app.query(View) for node in view.walk_children(Widget)]
        bindings = [binding for node in nodes for binding in own_bindings(type(node)) if binding.description]
        wanted = {(binding.description, app.get_key_display(binding)) for binding in bindings}
        assert len(wanted) > 20
        await pilot.press("f1")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen), "the help")
        text = "\n".join(str(line.content) for line in app.screen.query(Static))
        for description, key in wanted:
            if description.startswith("Open source "):
                key, description = "1 … 9", "Open source 1 … 9"
            assert any(description in line and key in line for line in text.splitlines()), (description, key)
        await pilot.press("f1")
        await until(pilot, lambda: app.screen is app.front, "the views")

    shared.run(flow)


@pytest.mark.parametrize("ways", [("end",), ("pagedown",) * 9, pytest.param(("down",) * 90, marks=pytest.mark.long)])
def test_help_scrolls_to_its_end(shared: SharedApp, ways: tuple[str, ...]) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        await pilot.press("f5", "f1")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen), "the help")
        await until(pilot, lambda: "Keys" in screen_text(app), "its frame")
        lines = screen_text(app).splitlines()
        # The keys of the tab in front come first.
        assert "Telemetry" in lines[next(at for at, line in enumerate(lines) if "Keys" in line) + 1]
        assert "OSC 52" not in screen_text(app)
        await pilot.press(*ways)
        await until(pilot, lambda: "OSC 52" in screen_text(app), "the last line")
        assert screen_text(app).count("Open source") <= 2

    shared.run(flow, NARROW)


def test_no_key_means_two_things_in_one_place(shared: SharedApp) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        everywhere = {b.key: b.action for b in own_bindings(type(app))}
        for view in app.query(View):
            for node in (view, *view.walk_children(Widget)):
                for binding in own_bindings(type(node)):
                    assert everywhere.get(binding.key, binding.action) == binding.action, (node, binding)

    shared.run(flow)


def test_the_palette_offers_and_runs_everything(shared: SharedApp) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        provider = ViewCommands(app.screen)
        offered = [str(hit.text) async for hit in provider.discover()]  # type: ignore[union-attr]
        for entry in entries(app):  # type: ignore[arg-type]
            assert entry.action == "command_palette" or any(entry.description in name for name in offered), entry
        assert "Telemetry: Find" in offered and "Settings" in offered
        await pilot.press("ctrl+p")
        await until(pilot, lambda: isinstance(app.screen, CommandPalette), "the palette")
        await pilot.press(*"telemetry: find")
        await until(pilot, lambda: app.screen.query_one(OptionList).option_count > 0, "the command")
        await pilot.press("enter")
        await until(pilot, lambda: app.front.tabs.active == "telemetry", "the tab")
        await until(pilot, lambda: isinstance(app.focused, Input), "the box")
        await pilot.press("f9")
        await until(pilot, lambda: not app.current_theme.dark, "the light theme")

    shared.run(flow)


def test_settings_with_their_origin(shared: SharedApp) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        await pilot.press("f8")
        await until(pilot, lambda: isinstance(app.screen, SettingsScreen), "the settings")
        table = app.screen.query_one(DataTable)
        await until(pilot, lambda: table.row_count > 30, "all settings")
        await pilot.press(*"embedder.name")
        await until(pilot, lambda: table.row_count == 1, "the setting")
        await pilot.press("enter")
        await until(
            pilot,
            lambda: any("flag" in line and "hashing" in line for line in screen_text(app).splitlines()),
            "its value",
        )
        assert "hashing: spelling only, for tests." in " ".join(screen_text(app).split())
        await pilot.press("f8")
        await until(pilot, lambda: app.screen is app.front, "the views")

    shared.run(flow)


def test_settings_are_found_by_key_first() -> None:
    settings = [("a.tau_low", 0.2, "default"), ("a.anchors.question.pt", ["Qual restaurante?"], "flag")]
    assert chosen_settings(settings, "TAU") == settings[:1]
    assert chosen_settings(settings, "restau") == settings[1:] and chosen_settings(settings, "fla") == settings[1:]
    assert chosen_settings(settings, "") == settings and chosen_settings(settings, "nowhere") == []


@pytest.mark.long
def test_settings_that_differ_are_marked_and_their_file_named_once(
    small_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "polyrag.toml").write_text("[answer]\ntop_k = 9\nmax_words = 60\n[cache]\nenabled = true\n")

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        await pilot.press("f8")
        await until(pilot, lambda: isinstance(app.screen, SettingsScreen), "the settings")
        await until(pilot, lambda: app.screen.query_one(DataTable).row_count > 30, "all settings")
        await until(pilot, lambda: "* answer.top_k" in screen_text(app), "the mark")
        lines = screen_text(app).splitlines()
        (mine,) = [line for line in lines if "answer.max_words" in line]
        assert "*" not in mine and mine.split()[-2] == "polyrag.toml"
        assert "true" in next(line for line in lines if "cache.enabled" in line)

    run(dashboard(small_data), flow, NARROW)


def test_an_answer_is_copied_and_said_so(shared: SharedApp) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        await pilot.press("f6")
        await until(pilot, lambda: "no answer to copy" in noticed(app), "the notice")
        await answered(app, pilot)
        await pilot.press("f6")
        await until(pilot, lambda: isinstance(app.screen, CopyScreen), "the list")
        await pilot.pause()
        await pilot.press("enter")
        await until(pilot, lambda: "Copied: answer (" in noticed(app), "the notice")
        assert app.clipboard == app.questions.state.turns[-1].answer.answer  # type: ignore[union-attr]

    shared.run(flow)


def test_the_pieces_of_an_answer() -> None:
    given = answer("Six \x1b[31m[1]", sql="SELECT 6", columns=("a", "b"), rows=((1, None), ("x", 7310.969999999999)))
    found = {piece.name: piece.text for piece in pieces(given)}
    assert found == {
        "answer": "Six [31m[1]",
        "SQL": "SELECT 6",
        "rows": "a\tb\n1\t\nx\t7310.97",
        "passage [1] rules.md › Rule RE-3": "x" * 50,
        "question": "Which inspection do lots need?",
        "trace id": "91d091d091d091d0",
    }
    assert pieces(None) == ()
    assert pieces(answer("half \ud800"))[0].text == "half ?"


def hint(app: PolyRAGApp) -> str:
    return str(app.screen.query_one("#hint", Static).content)


def test_export_never_overwrites_unasked(small_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / f"polyrag-{date.today().isoformat()}.md"
    file.write_text("mine")

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await answered(app, pilot)
        await pilot.press("f7")
        await until(pilot, lambda: isinstance(app.screen, ExportScreen), "the question for a path")
        await pilot.press("enter")
        await until(pilot, lambda: "enter again overwrites" in hint(app), "the warning")
        assert file.read_text() == "mine"
        # Another path isn't what was confirmed.
        app.screen.query_one(Input).value = str(tmp_path / "absent" / "x.md")
        await pilot.press("enter")
        await until(pilot, lambda: "No such file or directory" in hint(app), "the reason")
        app.screen.query_one(Input).value = file.name
        await pilot.press("enter")
        await until(pilot, lambda: "enter again overwrites" in hint(app), "the warning")
        await pilot.press("enter")
        await until(pilot, lambda: not isinstance(app.screen, ExportScreen), "the file")
        assert file.read_text().startswith("# PolyRAG: a conversation") and QUESTION in file.read_text()

    run(dashboard(small_data), flow)


@pytest.mark.long
def test_header_and_status(small_data: Path) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await answered(app, pilot)
        await until(pilot, lambda: screen_text(app).endswith(status(app.questions.last_answer)), "the status")
        await until(pilot, lambda: "6 documents · 1 table · generation 1" in screen_text(app), "the corpus")
        first = screen_text(app).splitlines()[0]
        assert "6 documents · 1 table · generation 1" in first and "[f2 chat] f3 corpus" in first
        await pilot.click(app.query_one(HeaderLine).query("TabName").last())
        await until(pilot, lambda: app.front.tabs.active == "telemetry", "the clicked tab")
        await pilot.resize_terminal(*NARROW)
        await until(pilot, lambda: "[telemetry]" in screen_text(app).splitlines()[0], "the narrow header")
        await until(pilot, lambda: "f1 Help" in screen_text(app).splitlines()[-1], "the narrow footer")

    run(dashboard(small_data), flow, WIDE)


def test_a_notice_is_no_markup(shared: SharedApp) -> None:
    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        app.notify("[/] [bold]x[/bold] [@click=app.quit]y \x1b[31m")
        await until(pilot, lambda: bool(app._notifications), "the notice")
        (notice,) = app._notifications
        assert (notice.message, notice.markup) == ("[/] [bold]x[/bold] [@click=app.quit]y [31m", False)

    shared.run(flow)


def test_an_error_in_the_application_is_kept_for_one_line(small_data: Path) -> None:
    app = dashboard(small_data)

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await ready(app, pilot)
        app.call_later(lambda: 1 / 0)
        await until(pilot, lambda: app.failure is not None, "the error")

    with pytest.raises(ZeroDivisionError):
        run(app, flow)
    assert isinstance(app.failure, ZeroDivisionError)
    assert app._exit_renderables == []
