from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from polyrag_cli.ingest.terms import TermEmbedding
from polyrag_cli.providers.base import Vectors
from polyrag_cli.providers.hashing import HashingEmbedder
from polyrag_cli.providers.none import NullEmbedder
from polyrag_cli.stores.catalog import META_EMBEDDER
from polyrag_cli.stores.terms_sqlite import SQLiteTermStore
from polyrag_cli.stores.word_vectors import WordVectors
from polyrag_cli.types import Chunk
from tests.ingest.conftest import Corpus

HARBOUR = Chunk("a", "a.md", 0, 0, 1, "The old harbour froze.", language="en")
MARKET = Chunk("b", "b.md", 0, 0, 1, "The old market closed.", "Prices", language="en")


class Counting(HashingEmbedder):
    def __init__(self) -> None:
        super().__init__(32)
        self.seen: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.seen += texts
        return super().embed(texts)


def _none_known(words: Collection[str]) -> Collection[str]:
    return ()


def test_each_word_is_embedded_once_and_comes_with_every_document() -> None:
    embedder = Counting()
    terms = TermEmbedding(embedder, _none_known)
    (first,) = terms.of([[HARBOUR]])
    (second,) = terms.of([[MARKET]])
    assert sorted(embedder.seen) == ["closed", "froze", "harbour", "market", "old", "prices"]
    assert set(first) == {"old", "harbour", "froze"}
    assert set(second) == {"old", "market", "closed", "prices"}
    old = second["old"]
    assert old is not None and old.dtype == np.float16
    assert np.array_equal(old, HashingEmbedder(32).embed(["old"])[0].astype(np.float16))


def test_words_that_the_catalog_knows_come_without_a_vector() -> None:
    embedder = Counting()
    (found,) = TermEmbedding(embedder, lambda words: {"old"} & set(words)).of([[HARBOUR]])
    assert found["old"] is None
    assert "old" not in embedder.seen


def test_without_an_embedder_no_words() -> None:
    assert TermEmbedding(NullEmbedder(), _none_known).of([[HARBOUR], []]) == [{}, {}]


def _with_terms(corpus: Corpus) -> Corpus:
    corpus.stores = replace(corpus.stores, terms=SQLiteTermStore(corpus.paths))
    return corpus


def _vectors(corpus: Corpus) -> dict[str, bytes]:
    with corpus.catalog.snapshot() as snapshot:
        query = "SELECT term FROM terms WHERE documents > 0 ORDER BY term"
        terms = [term for (term,) in snapshot.connection.execute(query)]
        embedder = corpus.catalog.meta(snapshot, META_EMBEDDER)
    assert embedder
    found, vectors = WordVectors(corpus.paths.shared, embedder).find(terms)
    assert found.all()
    return {term: vector.tobytes() for term, vector in zip(terms, vectors, strict=True)}


def test_words_go_with_their_files_whatever_the_order(new_corpus: Callable[[str], Corpus], folder: Path) -> None:
    one, other = _with_terms(new_corpus("one")), _with_terms(new_corpus("other"))
    one.ingest(folder)
    for path in sorted((p for p in folder.rglob("*") if p.is_file()), reverse=True):
        other.ingest(path)
    assert _vectors(one) == _vectors(other)
    assert {"gulls", "loud", "buoys"} <= set(_vectors(one))
    before = _vectors(one)
    (folder / "extra.txt").write_text("Pilots watch the gulls.\n")
    one.ingest(folder)
    assert "pilots" in _vectors(one)
    (folder / "extra.txt").unlink()
    one.ingest(folder)
    assert _vectors(one) == before


def test_embedding_again_renews_every_word(corpus: Corpus, folder: Path) -> None:
    _with_terms(corpus).ingest(folder)
    before = _vectors(corpus)
    corpus.embedder = HashingEmbedder(32)
    corpus.ingest(folder, reembed=True)
    after = _vectors(corpus)
    assert after.keys() == before.keys()
    assert {len(vector) for vector in after.values()} == {2 * 32}
