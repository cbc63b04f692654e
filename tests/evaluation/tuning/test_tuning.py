"""Tuning on the demo: nothing is proposed for settings that are good, or from labels that mean nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from polyrag_cli.datasets import load_set
from polyrag_cli.engine import Engine
from polyrag_cli.errors import UsageError
from polyrag_cli.evaluation.tuning.tuning import tune
from polyrag_cli.types import EvalItem
from tests.command_line import ROOT

ITEMS = load_set(ROOT / "eval" / "golden.yaml")
# A search takes as long as there are questions.
labelled = pytest.mark.parametrize(
    "items",
    [pytest.param(ITEMS[::2], id="every second"), pytest.param(ITEMS, id="all", marks=pytest.mark.long)],
)


@labelled
def test_the_current_estimate_is_what_the_engine_decides(demo: Engine, items: list[EvalItem]) -> None:
    report = tune(demo, items, folds=2)
    routing = next(found for found in report.tuned if found.name == "routing")
    judged = [item for item in items if item.routes and not item.declines]
    right = sum({c.route for c in demo.route(item.question).clauses} == set(item.routes) for item in judged)
    assert (report.judged, routing.questions) == (len(judged), len(judged))
    assert routing.current == pytest.approx(right / len(judged))
    assert len(report.misrouted) == len(judged) - right
    assert sum(item.n for item in report.reliability) <= len(judged)
    assert all(found.fitted >= found.current for found in report.tuned)
    assert tune(demo, items, folds=2) == report


@pytest.mark.long
@labelled
def test_random_labels_fit_but_do_not_hold(demo: Engine, items: list[EvalItem]) -> None:
    names = ("relational", "vectorial", "graph")
    drawn = np.random.default_rng(0).integers(0, 3, len(items))
    report = tune(
        demo, [replace(item, routes=(names[i],), declines=False) for item, i in zip(items, drawn, strict=True)]
    )
    routing = next(found for found in report.tuned if found.name == "routing")
    assert routing.fitted > routing.current
    assert routing.fitted > routing.out_of_fold
    assert not any(key.startswith("rout") for key in report.changes)


@labelled
def test_each_route_is_tuned_alone_where_thresholds_differ_and_what_a_flag_sets_is_not_tuned(
    demo: Engine, items: list[EvalItem]
) -> None:
    overrides = {"routes.graph.tau_high": 0.9, "routing.table_weight": 2.0}
    with Engine.open(data_dir=demo.paths.root, config=ROOT / "polyrag.toml", overrides=overrides) as other:
        report = tune(other, items, folds=2)
    names = {item.parameter for found in report.tuned for item in found.sensitivity}
    assert {"routes.relational.tau_high", "routes.vectorial.tau_high", "routes.*.tau_low"} <= names
    assert names.isdisjoint({"routes.*.tau_high", "routes.graph.tau_high", "routing.table_weight"})
    assert "a flag sets them: " in report.notes[0]
    assert {"routes.graph.tau_high", "routing.table_weight"} <= set(report.notes[0].partition("them: ")[2].split(", "))


@pytest.mark.parametrize(
    ("items", "folds", "said"),
    [
        (ITEMS[:8], 5, "8 questions with a labelled route, of 1 routes"),
        ([EvalItem(f"question {i}", routes=("graph",)) for i in range(40)], 5, "40 questions .* of 1 routes"),
        (ITEMS, len(ITEMS), f"{len(ITEMS)} folds are impossible"),
    ],
)
def test_a_set_that_is_too_small_is_refused(demo: Engine, items: list[EvalItem], folds: int, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        tune(demo, items, folds=folds)


def test_what_the_labels_do_not_allow_is_left_out_by_name(demo: Engine) -> None:
    items = [replace(item, relevant=(), gold=()) for item in ITEMS[::2] if not item.declines]
    report = tune(demo, items, folds=2)
    assert [found.name for found in report.tuned] == ["routing", "second store"]
    assert [note.partition(":")[0] for note in report.notes] == ["declining isn't tuned", "fusion isn't tuned"]
