"""What is in the stores, as lists and as names of the graph."""

from __future__ import annotations

import json
from pathlib import Path

from polyrag_cli.engine import Engine


def test_the_overview_is_the_files_with_languages_and_warnings(engine: Engine) -> None:
    overview = engine.corpus.overview()
    assert tuple(item.file for item in overview) == engine.corpus.files()
    assert {item.file.document: (item.language, item.documents) for item in overview} == {
        "historia.md": ("pt", 1),
        "notes.txt": ("en", 1),
        "notices.jsonl": ("en", 2),
        "regras.md": ("pt", 1),
        "travessias.csv": ("pt", 1),
    }


def test_warnings_name_the_record_that_they_are_about(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    records = [{"id": "one", "text": "A balsa sai cedo. " * 200}, {"id": "two", "text": "Um dia. " * 400}]
    (folder / "log.jsonl").write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    settings = {"embedder.name": "hashing", "chunking.max_document_chars": 2000}
    with Engine.open(data_dir=tmp_path / "data", overrides=settings) as engine:
        engine.ingest([folder])
        (overview,) = engine.corpus.overview()
    assert [warning.split(":")[0] for warning in overview.file.warnings] == ["#one", "#two"]


def test_names_are_found_by_a_part_in_any_accents_the_fitting_first(engine: Engine) -> None:
    assert engine.corpus.names("regra b2")[0] == "Regra B2"
    assert set(engine.corpus.names("REGRA")) >= {"Regra B1", "Regra B2"}
    assert engine.corpus.names("BARCA")[:1] == engine.corpus.names("bárca")[:1]
    assert engine.corpus.names("no such name") == []
    assert engine.corpus.names() == engine.corpus.names("")


def test_names_of_a_chunk_stand_in_its_text(engine: Engine) -> None:
    chunk = next(stored.chunk for stored in engine.corpus.chunks("regras.md") if "Mestre de Cais" in stored.chunk.text)
    names = engine.corpus.names(within=chunk.chunk_id)
    assert {"Regra B1", "Mestre de Cais"} <= set(names)
    assert "Regra B2" not in names
    assert engine.corpus.names(within="0" * 16) == []
