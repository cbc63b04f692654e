"""Where a question or a passage goes, with the numbers that decide it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ScoreTerm:
    """One term of a score as it is added, rounded to 1e-6; a factor is the difference that it makes."""

    name: str
    value: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a store really holds that speaks for a route; kind is entity, heading, column, value, table, text or
    none.

    terms: what `score` is made of, in the order added; their decimal sum is `score` exactly.
    """

    kind: str
    name: str
    score: float
    terms: tuple[ScoreTerm, ...] = ()


@dataclass(frozen=True, slots=True)
class RouteScore:
    """One route's arithmetic: `score` is stage 2's cosine, `final_score` includes store evidence.

    terms: what `final_score` is made of, in the order added; their decimal sum is `final_score` exactly. () in a
    decision that was stored before terms were.
    """

    route: str
    score: float
    final_score: float
    anchor: str
    evidence: Evidence | None = None
    terms: tuple[ScoreTerm, ...] = ()


@dataclass(frozen=True, slots=True)
class ClauseDecision:
    """Where one clause of a question goes, and the numbers that sent it there; `scores` is sorted by `final_score`.

    stage: 1 heuristic, 2 cosine and margin, 3 store evidence; 0 when forced by the caller.
    margin: stage 2's, from the best cosine to the second. final_margin: from the final score of the route taken to the
    best of the others, below zero where another one's is higher.
    evidence_min: what evidence must reach in some store; boundary_margin: a final margin below it asks a second route.
    answerable: False when evidence is below `evidence_min` everywhere.
    """

    text: str
    normalized: str
    route: str
    also: tuple[str, ...]
    stage: int
    scores: tuple[RouteScore, ...]
    margin: float
    final_margin: float
    tau_high: float
    tau_low: float
    delta_margin: float
    strategy: str
    reason: str
    answerable: bool = True
    start: int = 0
    end: int = 0
    evidence_min: float = 0.0
    boundary_margin: float = 0.0


@dataclass(frozen=True, slots=True)
class RouteDecision:
    """The decision for a whole question; equal for equal corpus, config and question (times aside).

    forced_route, forced_strategy: what the caller insisted on.
    """

    question: str
    clauses: tuple[ClauseDecision, ...]
    config_hash: str
    generation: int
    took_ms: float = 0.0
    timings: Mapping[str, float] = field(default_factory=dict)
    forced_route: str | None = None
    forced_strategy: str | None = None


@dataclass(frozen=True, slots=True)
class ChunkRoute:
    """A chunk's home store: `scores` by route; `also` holds a second home when the margin is inside delta."""

    home: str
    also: tuple[str, ...]
    scores: tuple[tuple[str, float], ...]
    margin: float
    reason: str = ""
