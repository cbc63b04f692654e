"""What a configuration would change, against what it then changes; and nothing for one that changes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from polyrag_cli.config import Settings
from polyrag_cli.datasets import load_set
from polyrag_cli.engine import Engine
from polyrag_cli.engine.impact import SHOWN_NEAREST
from polyrag_cli.errors import StoreError, UsageError
from polyrag_cli.evaluation.impact.impact import impact
from polyrag_cli.ingest import rehoming
from polyrag_cli.routing.moves import destinations
from polyrag_cli.types import EvalItem
from tests.command_line import ROOT
from tests.stores.corpus import every_chunk

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
    report = impact(demo, demo.settings, load_set(ROOT / "eval" / "golden.yaml"))
    assert report.chunks > 50
    assert report.questions > 70
    assert (report.changed_chunks, report.changed_questions) == ((), ())
    assert report.right_before == report.right_after > 60
    assert len(report.nearest_chunks) == len(report.nearest_questions) == SHOWN_NEAREST
    distances = [move.distance for move in report.nearest_chunks]
    assert distances == sorted(distances)


def test_what_is_foretold_is_what_ingesting_then_does(corpus: Engine, small_folder: Path, tmp_path: Path) -> None:
    new = settings(corpus.paths.root, BY_NAMES)
    report = impact(corpus, new, ITEMS)
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
            assert move.new_margin == pytest.approx(homes[move.chunk_id].margin, abs=rehoming.ROUNDING)
        went = {question: destinations(after.route(question)) for question in QUESTIONS}
        assert {move.question for move in report.changed_questions} == {
            question for question in QUESTIONS if went[question] != destinations(corpus.route(question))
        }
        assert all(move.new == went[move.question] for move in report.changed_questions)


def test_nothing_is_written(corpus: Engine) -> None:
    corpus.route(QUESTIONS[0])
    before = files_of(corpus.paths.root)
    impact(corpus, settings(corpus.paths.root, BY_NAMES), ITEMS)
    assert files_of(corpus.paths.root) == before


def test_another_embedder_is_refused(corpus: Engine) -> None:
    new = settings(corpus.paths.root, {"embedder.name": "none"})
    with pytest.raises(UsageError, match="the embedder changes from hashing to none"):
        impact(corpus, new, ITEMS)


def test_without_a_corpus_there_is_nothing_to_compare(tmp_path: Path) -> None:
    with Engine(settings(tmp_path / "none")) as empty, pytest.raises(StoreError, match="Nothing is ingested"):
        impact(empty, empty.settings, ITEMS)


def test_other_chunking_is_noted(corpus: Engine) -> None:
    report = impact(corpus, settings(corpus.paths.root, {"chunking.max_chars": 900}), ())
    assert any("[chunking]" in note for note in report.notes)


def test_labels_say_what_turns_right_or_wrong(corpus: Engine) -> None:
    moved = impact(corpus, settings(corpus.paths.root, BY_NAMES), ITEMS).changed_questions[0]
    labelled = EvalItem(moved.question, routes=moved.new)
    report = impact(corpus, settings(corpus.paths.root, BY_NAMES), (labelled,))
    assert (report.judged, report.right_before, report.right_after) == (1, 0, 1)


def test_a_question_that_would_be_declined_is_lost(corpus: Engine) -> None:
    answered, unlabelled, declined = QUESTIONS[0], QUESTIONS[1], QUESTIONS[2]
    items = (
        EvalItem(answered, routes=corpus.ask(answered, use_cache=False).routes),
        EvalItem(unlabelled),
        EvalItem(declined, declines=True),
        EvalItem(declined, facts=("a shelf",)),
    )
    report = impact(corpus, settings(corpus.paths.root, NOTHING_ANSWERS), items)
    assert [(move.right_before, move.right_after, move.lost) for move in report.changed_questions] == [
        (True, False, True),
        (None, None, False),
        (False, True, False),
        (True, False, True),
    ]
    assert (report.judged, report.right_before, report.right_after, report.declined) == (3, 2, 1, 2)
