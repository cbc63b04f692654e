"""Owns the final score of each route: its cosine and what its store holds, as terms that add up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from polyrag_cli.config.sections import Route, RoutingSettings
from polyrag_cli.routing.inputs import ClauseInputs
from polyrag_cli.scoring.terms import rounded_steps
from polyrag_cli.types import RouteScore, ScoreTerm

_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Scored:
    """One route and its numbers."""

    route: Route
    score: RouteScore


def ranked(inputs: ClauseInputs, routes: Sequence[Route], settings: RoutingSettings) -> list[Scored]:
    """Every route's score, by falling final score, ties by name.

    Passages: cosine + text_weight · evidence. Tables: gate · (cosine + aggregate_bonus) + table_weight · evidence.
    aggregate_bonus counts when the clause asks for a figure; the terms hold the gate as the difference that it makes.

    routes: in the order of the anchors' scores.
    """
    anchors, opening = inputs.anchors, gate(inputs, settings)
    found: list[Scored] = []
    for position, route in enumerate(routes):
        cosine = anchors.scores[position] if anchors.scores else 0.0
        item = inputs.evidence.routes.get(route.name)
        held = item.score if item is not None else 0.0
        # The sum after each term, by the term's name; without an embedder there is no cosine to show.
        totals = {"cosine": cosine} if anchors.scores else {}
        if route.kind.has_rows:
            leaning = cosine + (settings.aggregate_bonus if inputs.asks_figure else 0.0)
            totals |= {"aggregate_bonus": leaning, "gate": opening * leaning}
            totals["evidence"] = opening * leaning + settings.table_weight * held
        else:
            totals["evidence"] = cosine + settings.text_weight * held
        anchor = anchors.nearest[position] if anchors.nearest else ""
        final = round(totals["evidence"], _DECIMALS) + 0.0
        found.append(Scored(route, RouteScore(route.name, cosine, final, anchor, item, _terms(totals))))
    return sorted(found, key=lambda scored: (-scored.score.final_score, scored.route.name))


def gate(inputs: ClauseInputs, settings: RoutingSettings) -> float:
    """How much the anchors of a table's route count, 0–1: min(1, table evidence / table_min) as soon as passages hold
    text_min.

    A table that explains little of a question which a passage explains can't lean on its anchors.
    """
    evidence = inputs.evidence
    if evidence.text < settings.text_min:
        return 1.0
    return min(1.0, evidence.table / settings.table_min)


def _terms(totals: dict[str, float]) -> tuple[ScoreTerm, ...]:
    """The terms behind running totals; the bonus and the gate only where they change anything."""
    steps = zip(totals, rounded_steps(totals.values()), strict=True)
    return tuple(ScoreTerm(name, value) for name, value in steps if value or name in ("cosine", "evidence"))
