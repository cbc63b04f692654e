"""Other backends than the built-in default: the same corpus, the same answers, and no mixing of two."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyrag_cli import Engine
from polyrag_cli.errors import StoreError
from tests.questions import FIGURE, RULE, STORY

FILES = {"stores.vector": "numpy", "stores.graph": "json"}
SETTINGS = {"embedder.name": "hashing"}


def _engine(root: Path, **stores: str) -> Engine:
    return Engine.open(data_dir=root, overrides={**SETTINGS, **stores})


def test_an_ingest_into_files_answers_as_the_default_does(tmp_path: Path, small_folder: Path) -> None:
    questions = (FIGURE, RULE, STORY, "What is the weather on Mars?")
    found = []
    for name, stores in (("default", {}), ("files", FILES)):
        with _engine(tmp_path / name, **stores) as engine:
            engine.ingest([small_folder])
            answers = [engine.ask(question, use_cache=False) for question in questions]
            found.append(
                (
                    [(a.answer, a.sources, a.sql, a.rows, a.path, a.route) for a in answers],
                    engine.search("barca").hits,
                    engine.corpus.names(),
                    engine.corpus.graphml(),
                )
            )
            assert all(check.ok for check in engine.corpus.health()["checks"])
    assert found[0] == found[1]
    assert (tmp_path / "files" / "graph").is_dir() and not (tmp_path / "default" / "graph").exists()


def test_a_file_that_a_store_lost_is_read_again(tmp_path: Path, small_folder: Path) -> None:
    root = tmp_path / "data"
    with _engine(root, **FILES) as engine:
        engine.ingest([small_folder])
        before = engine.corpus.health()["fingerprint"]
        (lost, *_) = sorted((root / "vectors").iterdir())
        lost.unlink()
    with _engine(root, **FILES) as engine:
        with pytest.raises(StoreError, match="is gone"):
            engine.search("barca", strategy="dense")
        report = engine.ingest([small_folder])
        assert [file.status for file in report.files].count("updated") == 1
        assert engine.corpus.health()["fingerprint"] == before
        assert engine.search("barca", strategy="dense").hits


@pytest.mark.parametrize(("made", "asked"), [({}, FILES), (FILES, {}), (FILES, {"stores.vector": "numpy"})])
def test_a_corpus_is_read_and_written_by_the_backends_that_it_is_kept_in(
    tmp_path: Path, small_folder: Path, made: dict[str, str], asked: dict[str, str]
) -> None:
    with _engine(tmp_path / "data", **made) as engine:
        engine.ingest([small_folder])
    with _engine(tmp_path / "data", **asked) as engine:
        for work in (lambda: engine.ask(FIGURE), lambda: engine.ingest([small_folder])):
            with pytest.raises(StoreError, match=r"kept in .*(vector|graph) = \w+.*the settings name") as refused:
                work()
            assert "[stores]" in refused.value.hint
    with _engine(tmp_path / "data", **made) as engine:
        assert engine.ask(FIGURE, use_cache=False).answer


def test_what_was_ingested_before_backends_were_recorded_is_in_the_first_ones(
    tmp_path: Path, small_folder: Path
) -> None:
    with _engine(tmp_path / "data") as engine:
        engine.ingest([small_folder])
        with engine.catalog.writer() as writer:
            writer.connection.execute("DELETE FROM meta WHERE key = 'backends'")  # type: ignore[attr-defined]
        assert engine.ask(FIGURE, use_cache=False).answer
    with _engine(tmp_path / "data", **FILES) as engine, pytest.raises(StoreError, match="vector = faiss"):
        engine.ask(FIGURE)
