"""A corpus ingested anew: from paths, from what a catalog records, or refused."""

import shutil
from contextlib import nullcontext
from pathlib import Path

import pytest

from polyrag_cli.engine import Engine
from polyrag_cli.errors import LoadError, UsageError
from polyrag_cli.evaluation.quality.fresh import fresh_engine

HASHING = {"embedder.name": "hashing"}


def content(engine: Engine) -> str:
    with engine.snapshot() as snapshot:
        return engine.catalog.fingerprint(snapshot)


@pytest.fixture
def folder(small_folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(small_folder, tmp_path / "ferries"))


def test_paths_are_ingested_into_a_folder_that_vanishes(engine: Engine, small_folder: Path) -> None:
    with fresh_engine(engine, [small_folder]) as fresh:
        root = fresh.paths.root
        assert root != engine.paths.root
        assert content(fresh) == content(engine)
    assert not root.exists()


def test_without_paths_the_recorded_files_are_read_again_under_their_names(folder: Path, tmp_path: Path) -> None:
    (folder / "deep").mkdir()
    (folder / "historia.md").rename(folder / "deep" / "historia.md")
    with Engine.open(data_dir=tmp_path / "data", overrides=HASHING) as engine:
        engine.ingest([folder])
        for name in ("travessias.csv", "regras.md", "notices.jsonl", "notes.txt"):
            engine.remove(name)
        engine.ingest_text("# Hours\n\nThe office opens at seven.\n", "hours.md", "Hours")
        with fresh_engine(engine, []) as fresh:
            assert [file.document for file in fresh.corpus.files()] == ["deep/historia.md", "hours.md"]
            assert content(fresh) == content(engine)


def test_the_files_are_read_as_they_are_now(folder: Path, tmp_path: Path) -> None:
    with Engine.open(data_dir=tmp_path / "data", overrides=HASHING) as engine:
        engine.ingest([folder / "notes.txt"])
        (folder / "notes.txt").write_text("The bell was sold.\n", encoding="utf-8")
        with fresh_engine(engine, []) as fresh:
            assert fresh.document_text("notes.txt").strip() == "The bell was sold."
        assert "fog" in engine.document_text("notes.txt")


def test_progress_is_told(engine: Engine, small_folder: Path) -> None:
    seen: list[tuple[object, ...]] = []
    told = nullcontext(lambda *state: seen.append(state))
    with fresh_engine(engine, [small_folder / "notes.txt"], lambda: told):
        pass
    assert seen[-1][:3] == (1, 1, "notes.txt")


def test_nothing_to_read_is_refused(tmp_path: Path) -> None:
    with (
        Engine.open(data_dir=tmp_path / "none", overrides=HASHING) as engine,
        pytest.raises(UsageError, match="no corpus to read again"),
        fresh_engine(engine, []),
    ):
        pass


def test_a_recorded_file_that_is_gone_is_named(folder: Path, tmp_path: Path) -> None:
    with Engine.open(data_dir=tmp_path / "data", overrides=HASHING) as engine:
        engine.ingest([folder])
        (folder / "regras.md").unlink()
        with pytest.raises(UsageError, match=r"regras\.md was ingested and is gone"), fresh_engine(engine, []):
            pass


def test_a_file_that_cannot_be_read_ends_it(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "broken.xlsx").write_bytes(b"no workbook")
    with pytest.raises(LoadError, match=r"broken\.xlsx"), fresh_engine(engine, [tmp_path]):
        pass
