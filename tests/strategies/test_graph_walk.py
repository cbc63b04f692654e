from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from polyrag_cli.chunking.windows import windows
from polyrag_cli.graph.base import GraphWalk, WalkedPassage
from polyrag_cli.graph.mentions import passage_graph
from polyrag_cli.graph.walking import sentence_cosines
from polyrag_cli.providers.base import Embedder
from polyrag_cli.providers.hashing import HashingEmbedder
from polyrag_cli.providers.none import NullEmbedder
from polyrag_cli.stores.backends import Stores
from polyrag_cli.stores.base import Snapshot
from polyrag_cli.stores.catalog_sqlite import SQLiteCatalog
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.graph_sqlite import SQLiteGraphStore
from polyrag_cli.stores.lexical_fts5 import FTS5LexicalStore
from polyrag_cli.stores.vector_faiss import FaissVectorStore
from polyrag_cli.strategies.base import Context, Query
from polyrag_cli.strategies.graph_walk import GraphWalkStrategy, fused_walk, near_windows, walk_weight
from polyrag_cli.strategies.heads import Found, said_of
from polyrag_cli.text.utterance import read
from polyrag_cli.tracing import trace
from polyrag_cli.types import ClauseDecision, Retrieval
from tests.graph import corpus

_DECISION = ClauseDecision("", "", "graph", (), 3, (), 0.0, 0.0, 0.0, 0.0, 0.0, "graph_walk", "")


class _Corpus:
    def __init__(self, folder: Path) -> None:
        paths = DataPaths(folder / "data")
        self.catalog = SQLiteCatalog.open(paths, create=True)
        self.graph, self.vector = SQLiteGraphStore(paths), FaissVectorStore(paths)
        lexical = FTS5LexicalStore(paths)
        self.stores = Stores(self.catalog, cast(Any, None), self.vector, lexical, self.graph)
        embedder = HashingEmbedder()
        with self.catalog.writer() as writer:
            for chunk in corpus.chunks():
                own = windows(chunk)
                self.catalog.put_document(writer, *corpus.stored(chunk))
                lexical.add(writer, chunk.document, [chunk])
                self.graph.add(writer, chunk.document, [passage_graph(chunk)])
                self.vector.add(writer, chunk.document, own, embedder.embed([w.text for w in own]))

    def context(self, snapshot: Snapshot, embedder: Embedder) -> Context:
        return Context(snapshot, self.stores, embedder)

    def ask(self, question: str, language: str, dense: bool = False, top_k: int = 5) -> Retrieval:
        embedder: Embedder = HashingEmbedder() if dense else NullEmbedder()
        query = Query(read(question, language), embedder.embed_query(question), top_k)
        with self.catalog.snapshot() as snapshot:
            return GraphWalkStrategy().retrieve(query, _DECISION, self.context(snapshot, embedder))


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[_Corpus]:
    made = _Corpus(tmp_path_factory.mktemp("walk"))
    yield made
    made.catalog.close()


_CHAINS = [
    ("Where was the owner of Mill Brindle born?", "en", ["Mill Brindle", "Tove Aldgate"]),
    ("where was the owner of mill brindle born?", "en", ["Mill Brindle", "Tove Aldgate"]),
    (
        "Who built the chapel of the village where the owner of Mill Brindle was born?",
        "en",
        ["Mill Brindle", "Tove Aldgate", "Quarnby"],
    ),
    ("Onde nasceu quem dirige o Moinho Pedral?", "pt", ["Moinho Pedral", "Rita Sobral"]),
    (
        "Quem construiu a capela da aldeia onde nasceu a diretora do moinho pedral?",
        "pt",
        ["Moinho Pedral", "Rita Sobral", "Açafrais"],
    ),
    ("Quem mantém o sistema de que a regra K-7 depende?", "pt", ["Regra K-7: limites", "Orvalho"]),
    ("Which team maintains the system that Rule K-7 depends on?", "en", ["Regra K-7: limites", "Orvalho"]),
]


@pytest.mark.parametrize("dense", [False, True])
@pytest.mark.parametrize(("question", "language", "titles"), _CHAINS)
def test_chains_are_found(filled: _Corpus, question: str, language: str, titles: list[str], dense: bool) -> None:
    found = filled.ask(question, language, dense).hits
    wanted = {f"{corpus.number(title):016x}" for title in titles}
    assert wanted <= {hit.chunk_id for hit in found[: len(titles) + 1]}


def test_hits_carry_the_sentence_and_the_passage(filled: _Corpus) -> None:
    found = filled.ask("Onde nasceu quem dirige o Moinho Pedral?", "pt")
    texts = {c.chunk_id: c for c in corpus.chunks()}
    for hit in found.hits:
        chunk = texts[hit.chunk_id]
        assert (hit.text, hit.document, hit.source, hit.page) == (chunk.text, chunk.document, hit.source, None)
        assert hit.source in ("graph", "graph+lexical")
        assert (hit.start, hit.end) == (chunk.start, chunk.end)
    spoken = {hit.chunk_id: hit.text[start:end] for hit in found.hits for start, end in hit.quotes}
    assert spoken[f"{corpus.number('Rita Sobral'):016x}"] == "Nasceu em Açafrais em 1960."


def test_scores_fall_and_lie_between_0_and_1(filled: _Corpus) -> None:
    scores = [hit.score for hit in filled.ask("Where was the owner of Mill Brindle born?", "en").hits]
    assert scores == sorted(scores, reverse=True)
    assert all(0.0 < score <= 1.0 for score in scores)


def test_the_path_names_what_was_walked(filled: _Corpus) -> None:
    path = filled.ask("Quem construiu a capela da aldeia onde nasceu a diretora do Moinho Pedral?", "pt").path
    assert path == ("Moinho Pedral", "Rita Sobral", "Açafrais")


@pytest.mark.parametrize("question", ["", "???", "zyxwvut qponmlk", "東京"])
def test_a_question_that_meets_nothing_is_empty(filled: _Corpus, question: str) -> None:
    assert filled.ask(question, "und") == Retrieval()


def test_top_k(filled: _Corpus) -> None:
    assert len(filled.ask("Where was the owner of Mill Brindle born?", "en", top_k=2).hits) == 2


def test_twice_is_the_same(filled: _Corpus) -> None:
    question = "Who built the chapel of the village where the owner of Mill Brindle was born?"
    assert filled.ask(question, "en", True) == filled.ask(question, "en", True)


def test_a_sentence_has_the_mean_cosine_of_its_windows(filled: _Corpus) -> None:
    embedder = HashingEmbedder()
    chunk = corpus.chunks()[0]
    vector = embedder.embed_query("Who owns the mill beside the river?")
    own = embedder.embed([w.text for w in windows(chunk)]).astype(np.float16).astype(np.float64) @ vector
    with filled.catalog.snapshot() as snapshot:
        arrays = filled.graph.arrays(snapshot)
        near = near_windows(Query(read("", "en"), vector), filled.context(snapshot, embedder))
        found = sentence_cosines(arrays, near)
    assert found is not None
    # Three sentences in two windows: the middle one is in both.
    assert found[:3].tolist() == pytest.approx([own[0], (own[0] + own[1]) / 2, own[1]], abs=2e-6)


def test_without_an_embedder_there_are_no_cosines(filled: _Corpus) -> None:
    with filled.catalog.snapshot() as snapshot:
        context = filled.context(snapshot, NullEmbedder())
        query = Query(read("x", "en"), np.zeros(0, np.float32))
        assert near_windows(query, context) == []
        assert sentence_cosines(filled.graph.arrays(snapshot), []) is None


def test_spans(filled: _Corpus) -> None:
    with trace("ask") as recorded:
        filled.ask("Where was the owner of Mill Brindle born?", "en")
    assert [record.name for record in recorded.records()] == [
        "ask",
        "rag.graph.seeds",
        "rag.graph.pagerank",
        "rag.graph.fuse",
        "rag.vectorial.search",
    ]


def test_the_walk_counts_by_what_its_best_path_gains() -> None:
    assert walk_weight(-1.0) == walk_weight(-0.15) == 0.4
    # Half way from -0.15 to -0.05: half way from 0.4 to 1.
    assert walk_weight(-0.1) == 0.7
    assert walk_weight(-0.05) == walk_weight(0.3) == 1.0


def test_the_parts_of_both_searches_are_the_score() -> None:
    walk = GraphWalk((WalkedPassage("a", 0.9, 3, 8), WalkedPassage("b", 0.4)), gain=0.2)
    other = Found(
        (("c", 0.8), ("a", 0.2)), {"c": "dense", "a": "lexical"}, {"a": (0, 2)}, {}, 2.0,
        {"dense": ({"c": 0.7}, {"c": 0.8}), "lexical": ({"a": 3.0}, {"a": 0.2})},
    )  # fmt: skip
    found = fused_walk(walk, other, 0.5)
    # a: 0.5 · 1 + 0.5 · 0.2 / 2; c: 0.5 · 0.8 / 2; b: the least of the walk's, 0.
    assert found.ranked == (("a", 0.55), ("c", 0.2), ("b", 0.0))
    assert found.sources == {"a": "graph+lexical", "c": "dense", "b": "graph"}
    assert found.spans == {"a": (3, 8)}
    said = said_of(found, ["a"])["a"]
    assert [(head.head, head.part) for head in said] == [("graph", 0.5), ("lexical", 0.05)]


def test_quotes_are_chosen_as_if_there_were_no_chain(filled: _Corpus) -> None:
    found = filled.ask("Onde nasceu quem dirige o Moinho Pedral?", "pt")
    assert {hit.chunk_id for hit in found.quotable} == {hit.chunk_id for hit in found.hits}
    assert [hit.score for hit in found.quotable] == sorted((hit.score for hit in found.quotable), reverse=True)
