"""What each head says of a hit: its score, its rank, and what it adds to the fused score."""

from __future__ import annotations

import dataclasses

import pytest

from polyrag_cli.config.sections import RetrievalSettings
from polyrag_cli.engine import Engine
from polyrag_cli.strategies.base import Strategy
from polyrag_cli.strategies.dense import DenseStrategy
from polyrag_cli.strategies.diverse import DiverseStrategy
from polyrag_cli.strategies.heads import Found, hybrid_ranking, said_of
from polyrag_cli.strategies.hybrid import HybridStrategy
from polyrag_cli.strategies.lexical import LexicalStrategy
from polyrag_cli.strategies.multi_query import MultiQueryStrategy
from polyrag_cli.types import HeadScore, Hit
from tests.strategies.library import Library, decision

QUESTION = "Who keeps the bees calm behind the cellar?"


def _hits(library: Library, strategy: Strategy, route: str = "vectorial") -> tuple[Hit, ...]:
    with library.context() as context:
        return strategy.retrieve(library.query(QUESTION), decision(route), context).hits


def test_parts_are_weights_times_scaled_scores_over_the_ceiling() -> None:
    found = Found(
        (("a", 0.9), ("b", 0.3)),
        {},
        {},
        ceiling=2.0,
        heads={"dense": ({"a": 0.8, "b": 0.6}, {"a": 1.0, "b": 0.0}), "lexical": ({"b": 4.0}, {"b": 0.5})},
    )
    assert said_of(found, ["a", "b", "gone"]) == {
        "a": (HeadScore("dense", 0.8, 1, 0.5),),
        "b": (HeadScore("dense", 0.6, 2, 0.0), HeadScore("lexical", 4.0, 1, 0.25)),
    }


def test_equal_scores_rank_by_id() -> None:
    same = {"b": 1.0, "a": 1.0}
    said = said_of(Found((), {}, {}, heads={"lexical": (same, same)}), ["a", "b"])
    assert [said[i][0].rank for i in ("a", "b")] == [1, 2]


@pytest.mark.parametrize("strategy", [HybridStrategy(), DenseStrategy(), DiverseStrategy()])
def test_the_parts_and_the_home_bonus_are_the_score(library: Library, strategy: Strategy) -> None:
    settings = RetrievalSettings()
    weights = settings.dense_weight + settings.home_bonus
    if strategy.name != "dense":
        weights += settings.lexical_weight + settings.soft_weight
    for route in ("graph", "nowhere"):
        hits = _hits(library, strategy, route)
        assert hits
        for hit in hits:
            left = hit.score - sum(head.part for head in hit.heads)
            at_home = route == "graph" and hit.heading in ("Apples", "Colheita", "Regra Z9")
            assert left == pytest.approx(at_home * settings.home_bonus / weights, abs=3e-6), hit
            assert hit.source == "+".join(head.head for head in hit.heads)


def test_a_head_alone_is_the_score(library: Library) -> None:
    hits = _hits(library, LexicalStrategy())
    assert hits
    for rank, hit in enumerate(hits, 1):
        (head,) = hit.heads
        assert (head.head, head.rank, head.part) == ("lexical", rank, pytest.approx(hit.score, abs=2e-6))


def test_the_parts_of_a_walk_and_of_hybrid_search_are_the_score(engine: Engine) -> None:
    hits = engine.search("O que exige a Regra B1?", route="graph", strategy="graph_walk").hits
    assert any(head.head == "graph" for hit in hits for head in hit.heads)
    for hit in hits:
        at_home = hit.score - sum(head.part for head in hit.heads)
        assert -3e-6 <= at_home <= 0.1
        assert hit.source == "+".join(head.head for head in hit.heads)


def test_several_queries_keep_what_the_first_that_found_it_says(library: Library) -> None:
    with library.context() as context:
        whole = said_of(hybrid_ranking(library.query(QUESTION), context, "vectorial"), [])
    assert whole == {}
    hits = _hits(library, MultiQueryStrategy())
    assert hits and all(hit.heads for hit in hits)


def test_what_heads_say_is_frozen_and_equal_for_equal_questions(library: Library) -> None:
    first, second = _hits(library, HybridStrategy()), _hits(library, HybridStrategy())
    assert first == second
    assert hash(first[0].heads) == hash(second[0].heads)
    with pytest.raises(dataclasses.FrozenInstanceError):
        first[0].heads[0].score = 1.0  # type: ignore[misc]
