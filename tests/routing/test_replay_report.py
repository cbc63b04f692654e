"""Many stored decisions made again: what differs at most, why, in which order, and what can't be read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from polyrag_cli.routing.replay import differences
from polyrag_cli.routing.replay_report import reasons, replayed_as
from polyrag_cli.types import ClauseDecision, Evidence, Replay, RouteDecision, RouteScore


def decision(**changes: object) -> RouteDecision:
    scores = (
        RouteScore("graph", 0.4, 0.9, "Who?", Evidence("entity", "Foz", 0.5)),
        RouteScore("vectorial", 0.3, 0.6, "How?", None),
    )
    clause = ClauseDecision(
        "Q", "q", "graph", (), 3, scores, 0.1, 0.3, 0.5, 0.2, 0.25, "graph_walk", "since", start=0, end=1
    )
    mine = {name: value for name, value in changes.items() if name in ("config_hash", "generation")}
    rest = {name: value for name, value in changes.items() if name not in mine}
    return replace(RouteDecision("Q", (replace(clause, **rest),), "c1", 1), **mine)  # type: ignore[arg-type]


def replayed(now: RouteDecision) -> tuple[str, str]:
    stored = decision()
    found = differences(stored, now)
    one = replayed_as(Replay("t", not found, stored, now, found))
    return one.change, one.cause


VECTORIAL_FIRST = (
    RouteScore("vectorial", 0.3, 0.95, "Why?", Evidence("heading", "O começo", 0.6)),
    RouteScore("graph", 0.4, 0.9, "Who?", Evidence("entity", "Foz", 0.5)),
)


@pytest.mark.parametrize(
    ("changes", "change", "cause"),
    [
        ({}, "same", ""),
        ({"generation": 2}, "stamp", "corpus"),
        ({"config_hash": "c2"}, "stamp", "configuration"),
        ({"config_hash": "c2", "generation": 2}, "stamp", "configuration and corpus"),
        ({"margin": 0.2}, "score", "neither"),
        ({"margin": 0.2, "generation": 2}, "score", "corpus"),
        ({"scores": VECTORIAL_FIRST}, "score", "neither"),
        ({"strategy": "hybrid", "generation": 2}, "decision", "corpus"),
        ({"stage": 2}, "decision", "neither"),
        ({"also": ("vectorial",)}, "decision", "neither"),
        ({"answerable": False}, "decision", "neither"),
        ({"route": "vectorial", "config_hash": "c2"}, "route", "configuration"),
        ({"text": "R"}, "route", "neither"),
    ],
)
def test_what_differs_at_most_and_why(changes: dict[str, object], change: str, cause: str) -> None:
    assert replayed(decision(**changes)) == (change, cause)


def test_another_number_of_clauses_is_another_route() -> None:
    now = decision()
    now = replace(now, clauses=now.clauses * 2)
    assert replayed(now) == ("route", "neither")
    assert reasons(decision(), now) == ("clauses 1 → 2",)


def test_reasons_name_both_routes_scores_and_what_they_rest_on() -> None:
    now = decision(route="vectorial", strategy="hybrid", scores=VECTORIAL_FIRST, stage=2)
    assert reasons(decision(), now) == (
        "graph 0.90",
        "vectorial 0.60 → 0.95",
        "anchor of vectorial now “Why?”",
        "evidence for vectorial none → heading “O começo”",
        "stage 3 → 2",
    )
    assert reasons(decision(), decision(answerable=False, also=("vectorial",))) == (
        "also searched none → vectorial",
        "no longer answerable",
    )


def test_numbers_have_the_places_that_show_them_to_differ() -> None:
    graph, *others = decision().clauses[0].scores
    near = (replace(graph, final_score=0.900041), *others)
    assert reasons(decision(), decision(scores=near)) == ("graph 0.90000 → 0.90004",)
    assert reasons(decision(), decision(scores=tuple(others))) == ("graph is gone",)
