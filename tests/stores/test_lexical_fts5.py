from __future__ import annotations

import pytest

from polyrag_cli.stores.base import DataPaths
from polyrag_cli.stores.catalog import Catalog
from polyrag_cli.stores.lexical_fts5 import MAX_TERMS, FTS5LexicalStore, index_terms, query_terms
from tests.stores.corpus import chunk


def test_terms_of_a_script_without_spaces() -> None:
    terms, length = index_terms(chunk("東京都", language="und"))
    assert length == 3
    assert set(terms) == {"東", "京", "都", "東京", "京都", "東京都"}
    assert query_terms("東京都") == [("東京",), ("京都",), ("東京都",)]
    assert query_terms("東") == [("東",)]


def test_terms_of_a_hyphenated_word() -> None:
    terms, length = index_terms(chunk("follow-up QX-17", language="en"))
    assert length == 2
    assert {"follow-up", "follow", "qx-17"} <= set(terms)


def test_terms_are_distinct_and_limited() -> None:
    assert query_terms("walnut Walnut WALNUT") == query_terms("walnut")
    assert len(query_terms(" ".join(f"word{n}" for n in range(2 * MAX_TERMS)))) == MAX_TERMS


@pytest.mark.parametrize("text", ["1.234,56", "x’y", "a_b", "naïve", "ß", "ǅ", "İstanbul", "Ꭰ", "ს", "q" * 40_000])
def test_the_index_keeps_every_term_as_it_was_given(catalog: Catalog, paths: DataPaths, text: str) -> None:
    own = chunk(text, language="und")
    store = FTS5LexicalStore(paths)
    with catalog.writer() as writer:
        store.replace(writer, "a.md", [own])
    terms, _ = index_terms(own)
    assert terms
    with catalog.snapshot() as snapshot:
        assert store.document_frequency(snapshot, terms)[1] == dict.fromkeys(terms, 1)


def test_what_is_kept_in_memory_is_bounded(catalog: Catalog, paths: DataPaths, monkeypatch: pytest.MonkeyPatch) -> None:
    from polyrag_cli.stores import lexical_fts5

    monkeypatch.setattr(lexical_fts5, "_MAX_CACHED", 0)
    store = FTS5LexicalStore(paths)
    with catalog.writer() as writer:
        store.replace(writer, "a.md", [chunk("walnut maple birch cedar")])
    with catalog.snapshot() as snapshot:
        assert len(store.search(snapshot, "walnut maple birch cedar", 5)) == 1
        assert store._commit is not None
        assert len(store._commit.postings) <= 2
