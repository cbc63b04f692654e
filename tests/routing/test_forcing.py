"""A caller's route and strategy take the place of the decided ones; the arithmetic stays to be looked at."""

from __future__ import annotations

from polyrag_cli.routing.forcing import force
from polyrag_cli.types import ClauseDecision, RouteDecision, RouteScore

CONFIGURED = {"relational": "text_to_sql", "vectorial": "auto", "graph": "graph_walk"}


def decided() -> RouteDecision:
    scores = (RouteScore("graph", 0.4, 1.0, "anchor"), RouteScore("vectorial", 0.3, 0.5, "anchor"))
    clause = ClauseDecision(
        *("Who?", "who", "graph", ("vectorial",), 3, scores, 0.1, 0.5, 0.5, 0.2, 0.25, "graph_walk", "gray", False)
    )
    return RouteDecision("Who?", (clause, clause), "c0ffee", 7)


def test_nothing_forced_leaves_the_decision() -> None:
    assert force(decided(), None, None, CONFIGURED) == decided()


def test_a_route_brings_its_own_strategy_to_every_clause() -> None:
    forced = force(decided(), "relational", None, CONFIGURED)
    assert [(c.route, c.strategy, c.stage, c.also, c.answerable) for c in forced.clauses] == [
        ("relational", "text_to_sql", 0, (), True)
    ] * 2
    assert forced.clauses[0].scores == decided().clauses[0].scores
    assert (forced.forced_route, forced.forced_strategy) == ("relational", None)
    assert forced.clauses[0].reason == "route relational forced"


def test_a_forced_route_has_the_final_margin_that_it_lost_by() -> None:
    assert force(decided(), "vectorial", None, CONFIGURED).clauses[0].final_margin == -0.5
    assert force(decided(), "graph", None, CONFIGURED).clauses[0].final_margin == 0.5


def test_a_route_that_chooses_by_rules_takes_the_usual_strategy() -> None:
    assert force(decided(), "vectorial", None, CONFIGURED).clauses[0].strategy == "hybrid"


def test_a_strategy_alone_keeps_the_route() -> None:
    clause = force(decided(), None, "lexical", CONFIGURED).clauses[0]
    assert (clause.route, clause.strategy, clause.reason) == ("graph", "lexical", "strategy lexical forced")
