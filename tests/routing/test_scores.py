"""Final scores by hand, and terms that add up to them."""

from __future__ import annotations

import random
from decimal import Decimal

import pytest

from polyrag_cli.config.sections import Route, RoutingSettings
from polyrag_cli.routing.anchors import AnchorScores
from polyrag_cli.routing.clauses import Clause
from polyrag_cli.routing.inputs import ClauseEvidence, ClauseInputs
from polyrag_cli.routing.scores import gate, ranked
from polyrag_cli.text.utterance import read
from polyrag_cli.types import Evidence, RouteScore

# In the order of their names, as a router hands them in; no name says what a route answers from.
ROUTES = (Route("letters", "vector"), Route("people", "graph"), Route("sales", "relational"))


def inputs(
    cosines: tuple[float, ...] = (0.3, 0.2, 0.4), asks: bool = False, text: float = 0.0, **held: float
) -> ClauseInputs:
    anchors = AnchorScores(cosines, tuple(f"like {route.name}" for route in ROUTES) if cosines else ())
    routes = {name: Evidence("text", name, value) for name, value in held.items()}
    evidence = ClauseEvidence(routes, held.get("sales", 0.0), text)
    return ClauseInputs(Clause("Who?", 0, 4), read("Who?"), None, asks, anchors, evidence)


def scores(read: ClauseInputs, settings: RoutingSettings) -> dict[str, RouteScore]:
    return {item.route.name: item.score for item in ranked(read, ROUTES, settings)}


def terms(score: RouteScore) -> dict[str, float]:
    return {term.name: term.value for term in score.terms}


def test_a_route_of_passages_adds_its_evidence_to_its_cosine() -> None:
    found = scores(inputs(letters=0.5), RoutingSettings(text_weight=0.8))
    assert found["letters"].final_score == 0.7
    assert terms(found["letters"]) == {"cosine": 0.3, "evidence": 0.4}
    assert terms(found["people"]) == {"cosine": 0.2, "evidence": 0.0}
    assert (found["people"].final_score, found["people"].anchor) == (0.2, "like people")


def test_a_route_of_tables_gains_by_a_word_that_asks_for_a_figure() -> None:
    settings = RoutingSettings(aggregate_bonus=0.1, table_weight=1.5)
    asked = scores(inputs(asks=True, sales=0.2), settings)["sales"]
    # .4 + .1 + 1.5 · .2
    assert asked.final_score == 0.8
    assert terms(asked) == {"cosine": 0.4, "aggregate_bonus": 0.1, "evidence": 0.3}
    assert terms(scores(inputs(sales=0.2), settings)["sales"]) == {"cosine": 0.4, "evidence": 0.3}
    assert terms(scores(inputs(asks=True), settings)["letters"]) == {"cosine": 0.3, "evidence": 0.0}


def test_the_gate_is_the_difference_that_it_makes() -> None:
    settings = RoutingSettings(table_min=0.4, text_min=0.15, aggregate_bonus=0.1)
    read = inputs(asks=True, text=0.2, sales=0.1)
    # Passages hold enough, tables a quarter of what they need: of .4 + .1 a quarter is left.
    assert gate(read, settings) == 0.25
    found = scores(read, settings)["sales"]
    assert found.final_score == 0.225
    assert terms(found) == {"cosine": 0.4, "aggregate_bonus": 0.1, "gate": -0.375, "evidence": 0.1}


@pytest.mark.parametrize(
    ("text", "table", "expected"), [(0.14, 0.0, 1.0), (0.15, 0.0, 0.0), (0.9, 0.4, 1.0), (0.9, 0.8, 1.0)]
)
def test_the_gate_is_open_without_passages_and_with_enough_of_a_table(
    text: float, table: float, expected: float
) -> None:
    assert gate(inputs(text=text, sales=table), RoutingSettings(table_min=0.4, text_min=0.15)) == expected


def test_without_an_embedder_there_is_no_cosine_among_the_terms() -> None:
    found = scores(inputs((), asks=True, letters=0.5), RoutingSettings(aggregate_bonus=0.1))
    assert terms(found["letters"]) == {"evidence": 0.5}
    assert terms(found["sales"]) == {"aggregate_bonus": 0.1, "evidence": 0.0}
    assert (found["sales"].score, found["sales"].anchor) == (0.0, "")


def test_the_best_final_score_comes_first_and_equals_by_name() -> None:
    order = [item.route.name for item in ranked(inputs((0.3, 0.3, 0.5)), ROUTES, RoutingSettings())]
    assert order == ["sales", "letters", "people"]


def test_terms_add_up_to_the_last_digit_whatever_the_weights() -> None:
    draw = random.Random(3)
    for _ in range(500):
        settings = RoutingSettings(
            text_weight=draw.random(), table_weight=2 * draw.random(), aggregate_bonus=draw.random() / 7, table_min=0.37
        )
        cosines = tuple(round(draw.uniform(-0.1, 1.0), 6) for _ in ROUTES)
        held = {route.name: round(draw.random(), 6) for route in ROUTES}
        for score in scores(inputs(cosines, draw.random() < 0.5, draw.random(), **held), settings).values():
            assert sum((Decimal(str(term.value)) for term in score.terms), Decimal(0)) == Decimal(
                str(score.final_score)
            )
