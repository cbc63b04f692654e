from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from memory_corpus import HONEY, PASSAGES, MemoryCorpus, NoEmbedder, TopicEmbedder, default_routes

from polyrag_cli.config.sections import Route, RoutingSettings
from polyrag_cli.routing.router import Router
from polyrag_cli.text.utterance import read
from polyrag_cli.types import Chunk, ClauseDecision, RouteDecision


def decide(router: Router, corpus: MemoryCorpus, question: str, **rest: Any) -> RouteDecision:
    return router.decide(read(question), corpus.snapshot(), corpus.stores, corpus, **rest)


def only(router: Router, corpus: MemoryCorpus, question: str) -> ClauseDecision:
    (clause,) = decide(router, corpus, question).clauses
    return clause


@pytest.mark.parametrize(
    ("question", "route"),
    [
        ("What is the total of litres from Orchard?", "relational"),
        ("Who has to approve a new hive?", "graph"),
        ("What is your advice on a swarm?", "vectorial"),
    ],
)
def test_evidence_and_cosine_agree(router: Router, corpus: MemoryCorpus, question: str, route: str) -> None:
    found = only(router, corpus, question)
    assert (found.route, found.stage, found.answerable) == (route, 3, True)
    assert [score.route for score in found.scores] == sorted(
        ("graph", "relational", "vectorial"), key=lambda r: -next(s.final_score for s in found.scores if s.route == r)
    )


def test_evidence_overrules_the_anchors_and_says_so(router: Router, corpus: MemoryCorpus) -> None:
    found = only(router, corpus, "count on the warden to stay calm with a swarm")
    best = max(found.scores, key=lambda score: score.score)
    assert best.route == "relational"
    assert found.route == "vectorial"
    assert found.stage == 3
    assert "overrule relational for vectorial" in found.reason


def test_final_scores_by_hand(router: Router, corpus: MemoryCorpus) -> None:
    found = only(router, corpus, "total litres")
    relational = next(score for score in found.scores if score.route == "relational")
    # Both words lie on the first axis, as all three anchors do: cosine 1. The table explains all; "total" adds .1.
    assert relational.score == 1.0
    assert relational.final_score == pytest.approx(1.0 + 0.1 + 1.0)
    assert only(router, corpus, "litres").scores[0].final_score == pytest.approx(1.0 + 1.0)
    assert found.final_margin == pytest.approx(found.scores[0].final_score - found.scores[1].final_score)


def test_a_table_that_explains_little_leans_on_its_anchors_in_proportion(corpus: MemoryCorpus) -> None:
    question = "total litres warden swarm hive rule steam"
    open_gate, half = (
        Router(default_routes(), RoutingSettings(table_min=least), corpus.embedder, None) for least in (0.01, 0.5)
    )
    full, gated = (
        next(s for s in only(router, corpus, question).scores if s.route == "relational")
        for router in (open_gate, half)
    )
    assert full.evidence is not None
    share = full.evidence.score / 0.5
    assert 0.0 < share < 1.0
    lean = full.final_score - full.evidence.score
    assert lean == pytest.approx(full.score + 0.1)
    assert gated.final_score - full.evidence.score == pytest.approx(share * lean, abs=2e-6)
    # Where no passage holds anything either, the anchors are all there is.
    bare = MemoryCorpus([], corpus.tables, embedder=corpus.embedder)
    alone = next(s for s in only(half, bare, question).scores if s.route == "relational")
    assert alone.final_score == pytest.approx(full.final_score, abs=2e-6)


def test_a_wide_margin_lets_stage_two_decide_alone(corpus: MemoryCorpus) -> None:
    routes = default_routes(tau_high=0.9, delta_margin=0.5)
    found = only(Router(routes, RoutingSettings(), corpus.embedder, None), corpus, "approve rule requires swarm")
    assert (found.route, found.stage, found.margin) == ("graph", 2, pytest.approx(0.948683))
    assert found.scores[0].evidence is not None


def test_below_tau_low_without_evidence_is_free_text(router: Router) -> None:
    empty = MemoryCorpus([])
    found = only(router, empty, "zebra crossings abroad")
    assert (found.route, found.stage, found.answerable) == ("vectorial", 2, False)
    assert "below tau_low" in found.reason


@pytest.mark.parametrize("question", ["zebra crossings abroad", "total litres history", "who has to approve it?"])
def test_on_an_empty_corpus_no_store_confirms_anything(router: Router, question: str) -> None:
    found = only(router, MemoryCorpus([]), question)
    assert not found.answerable
    assert "nothing is ingested" in found.reason
    assert "confirm" not in found.reason and "overrule" not in found.reason


def test_equal_scores_are_said_to_be_equal(router: Router) -> None:
    # One word of each of two topics: their cosines are equal, and no store says more.
    found = only(router, MemoryCorpus([]), "history approve")
    assert found.scores[0].final_score == found.scores[1].final_score
    assert (found.route, found.final_margin) == ("graph", 0.0)
    assert "equal scores leave graph, the first by name" in found.reason


def test_what_no_store_holds_of_the_route_taken_is_said() -> None:
    corpus = MemoryCorpus([("", "ladder", "vectorial", ())])
    router = Router(default_routes(), RoutingSettings(text_min=5.0), corpus.embedder, None)
    found = only(router, corpus, "total count lamp")
    assert (found.route, found.stage) == ("relational", 3)
    assert "the stores hold nothing for relational and too little for the others" in found.reason


def test_user_named_routes_go_by_their_kind(corpus: MemoryCorpus) -> None:
    names = {"relational": "sales", "vectorial": "letters", "graph": "people"}
    routes = [replace(route, name=names[route.name]) for route in default_routes()]
    passages = [(heading, text, names[home], also) for heading, text, home, also in PASSAGES]
    renamed = MemoryCorpus(passages, (HONEY,), corpus.entities)
    router = Router(routes, RoutingSettings(), renamed.embedder, None)
    shipped = Router(default_routes(), RoutingSettings(), corpus.embedder, None)
    questions = (
        "What is the total of litres from Orchard?",
        "Who has to approve a new hive?",
        "What is your advice on a swarm?",
        "litres warden swarm hive rule steam",
        "AB-12",
    )
    for question in questions:
        found, usual = only(router, renamed, question), only(shipped, corpus, question)
        assert (found.route, found.strategy, found.stage) == (names[usual.route], usual.strategy, usual.stage)
        assert {score.route: score.final_score for score in found.scores} == {
            names[score.route]: score.final_score for score in usual.scores
        }
    texts = ["The story began here.", "It requires that they approve it."]
    chunks = [Chunk(f"c{i}", "d.md", i, 0, len(text), text) for i, text in enumerate(texts)]
    homes = router.route_chunks(chunks, [renamed.embedder.embed([text]) for text in texts], [[False], [True]])
    assert [one.home for one in homes] == ["letters", "people"]


def test_numbers_in_the_reason_are_those_that_decided(router: Router, corpus: MemoryCorpus) -> None:
    found = only(router, corpus, "Who has to approve a new hive?")
    best, second = sorted((score.score for score in found.scores), reverse=True)[:2]
    assert f"cosine {best:.2f}" in found.reason
    assert f"margin {round(best, 2) - round(second, 2):.2f}" in found.reason
    assert (found.evidence_min, found.boundary_margin) == (0.23, 0.05)


def test_nothing_answers_below_evidence_min(corpus: MemoryCorpus) -> None:
    strict = Router(default_routes(), RoutingSettings(evidence_min=5.0), corpus.embedder, None)
    assert not only(strict, corpus, "Who has to approve a new hive?").answerable
    lenient = Router(default_routes(), RoutingSettings(evidence_min=0.0), corpus.embedder, None)
    assert only(lenient, corpus, "Who has to approve a new hive?").answerable


def test_a_clause_inside_the_margin_goes_to_both() -> None:
    corpus = MemoryCorpus([("", "kettle lamp", "vectorial", ("graph",))])
    router = Router(default_routes(), RoutingSettings(), corpus.embedder, None)
    found = only(router, corpus, "kettle lamp: history or approve")
    assert (found.route, found.also, found.final_margin) == ("graph", ("vectorial",), 0.0)
    strict = Router(default_routes(), RoutingSettings(evidence_min=5.0), corpus.embedder, None)
    assert only(strict, corpus, "kettle lamp: history or approve").also == ()
    narrow = Router(default_routes(), RoutingSettings(boundary_margin=0.0), corpus.embedder, None)
    assert only(narrow, corpus, "kettle lamp: history or approve").also == ()


def test_an_aggregate_word_alone_makes_no_table_question(router: Router, corpus: MemoryCorpus) -> None:
    found = only(router, corpus, "How many wardens approve every new hive by rule?")
    assert found.route == "graph"


@pytest.mark.parametrize(
    ("question", "route", "strategy", "answerable"),
    [
        ("Bom dia!", "direct", "direct", True),
        ("quanto é 15% de 200?", "direct", "direct", True),
        ("AB-12", "vectorial", "lexical", True),
        ('"stay calm and call"', "vectorial", "lexical", True),
        ("?!…", "vectorial", "lexical", False),
        ("🐝🐝", "vectorial", "lexical", False),
        ("", "vectorial", "lexical", False),
    ],
)
def test_form_alone_decides(
    router: Router, corpus: MemoryCorpus, question: str, route: str, strategy: str, answerable: bool
) -> None:
    found = only(router, corpus, question)
    assert (found.route, found.strategy, found.answerable, found.stage) == (route, strategy, answerable, 1)
    assert found.scores == ()


def test_each_clause_is_routed_alone(router: Router, corpus: MemoryCorpus) -> None:
    question = "What is the total of litres from Orchard and who has to approve a new hive?"
    first, second = decide(router, corpus, question).clauses
    assert (first.route, second.route) == ("relational", "graph")
    assert question[second.start : second.end] == second.text == "who has to approve a new hive?"


def test_without_an_embedder_words_decide(corpus: MemoryCorpus) -> None:
    corpus.embedder = NoEmbedder()
    router = Router(default_routes(), RoutingSettings(), corpus.embedder, None)
    found = only(router, corpus, "Who has to approve a new hive under rule H2?")
    assert (found.route, found.stage, found.margin) == ("graph", 3, 0.0)
    assert "stage 2 is skipped" in found.reason
    nothing = only(router, MemoryCorpus([], embedder=corpus.embedder), "zebra crossings abroad")
    assert (nothing.route, nothing.answerable) == ("vectorial", False)


def test_a_given_vector_is_used_for_a_single_clause(router: Router, corpus: MemoryCorpus) -> None:
    axis = np.zeros(TopicEmbedder.dimension, dtype=np.float32)
    axis[2] = 1.0
    (found,) = decide(router, corpus, "kettle lamp", vector=axis).clauses
    assert next(score.score for score in found.scores if score.route == "graph") == 1.0


def test_a_route_is_added_by_configuration_alone(corpus: MemoryCorpus) -> None:
    added = Route("care", "vector", "diverse", 0.99, 0.1, 0.5, question_anchors=("swarm calm", "swarm"))
    embedder = TopicEmbedder()
    router = Router([*default_routes(), added], RoutingSettings(), embedder, None)
    found = only(router, corpus, "swarm calm")
    assert (found.route, found.strategy) == ("care", "diverse")


def test_configured_strategies_stand(router: Router, corpus: MemoryCorpus) -> None:
    assert only(router, corpus, "Who has to approve a new hive?").strategy == "graph_walk"
    assert only(router, corpus, "What is the total of litres from Orchard?").strategy == "text_to_sql"


def test_the_order_of_routes_changes_nothing(corpus: MemoryCorpus) -> None:
    forward = Router(default_routes(), RoutingSettings(), corpus.embedder, None)
    backward = Router(default_routes()[::-1], RoutingSettings(), corpus.embedder, None)
    assert forward.config_hash == backward.config_hash
    question = "Who has to approve the total of litres?"
    assert decide(forward, corpus, question).clauses == decide(backward, corpus, question).clauses


@pytest.mark.parametrize(
    "change",
    [
        lambda routes, settings: ([replace(routes[0], tau_high=0.5), *routes[1:]], settings),
        lambda routes, settings: ([replace(routes[0], question_anchors=("sum",)), *routes[1:]], settings),
        lambda routes, settings: ([replace(routes[1], chunk_anchors=("tale",)), *routes[1:]], settings),
        lambda routes, settings: (routes, replace(settings, text_min=0.2)),
    ],
)
def test_the_hash_covers_all_that_decides(
    change: Callable[[list[Route], RoutingSettings], tuple[list[Route], RoutingSettings]],
) -> None:
    before = Router(default_routes(), RoutingSettings(), TopicEmbedder(), None).config_hash
    after = Router(*change(default_routes(), RoutingSettings()), TopicEmbedder(), None).config_hash
    assert before != after
    assert before != Router(default_routes(), RoutingSettings(), NoEmbedder(), None).config_hash


def test_huge_and_foreign_questions_are_decided(router: Router, corpus: MemoryCorpus) -> None:
    for question in ("swarm " * 17_000, "x" * 100_000, "群れについて教えてください", "ما هو النحل؟", "\ud800 hive"):
        found = decide(router, corpus, question)
        assert found.clauses[0].route in {"vectorial", "graph", "relational"}
        assert len(found.clauses[0].normalized) <= 2000


def test_timings_are_reported_in_milliseconds(router: Router, corpus: MemoryCorpus) -> None:
    found = decide(router, corpus, "Who has to approve a new hive?")
    assert set(found.timings) == {"embed", "score", "evidence"}
    assert 0.0 < sum(found.timings.values()) <= found.took_ms


def test_chunks_are_routed_by_the_same_routes(router: Router) -> None:
    embedder = TopicEmbedder()
    texts = ["The story began here.", "It requires that they approve it."]
    chunks = [Chunk(f"c{i}", "d.md", i, 0, len(text), text) for i, text in enumerate(texts)]
    found = router.route_chunks(chunks, [embedder.embed([text]) for text in texts], [[False], [True]])
    assert [one.home for one in found] == ["vectorial", "graph"]


def test_anchor_vectors_are_kept_between_routers(tmp_path: Path, corpus: MemoryCorpus) -> None:
    first, second = TopicEmbedder(), TopicEmbedder()
    for embedder in (first, second):
        decide(
            Router(default_routes(), RoutingSettings(), embedder, tmp_path), corpus, "Who has to approve a new hive?"
        )
    assert len(first.embedded) == 5
    assert second.embedded == []


def test_a_name_that_no_store_holds_counts_against_an_answer(corpus: MemoryCorpus) -> None:
    question = "Who may approve a new hive in Wells?"
    known = "Who may approve a new hive in wells?"
    evidence = {}
    for text in (question, known):
        router = Router(default_routes(), RoutingSettings(), corpus.embedder, None)
        (clause,) = router.decide(read(text), corpus.snapshot(), corpus.stores, corpus).clauses
        evidence[text] = max(s.evidence.score for s in clause.scores if s.evidence and s.route != "relational")
        assert clause.answerable
    settings = RoutingSettings(evidence_min=evidence[question] - 0.05)
    strict = Router(default_routes(), settings, corpus.embedder, None)
    (clause,) = strict.decide(read(question), corpus.snapshot(), corpus.stores, corpus).clauses
    assert not clause.answerable
    assert "no store knows Wells" in clause.reason
    lenient = Router(default_routes(), replace(settings, unknown_name_penalty=0.0), corpus.embedder, None)
    assert lenient.decide(read(question), corpus.snapshot(), corpus.stores, corpus).clauses[0].answerable


def test_what_was_read_once_is_concluded_as_any_router_of_the_routes_decides(corpus: MemoryCorpus) -> None:
    question = "Which litres belong to the Orchard hive? And who has to approve a new hive?"
    reader = Router(default_routes(), RoutingSettings(), corpus.embedder, None)
    inputs = reader.read(read(question), corpus.snapshot(), corpus.stores, corpus)
    assert len(inputs) == 2
    for settings in (RoutingSettings(), RoutingSettings(text_weight=0.0, evidence_min=2.0, boundary_margin=1.0)):
        other = Router(default_routes(), settings, corpus.embedder, None)
        assert tuple(other.conclude(clause) for clause in inputs) == decide(other, corpus, question).clauses
    (greeting,) = reader.read(read("hello"), corpus.snapshot(), corpus.stores, corpus)
    assert reader.conclude(greeting) == only(reader, corpus, "hello")
