"""What is kept of tables for questions: what can't be worked out costs nothing but itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from polyrag_cli import Engine
from polyrag_cli.ingest import table_words
from polyrag_cli.nl2sql import tying
from polyrag_cli.stores.table_words import KeptTable
from polyrag_cli.types import TableRef, TableSchema


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "files"
    made.mkdir()
    for n in range(5):
        rows = "".join(f"{i},{i * 7 % 40}\n" for i in range(40))
        (made / f"t{n}.csv").write_text(f"key{n},key{n + 1}\n{rows}")
    return made


def _opened(tmp_path: Path) -> Engine:
    return Engine.open(tmp_path / "data", overrides={"embedder.name": "hashing"})


def _kept(engine: Engine) -> set[str]:
    assert engine.stores.table_words is not None
    with engine.catalog.snapshot() as snapshot:
        return {document for document, _ in engine.stores.table_words.known(snapshot)}


def _broken(*given: Any) -> Any:
    return 1 // 0


def _failing(documents: set[str], asked: list[str]) -> Callable[[TableRef, TableSchema], KeptTable]:
    """What fails for some documents' tables. asked: takes the documents it was called for."""
    real = table_words.kept_table

    def kept(ref: TableRef, schema: TableSchema) -> KeptTable:
        asked.append(ref.key[0])
        return _broken() if ref.key[0] in documents else real(ref, schema)

    return kept


def test_ties_that_cannot_be_worked_out_cost_no_report(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tying, "tied", _broken)
    with _opened(tmp_path) as engine:
        report = engine.ingest([folder])
        assert [file.status for file in report.files] == ["added"] * 5
        assert len(_kept(engine)) == 5
        engine.corpus.repair()


@pytest.mark.parametrize("failed", [{"t0.csv", "t1.csv"}, {"t0.csv", "t3.csv"}])
def test_tables_that_cannot_be_kept_hold_up_no_others(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failed: set[str]
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(table_words, "_AT_ONCE", 2)
    monkeypatch.setattr(table_words, "kept_table", _failing(failed, asked))
    with _opened(tmp_path) as engine:
        engine.ingest([folder])
        names = {f"t{n}.csv" for n in range(5)}
        assert _kept(engine) == names - failed
        assert sorted(asked) == sorted(names)
