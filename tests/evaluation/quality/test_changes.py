"""One line for what changed a question, by stage."""

from dataclasses import replace

import pytest

from polyrag_cli.evaluation.quality.changes import change
from polyrag_cli.evaluation.quality.runner import ItemResult
from polyrag_cli.types import ClauseDecision, Evidence, RouteDecision, RouteScore

GRAPH = RouteScore("graph", 0.41, 0.71, "who", Evidence("entity", "Foz", 0.3))
TEXT = RouteScore("vectorial", 0.39, 0.6, "how", Evidence("heading", "O começo", 0.21))
CLAUSE = ClauseDecision(
    text="q", normalized="q", route="graph", also=(), stage=3, scores=(GRAPH, TEXT), margin=0.02, final_margin=0.11,
    tau_high=0.5, tau_low=0.2, delta_margin=0.25, strategy="graph_walk", reason="gray; graph_walk: configured",
)  # fmt: skip
BEFORE = ItemResult(
    question="q", expected=("graph",), routes=("graph",), answer="a", words=1, took_ms=1.0, scores={},
    hits=("h1", "h2", "h3"), decision=RouteDecision("q", (CLAUSE,), "", 0),
)  # fmt: skip


def now(clause: ClauseDecision = CLAUSE, **fields: object) -> ItemResult:
    changed = replace(BEFORE, decision=RouteDecision("q", (clause,), "", 0))
    return replace(changed, **fields)  # type: ignore[arg-type]


def rerouted(**fields: object) -> ClauseDecision:
    return replace(CLAUSE, route="vectorial", **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("after", "line"),
    [
        (
            now(rerouted(scores=(TEXT, replace(GRAPH, score=0.38)))),
            "stage 2: cosine of graph 0.41 → 0.38; route graph → vectorial",
        ),
        (
            now(rerouted(scores=(TEXT, replace(GRAPH, score=0.408, evidence=Evidence("entity", "Foz", 0.05))))),
            "stage 3: evidence of graph (entity 'Foz') 0.30 → 0.05; route graph → vectorial",
        ),
        (now(rerouted(tau_high=0.4)), "stage 2: tau_high 0.50 → 0.40; route graph → vectorial"),
        (
            now(rerouted(scores=(TEXT, replace(GRAPH, final_score=0.5)))),
            "stage 3: final score of graph 0.71 → 0.50; route graph → vectorial",
        ),
        (now(rerouted(stage=1, scores=(), reason="a greeting")), "stage 1: gray; graph_walk: configured → a greeting; "
                                                                 "route graph → vectorial"),
        (now(replace(CLAUSE, strategy="hybrid")), "strategy graph_walk → hybrid"),
        (
            now(replace(CLAUSE, answerable=False, reason="gray; evidence is below 0.40 everywhere")),
            "stage 3: evidence is below 0.40 everywhere; no longer answerable",
        ),
        (now(replace(CLAUSE, also=("vectorial",))), "second route none → vectorial"),
        (now(replace(CLAUSE, text="p")), "clauses: “q” → “p”"),
        (now(hits=("h1", "h3", "h2")), "retrieval (graph_walk): same sources, other order from rank 2"),
        (now(hits=("h1", "h4")), "retrieval (graph_walk): sources differ from rank 2, 2 gone, 1 new"),
        (now(hits=("h1", "h2")), "retrieval (graph_walk): sources differ from rank 3, 1 gone, 0 new"),
        (now(hits=()), "retrieval (graph_walk): nothing found any more"),
        (now(sql="SELECT 1"), "SQL: none → SELECT 1"),
        (now(answer=None), "answer: “a” → none"),
        (now(false_hit="p?"), "cache: would serve the answer to “p?”"),
        (now(), "retrieval: the passages after the answer's sources changed"),
    ],
)  # fmt: skip
def test_the_first_stage_that_parted_the_runs_is_named(after: ItemResult, line: str) -> None:
    assert change(BEFORE, after) == line


def test_scores_that_decide_the_same_changed_nothing() -> None:
    moved = replace(CLAUSE, scores=(replace(GRAPH, score=0.1), TEXT))
    assert change(BEFORE, now(moved, answer="b")) == "answer: “a” → “b”"


def test_a_question_of_several_clauses_names_the_one() -> None:
    two = RouteDecision("q", (CLAUSE, CLAUSE), "", 0)
    other = RouteDecision("q", (CLAUSE, rerouted(tau_high=0.4)), "", 0)
    before, after = replace(BEFORE, decision=two), replace(BEFORE, decision=other)
    assert change(before, after).startswith("clause 2, stage 2: tau_high")
    assert change(BEFORE, before) == "clauses: split into 1 → 2"


def test_a_false_hit_alone_is_the_caches_doing() -> None:
    after = now(false_hit="p?", hits=("h1",))
    assert change(BEFORE, after, {"false_hit_rate"}).startswith("cache: would serve")
    assert change(after, BEFORE, {"false_hit_rate"}) == "cache: no longer serves the answer to “p?”"
