from __future__ import annotations

import pytest

from polyrag_cli.config.sections import RetrievalSettings
from polyrag_cli.scoring.fusion import min_max
from polyrag_cli.strategies.base import Strategy
from polyrag_cli.strategies.dense import DenseStrategy
from polyrag_cli.strategies.heads import HeadScores, dense_head, fused, hybrid_ranking, lexical_head
from polyrag_cli.strategies.hybrid import HybridStrategy
from polyrag_cli.strategies.lexical import LexicalStrategy
from polyrag_cli.types import Retrieval
from tests.stores.corpus import every_chunk
from tests.strategies.library import Library, decision


def _found(library: Library, strategy: Strategy, question: str, dense: bool = True) -> Retrieval:
    with library.context(dense=dense) as context:
        return strategy.retrieve(library.query(question, dense=dense), decision(), context)


@pytest.mark.parametrize("strategy", [DenseStrategy(), LexicalStrategy(), HybridStrategy()])
def test_each_head_finds_the_passage(library: Library, strategy: Strategy) -> None:
    hits = _found(library, strategy, "Who keeps the bees calm?").hits
    assert hits[0].heading == "Hives"
    assert len(hits) <= 3


@pytest.mark.parametrize("strategy", [DenseStrategy(), LexicalStrategy(), HybridStrategy()])
def test_hits_point_into_their_document(library: Library, strategy: Strategy) -> None:
    for hit in _found(library, strategy, "cold cellar with pears").hits:
        text = library.texts[hit.document]
        assert text[hit.start : hit.end] == hit.text
        start, end = hit.quotes[0]
        assert hit.start <= start < end <= hit.end


def test_a_lexical_hit_quotes_the_sentence_with_most_words(library: Library) -> None:
    hit = _found(library, LexicalStrategy(), "bees smoke").hits[0]
    start, end = hit.quotes[0]
    assert library.texts[hit.document][start:end] == "Marta Quill keeps the bees calm with smoke."


def test_sources_name_the_heads(library: Library) -> None:
    by_heading = {hit.heading: hit.source for hit in _found(library, HybridStrategy(), "honey jars").hits}
    assert by_heading["Honey"] == "dense+lexical"
    assert "dense" in by_heading.values()


def test_hybrid_is_the_weighted_sum_of_scaled_heads(library: Library) -> None:
    question = "red apples in October"
    with library.context(RetrievalSettings(home_bonus=0.0)) as context:
        query = library.query(question)
        near = {h.chunk_id: h.score for h in dense_head(query, context, 50)}
        matching = lexical_head(query, context, 50)
        ranked = dict(hybrid_ranking(query, context, "vectorial").ranked)
    scaled, terms = min_max(near), min_max({h.chunk_id: h.score for h in matching})
    held = max(h.coverage for h in matching)
    for chunk_id, score in ranked.items():
        # Without word vectors the soft head's weight goes to the others: .5 and .2 of .7.
        expected = (0.5 * scaled.get(chunk_id, 0.0) + 0.2 * held * terms.get(chunk_id, 0.0)) / 0.7
        assert score == pytest.approx(expected, abs=2e-6)


def test_candidates_of_the_lexical_head_get_their_cosine(library: Library) -> None:
    # With one candidate a head, the lexical one is another chunk than the dense one, and still needs both scores.
    settings = RetrievalSettings(candidates=1, home_bonus=0.0)
    with library.context(settings) as context:
        query = library.query("Regra", top_k=1)
        found = hybrid_ranking(query, context, "vectorial")
        known = {h.chunk_id: h.score for h in dense_head(query, context, 50)}
    assert found.ranked
    assert all(found.cosines[i] == pytest.approx(known[i], abs=2e-6) for i, _ in found.ranked)


def test_the_home_route_raises_its_passages(library: Library) -> None:
    question = "apple"
    with library.context() as context:
        query = library.query(question)
        plain = dict(hybrid_ranking(query, context, "nowhere").ranked)
        raised = dict(hybrid_ranking(query, context, "graph").ranked)
        homes = {c.chunk.chunk_id: c.route.home for c in every_chunk(library.catalog, context.snapshot)}
    assert {homes[i] for i in raised} == {"graph", "vectorial"}
    for chunk_id, score in raised.items():
        assert score - plain[chunk_id] == pytest.approx(0.1 if homes[chunk_id] == "graph" else 0.0, abs=2e-6)


@pytest.mark.parametrize("strategy", [HybridStrategy(), DenseStrategy(), LexicalStrategy()])
@pytest.mark.parametrize("question", ["apple", "honey jars", "Regra", "red apples in October"])
def test_scores_lie_between_0_and_1_in_the_order_of_the_ranking(
    library: Library, strategy: Strategy, question: str
) -> None:
    with library.context(RetrievalSettings(dense_weight=2.0, home_bonus=1.5)) as context:
        scores = [hit.score for hit in strategy.retrieve(library.query(question), decision("graph"), context).hits]
    assert scores
    assert scores == sorted(scores, reverse=True)
    assert all(0.0 <= score <= 1.0 for score in scores)


def test_the_best_lexical_score_is_its_coverage(library: Library) -> None:
    with library.context() as context:
        query = library.query("honey telescope")
        best = lexical_head(query, context, 5)[0]
        hits = LexicalStrategy().retrieve(query, decision(), context).hits
    assert 0.0 < best.coverage < 1.0
    assert hits[0].score == pytest.approx(best.coverage, abs=2e-6)


def test_without_an_embedder_the_words_decide(library: Library) -> None:
    assert _found(library, HybridStrategy(), "honey jars", dense=False).hits[0].heading == "Honey"
    assert {h.source for h in _found(library, HybridStrategy(), "honey jars", dense=False).hits} == {"lexical"}
    assert _found(library, DenseStrategy(), "honey jars", dense=False).hits == ()


def test_without_known_words_the_vectors_decide(library: Library) -> None:
    retrieval = _found(library, HybridStrategy(), "honeycombs")
    assert retrieval.hits
    assert {hit.source for hit in retrieval.hits} == {"dense"}


def test_equal_questions_give_equal_hits(library: Library) -> None:
    assert _found(library, HybridStrategy(), "cold cellar") == _found(library, HybridStrategy(), "cold cellar")


def test_fusion_by_hand() -> None:
    settings = RetrievalSettings(dense_weight=0.5, lexical_weight=0.2, soft_weight=0.3)
    heads = HeadScores({"a": 0.9, "b": 0.1}, {"a": 1.0, "b": 2.0}, {"a": 0.7}, 0.5, {})
    # Half of the question is held by words, so BM25 weighs half: a = .5 + .3, b = .2 · .5.
    assert fused(heads, settings) == {"a": 0.8, "b": 0.1}
    # Without word vectors the others share their weight: 1 + .3 / .7 times as much.
    bare = HeadScores(heads.dense, heads.lexical, {}, 0.5, {})
    assert fused(bare, settings) == {"a": pytest.approx(0.714286), "b": pytest.approx(0.142857)}
