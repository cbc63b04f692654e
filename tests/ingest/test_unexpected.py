"""What no part foresaw, such as a defect of a library, costs the file that it came from and no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyrag_cli.ingest import prepare
from polyrag_cli.loaders.plain import PlainTextLoader
from polyrag_cli.types import LoadedDocument
from tests.ingest.conftest import Corpus


def _files(folder: Path) -> Path:
    folder.mkdir()
    for name in ("a", "b", "c"):
        (folder / f"{name}.txt").write_text(f"The ferry {name} leaves at nine.")
    return folder


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return Corpus(tmp_path / "data")


def _statuses(corpus: Corpus, folder: Path) -> dict[str, str]:
    return {name: report.status for name, report in corpus.ingest(folder).items()}


def test_a_loader_that_breaks(corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load = PlainTextLoader.load

    def breaking(self: PlainTextLoader, path: Path) -> tuple[LoadedDocument, ...]:
        if path.name == "b.txt":
            raise ZeroDivisionError("of\nthe library")
        return load(self, path)

    monkeypatch.setattr(PlainTextLoader, "load", breaking)
    reports = corpus.ingest(_files(tmp_path / "files"))
    assert {name: report.status for name, report in reports.items()} == {
        "a.txt": "added", "b.txt": "failed", "c.txt": "added"
    }  # fmt: skip
    assert reports["b.txt"].reason == "can't be ingested (unexpected ZeroDivisionError: of the library)."
    monkeypatch.undo()
    assert _statuses(corpus, tmp_path / "files") == {"a.txt": "unchanged", "b.txt": "added", "c.txt": "unchanged"}


def test_what_prepares_a_file_breaks(corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chunk = prepare.chunk_document

    def breaking(document: str, *rest: object) -> object:
        if document == "c.txt":
            raise IndexError("out of range")
        return chunk(document, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(prepare, "chunk_document", breaking)
    assert _statuses(corpus, _files(tmp_path / "files")) == {"a.txt": "added", "b.txt": "added", "c.txt": "failed"}


def test_what_writes_a_file_breaks(corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add = type(corpus.stores.lexical).add

    def breaking(self: object, writer: object, document: str, chunks: object) -> None:
        if document == "a.txt":
            raise KeyError("stem")
        add(self, writer, document, chunks)  # type: ignore[arg-type]

    monkeypatch.setattr(type(corpus.stores.lexical), "add", breaking)
    assert _statuses(corpus, _files(tmp_path / "files")) == {"a.txt": "failed", "b.txt": "added", "c.txt": "added"}
