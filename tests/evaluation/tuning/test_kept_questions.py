"""Decisions from what was kept: the same as the engine's, and worth what their labels say."""

from __future__ import annotations

import numpy as np
import pytest

from polyrag_cli.engine import Engine
from polyrag_cli.evaluation.tuning.kept_questions import SECOND_STORE_COST, KeptQuestions
from polyrag_cli.types import EvalItem

ITEMS = (
    EvalItem("total de passageiros por linha", routes=("relational",)),
    EvalItem("Como tudo começou?", routes=("graph",)),
    EvalItem("Qual é a capital da Mongólia?", declines=True),
    EvalItem("Como tudo começou? E quem precisa autorizar a saída com vento forte?", routes=("vectorial", "graph")),
    EvalItem("bom dia"),
)


@pytest.fixture
def kept(engine: Engine) -> KeptQuestions:
    return KeptQuestions(engine, ITEMS)


def test_the_current_settings_decide_as_the_engine_does(kept: KeptQuestions, engine: Engine) -> None:
    for item, clauses in zip(ITEMS, kept.decided({}), strict=True):
        assert clauses == engine.route(item.question).clauses


def test_other_values_decide_as_an_engine_with_them(kept: KeptQuestions, engine: Engine) -> None:
    values = {"routes.*.tau_high": 0.25, "routes.graph.delta_margin": 0.02, "routing.table_weight": 0.25}
    overrides = {f"routes.{name}.tau_high": 0.25 for name in ("relational", "vectorial", "graph")}
    overrides |= {"routes.graph.delta_margin": 0.02, "routing.table_weight": 0.25, "embedder.name": "hashing"}
    with Engine.open(data_dir=engine.paths.root, overrides=overrides) as other:
        for item, clauses in zip(ITEMS, kept.decided(values), strict=True):
            assert clauses == other.route(item.question).clauses
    assert kept.decided(values) != kept.decided({})


def test_scores_by_hand(kept: KeptQuestions) -> None:
    decided = kept.decided({})
    scores = kept.scores({})
    assert [{clause.route for clause in clauses} for clauses in decided[:2]] == [{"relational"}, {"vectorial"}]
    assert scores["routing"][:2].tolist() == [1.0, 0.0]
    assert scores["declining"][0] == 1.0
    assert scores["declining"][2] == float(not decided[2][0].answerable)
    nothing = kept.scores({"routing.evidence_min": 2.0})["declining"]
    assert nothing[[0, 1, 2]].tolist() == [0.0, 0.0, 1.0]


def test_a_second_store_reaches_the_right_one_at_a_price(kept: KeptQuestions) -> None:
    # A margin of 1 is never reached by two text routes, so each gray clause is asked of both.
    wide = {
        "routing.boundary_margin": 1.0,
        "routing.evidence_min": 0.0,
        "routes.*.tau_high": 1.0,
        "routes.*.tau_low": -1.0,
    }
    (clause,) = kept.decided({**wide, "routing.text_weight": 0.0})[1]
    assert (clause.route, *clause.also) in {("vectorial", "graph"), ("graph", "vectorial")}
    worth = kept.scores({**wide, "routing.text_weight": 0.0})["second store"][1]
    assert worth == 1.0 - SECOND_STORE_COST


def test_weights(kept: KeptQuestions) -> None:
    assert kept.routed_weights().tolist() == [1.0, 1.0, 0.0, 1.0, 0.0]
    # One question that nothing answers weighs as much as the four others.
    assert kept.declining_weights() == pytest.approx(np.array([0.625, 0.625, 2.5, 0.625, 0.625]))
