"""What an ingest entails, whoever asks for it: the impact of changed settings, the note of them, anchors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from polyrag_cli.engine import Engine
from polyrag_cli.routing.noted import META_ROUTING
from polyrag_cli.types import IngestReport, PendingImpact, as_json

# No question's evidence is enough, and no chunk moves.
CHANGED: dict[str, Any] = {"embedder.name": "hashing", "routing.evidence_min": 0.99}
QUESTION = "Como tudo começou?"


@pytest.fixture
def changed(own_engine: Engine, own_data: Path) -> Iterator[Engine]:
    """The corpus under settings that differ from those of its last ingest; one question was asked of it."""
    own_engine.ask(QUESTION)
    with Engine.open(data_dir=own_data, overrides=CHANGED) as engine:
        yield engine


def noted(engine: Engine) -> str | None:
    with engine.catalog.snapshot() as snapshot:
        return engine.catalog.meta(snapshot, META_ROUTING)


def ways(small_folder: Path) -> dict[str, Any]:
    return {
        "files": lambda engine: engine.ingest([small_folder]),
        "no file that changed": lambda engine: engine.ingest([small_folder / "notes.txt"]),
        "text": lambda engine: engine.ingest_text("Umbrellas are kept.", "umbrellas.txt"),
    }


@pytest.mark.parametrize("way", ["files", "no file that changed", "text"])
def test_every_way_in_tells_what_changed_settings_change_once(changed: Engine, small_folder: Path, way: str) -> None:
    ingest = ways(small_folder)[way]
    report: IngestReport = ingest(changed)
    assert report.impact is not None
    assert report.impact.changes == ("routing.evidence_min 0.23 → 0.99",)
    (move,) = report.impact.report.changed_questions
    assert (move.question, move.old, move.new) == (QUESTION, ("vectorial",), ("nothing",))
    assert ingest(changed).impact is None


def test_the_impact_is_told_before_anything_is_read(changed: Engine, small_folder: Path) -> None:
    seen: list[object] = []
    report = changed.ingest(
        [small_folder], on_impact=seen.append, on_progress=lambda done, total, name, chunks: seen.append(done)
    )
    assert seen[0] == report.impact and isinstance(seen[0], PendingImpact)
    assert len(seen) > 5
    changed.ingest([small_folder], on_impact=seen.append)
    assert sum(isinstance(one, PendingImpact) for one in seen) == 1


def test_a_dry_run_tells_and_notes_nothing(changed: Engine, small_folder: Path) -> None:
    before = noted(changed)
    first = changed.ingest([small_folder], dry_run=True)
    assert first.impact is not None
    assert changed.ingest([small_folder], dry_run=True).impact == first.impact
    assert noted(changed) == before


def test_of_embedding_again_nothing_is_told(changed: Engine) -> None:
    before = noted(changed)
    assert changed.ingest([], reembed=True).impact is None
    assert noted(changed) == before


def test_a_first_ingest_notes_its_settings_and_has_nothing_to_tell(tmp_path: Path, small_folder: Path) -> None:
    for number, ingest in enumerate(ways(small_folder).values()):
        with Engine.open(data_dir=tmp_path / str(number), overrides=CHANGED) as engine:
            assert ingest(engine).impact is None
            assert '"routing.evidence_min":0.99' in (noted(engine) or "")


def test_a_dry_run_without_a_corpus_entails_nothing(tmp_path: Path, small_folder: Path) -> None:
    with Engine.open(data_dir=tmp_path / "none", overrides=CHANGED) as engine:
        assert engine.ingest([small_folder], dry_run=True).impact is None
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("way", ["files", "text"])
def test_the_anchors_of_questions_are_embedded_ahead(tmp_path: Path, small_folder: Path, way: str) -> None:
    with Engine.open(data_dir=tmp_path / "data", overrides=CHANGED) as engine:
        ways(small_folder)[way](engine)
    with Engine.open(data_dir=tmp_path / "data", overrides=CHANGED) as later:
        texts: list[str] = []
        real = later.embedder.embed
        later.embedder.embed = lambda given: texts.extend(given) or real(given)  # type: ignore[method-assign,func-returns-value]
        later.route(QUESTION)
        anchors = {text for route in later.settings.routes for text in route.question_anchors}
        assert anchors.isdisjoint(texts)


def test_what_an_interrupted_ingest_ran_with_is_not_noted(changed: Engine, small_folder: Path) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = noted(changed)
    with pytest.raises(KeyboardInterrupt):
        changed.ingest([small_folder], on_progress=stop)
    assert noted(changed) == before


def test_the_impact_is_json_in_the_report(changed: Engine, small_folder: Path) -> None:
    report = changed.ingest([small_folder])
    told = as_json(report)["impact"]
    assert told["changes"] == ["routing.evidence_min 0.23 → 0.99"]
    assert [move["new"] for move in told["report"]["changed_questions"]] == [["nothing"]]
    assert as_json(replace(report, impact=None))["impact"] is None
