"""Owns the words for why a clause was decided as it was; the numbers in them are those that a screen shows."""

from __future__ import annotations

from collections.abc import Sequence

from polyrag_cli.config.sections import RoutingSettings
from polyrag_cli.display.score_rows import number, places, shown_final_margin, shown_margin, threshold
from polyrag_cli.routing.inputs import ClauseEvidence
from polyrag_cli.routing.ruling import Ruling
from polyrag_cli.routing.scores import Scored
from polyrag_cli.types import ClauseDecision

NOTHING_INGESTED = "nothing is ingested"


def why(
    clause: ClauseDecision,
    ruling: Ruling,
    ranked: Sequence[Scored],
    evidence: ClauseEvidence,
    settings: RoutingSettings,
    embedded: bool,
) -> str:
    """Why this route: the stage that decided, a second route, what is missing for an answer; parts joined by "; "."""
    if ruling.stage == 2:
        parts = _stage_two(clause, ruling)
    else:
        parts = _stage_three(clause, ruling, ranked, evidence, embedded)
    if ruling.also is not None:
        margin = shown_final_margin(clause, places(clause))
        parts.append(f"final margin {margin} is below {threshold(settings.boundary_margin)}, so both")
    if not ruling.answerable:
        parts.append(_unanswerable(evidence, settings))
    return "; ".join(parts)


def _stage_two(clause: ClauseDecision, ruling: Ruling) -> list[str]:
    digits, lead = places(clause), ruling.lead
    top = number(lead.score.score, digits)
    if lead.score.score < lead.route.tau_low:
        below = f"cosine {top} of {lead.route.name} is below tau_low {threshold(lead.route.tau_low)}"
        return [f"{below} and no store holds more, so free text"]
    return [
        f"cosine {top} reaches tau_high {threshold(lead.route.tau_high)} and margin {shown_margin(clause, digits)}"
        f" reaches delta {threshold(lead.route.delta_margin)} of {lead.route.name}"
    ]


def _stage_three(
    clause: ClauseDecision, ruling: Ruling, ranked: Sequence[Scored], evidence: ClauseEvidence, embedded: bool
) -> list[str]:
    winner = ruling.winner
    if not embedded:
        skipped, item = "no embedder, so stage 2 is skipped", winner.score.evidence
        if item is None:
            return [skipped, f"{NOTHING_INGESTED if not evidence.ingested else 'no evidence'}, so free text"]
        return [skipped, f"the stores speak for {winner.route.name} ({item.kind} {item.name!r})"]
    held = _said(ruling, ranked, evidence)
    digits, route = places(clause), ruling.lead.route
    top, gap = number(ruling.lead.score.score, digits), shown_margin(clause, digits)
    if ruling.lead.score.score < route.tau_low:
        gray = f"cosine {top} is below tau_low {threshold(route.tau_low)}"
    elif ruling.margin < route.delta_margin:
        gray = f"cosine {top}, margin {gap} below delta {threshold(route.delta_margin)}: gray"
    else:
        gray = f"cosine {top} below tau_high {threshold(route.tau_high)}: gray"
    return [gray, held]


def _said(ruling: Ruling, ranked: Sequence[Scored], evidence: ClauseEvidence) -> str:
    """What the stores make of the decision."""
    winner, item = ruling.winner, ruling.winner.score.evidence
    name = winner.route.name
    if item is not None:
        turned = "confirm" if winner is ruling.lead else f"overrule {ruling.lead.route.name} for"
        return f"the stores {turned} {name} ({item.kind} {item.name!r})"
    if not evidence.ingested:
        nothing = NOTHING_INGESTED
    elif evidence.routes:
        nothing = f"the stores hold nothing for {name} and too little for the others"
    else:
        nothing = "no store holds anything of it"
    if len(ranked) > 1 and ranked[1].score.final_score == winner.score.final_score:
        return f"{nothing}, and equal scores leave {name}, the first by name"
    return f"{nothing}, which leaves {name} by its score"


def _unanswerable(evidence: ClauseEvidence, settings: RoutingSettings) -> str:
    """Why nothing can answer."""
    least = threshold(settings.evidence_min)
    if not evidence.ingested:
        return f"evidence is below {least} everywhere: {NOTHING_INGESTED}"
    if not evidence.unknown_names:
        return f"evidence is below {least} everywhere"
    penalty = threshold(settings.unknown_name_penalty)
    strange = evidence.unknown_names[0]
    return f"evidence is below {least} everywhere, passages' less {penalty} since no store knows {strange}"
