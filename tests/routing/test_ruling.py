"""Stages 2 and 3 at their borders, by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from polyrag_cli.config.sections import Route, RoutingSettings
from polyrag_cli.routing.inputs import ClauseEvidence
from polyrag_cli.routing.ruling import Ruling, final_margin, held, ruled
from polyrag_cli.routing.scores import Scored
from polyrag_cli.types import ClauseDecision, Evidence, RouteScore

THRESHOLDS = {"strategy": "auto", "tau_high": 0.5, "tau_low": 0.2, "delta_margin": 0.25}
SETTINGS = RoutingSettings(evidence_min=0.23, boundary_margin=0.05)
STORES = {"letters": "vector", "people": "graph", "sales": "relational"}


def scored(**routes: tuple[float, float]) -> list[Scored]:
    """Routes by (cosine, evidence), ranked."""
    found = []
    for name, (cosine, item) in routes.items():
        route = Route(name, STORES[name], **THRESHOLDS)  # type: ignore[arg-type]
        evidence = Evidence("text", name, item) if item else None
        found.append(Scored(route, RouteScore(name, cosine, round(cosine + item, 6), "like it", evidence)))
    return sorted(found, key=lambda one: (-one.score.final_score, one.route.name))


def rule(embedded: bool = True, settings: RoutingSettings = SETTINGS, **routes: tuple[float, float]) -> Ruling:
    text = max((item for name, (_, item) in routes.items() if name != "sales"), default=0.0)
    evidence = ClauseEvidence({}, routes.get("sales", (0.0, 0.0))[1], text)
    return ruled(scored(**routes), evidence, settings, embedded)


def taken(found: Ruling) -> tuple[str, int]:
    return found.winner.route.name, found.stage


@pytest.mark.parametrize(
    ("sales", "letters", "expected"),
    [
        ((0.5, 0.0), (0.25, 0.9), ("sales", 2)),  # both thresholds reached: the stores aren't asked
        ((0.499999, 0.0), (0.2, 0.9), ("letters", 3)),
        ((0.5, 0.0), (0.250001, 0.9), ("letters", 3)),
        ((0.2, 0.0), (0.1, 0.05), ("sales", 3)),
        ((0.199999, 0.0), (0.1, 0.05), ("letters", 2)),  # below tau_low, and no store speaks: free text
        ((0.199999, 0.3), (0.1, 0.05), ("sales", 3)),  # below tau_low, and one does
    ],
)
def test_thresholds(sales: tuple[float, float], letters: tuple[float, float], expected: tuple[str, int]) -> None:
    assert taken(rule(sales=sales, letters=letters)) == expected


def test_without_an_embedder_evidence_decides_or_free_text() -> None:
    assert taken(rule(embedded=False, sales=(0.0, 0.4), letters=(0.0, 0.1))) == ("sales", 3)
    assert taken(rule(embedded=False, sales=(0.1, 0.0), people=(0.0, 0.0), letters=(0.0, 0.0))) == ("letters", 3)


def test_the_margins_are_of_the_best_cosine_and_of_the_route_taken() -> None:
    turned = rule(sales=(0.4, 0.0), letters=(0.3, 0.4))
    assert (turned.lead.route.name, turned.margin, turned.final_margin) == ("sales", 0.1, 0.3)
    against = rule(sales=(0.6, 0.0), letters=(0.3, 0.9))
    assert (taken(against), against.margin, against.final_margin) == (("sales", 2), 0.3, -0.6)


def test_near_finals_ask_a_second_route_of_what_can_be_answered() -> None:
    near = rule(people=(0.3, 0.44), letters=(0.3, 0.4))
    assert near.also is not None and near.also.name == "letters"
    assert rule(people=(0.3, 0.45), letters=(0.3, 0.4)).also is None
    assert rule(people=(0.3, 0.1), letters=(0.3, 0.09)).also is None
    assert rule(people=(0.3, 0.4)).also is None
    sure = rule(people=(0.6, 0.4), letters=(0.3, 0.69))
    assert (sure.stage, sure.also) == (2, None)


def test_what_no_store_knows_counts_against_passages_alone() -> None:
    evidence = ClauseEvidence({}, 0.1, 0.3)
    settings = RoutingSettings(unknown_name_penalty=0.15)
    assert held(evidence, settings) == 0.3
    assert held(replace(evidence, unknown_names=("Wells",)), settings) == pytest.approx(0.15)
    assert held(replace(evidence, table=0.25, unknown_names=("Wells",)), settings) == 0.25
    assert not rule(people=(0.3, 0.229)).answerable
    assert rule(people=(0.3, 0.23)).answerable


def test_a_decision_knows_the_final_margin_of_its_route() -> None:
    finals = tuple(one.score for one in scored(people=(0.3, 0.4), letters=(0.3, 0.1)))
    decision = ClauseDecision("", "", "people", (), 3, finals, 0.0, 9.0, 0.5, 0.2, 0.25, "auto", "")
    assert final_margin(decision) == 0.3
    assert final_margin(replace(decision, route="letters")) == -0.3
    # A route that takes no part, as "direct" does, keeps what it has.
    assert final_margin(replace(decision, route="direct")) == 9.0
