"""Metrics of a single answer, counted by hand."""

import pytest

from polyrag_cli.evaluation.datasets import EvalItem
from polyrag_cli.evaluation.runner import score_item
from polyrag_cli.types import Answer, Hit, RouteDecision


def answer(text: str | None, routes: tuple[str, ...] = ("vectorial",), passages: tuple[str, ...] = ()) -> Answer:
    hits = tuple(Hit(f"d{i}.md", f"c{i}", "", None, 0, len(p), p, 1.0, "dense") for i, p in enumerate(passages))
    decision = RouteDecision("q", (), "", 1)
    return Answer("q", text, routes[0], routes, "hybrid", False, None, (), (), hits, decision, took_ms=4.0)


def test_markers_are_ranked_by_the_first_source_that_holds_them() -> None:
    passages = ("nothing here", "the Second  marker", "a", "b", "c", "the first márker")
    result = score_item(EvalItem("q", relevant=("first marker", "second marker")), answer("x", passages=passages))
    assert result.scores["recall@1"] == 0
    assert result.scores["recall@5"] == 0.5
    assert result.scores["mrr"] == 0.5


def test_no_marker_found_scores_zero() -> None:
    scores = score_item(EvalItem("q", relevant=("x1",)), answer("x", passages=("a", "b"))).scores
    assert (scores["recall@5"], scores["mrr"]) == (0, 0)


def test_gold_documents_are_ranked_by_name() -> None:
    scores = score_item(EvalItem("q", gold=("d1.md",)), answer("x", passages=("a", "b"))).scores
    assert (scores["recall@1"], scores["recall@5"], scores["mrr"]) == (0, 1, 0.5)


@pytest.mark.parametrize(
    ("routes", "right"), [(("graph", "relational"), 1.0), (("graph",), 0.0), (("relational", "graph"), 1.0)]
)
def test_router_compares_sets_of_routes(routes: tuple[str, ...], right: float) -> None:
    assert score_item(EvalItem("q", routes=("relational", "graph")), answer("x", routes)).scores["router"] == right


def test_facts_must_all_stand_in_the_answer() -> None:
    item = EvalItem("q", facts=("4.988", "Sul"))
    assert score_item(item, answer("Sul: 4988 unidades")).scores["facts"] == 1
    assert score_item(item, answer("Sul: 49880 unidades")).scores["facts"] == 0
    assert score_item(item, answer(None)).scores["facts"] == 0


def test_declining_counts_for_questions_that_nothing_answers_and_against_others() -> None:
    assert score_item(EvalItem("q", declines=True), answer(None)).scores["declined"] == 1
    assert score_item(EvalItem("q", declines=True), answer("x")).scores["declined"] == 0
    assert score_item(EvalItem("q"), answer(None)).scores["empty_rate"] == 1
    assert "empty_rate" not in score_item(EvalItem("q", declines=True), answer(None)).scores
