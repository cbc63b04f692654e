"""What survives a restart, and what becomes of a file that can't be read or written."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from textual.events import Key, Paste
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from polyrag_cli.tui.app import PolyRAGApp
from polyrag_cli.tui.chat.chat_view import ChatView
from polyrag_cli.tui.shell import session
from polyrag_cli.tui.shell.session import FILE, Saved, Session
from polyrag_cli.tui.shell.session_keeper import SessionKeeper
from polyrag_cli.tui.state import Turn, restored
from polyrag_cli.tui.telemetry.telemetry_view import TelemetryView
from tests.command_line import PATIENCE_S
from tests.tui.pilot import dashboard, run, settled, until
from tests.tui.talk import put
from tests.tui.turns import answer, decision


def turn(number: int, **changes: object) -> Turn:
    given = answer()
    plain = Turn(number, given.question, phase="answered", answer=given, decision=given.decision, lines={1: "line 3"})
    return replace(plain, **changes)  # type: ignore[arg-type]


def opened(folder: Path) -> Session:
    made = Session()
    assert made.load(folder) == Saved()
    return made


def test_what_is_saved_comes_back(tmp_path: Path) -> None:
    kept = Saved("corpus", "textual-light", (turn(1), turn(2, beside=1, route="graph")), {"ChatView": {"draft": "é"}})
    assert opened(tmp_path).save(kept) == ""
    assert Session().load(tmp_path) == kept
    assert [file.name for file in tmp_path.iterdir()] == [FILE]


def test_a_turn_without_an_answer_is_kept_as_ended(tmp_path: Path) -> None:
    running = Turn(1, "q?", decision=decision())
    opened(tmp_path).save(Saved(turns=(running, Turn(2, "r?", phase="failed", error="no"))))
    first, second = Session().load(tmp_path).turns
    assert (first.phase, first.decision, second.error) == ("failed", decision(), "no")
    assert "closed before the answer" in first.error


def test_only_what_changed_is_written(tmp_path: Path) -> None:
    made = opened(tmp_path)
    made.save(Saved(tab="chat", turns=(turn(1),)))
    (tmp_path / FILE).unlink()
    assert made.save(Saved(tab="chat", turns=(turn(1),))) == "" and not (tmp_path / FILE).exists()
    made.save(Saved(tab="corpus"))
    assert json.loads((tmp_path / FILE).read_text())["turns"] == []


def test_the_oldest_turns_go_when_it_grows_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(tmp_path).save(Saved(turns=tuple(turn(n) for n in range(130))))
    assert [t.number for t in Session().load(tmp_path).turns] == list(range(30, 130))
    one = len((tmp_path / FILE).read_text()) // 100
    monkeypatch.setattr(session, "MAX_BYTES", int(one * 3.5))
    made = Session()
    made.load(tmp_path)
    made.save(Saved(turns=tuple(turn(n) for n in range(10))))
    assert [t.number for t in Session().load(tmp_path).turns] == [7, 8, 9]


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "7", '{"version": 2}', '{"version": 1, "tab": ""}', '{"version": 1, "views": 3}', "[" * 9999],
)
def test_a_damaged_file_costs_a_notice(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    loaded = Session().load(tmp_path)
    assert replace(loaded, note="") == Saved() and FILE in loaded.note


def test_damage_inside_a_turn_costs_a_notice(tmp_path: Path) -> None:
    opened(tmp_path).save(Saved(turns=(turn(1),)))
    values = json.loads((tmp_path / FILE).read_text())
    for key in values["turns"][0]:
        broken = {**values, "turns": [{**values["turns"][0], key: {"x": 1}}]}
        (tmp_path / FILE).write_text(json.dumps(broken))
        loaded = Session().load(tmp_path)
        assert loaded.note or key in ("question", "route", "strategy", "error"), key


def test_where_nothing_can_be_written_one_line_says_why(tmp_path: Path) -> None:
    made = opened(tmp_path)
    (tmp_path / FILE).mkdir()
    note = made.save(Saved(tab="chat"))
    assert FILE in note and "\n" not in note
    assert [file.name for file in tmp_path.iterdir()] == [FILE]
    # The same reason isn't told again for the same content.
    assert made.save(Saved(tab="chat")) == ""


def test_what_could_not_be_written_is_written_once_it_can(tmp_path: Path) -> None:
    made = opened(tmp_path)
    (tmp_path / FILE).mkdir()
    assert FILE in made.save(Saved(tab="chat"))
    # Other content, the same reason.
    assert made.save(Saved(tab="corpus")) == ""
    (tmp_path / FILE).rmdir()
    assert made.save(Saved(tab="corpus")) == ""
    assert Session().load(tmp_path).tab == "corpus"


def test_an_idle_dashboard_takes_nothing_from_another(tmp_path: Path) -> None:
    idle, used = opened(tmp_path), opened(tmp_path)
    idle.set_unchanged(Saved(tab="chat"))
    assert used.save(Saved(tab="corpus")) == ""
    assert idle.save(Saved(tab="chat")) == idle.save(Saved(tab="chat"), at_end=True) == ""
    assert Session().load(tmp_path).tab == "corpus"
    # What was changed and changed back is written, as it was written changed.
    assert idle.save(Saved(tab="search")) == idle.save(Saved(tab="chat")) == ""
    assert Session().load(tmp_path).tab == "chat"


def test_of_two_dashboards_the_one_that_is_left_last_is_kept_whole(tmp_path: Path) -> None:
    first, second = opened(tmp_path), opened(tmp_path)
    assert first.save(Saved(tab="corpus", turns=(turn(1),))) == ""
    assert second.save(Saved(tab="search")) == ""
    # While both are open they don't take turns without a change.
    assert first.save(Saved(tab="corpus", turns=(turn(1),))) == ""
    assert Session().load(tmp_path) == Saved(tab="search")
    assert first.save(Saved(tab="corpus", turns=(turn(1),)), at_end=True) == ""
    assert Session().load(tmp_path) == Saved(tab="corpus", turns=(turn(1),))


def test_an_end_before_the_session_is_back_leaves_it_as_it_was(own_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = {"version": 1, "tab": "corpus", "theme": "", "views": {"ChatView": {"draft": "half"}}, "turns": []}
    (own_data / FILE).write_text(json.dumps(kept))
    monkeypatch.setattr(SessionKeeper, "_take_over", lambda keeper, saved: None)

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: app.session._session._folder is not None, "the reading")

    run(remembering(own_data), flow)
    assert json.loads((own_data / FILE).read_text()) == kept


def test_no_data_directory_is_made_for_it(tmp_path: Path) -> None:
    made = opened(tmp_path / "absent")
    assert made.save(Saved(tab="chat")) == ""
    assert list(tmp_path.iterdir()) == []


def test_kept_turns_come_before_the_running_ones() -> None:
    kept = (turn(-1), turn(1), turn(2, beside=1), turn(3, beside=9))
    both = restored(kept, (turn(1), turn(2)))
    assert [t.number for t in both] == [-3, -2, -1, 0, 1, 2]
    assert [t.beside for t in both] == [None, None, -2, None, None, None]


def remembering(data: Path) -> PolyRAGApp:
    app = dashboard(data)
    app.remembers = True
    return app


def test_a_restart_brings_everything_back(own_data: Path) -> None:
    async def first(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: app.summary is not None, "the corpus")
        await put(app, pilot, "What does Regra B2 depend on?")
        await pilot.press(*"half")
        app.query_one(TelemetryView).restore({"text": "Regra"})
        await pilot.press("f9", "f3")
        await pilot.pause()

    async def second(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: len(app.questions.state.turns) == 1, "the conversation")
        await until(pilot, lambda: app.front.tabs.active == "corpus", "the tab")
        await pilot.pause()
        (turn,) = app.questions.state.turns
        assert turn.answer is not None and "B1" in (turn.answer.answer or "")
        assert not app.current_theme.dark
        assert app.query_one("ChatView TextArea", TextArea).text == "half"
        assert app.query_one(TelemetryView).saved() == {"text": "Regra"}
        assert "trace" in app.query_one("StatusFooter").status  # type: ignore[attr-defined]

    run(remembering(own_data), first)
    run(remembering(own_data), second)


def test_a_damaged_session_opens_empty_with_a_notice(own_data: Path) -> None:
    (own_data / FILE).write_text(
        '{"version": 1, "tab": "nowhere", "theme": "none", "views": {"ChatView": {"draft": 5}}'
    )

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: bool(app._notifications), "the notice")
        assert "damaged" in next(iter(app._notifications)).message

    run(remembering(own_data), flow)


@pytest.mark.long
def test_values_that_fit_nowhere_are_ignored(own_data: Path) -> None:
    views = {name: {"text": 5, "draft": 5, "asked": 5, "route": 5, "x": []} for name in ("ChatView", "TelemetryView")}
    kept = {"version": 1, "tab": "nowhere", "theme": "none", "views": views, "turns": []}
    (own_data / FILE).write_text(json.dumps(kept))

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        await until(pilot, lambda: app.summary is not None, "the corpus")
        await until(pilot, lambda: app.session._restored, "the session")
        await settled(app, pilot)
        assert app.front.tabs.active == "chat" and app.failure is None

    run(remembering(own_data), flow)


def test_kept_texts_and_pastes_bring_no_control_characters(own_data: Path) -> None:
    dirty = "\x1b[31mred\x07 \ud800"
    views = {"ChatView": {"draft": dirty, "asked": [dirty]}, "SearchView": {"query": dirty}}
    (own_data / FILE).write_text(json.dumps({"version": 1, "tab": "chat", "theme": "", "views": views, "turns": []}))

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        box = app.query_one(TextArea)
        await until(pilot, lambda: box.text == "[31mred ?", "the draft")
        query = app.query_one("#search-query", Input)
        assert query.value == "[31mred ?" and app.query_one(ChatView)._box.asked.questions == ["[31mred ?"]
        await pilot.press("f4", "end")
        app.post_message(Paste("a\x1b[2Jb\x9bc"))
        await until(pilot, lambda: query.value.endswith("?a[2Jbc"), "the paste")

    run(remembering(own_data), flow)


def test_who_types_already_stays_where_they_are(own_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typed, load = threading.Event(), Session.load

    def late(self: Session, folder: Path) -> Saved:
        assert typed.wait(PATIENCE_S)
        return load(self, folder)

    monkeypatch.setattr(Session, "load", late)
    views = {"ChatView": {"asked": ["kept"]}}
    (own_data / FILE).write_text(json.dumps({"version": 1, "tab": "corpus", "theme": "", "views": views, "turns": []}))

    async def flow(app: PolyRAGApp, pilot: Pilot[None]) -> None:
        app.post_message(Key("a", "a"))
        await until(pilot, lambda: app.query_one(ChatView)._box.text == "a", "the key")
        typed.set()
        await until(pilot, lambda: app.query_one(ChatView)._box.asked.questions == ["kept"], "the session")
        await pilot.pause()
        assert app.front.tabs.active == "chat" and app.query_one(ChatView)._box.text == "a"

    try:
        run(remembering(own_data), flow)
    finally:
        typed.set()
