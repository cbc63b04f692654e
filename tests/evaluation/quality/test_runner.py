"""Metrics of a single answer, counted by hand."""

import pytest

from polyrag_cli.engine import Engine
from polyrag_cli.evaluation.quality.runner import ItemResult, run_set, score_item, summary
from polyrag_cli.types import Answer, EvalItem, Hit, RouteDecision


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


def hits(*passages: str) -> tuple[Hit, ...]:
    return tuple(Hit(f"e{i}.md", f"f{i}", "", None, 0, len(p), p, 1.0, "dense") for i, p in enumerate(passages))


def test_further_passages_count_for_the_deep_measures_alone() -> None:
    item = EvalItem("q", relevant=("deep one",))
    scores = score_item(item, answer("x", passages=("a", "b")), hits("c", "the deep one")).scores
    assert (scores["recall@5"], scores["mrr"], scores["recall@10"]) == (0, 0, 1)
    assert scores["ndcg@10"] == pytest.approx(0.430677, abs=1e-6)


def test_precision_is_judged_on_answers_and_coverage_on_what_is_answerable() -> None:
    item = EvalItem("q", facts=("4",))
    right, wrong, none = (score_item(item, answer(text)).scores for text in ("4 lots", "5 lots", None))
    assert (right["precision"], right["coverage"]) == (1, 1)
    assert (wrong["precision"], wrong["coverage"]) == (0, 1)
    assert ("precision" in none, none["coverage"]) == (False, 0)
    declining = score_item(EvalItem("q", declines=True), answer("4")).scores
    assert (declining["precision"], "coverage" in declining) == (0, False)


def test_groups_and_intervals() -> None:
    def result(route: str, lang: str, tags: tuple[str, ...], right: float) -> ItemResult:
        return ItemResult("q", (route,), (route,), "x", 1, 2.0, {"router": right}, lang, tags)

    report = summary([result("graph", "pt", ("a", "b"), 1.0), result("graph", "en", ("b",), 0.0)])
    assert (report.overall["router"], report.counts["router"]) == (0.5, 2)
    assert report.routes["graph"]["router"] == 0.5
    assert {name: values["router"] for name, values in report.langs.items()} == {"en": 0.0, "pt": 1.0}
    assert {name: values["router"] for name, values in report.tags.items()} == {"a": 1.0, "b": 0.5}
    assert report.intervals["router"] == (0.0, 1.0)
    assert report.route_intervals["graph"]["latency_p50_ms"] == (2.0, 2.0)


def test_labels_are_told_by_what_is_right_not_by_the_language() -> None:
    one = score_item(EvalItem("q", facts=("4",), lang="pt"), answer("4")).labels
    assert one == score_item(EvalItem("q", facts=("4",), lang="en", tags=("t",)), answer(None)).labels
    assert one != score_item(EvalItem("q", facts=("5",)), answer("4")).labels


def test_a_set_is_run_with_the_cache_off_and_tried_on_it_afterwards(engine: Engine) -> None:
    items = [
        EvalItem("Qual a receita total de Amieira?", routes=("relational",), facts=("2290,50",)),
        EvalItem("Qual a receita total de Foz?", routes=("relational",), facts=("1342,50",)),
    ]
    seen: list[tuple[int, int]] = []
    report = run_set(engine, items, on_item=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]
    assert report.overall["false_hit_rate"] == 0.0
    assert [item.answer is not None for item in report.items] == [True, True]
    assert all(item.decision is not None and item.hits for item in report.items)
