"""Owns the decision of one clause from what was read of it; pure, so that thresholds can be tried by the thousand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from polyrag_cli.config.sections import Route, RoutingSettings
from polyrag_cli.routing.base import AUTO, free_text_route
from polyrag_cli.routing.inputs import ClauseInputs, Form
from polyrag_cli.routing.reasons import why
from polyrag_cli.routing.ruling import ruled
from polyrag_cli.routing.scores import ranked
from polyrag_cli.routing.strategies import choose_strategy
from polyrag_cli.types import ClauseDecision


def conclude(inputs: ClauseInputs, routes: Sequence[Route], settings: RoutingSettings) -> ClauseDecision:
    """The decision of a clause: by its form (stage 1), by cosine and margin (2), or by what the stores hold (3).

    routes: in the order of the anchors' scores.
    """
    if inputs.form is not None:
        return _by_form(inputs, inputs.form, routes, settings)
    scored = ranked(inputs, routes, settings)
    embedded = bool(inputs.anchors.scores)
    ruling = ruled(scored, inputs.evidence, settings, embedded)
    thresholds, winner = ruling.lead.route, ruling.winner.route
    strategy, how = _strategy(winner, inputs, embedded)
    draft = ClauseDecision(
        text=inputs.clause.text,
        normalized=inputs.asked.folded,
        route=winner.name,
        also=(ruling.also.name,) if ruling.also is not None else (),
        stage=ruling.stage,
        scores=tuple(item.score for item in scored),
        margin=ruling.margin,
        final_margin=ruling.final_margin,
        tau_high=thresholds.tau_high,
        tau_low=thresholds.tau_low,
        delta_margin=thresholds.delta_margin,
        strategy=strategy,
        reason="",
        answerable=ruling.answerable,
        start=inputs.clause.start,
        end=inputs.clause.end,
        evidence_min=settings.evidence_min,
        boundary_margin=settings.boundary_margin,
    )
    reason = why(draft, ruling, scored, inputs.evidence, settings, embedded)
    return replace(draft, reason=f"{reason}; {strategy}: {how}")


def _by_form(inputs: ClauseInputs, form: Form, routes: Sequence[Route], settings: RoutingSettings) -> ClauseDecision:
    """A clause that its form alone decides."""
    free = free_text_route(routes)
    return ClauseDecision(
        text=inputs.clause.text,
        normalized=inputs.asked.folded,
        route=form.route or free.name,
        also=(),
        stage=1,
        scores=(),
        margin=0.0,
        final_margin=0.0,
        tau_high=free.tau_high,
        tau_low=free.tau_low,
        delta_margin=free.delta_margin,
        strategy=form.strategy,
        reason=form.reason,
        answerable=form.answerable,
        start=inputs.clause.start,
        end=inputs.clause.end,
        evidence_min=settings.evidence_min,
        boundary_margin=settings.boundary_margin,
    )


def _strategy(route: Route, inputs: ClauseInputs, with_vectors: bool) -> tuple[str, str]:
    """The strategy of the route taken, and why."""
    if route.kind.chooses_strategy and route.strategy == AUTO:
        return choose_strategy(inputs.asked, with_vectors)
    return route.strategy, f"configured for {route.name}"
