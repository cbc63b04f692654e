"""A decision in one line. Must never import rich: a one-shot question in a pipe does without it."""

from __future__ import annotations

from polyrag_cli.commands.output import clip
from polyrag_cli.types import ClauseDecision


def embedded(clause: ClauseDecision) -> bool:
    """Whether stage 2 had cosines to go by: without an embedder there is no winning anchor."""
    return any(score.anchor for score in clause.scores)


def decision_line(clause: ClauseDecision) -> str:
    """Route, score, margin and stage in one line."""
    if clause.stage == 0:
        return f"{clause.route} · {clause.reason}"
    if not clause.scores:
        return f"{clause.route} · stage {clause.stage}: {clause.reason}"
    own = next((s for s in clause.scores if s.route == clause.route), clause.scores[0])
    gray = " (gray)" if clause.stage == 3 else ""
    proof = own.evidence
    because = (
        f" → evidence: {proof.kind} “{clip(proof.name, 40)}”" if clause.stage == 3 and proof and proof.score > 0 else ""
    )
    # The winner's own margin: below zero where evidence turned stage 2's order round.
    margin = own.score - max((s.score for s in clause.scores if s.route != clause.route), default=0.0)
    cosine = f" {own.score:.2f} · margin {margin:.2f}{gray}" if embedded(clause) else " · no embedder"
    return f"{clause.route}{cosine}{because} · stage {clause.stage}"
