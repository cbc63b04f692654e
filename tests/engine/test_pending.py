"""What settings that changed since the last ingest change: told once, noted by each ingest, in the way of none."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from polyrag_cli.config import Settings
from polyrag_cli.engine import Engine
from polyrag_cli.engine import pending as pending_module
from polyrag_cli.engine.pending import Pending
from polyrag_cli.errors import StoreError
from polyrag_cli.routing.moves import destinations
from polyrag_cli.routing.noted import META_ROUTING
from polyrag_cli.types import PendingImpact

HASHING = {"embedder.name": "hashing"}
NOTHING_ANSWERS = {"routing.evidence_min": 0.99}
# Every name speaks for the graph: passages move there, and the evidence for questions with them.
BY_NAMES = {"routing.named_weight": 8.0, "routing.named_center": 0.0}
QUESTIONS = (
    "Quem precisa autorizar a saída com vento forte?",
    "Como tudo começou?",
    "What happens to lost umbrellas?",
    "total de passageiros por linha",
    "O que a enchente levou?",
    "When does the bell ring?",
)


def settings(data: Path, overrides: Mapping[str, Any] | None = None) -> Settings:
    return Settings.load(data_dir=data, overrides={**HASHING, **(overrides or {})}, environ={}, start=data)


@pytest.fixture
def corpus(small_data: Path) -> Iterator[Engine]:
    with Engine(settings(small_data)) as opened:
        yield opened


@pytest.fixture
def own_data(own_data: Path) -> Path:
    """The same copy, without the questions that other tests asked."""
    for file in own_data.glob("activity.sqlite*"):
        file.unlink()
    return own_data


def files_of(data: Path) -> dict[str, bytes]:
    return {path.relative_to(data).as_posix(): path.read_bytes() for path in data.rglob("*") if path.is_file()}


def pending_impact(engine: Engine, skip_graph: bool = False) -> PendingImpact | None:
    return Pending(engine, engine.traces).impact(skip_graph)


def note_routing(engine: Engine) -> None:
    Pending(engine, engine.traces).note()


def test_a_corpus_of_the_same_configuration_has_nothing_pending(corpus: Engine) -> None:
    assert pending_impact(corpus) is None
    assert pending_impact(corpus, skip_graph=True) is None


def test_a_changed_configuration_is_pending_until_it_is_ingested(own_data: Path, small_folder: Path) -> None:
    with Engine(settings(own_data)) as before:
        note_routing(before)
        for question in QUESTIONS:
            before.ask(question)
        asked = before.traces.decisions(200)
    assert list(asked) == list(reversed(QUESTIONS))
    with Engine(settings(own_data, BY_NAMES)) as engine:
        pending = pending_impact(engine)
        assert pending is not None
        assert pending.changes == ("routing.named_center 0.65 → 0.0", "routing.named_weight 0.5 → 8.0")
        report = pending.report
        assert (report.questions, bool(report.changed_chunks)) == (len(QUESTIONS), True)
        foretold = {move.question: move.new for move in report.changed_questions}
        assert foretold
        assert engine.ingest([small_folder]).impact == pending
        assert pending_impact(engine) is None
        for question, went in foretold.items():
            assert destinations(engine.route(question)) == went != destinations(asked[question])


def test_cached_and_forced_answers_are_no_decisions_to_compare(own_engine: Engine) -> None:
    own_engine.ask(QUESTIONS[0])
    own_engine.ask(QUESTIONS[0])
    own_engine.ask(QUESTIONS[1], route="graph")
    assert list(own_engine.traces.decisions(200)) == [QUESTIONS[0]]


def test_a_large_corpus_is_not_compared(own_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pending_module, "AUTOMATIC_CHUNKS", 3)
    with Engine(settings(own_data, BY_NAMES)) as engine:
        report = pending_impact(engine)
    assert report is not None
    assert "too many" in report.skipped
    assert (report.report.changed_chunks, report.report.questions) == ((), 0)


def test_with_many_routes_fewer_chunks_are_compared(own_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pending_module, "AUTOMATIC_CHUNKS", 7)
    with Engine(settings(own_data, BY_NAMES)) as engine:
        few = pending_impact(engine)
        monkeypatch.setattr(pending_module, "AUTOMATIC_ROUTES", 2)
        many = pending_impact(engine)
    assert few is not None
    assert (few.skipped, bool(few.report.changed_chunks)) == ("", True)
    assert many is not None
    assert many.skipped.startswith("7 chunks are too many")


def test_another_embedder_is_left_to_the_ingest(own_data: Path) -> None:
    with Engine(settings(own_data, {"embedder.name": "none"})) as engine:
        assert pending_impact(engine) is None


def test_what_can_not_be_compared_keeps_no_ingest_from_running(own_data: Path, small_folder: Path) -> None:
    with Engine(settings(own_data)) as before:
        note_routing(before)
    (own_data / "activity.sqlite").write_bytes(b"no database at all" * 100)
    with Engine(settings(own_data, BY_NAMES)) as engine:
        report = pending_impact(engine)
        assert report is not None
        assert report.skipped.startswith("not compared: ")
        assert {file.status for file in engine.ingest([small_folder]).files} == {"updated"}


def test_settings_of_questions_are_pending_until_they_are_noted(own_data: Path) -> None:
    with Engine(settings(own_data)) as before:
        note_routing(before)
        for question in QUESTIONS:
            before.ask(question)
        went = {question: destinations(before.route(question)) for question in QUESTIONS}
    with Engine(settings(own_data, NOTHING_ANSWERS)) as engine:
        # Asked anew, a question is still compared with how it went under the settings of the last ingest.
        engine.ask(QUESTIONS[0])
        pending = pending_impact(engine)
        assert pending is not None
        report = pending.report
        now = {question: destinations(engine.route(question)) for question in QUESTIONS}
        moved = {q for q in QUESTIONS if went[q] != now[q]}
        assert moved
        assert {move.question: (move.old, move.new) for move in report.changed_questions} == {
            question: (went[question], now[question]) for question in moved
        }
        assert (report.chunks, report.changed_chunks, report.questions) == (7, (), len(QUESTIONS))
        note_routing(engine)
        assert pending_impact(engine) is None
    with Engine(settings(own_data)) as back:
        again = pending_impact(back)
        assert again is not None
        assert {move.question for move in again.report.changed_questions} == moved


def test_an_earlier_change_is_not_told_again_with_the_next(own_data: Path) -> None:
    with Engine(settings(own_data)) as before:
        for question in QUESTIONS:
            before.ask(question)
    with Engine(settings(own_data, NOTHING_ANSWERS)) as between:
        note_routing(between)
    with Engine(settings(own_data, {**NOTHING_ANSWERS, "chunking.max_chars": 900})) as engine:
        pending = pending_impact(engine)
    assert pending is not None
    assert pending.changes == ("chunking.max_chars 1200 → 900",)
    assert (pending.recut, pending.files, pending.report.questions) == (True, 5, 0)
    assert pending.unasked == "which questions go elsewhere isn't known before"


def test_with_other_chunking_questions_are_compared_on_the_passages_of_today(own_data: Path) -> None:
    with Engine(settings(own_data)) as before:
        note_routing(before)
        before.ask(QUESTIONS[0])
    with Engine(settings(own_data, {**NOTHING_ANSWERS, **BY_NAMES, "chunking.max_chars": 900})) as engine:
        pending = pending_impact(engine)
    assert pending is not None
    assert (pending.recut, pending.report.changed_chunks, pending.report.questions) == (True, (), 1)
    (move,) = pending.report.changed_questions
    assert (move.question, move.new) == (QUESTIONS[0], ("nothing",))


def test_of_another_version_only_what_is_known_is_said(own_data: Path) -> None:
    with Engine(settings(own_data)) as before:
        note_routing(before)
        before.ask(QUESTIONS[0])
        with before.snapshot() as snapshot:
            note = json.loads(before.catalog.meta(snapshot, META_ROUTING) or "")
        version, note["version"] = note["version"], "0.0.1"
        before.catalog.note(META_ROUTING, json.dumps(note))
        assert pending_impact(before) is None
    with Engine(settings(own_data, BY_NAMES)) as engine:
        pending = pending_impact(engine)
    assert pending is not None
    assert pending.changes[0] == f"version 0.0.1 → {version}"
    assert bool(pending.report.changed_chunks)
    assert (pending.report.questions, pending.unasked) == (0, "how questions went before isn't known")


def test_files_left_behind_by_an_earlier_change_are_counted(own_data: Path, small_folder: Path) -> None:
    with Engine(settings(own_data, BY_NAMES)) as engine:
        engine.ingest([small_folder / "notes.txt"])
        pending = pending_impact(engine)
    assert pending is not None
    assert (pending.files, pending.changes, pending.noted) == (4, (), True)


def test_an_ingest_waits_for_a_hundred_questions_at_most(own_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pending_module, "AUTOMATIC_QUESTIONS", 2)
    with Engine(settings(own_data)) as before:
        note_routing(before)
        for question in (*QUESTIONS, QUESTIONS[-1]):
            before.ask(question, use_cache=False)
        assert before.traces.questions(2) == [QUESTIONS[-1], QUESTIONS[-2]]
    with Engine(settings(own_data, NOTHING_ANSWERS)) as engine:
        # Decisions as they were when asked play no part, so that no trace is read but for its question.
        monkeypatch.setattr(engine.traces, "stored", None)
        pending = pending_impact(engine)
    assert pending is not None
    assert pending.report.questions == 2


@pytest.mark.parametrize(
    "note", ["", "no JSON", "[]", "[" * 100_000, '{"routes": [{"name": "graph"}], "settings": {}}']
)
def test_a_corpus_without_a_note_of_this_version_has_nothing_pending(own_data: Path, note: str) -> None:
    with Engine(settings(own_data, NOTHING_ANSWERS)) as engine:
        engine.catalog.note(META_ROUTING, note)
        assert pending_impact(engine) is None


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("question_anchors", [1]),
        ("chunk_anchors", [["nested"]]),
        ("question_anchors", "letters"),
        ("name", 3),
        ("name", "graph"),
        ("tau_high", None),
        ("tau_low", float("nan")),
        ("delta_margin", "0.1"),
        ("evidence_min", None),
        ("evidence_candidates", "many"),
        ("evidence_candidates", 1e308 * 10),
        ("evidence_candidates", 10**400),
    ],
)
def test_a_note_with_a_wrong_value_has_nothing_pending(own_data: Path, part: str, value: Any) -> None:
    with Engine(settings(own_data)) as engine:
        note_routing(engine)
        with engine.snapshot() as snapshot:
            note = json.loads(engine.catalog.meta(snapshot, META_ROUTING) or "")
        for place in (note["settings"], *note["routes"]):
            if part in place:
                place[part] = value
        engine.catalog.note(META_ROUTING, json.dumps(note))
        assert pending_impact(engine) is None


def test_a_note_is_no_commit(own_data: Path) -> None:
    with Engine(settings(own_data)) as engine:
        with engine.snapshot() as snapshot:
            before = (
                snapshot.generation,
                engine.catalog.fingerprint(snapshot),
                engine.catalog.meta(snapshot, "commit"),
            )
        note_routing(engine)
        with engine.snapshot() as snapshot:
            assert engine.catalog.meta(snapshot, META_ROUTING)
            now = (snapshot.generation, engine.catalog.fingerprint(snapshot), engine.catalog.meta(snapshot, "commit"))
        assert now == before
        written = files_of(own_data)
        note_routing(engine)
        assert files_of(own_data) == written


def test_where_no_note_can_be_written_the_ingest_ends_well(own_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise StoreError("the disk is full.")

    with Engine(settings(own_data, NOTHING_ANSWERS)) as engine:
        monkeypatch.setattr(engine.catalog, "note", refused)
        assert engine.ingest_text("Umbrellas are kept.", "umbrellas.txt").files[0].status == "added"
        assert pending_impact(engine) is not None


def test_without_a_corpus_there_is_nothing_to_note(tmp_path: Path) -> None:
    with Engine(settings(tmp_path / "none")) as empty:
        note_routing(empty)
    assert not (tmp_path / "none").exists()
