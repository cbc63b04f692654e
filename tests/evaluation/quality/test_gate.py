"""The gate's rules, on questions made by hand."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from polyrag_cli.config.sections import GateSettings
from polyrag_cli.errors import UsageError
from polyrag_cli.evaluation.quality.baseline import Baseline, Origin
from polyrag_cli.evaluation.quality.gate import Verdict, judge, matching_set
from polyrag_cli.evaluation.quality.measures import MEASURES
from polyrag_cli.evaluation.quality.runner import ItemResult, summary
from polyrag_cli.types import RouteDecision

ORIGIN = Origin("1", "abc", {"answer.top_k": 5, "routes.graph.anchors.question.en": "d1"}, "f" * 64)
FILE = Path("b.json")


def item(question: str, took_ms: float = 10.0, labels: str = "l", **scores: float) -> ItemResult:
    named = {name.replace("_at_", "@"): value for name, value in scores.items()}
    decision = RouteDecision(question, (), "", 0)
    return ItemResult(question, (), (), "a", 1, took_ms, named, decision=decision, labels=labels)


def gate(before: Sequence[ItemResult], now: Sequence[ItemResult], origin: Origin = ORIGIN, **settings: Any) -> Verdict:
    chosen = GateSettings(**settings)
    return judge({"s": summary(now)}, origin, Baseline(ORIGIN, {"s": tuple(before)}), {"s": "s"}, chosen, "b.json")


def test_the_shipped_bounds_are_those_of_the_measures_and_hold_nothing_back() -> None:
    shipped = GateSettings()
    keys = {field.name for field in fields(GateSettings)} - {"sets"}
    assert {measure.floor for measure in MEASURES} == keys - {"max_lost", "max_slowdown"}
    worst = {measure.name.replace("@", "_at_"): float(measure.falls) for measure in MEASURES}
    assert gate([item("q", **worst)], [item("q", **worst)]).passed
    assert (shipped.max_lost, shipped.max_slowdown) == (0, 0.0)


def test_an_equal_run_passes() -> None:
    run = [item("p", facts=1.0, mrr=0.5), item("q", facts=0.0)]
    verdict = gate(run, run)
    assert (verdict.passed, verdict.reasons, verdict.notes) == (True, (), ())
    assert verdict.sets["s"].slowdown == (1.0, 1.0, 1.0)
    assert [(c.measure, c.n, c.p) for c in verdict.sets["s"].comparisons] == [("mrr", 1, 1.0), ("facts", 2, 1.0)]


@pytest.mark.parametrize(
    ("before", "now", "lost", "won"),
    [
        ({"facts": 1.0}, {"facts": 0.0}, ["facts"], []),
        ({"facts": 0.0}, {"facts": 1.0}, [], ["facts"]),
        ({"mrr": 1.0}, {"mrr": 0.5}, ["mrr"], []),
        ({"ndcg_at_10": 0.7}, {"ndcg_at_10": 0.6999}, ["ndcg@10"], []),
        ({"ndcg_at_10": 0.7}, {"ndcg_at_10": 0.69999999}, [], []),
        ({"false_hit_rate": 0.0}, {"false_hit_rate": 1.0}, ["false_hit_rate"], []),
        ({"false_hit_rate": 1.0}, {"false_hit_rate": 0.0}, [], ["false_hit_rate"]),
        ({"coverage": 1.0, "empty_rate": 0.0}, {"coverage": 0.0, "empty_rate": 1.0}, ["coverage"], []),
        # From no answer to a wrong one, and the other way round.
        ({"facts": 0.0}, {"facts": 0.0, "precision": 0.0}, ["precision"], []),
        ({"facts": 0.0, "precision": 0.0}, {"facts": 0.0}, [], ["precision"]),
        ({"facts": 0.0}, {"facts": 1.0, "precision": 1.0}, [], ["facts"]),
        # The cache was off in one of the runs.
        ({"false_hit_rate": 0.0}, {}, [], []),
    ],
)
def test_which_way_a_question_flipped(
    before: Mapping[str, float], now: Mapping[str, float], lost: list[str], won: list[str]
) -> None:
    verdict = gate([item("q", **before)], [item("q", **now)])
    checked = verdict.sets["s"]
    assert [name for flip in checked.lost for name, _, _ in flip.lost] == lost
    assert [name for flip in checked.won for name, _, _ in flip.won] == won
    assert verdict.passed is not bool(lost)


def test_one_question_counts_once_however_much_it_lost() -> None:
    before, now = [item("q", facts=1.0, router=1.0)], [item("q", facts=0.0, router=0.0)]
    assert gate(before, now).reasons == ("1 question lost, 0 allowed",)
    assert gate(before, now, max_lost=1).passed


def test_a_question_that_lost_and_won_is_lost() -> None:
    verdict = gate([item("q", facts=1.0, mrr=0.5)], [item("q", facts=0.0, mrr=1.0)])
    (flip,) = verdict.sets["s"].lost
    assert (flip.lost, flip.won, verdict.sets["s"].won) == ((("facts", 1.0, 0.0),), (("mrr", 0.5, 1.0),), ())


def test_the_tests_count_pairs() -> None:
    before = [item(str(i), facts=1.0, mrr=1.0) for i in range(8)]
    now = [item(str(i), facts=float(i < 3), mrr=1.0 if i else 0.5) for i in range(8)]
    facts = next(c for c in gate(before, now).sets["s"].comparisons if c.measure == "facts")
    assert (facts.before, facts.now, facts.lost, facts.won, facts.p) == (1.0, 0.375, 5, 0, 0.0625)
    mrr = next(c for c in gate(before, now).sets["s"].comparisons if c.measure == "mrr")
    assert (mrr.test, mrr.lost, mrr.now) == ("paired bootstrap", 1, 0.9375)
    assert 0.0 < mrr.p <= 1.0


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"facts_min": 0.6}, "facts 0.500 is below gate.facts_min 0.6"),
        ({"false_hit_rate_max": 0.2}, "false_hit_rate 0.500 is above gate.false_hit_rate_max 0.2"),
        ({"recall_at_5_min": 0.5}, ""),
        ({"facts_min": 0.5, "false_hit_rate_max": 0.5}, ""),
    ],
)
def test_bounds(settings: Mapping[str, float], reason: str) -> None:
    run = [item("p", facts=1.0, false_hit_rate=1.0), item("q", facts=0.0, false_hit_rate=0.0)]
    verdict = gate(run, run, **settings)
    assert verdict.reasons == ((reason,) if reason else ())


def test_a_slower_run_fails_only_where_a_bound_is_set_and_only_beyond_its_noise() -> None:
    before = [item(str(i), 10.0 + i % 7) for i in range(40)]
    slow = [replace(i, took_ms=i.took_ms * 2) for i in before]
    noisy = [replace(i, took_ms=200.0 if n % 2 else 1.0) for n, i in enumerate(before)]
    assert gate(before, slow).passed
    (reason,) = gate(before, slow, max_slowdown=1.5).reasons
    assert reason.startswith("median latency × 2.00 (95 %: ")
    assert gate(before, slow, max_slowdown=2.5).passed
    ratio, low, high = gate(before, noisy).sets["s"].slowdown
    assert low < 1.5 < high
    assert gate(before, noisy, max_slowdown=1.5).passed
    assert ratio > 0


def test_a_changed_set_is_reported_and_not_failed() -> None:
    before = [item("gone", facts=1.0), item("q", facts=1.0), item("r", labels="old", facts=1.0)]
    now = [item("q", facts=1.0), item("q", facts=0.0), item("r", labels="new", facts=0.0)]
    verdict = gate(before, now)
    checked = verdict.sets["s"]
    assert verdict.passed
    assert (checked.added, checked.removed, checked.relabelled) == (("q",), ("gone",), ("r",))
    assert next(c for c in checked.comparisons if c.measure == "facts").n == 1


def test_what_made_the_numbers_is_compared() -> None:
    run = [item("q", facts=1.0)]
    other = Origin("2", "abd", {"answer.top_k": 4, "routes.graph.anchors.question.en": "d2"}, "0" * 64)
    assert gate(run, run, other).notes == (
        "version 1 → 2",
        "settings: answer.top_k 5 → 4, routes.graph.anchors.question.en changed",
        "corpus ffffffffffff → 000000000000",
    )
    assert gate(run, run, replace(ORIGIN, config_hash="x")).notes == ("routing configuration abc → x",)


def test_lost_questions_are_counted_over_all_sets() -> None:
    before, now = (item("q", facts=1.0),), (item("q", facts=0.0),)
    chosen = GateSettings(max_lost=1, facts_min=0.5)
    reports = {"a": summary(now), "b": summary(now)}
    verdict = judge(reports, ORIGIN, Baseline(ORIGIN, {"a": before, "b": before}), {"a": "a", "b": "b"}, chosen, "b")
    assert verdict.reasons == (
        "2 questions lost, 1 allowed",
        "a: facts 0.000 is below gate.facts_min 0.5",
        "b: facts 0.000 is below gate.facts_min 0.5",
    )


def test_a_set_is_found_by_its_name_or_by_its_questions() -> None:
    baseline = Baseline(ORIGIN, {"a.yaml": (item("p"), item("q")), "b.yaml": (item("r"),)})
    assert matching_set("a.yaml", ["p", "new"], baseline, FILE) == "a.yaml"
    assert matching_set("moved.yaml", ["q", "p"], baseline, FILE) == "a.yaml"
    for name, questions in (("a.yaml", ["x"]), ("moved.yaml", ["p"])):
        with pytest.raises(UsageError, match=rf"b\.json: holds a\.yaml, b\.yaml, but no question of {name}"):
            matching_set(name, questions, baseline, FILE)
