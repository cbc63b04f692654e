"""What a configuration would change, against what it then changes; and nothing for one that changes nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from polyrag_cli.config import Settings
from polyrag_cli.datasets import load_set
from polyrag_cli.engine import Engine
from polyrag_cli.errors import StoreError, UsageError
from polyrag_cli.evaluation.impact import chunk_impact, impact
from polyrag_cli.evaluation.impact.chunk_impact import counts_by_move
from polyrag_cli.evaluation.impact.question_impact import asked_before, destinations, is_right, questions_asked
from polyrag_cli.evaluation.impact.routing_memory import META_ROUTING, note_routing
from polyrag_cli.evaluation.quality.runner import score_item
from polyrag_cli.types import EvalItem
from tests.command_line import ROOT
from tests.stores.corpus import every_chunk

HASHING = {"embedder.name": "hashing"}
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
ITEMS = tuple(EvalItem(question) for question in QUESTIONS)


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


def test_an_unchanged_configuration_changes_nothing_on_the_demo(demo: Engine) -> None:
    report = impact.impact(demo, demo.settings, load_set(ROOT / "eval" / "golden.yaml"))
    assert report.chunks > 50
    assert report.questions > 70
    assert (report.changed_chunks, report.changed_questions) == ((), ())
    assert report.right_before == report.right_after > 60
    assert len(report.nearest_chunks) == len(report.nearest_questions) == impact.SHOWN_NEAREST
    distances = [move.distance for move in report.nearest_chunks]
    assert distances == sorted(distances)


def test_what_is_foretold_is_what_ingesting_then_does(corpus: Engine, small_folder: Path, tmp_path: Path) -> None:
    new = settings(corpus.paths.root, BY_NAMES)
    report = impact.impact(corpus, new, ITEMS)
    assert report.changed_chunks
    assert report.changed_questions
    with Engine(new.with_data(tmp_path / "data")) as after:
        after.ingest([small_folder])
        with corpus.snapshot() as old, after.snapshot() as now:
            before = {s.chunk.chunk_id: s.route for s in every_chunk(corpus.catalog, old)}
            homes = {s.chunk.chunk_id: s.route for s in every_chunk(after.catalog, now)}
        moved = {i for i, route in homes.items() if (route.home, route.also) != (before[i].home, before[i].also)}
        assert {move.chunk_id for move in report.changed_chunks} == moved
        for move in report.changed_chunks:
            assert move.new == (homes[move.chunk_id].home, *homes[move.chunk_id].also)
            assert move.new_margin == pytest.approx(homes[move.chunk_id].margin, abs=chunk_impact.ROUNDING)
        went = {question: destinations(after.route(question)) for question in QUESTIONS}
        assert {move.question for move in report.changed_questions} == {
            question for question in QUESTIONS if went[question] != destinations(corpus.route(question))
        }
        assert all(move.new == went[move.question] for move in report.changed_questions)


def test_nothing_is_written(corpus: Engine) -> None:
    corpus.route(QUESTIONS[0])
    before = files_of(corpus.paths.root)
    impact.impact(corpus, settings(corpus.paths.root, BY_NAMES), ITEMS)
    assert files_of(corpus.paths.root) == before


def test_near_a_boundary_a_document_is_embedded_again(corpus: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    # Each margin counts as too near to be told from rounded vectors: all come out as they were ingested, to the digit.
    monkeypatch.setattr(chunk_impact, "ROUNDING", 10.0)
    with corpus.snapshot() as snapshot:
        moves, homes = chunk_impact.chunk_homes_under(corpus, corpus.router, corpus.settings.routing, snapshot)
        stored = {s.chunk.chunk_id: s.route for s in every_chunk(corpus.catalog, snapshot)}
    assert homes == stored
    assert [move.old_margin for move in moves] == [move.new_margin for move in moves]


def test_another_embedder_is_refused(corpus: Engine) -> None:
    new = settings(corpus.paths.root, {"embedder.name": "none"})
    with pytest.raises(UsageError, match="the embedder changes from hashing to none"):
        impact.impact(corpus, new, ITEMS)


def test_without_a_corpus_there_is_nothing_to_compare(tmp_path: Path) -> None:
    with Engine(settings(tmp_path / "none")) as empty, pytest.raises(StoreError, match="Nothing is ingested"):
        impact.impact(empty, empty.settings, ITEMS)


def test_other_chunking_is_noted(corpus: Engine) -> None:
    report = impact.impact(corpus, settings(corpus.paths.root, {"chunking.max_chars": 900}), ())
    assert any("[chunking]" in note for note in report.notes)


def test_labels_say_what_turns_right_or_wrong(corpus: Engine) -> None:
    moved = impact.impact(corpus, settings(corpus.paths.root, BY_NAMES), ITEMS).changed_questions[0]
    labelled = EvalItem(moved.question, routes=moved.new)
    report = impact.impact(corpus, settings(corpus.paths.root, BY_NAMES), (labelled,))
    assert (report.judged, report.right_before, report.right_after) == (1, 0, 1)


def test_a_question_that_would_be_declined_is_lost(corpus: Engine) -> None:
    answered, unlabelled, declined = QUESTIONS[0], QUESTIONS[1], QUESTIONS[2]
    items = (
        EvalItem(answered, routes=corpus.ask(answered, use_cache=False).routes),
        EvalItem(unlabelled),
        EvalItem(declined, declines=True),
        EvalItem(declined, facts=("a shelf",)),
    )
    report = impact.impact(corpus, settings(corpus.paths.root, NOTHING_ANSWERS), items)
    assert [(move.right_before, move.right_after, move.lost) for move in report.changed_questions] == [
        (True, False, True),
        (None, None, False),
        (False, True, False),
        (True, False, True),
    ]
    assert (report.judged, report.right_before, report.right_after, report.declined) == (3, 2, 1, 2)


def test_what_is_right_is_what_an_evaluation_counts(demo: Engine) -> None:
    seen = []
    for item in load_set(ROOT / "eval" / "golden.yaml")[::3]:
        answer = demo.ask(item.question, use_cache=False)
        if (answer.answer is not None) != any(clause.answerable for clause in answer.decision.clauses):
            continue
        opposite = replace(item, declines=not item.declines, routes=answer.routes, facts=(), values=())
        for asked in (item, opposite):
            scores = score_item(asked, answer).scores
            judged = [scores[name] for name in ("router", "coverage", "declined") if name in scores]
            assert is_right(asked, answer.decision) == all(judged), item.question
            seen.append(all(judged))
    assert len(seen) > 40
    assert set(seen) == {True, False}


def test_passages_of_one_document_are_told_apart(corpus: Engine) -> None:
    with corpus.snapshot() as snapshot:
        moves, _ = chunk_impact.chunk_homes_under(corpus, corpus.router, corpus.settings.routing, snapshot)
        texts = {move.document: corpus.document_text(move.document).split("\n") for move in moves}
        chunks = {s.chunk.chunk_id: s.chunk for s in every_chunk(corpus.catalog, snapshot)}
    assert len({(move.document, move.ordinal) for move in moves}) == len(moves)
    assert max(move.first_line for move in moves) > 1
    for move in moves:
        chunk = chunks[move.chunk_id]
        lines = texts[move.document][move.first_line - 1 : move.last_line]
        assert chunk.ordinal == move.ordinal
        assert lines[0].strip() and chunk.text.split("\n")[0] in lines[0]
        assert lines[-1].strip() and chunk.text.split("\n")[-1] in lines[-1]


def test_the_moves_are_counted_by_way() -> None:
    move = chunk_impact.ChunkMove("a", "d", "", ("graph",), ("vectorial", "graph"), 0.1, 0.01, 0.01, 0, 1, 2)
    second = replace(move, new=("graph", "vectorial"))
    back = replace(move, old=("vectorial",), new=("graph",))
    assert dict(counts_by_move([back, move, second, move])) == {("graph", "vectorial"): 2, ("vectorial", "graph"): 1}


# ---------------------------------------------------------------- before an ingest
def test_a_corpus_of_the_same_configuration_has_nothing_pending(corpus: Engine) -> None:
    assert impact.pending_impact(corpus) is None
    assert impact.pending_impact(corpus, skip_graph=True) is None


def test_a_changed_configuration_is_pending_until_it_is_ingested(own_data: Path, small_folder: Path) -> None:
    with Engine(settings(own_data)) as before:
        note_routing(before)
        for question in QUESTIONS:
            before.ask(question)
        asked = asked_before(before)
    assert list(asked) == list(reversed(QUESTIONS))
    with Engine(settings(own_data, BY_NAMES)) as engine:
        pending = impact.pending_impact(engine)
        assert pending is not None
        assert pending.changes == ("routing.named_center 0.65 → 0.0", "routing.named_weight 0.5 → 8.0")
        report = pending.report
        assert (report.questions, bool(report.changed_chunks)) == (len(QUESTIONS), True)
        foretold = {move.question: move.new for move in report.changed_questions}
        assert foretold
        engine.ingest([small_folder])
        note_routing(engine)
        assert impact.pending_impact(engine) is None
        for question, went in foretold.items():
            assert destinations(engine.route(question)) == went != destinations(asked[question])


def test_cached_and_forced_answers_are_no_decisions_to_compare(own_engine: Engine) -> None:
    own_engine.ask(QUESTIONS[0])
    own_engine.ask(QUESTIONS[0])
    own_engine.ask(QUESTIONS[1], route="graph")
    assert list(asked_before(own_engine)) == [QUESTIONS[0]]


def test_a_large_corpus_is_not_compared(own_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(impact, "AUTOMATIC_CHUNKS", 3)
    with Engine(settings(own_data, BY_NAMES)) as engine:
        report = impact.pending_impact(engine)
    assert report is not None
    assert "too many" in report.skipped
    assert (report.report.changed_chunks, report.report.questions) == ((), 0)


def test_with_many_routes_fewer_chunks_are_compared(own_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(impact, "AUTOMATIC_CHUNKS", 7)
    with Engine(settings(own_data, BY_NAMES)) as engine:
        few = impact.pending_impact(engine)
        monkeypatch.setattr(impact, "AUTOMATIC_ROUTES", 2)
        many = impact.pending_impact(engine)
    assert few is not None
    assert (few.skipped, bool(few.report.changed_chunks)) == ("", True)
    assert many is not None
    assert many.skipped.startswith("7 chunks are too many")


def test_another_embedder_is_left_to_the_ingest(own_data: Path) -> None:
    with Engine(settings(own_data, {"embedder.name": "none"})) as engine:
        assert impact.pending_impact(engine) is None


def test_what_can_not_be_compared_keeps_no_ingest_from_running(own_data: Path, small_folder: Path) -> None:
    with Engine(settings(own_data)) as before:
        note_routing(before)
    (own_data / "activity.sqlite").write_bytes(b"no database at all" * 100)
    with Engine(settings(own_data, BY_NAMES)) as engine:
        report = impact.pending_impact(engine)
        assert report is not None
        assert report.skipped.startswith("not compared: ")
        assert {file.status for file in engine.ingest([small_folder]).files} == {"updated"}


# ---------------------------------------------------------------- what only questions depend on
NOTHING_ANSWERS = {"routing.evidence_min": 0.99}


def test_settings_of_questions_are_pending_until_they_are_noted(own_data: Path) -> None:
    with Engine(settings(own_data)) as before:
        note_routing(before)
        for question in QUESTIONS:
            before.ask(question)
        went = {question: destinations(before.route(question)) for question in QUESTIONS}
    with Engine(settings(own_data, NOTHING_ANSWERS)) as engine:
        # Asked anew, a question is still compared with how it went under the settings of the last ingest.
        engine.ask(QUESTIONS[0])
        pending = impact.pending_impact(engine)
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
        assert impact.pending_impact(engine) is None
    with Engine(settings(own_data)) as back:
        again = impact.pending_impact(back)
        assert again is not None
        assert {move.question for move in again.report.changed_questions} == moved


def test_an_earlier_change_is_not_told_again_with_the_next(own_data: Path) -> None:
    with Engine(settings(own_data)) as before:
        for question in QUESTIONS:
            before.ask(question)
    with Engine(settings(own_data, NOTHING_ANSWERS)) as between:
        note_routing(between)
    with Engine(settings(own_data, {**NOTHING_ANSWERS, "chunking.max_chars": 900})) as engine:
        pending = impact.pending_impact(engine)
    assert pending is not None
    assert pending.changes == ("chunking.max_chars 1200 → 900",)
    assert (pending.recut, pending.files, pending.report.questions) == (True, 5, 0)
    assert pending.unasked == "which questions go elsewhere isn't known before"


def test_with_other_chunking_questions_are_compared_on_the_passages_of_today(own_data: Path) -> None:
    with Engine(settings(own_data)) as before:
        note_routing(before)
        before.ask(QUESTIONS[0])
    with Engine(settings(own_data, {**NOTHING_ANSWERS, **BY_NAMES, "chunking.max_chars": 900})) as engine:
        pending = impact.pending_impact(engine)
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
        assert impact.pending_impact(before) is None
    with Engine(settings(own_data, BY_NAMES)) as engine:
        pending = impact.pending_impact(engine)
    assert pending is not None
    assert pending.changes[0] == f"version 0.0.1 → {version}"
    assert bool(pending.report.changed_chunks)
    assert (pending.report.questions, pending.unasked) == (0, "how questions went before isn't known")


def test_files_left_behind_by_an_earlier_change_are_counted(own_data: Path, small_folder: Path) -> None:
    with Engine(settings(own_data, BY_NAMES)) as engine:
        engine.ingest([small_folder / "notes.txt"])
        note_routing(engine)
        pending = impact.pending_impact(engine)
    assert pending is not None
    assert (pending.files, pending.changes, pending.noted) == (4, (), True)


def test_an_ingest_waits_for_a_hundred_questions_at_most(own_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(impact, "AUTOMATIC_QUESTIONS", 2)
    with Engine(settings(own_data)) as before:
        note_routing(before)
        for question in (*QUESTIONS, QUESTIONS[-1]):
            before.ask(question, use_cache=False)
        assert questions_asked(before, 2) == [QUESTIONS[-1], QUESTIONS[-2]]
    with Engine(settings(own_data, NOTHING_ANSWERS)) as engine:
        # Decisions as they were when asked play no part, so that no trace is read but for its question.
        monkeypatch.setattr(engine, "stored_trace", None)
        pending = impact.pending_impact(engine)
    assert pending is not None
    assert pending.report.questions == 2


@pytest.mark.parametrize(
    "note", [None, "no JSON", "[]", "[" * 100_000, '{"routes": [{"name": "graph"}], "settings": {}}']
)
def test_a_corpus_without_a_note_of_this_version_has_nothing_pending(own_data: Path, note: str | None) -> None:
    with Engine(settings(own_data, NOTHING_ANSWERS)) as engine:
        if note is not None:
            engine.catalog.note(META_ROUTING, note)
        assert impact.pending_impact(engine) is None


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
        assert impact.pending_impact(engine) is None


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

    with Engine(settings(own_data)) as engine:
        monkeypatch.setattr(engine.catalog, "note", refused)
        note_routing(engine)
        with engine.snapshot() as snapshot:
            assert engine.catalog.meta(snapshot, META_ROUTING) is None


def test_without_a_corpus_there_is_nothing_to_note(tmp_path: Path) -> None:
    with Engine(settings(tmp_path / "none")) as empty:
        note_routing(empty)
    assert not (tmp_path / "none").exists()
