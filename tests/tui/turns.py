"""Decisions, answers and spans made by hand, for tests of what draws them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from polyrag_cli.types import (
    Answer,
    ClauseDecision,
    Evidence,
    Hit,
    RouteDecision,
    RouteScore,
    ScoreTerm,
    SpanEvent,
)


def _terms(cosine: float, evidence: float) -> tuple[ScoreTerm, ...]:
    return (ScoreTerm("cosine", cosine), ScoreTerm("evidence", evidence))


_LINCE, _FARM = Evidence("entity", "Câmara Lince", 0.94), Evidence("heading", "A fazenda", 0.22)
GRAPH = RouteScore("graph", 0.58, 1.52, "which rule depends on another?", _LINCE, _terms(0.58, 0.94))
RELATIONAL = RouteScore("relational", 0.55, 0.55, "how many units were sold?", None, _terms(0.55, 0.0))
VECTORIAL = RouteScore("vectorial", 0.31, 0.53, "how did it begin?", _FARM, _terms(0.31, 0.22))

CLAUSE = ClauseDecision(
    text="Which inspection do lots need?",
    normalized="which inspection do lots need",
    route="graph",
    also=(),
    stage=3,
    scores=(GRAPH, RELATIONAL, VECTORIAL),
    margin=0.03,
    final_margin=0.97,
    tau_high=0.45,
    tau_low=0.35,
    delta_margin=0.08,
    strategy="graph_walk",
    reason="margin 0.03: gray; the stores confirm graph; graph_walk: the route's own",
)
HIT = Hit("rules.md", "c" * 16, "Rule RE-3", None, 40, 90, "x" * 50, 0.83, "graph", ((40, 60),))


def decision(*clauses: ClauseDecision, question: str = CLAUSE.text) -> RouteDecision:
    """A decision of these clauses, of one about lots by default."""
    return RouteDecision(question, clauses or (CLAUSE,), "f" * 16, 12, 1.9, {"embed": 1.3})


def answer(text: str | None = "Lots need an inspection. [1]", **changes: Any) -> Answer:
    """An answer with one cited source."""
    plain = Answer(
        question=CLAUSE.text,
        answer=text,
        route="graph",
        routes=("graph",),
        strategy="graph_walk",
        cached=False,
        sql=None,
        columns=(),
        rows=(),
        sources=(HIT,),
        decision=decision(),
        trace_id="91d0" * 4,
        took_ms=14.2,
    )
    return replace(plain, **changes)


def span(number: int, ms: float | None = None, parent: int | None = None, start_ms: float = 0.0) -> SpanEvent:
    """A span that starts, or has ended when `ms` is given. parent: another span's number."""
    above = "" if parent is None else f"{parent:016x}"
    return SpanEvent("t" * 16, f"{number:016x}", above, f"span.{number}", 1000.0 + start_ms, ms)
