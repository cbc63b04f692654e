import json
from dataclasses import replace
from typing import Any

import pytest
from memory_corpus import MemoryCorpus

from polyrag_cli.errors import StoreError
from polyrag_cli.routing.replay import decision_from_json, differences, stamps
from polyrag_cli.routing.router import Router
from polyrag_cli.text.utterance import read
from polyrag_cli.types import Evidence, RouteDecision, ScoreTerm, as_json


@pytest.fixture
def decision(router: Router, corpus: MemoryCorpus) -> RouteDecision:
    question = "What is the total of litres from Orchard and who has to approve a new hive?"
    return router.decide(read(question), corpus.snapshot(7), corpus.stores, corpus)


@pytest.mark.parametrize("question", ["Who has to approve a new hive?", "Olá", "🐝", "total litres? Who may approve?"])
def test_the_way_to_json_and_back_is_exact(router: Router, corpus: MemoryCorpus, question: str) -> None:
    before = router.decide(read(question), corpus.snapshot(), corpus.stores, corpus)
    after = decision_from_json(json.loads(json.dumps(as_json(before))))
    assert after == before
    assert differences(before, after) == ()


def test_times_are_no_difference(decision: RouteDecision) -> None:
    assert differences(decision, replace(decision, took_ms=99.0, timings={"embed": 1.0})) == ()


def test_another_configuration_or_generation_is_told_apart(decision: RouteDecision) -> None:
    assert stamps(decision, decision) == ()
    again = replace(decision, generation=9)
    assert (differences(decision, again), stamps(decision, again)) == ((), ("corpus generation 7 → 9",))
    both = replace(again, config_hash="f" * 64)
    first, second = stamps(decision, both)
    assert differences(decision, both) == ()
    assert first == f"configuration, anchors or embedder {decision.config_hash[:12]} → {'f' * 12}"
    assert second == "corpus generation 7 → 9"


def test_every_change_is_named(decision: RouteDecision) -> None:
    first, second = decision.clauses
    top = first.scores[0]
    moved = replace(top, score=0.25, final_score=0.5, anchor="elsewhere", evidence=Evidence("table", "jars", 0.125))
    now = replace(
        decision,
        config_hash="f" * 64,
        generation=8,
        clauses=(
            replace(first, route="graph", also=("vectorial",), final_margin=0.01, scores=(moved, *first.scores[1:])),
            replace(second, strategy="hybrid", answerable=False),
        ),
    )
    found = differences(decision, now)
    expected = [
        "clause 1: route: relational → graph",
        f"clause 1: cosine of relational: {top.score:.6f} → 0.250000",
        f"clause 1: final score of relational: {top.final_score:.6f} → 0.500000",
        "clause 1: nearest anchor of relational:",
        "clause 1: evidence of relational:",
        "clause 1: second route: none → vectorial",
        "clause 1: final margin:",
        "clause 2: strategy: graph_walk → hybrid",
        "clause 2: answerable: True → False",
    ]
    assert len(found) == len(expected)
    assert all(any(line.startswith(start) for line in found) for start in expected)


def test_routes_and_clauses_that_come_and_go(decision: RouteDecision) -> None:
    first, second = decision.clauses
    fewer = replace(decision, clauses=(replace(first, scores=first.scores[:2]),))
    found = differences(decision, fewer)
    gone = first.scores[2].route
    assert found == ("clauses: 2 → 1", f"clause 1: route {gone} is gone")
    assert f"clause 1: route {gone} is new" in differences(fewer, decision)
    shuffled = replace(decision, clauses=(replace(first, scores=first.scores[::-1]), second))
    assert differences(decision, shuffled) == ("clause 1: order of the routes changed",)


def test_a_decision_stored_before_terms_were_is_still_the_same(decision: RouteDecision) -> None:
    payload = json.loads(json.dumps(as_json(decision)))
    for clause in payload["clauses"]:
        clause["reason"] = "in the words of then"
        for name in ("evidence_min", "boundary_margin"):
            del clause[name]
        for score in clause["scores"]:
            del score["terms"]
            if score["evidence"] is not None:
                del score["evidence"]["terms"]
    stored = decision_from_json(payload)
    assert differences(stored, decision) == ()
    payload["clauses"][0]["scores"][0]["final_score"] += 0.5
    assert any("final score of relational" in text for text in differences(decision_from_json(payload), decision))


def test_a_final_margin_stored_without_its_sign_gets_it(decision: RouteDecision) -> None:
    first = decision.clauses[0]
    runner = first.scores[1]
    distance = round(runner.final_score - first.scores[0].final_score, 6)
    turned = replace(decision, clauses=(replace(first, route=runner.route, stage=2, final_margin=distance),))
    payload = json.loads(json.dumps(as_json(turned)))
    payload["clauses"][0]["final_margin"] = -distance
    for score in payload["clauses"][0]["scores"]:
        del score["terms"]
    assert decision_from_json(payload).clauses[0].final_margin == distance < 0


def test_other_terms_and_reasons_are_told(decision: RouteDecision) -> None:
    first, second = decision.clauses
    top = first.scores[0]
    assert top.evidence is not None
    terms = (*top.terms[:-1], ScoreTerm("evidence", 0.125))
    parts = replace(top.evidence, terms=(ScoreTerm("coverage", 0.5), ScoreTerm("bm25", 0.5)))
    scores = (replace(top, terms=terms, evidence=parts), *first.scores[1:])
    found = differences(decision, replace(decision, clauses=(replace(first, scores=scores, reason="so"), second)))
    assert [text.partition(": ")[2].partition(": ")[0] for text in found] == [
        "terms of relational",
        "terms of evidence of relational",
        "reason",
    ]
    assert found[0].endswith("evidence 0.125000")


@pytest.mark.parametrize(
    "payload", [{}, {"question": "x", "clauses": [{"text": "x"}], "config_hash": "", "generation": 1}]
)
def test_what_is_no_decision_is_refused(payload: dict[str, object]) -> None:
    with pytest.raises(StoreError, match="can't be read"):
        decision_from_json(payload)


@pytest.mark.parametrize(
    ("part", "value"),
    [
        (("question",), None),
        (("config_hash",), 5),
        (("forced_route",), 5),
        (("clauses", 0, "text"), None),
        (("clauses", 0, "route"), 5),
        (("clauses", 0, "also"), [None]),
        (("clauses", 0, "margin"), "x"),
        (("clauses", 0, "stage"), True),
        (("clauses", 0, "scores", 0, "score"), None),
        (("clauses", 0, "scores", 0, "final_score"), float("nan")),
        (("clauses", 0, "scores", 0, "evidence"), {"kind": "entity", "name": 5, "score": 0.5}),
        (("clauses", 0, "scores", 0, "terms", 0, "value"), "x"),
        (("clauses", 0, "scores", 0, "evidence", "terms", 0, "name"), 5),
    ],
)
def test_a_field_of_another_kind_is_refused(decision: RouteDecision, part: tuple[Any, ...], value: object) -> None:
    payload = json.loads(json.dumps(as_json(decision)))
    assert decision_from_json(payload) == decision
    inner = payload
    for key in part[:-1]:
        inner = inner[key]
    inner[part[-1]] = value
    with pytest.raises(StoreError, match="can't be read"):
        decision_from_json(payload)
