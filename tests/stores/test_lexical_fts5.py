from __future__ import annotations

import pytest

from polyrag_cli.scoring import bm25
from polyrag_cli.stores import lexical_fts5
from polyrag_cli.stores.catalog_sqlite import SQLiteCatalog
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.lexical_fts5 import FTS5LexicalStore
from polyrag_cli.stores.lexical_terms import index_terms
from polyrag_cli.text.utterance import read
from polyrag_cli.types import Chunk
from tests.stores.corpus import chunk


@pytest.mark.parametrize("text", ["1.234,56", "x’y", "a_b", "naïve", "ß", "ǅ", "İstanbul", "Ꭰ", "ს", "q" * 40_000])
def test_the_index_keeps_every_term_as_it_was_given(catalog: SQLiteCatalog, paths: DataPaths, text: str) -> None:
    own = chunk(text, language="und")
    store = FTS5LexicalStore(paths)
    with catalog.writer() as writer:
        store.add(writer, "a.md", [own])
    terms, _ = index_terms(own)
    assert terms
    with catalog.snapshot() as snapshot:
        assert store.document_frequency(snapshot, terms)[1] == dict.fromkeys(terms, 1)


def test_what_is_kept_in_memory_is_bounded(
    catalog: SQLiteCatalog, paths: DataPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lexical_fts5, "_MAX_CACHED", 0)
    store = FTS5LexicalStore(paths)
    with catalog.writer() as writer:
        store.add(writer, "a.md", [chunk("walnut maple birch cedar")])
    with catalog.snapshot() as snapshot:
        assert len(store.search(snapshot, read("walnut maple birch cedar"), 5)) == 1
        assert store._commit is not None
        assert len(store._commit.postings) <= 2


def _corpus(catalog: SQLiteCatalog, store: FTS5LexicalStore) -> dict[str, Chunk]:
    kinds = (
        "walnut maple birch",
        "walnut walnut cedar",
        "maple and more maple, with other words",
        "birch",
        "cedar oak",
    )
    chunks = [chunk(kinds[n % len(kinds)] + " leaf" * (n % 7), f"{n}.md") for n in range(200)]
    with catalog.writer() as writer:
        for own in chunks:
            store.add(writer, own.document, [own])
    return {own.chunk_id: own for own in chunks}


def test_a_question_searches_once_and_gets_what_each_search_alone_would_give(
    catalog: SQLiteCatalog, paths: DataPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lexical_fts5, "_SUMS_KEPT", 40)
    store = FTS5LexicalStore(paths)
    _corpus(catalog, store)
    searches = []
    summed = lexical_fts5._summed
    monkeypatch.setattr(lexical_fts5, "_summed", lambda *given: searches.append(given[2]) or summed(*given))
    for text in ("walnut maple", "birch", "leaf cedar oak", "nothing here"):
        alone = {}
        for k in (3, 8, 40, 90, 500):
            with catalog.snapshot() as snapshot:
                alone[k] = store.search(snapshot, read(text), k)
        searches.clear()
        with catalog.snapshot() as snapshot:
            assert [store.search(snapshot, read(text), k) for k in (8, 3, 40)] == [alone[k] for k in (8, 3, 40)]
            assert searches == [40]
            assert [store.search(snapshot, read(text), k) for k in (90, 8, 500)] == [alone[k] for k in (90, 8, 500)]
        assert all(alone[k] == alone[500][:k] for k in alone)
        assert bool(alone[500]) == (text != "nothing here")


def test_scores_are_those_of_the_one_formula(catalog: SQLiteCatalog, paths: DataPaths) -> None:
    store = FTS5LexicalStore(paths)
    chunks = _corpus(catalog, store)
    lengths = {i: len(own.text.replace(",", "").split()) for i, own in chunks.items()}
    average = sum(lengths.values()) / len(lengths)
    asked = ("walnut", "maple", "leaf")
    held = {word: sum(word in own.text for own in chunks.values()) for word in asked}
    idfs = {word: bm25.idf(len(chunks), df) for word, df in held.items()}
    with catalog.snapshot() as snapshot:
        found = store.search(snapshot, read(" ".join(asked)), 1000)
    assert len(found) == sum(any(word in own.text for word in asked) for own in chunks.values())
    for hit in found:
        tf = {word: n for word in asked if (n := chunks[hit.chunk_id].text.count(word))}
        expected = bm25.score(tf, tf, lengths[hit.chunk_id], average, idfs, lexical_fts5.K1, lexical_fts5.B)
        assert hit.score == round(expected, 6)
        assert hit.coverage == round(sum(sorted(idfs[word] for word in tf)) / sum(sorted(idfs.values())), 6)
