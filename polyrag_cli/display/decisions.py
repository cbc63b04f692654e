"""A clause's decision in words: its one line, its margin on the way between the thresholds, the stage that decided."""

from __future__ import annotations

from polyrag_cli.display.text import clip, milliseconds
from polyrag_cli.types import ClauseDecision, Evidence, RouteDecision, RouteScore

NO_EMBEDDER = "no embedder: no cosines, so stage 2 is skipped"
"""What stands in the place of margin and thresholds where there are none."""

_STAGES = {0: "forced", 1: "heuristic", 2: "cosine and margin"}


def embedded(clause: ClauseDecision) -> bool:
    """Whether stage 2 had cosines to go by: without an embedder there is no winning anchor."""
    return any(score.anchor for score in clause.scores)


def timing_line(decision: RouteDecision) -> str:
    """How long the decision took, and its parts."""
    spent = ", ".join(f"{name} {ms:.1f}" for name, ms in decision.timings.items())
    return milliseconds(decision.took_ms) + (f": {spent}" if spent else "")


def decision_line(clause: ClauseDecision) -> str:
    """Route, score, margin and stage in one line."""
    if clause.stage == 0:
        return f"{clause.route} · {clause.reason}"
    if not clause.scores:
        return f"{clause.route} · stage {clause.stage}: {clause.reason}"
    own = next((s for s in clause.scores if s.route == clause.route), clause.scores[0])
    gray = f" ({_zone(clause)})" if clause.stage == 3 else ""
    proof = own.evidence
    because = (
        f" → evidence: {proof.kind} “{clip(proof.name, 40)}”" if clause.stage == 3 and proof and proof.score > 0 else ""
    )
    # The winner's own margin: below zero where evidence turned stage 2's order round.
    margin = own.score - max((s.score for s in clause.scores if s.route != clause.route), default=0.0)
    cosine = f" {own.score:.2f} · margin {margin:.2f}{gray}" if embedded(clause) else " · no embedder"
    return f"{clause.route}{cosine}{because} · stage {clause.stage}"


def _zone(clause: ClauseDecision) -> str:
    """Where the best cosine lies when the thresholds didn't decide."""
    best = max((s.score for s in clause.scores), default=0.0)
    return "gray" if best >= clause.tau_low else "below tau_low"


def threshold_track(clause: ClauseDecision, width: int) -> str:
    """The best cosine as a point on its way from tau_low to tau_high, or outside of them; `width` characters between
    the two."""
    best = max((s.score for s in clause.scores), default=0.0)
    place = (best - clause.tau_low) / max(1e-9, clause.tau_high - clause.tau_low)
    at = min(width - 1, max(0, round(place * (width - 1))))
    line = "─" * at + "●" + "─" * (width - 1 - at)
    below, above = ("●" if place < 0 else "─"), ("●" if place > 1 else "─")
    if place < 0 or place > 1:
        line = "─" * width
    return f"{below}┼{line}┼{above}"


def margin_comparison(clause: ClauseDecision) -> str:
    """The margin against delta (0.21 ≥ delta 0.15), with as many decimals as tell the two apart."""
    enough = "≥" if clause.margin >= clause.delta_margin else "<"
    gray = f": {_zone(clause)}" if clause.stage == 3 else ""
    places = 2 if f"{clause.margin:.2f}" != f"{clause.delta_margin:.2f}" else 4
    return f"{clause.margin:.{places}f} {enough} delta {clause.delta_margin:.2f}{gray}"


def stage_line(clause: ClauseDecision) -> str:
    """The stage that decided, with each store's evidence where it was stage 3, and the route taken."""
    also = f", also searched: {', '.join(clause.also)}" if clause.also else ""
    nothing = "" if clause.answerable else " · evidence below evidence_min everywhere: nothing found"
    if clause.stage == 3:
        parts = ", ".join(f"{s.route} {_share(s)}" for s in clause.scores[:4])
        return f"stage 3 · store evidence: {parts}  →  {clause.route}{also}{nothing}"
    return f"stage {clause.stage} · {_STAGES[clause.stage]}  →  {clause.route}{also}{nothing}"


def reasons(clause: ClauseDecision) -> tuple[str, str]:
    """Why the route was taken, and why its strategy was."""
    why, named, how = clause.reason.partition(f"; {clause.strategy}: ")
    return (why, how) if named else ("", clause.reason)


def evidence_text(evidence: Evidence | None) -> str:
    """What a store holds for a route: score, kind and name; a dash where it holds nothing."""
    if evidence is None or evidence.score <= 0:
        return "–"
    return f"{evidence.score:.2f} {evidence.kind} {evidence.name}"


def _share(score: RouteScore) -> str:
    return f"{score.evidence.score:.2f}" if score.evidence else "0"
