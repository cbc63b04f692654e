"""Owns which route is taken: stage 2 by cosine and margin, stage 3 by what the stores hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from polyrag_cli.config.sections import Route, RoutingSettings
from polyrag_cli.routing.base import free_text_route
from polyrag_cli.routing.inputs import ClauseEvidence
from polyrag_cli.routing.scores import Scored
from polyrag_cli.scoring.margin import MarginRule, margin, margin_of, verdict
from polyrag_cli.types import ClauseDecision


@dataclass(frozen=True, slots=True)
class Ruling:
    """The route taken and the stage that tipped it.

    lead: the route of the best cosine, whose thresholds hold. margin: stage 2's; final_margin: of the route taken.
    answerable: whether any store holds enough; also: a second route to ask, None without one.
    """

    winner: Scored
    stage: int
    lead: Scored
    margin: float
    final_margin: float
    answerable: bool
    also: Route | None


def ruled(ranked: Sequence[Scored], evidence: ClauseEvidence, settings: RoutingSettings, embedded: bool) -> Ruling:
    """The ruling over scored routes, the best final score first.

    Stage 2 takes the best cosine when it reaches tau_high with a margin of delta_margin, and free text when it is below
    tau_low and no store speaks for the best final score. Everything else is gray: the best final score is taken.
    """
    by_cosine = sorted(ranked, key=lambda item: (-item.score.score, item.route.name))
    lead = by_cosine[0]
    # Both lists are sorted: their first two entries say all about the best and the margin.
    cosines = [item.score.score for item in by_cosine[:2]]
    winner, stage = _taken(ranked, lead, cosines, settings, embedded)
    others = [item.score.final_score for item in ranked[:2] if item is not winner]
    distance = margin_of(winner.score.final_score, others)
    answerable = held(evidence, settings) >= settings.evidence_min
    near = stage == 3 and answerable and len(ranked) > 1 and abs(distance) < settings.boundary_margin
    also = next(item.route for item in ranked[:2] if item is not winner) if near else None
    return Ruling(winner, stage, lead, margin(cosines), distance, answerable, also)


def final_margin(clause: ClauseDecision) -> float:
    """The distance of the final score of a clause's route to the best of the others, below zero where one is higher."""
    finals = {score.route: score.final_score for score in clause.scores}
    own = finals.pop(clause.route, None)
    return clause.final_margin if own is None else margin_of(own, list(finals.values()))


def held(evidence: ClauseEvidence, settings: RoutingSettings) -> float:
    """The evidence that decides whether anything answers; of passages less the penalty for a name that no store
    holds."""
    return max(evidence.table, evidence.text - settings.unknown_name_penalty * bool(evidence.unknown_names))


def _taken(
    ranked: Sequence[Scored], lead: Scored, cosines: Sequence[float], settings: RoutingSettings, embedded: bool
) -> tuple[Scored, int]:
    """The route taken and the stage."""
    first = ranked[0]
    spoken = first.score.evidence
    if not embedded:
        return (first if spoken is not None else _fallback(ranked)), 3
    route = lead.route
    rule = verdict(cosines, MarginRule(route.tau_high, route.tau_low, route.delta_margin))
    if rule == "take":
        return lead, 2
    if rule == "free" and (spoken is None or spoken.score < settings.evidence_min):
        return _fallback(ranked), 2
    return first, 3


def _fallback(ranked: Sequence[Scored]) -> Scored:
    free = free_text_route([item.route for item in ranked])
    return next(item for item in ranked if item.route is free)
