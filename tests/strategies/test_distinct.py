"""One passage for its copies and translations, found in a small corpus of files."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from polyrag_cli.engine import Engine
from polyrag_cli.types import Hit

ENGLISH = """# Harbour

The harbour opens at 07:30 and the gate is closed again at 19:45.

## Fees

A berth costs 42 dollars a night, and the price of water is in it.

## Dogs

Dogs are on a leash when they are on the pier.
"""
PORTUGUESE = """# Porto

O porto abre às 07:30 e o portão é fechado de novo às 19:45.

## Taxas

Uma vaga custa 42 dólares por noite, e o preço da água está nela.

## Cães

Os cães ficam na coleira quando estão no píer.
"""
LICENCE = "All rights in this manual belong to the harbour office, which grants no licence to copy it."


@pytest.fixture(scope="module", params=["hashing", "none"])
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("versions")
    for name, text in (("en/harbour.md", ENGLISH), ("pt/harbour.md", PORTUGUESE)):
        path = folder / "docs" / name
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
    for boat in ("brig", "sloop", "yawl", "ketch"):
        body = f"# {boat}\n\n## Sails\n\nThe {boat} has sails of its own kind.\n\n## Licence\n\n{LICENCE}\n"
        (folder / "docs" / f"{boat}.md").write_text(body, encoding="utf-8")
    overrides = {"embedder.name": request.param, "tracing.enabled": False}
    with Engine.open(data_dir=folder / "data", overrides=overrides) as opened:
        opened.ingest([folder / "docs"])
        yield opened


def _first(engine: Engine, query: str, holding: str) -> Hit:
    return next(hit for hit in engine.search(query).hits if holding in hit.text)


def test_the_language_of_the_question_is_shown_and_the_other_cited_behind(engine: Engine) -> None:
    asked = (("What does a berth cost?", "en", "pt"), ("Quanto custa uma vaga por noite?", "pt", "en"))
    for question, own, other in asked:
        hits = [hit for hit in engine.search(question).hits if "42" in hit.text]
        (hit,) = hits
        assert hit.document == f"{own}/harbour.md"
        (same,) = hit.same
        assert (same.kind, same.document, same.language) == ("translation", f"{other}/harbour.md", other)
        assert "42" in engine.document_text(same.document)[same.start : same.end]


def test_without_a_version_in_the_language_the_one_found_is_shown_once(engine: Engine) -> None:
    hits = [hit for hit in engine.search("Welche Gebühr kostet 42?").hits if "42" in hit.text]
    assert len(hits) == 1 and len(hits[0].same) == 1


def test_a_quote_is_cited_with_its_translation(engine: Engine) -> None:
    answer = engine.ask("What does a berth cost a night?", route="vectorial", use_cache=False)
    assert answer.answer is not None and "42 dollars" in answer.answer and "42 dólares" not in answer.answer
    assert [one.document for one in answer.sources[0].same] == ["pt/harbour.md"]
    assert all("vaga" not in source.text for source in answer.sources)


def test_copies_are_one_passage_cited_as_often_as_it_stands(engine: Engine) -> None:
    hits = [hit for hit in engine.search("Who has the rights in this manual?").hits if "rights" in hit.text]
    (hit,) = hits
    assert [one.kind for one in hit.same] == ["copy"] * 3
    assert sorted([hit.document, *(one.document for one in hit.same)]) == ["brig.md", "ketch.md", "sloop.md", "yawl.md"]


def test_who_asks_for_what_is_repeated_finds_it(engine: Engine) -> None:
    answer = engine.ask("Who has the rights in this manual?", route="vectorial", use_cache=False)
    assert answer.answer is not None and "harbour office" in answer.answer
    assert "rights" in engine.search("rights in this manual licence").hits[0].text


def test_a_document_shows_its_versions(engine: Engine) -> None:
    (version,) = engine.corpus.versions("en/harbour.md")
    assert (version.document, version.language) == ("pt/harbour.md", "pt")
    assert engine.corpus.versions("brig.md") == engine.corpus.versions("no such file") == ()
