"""Owns a clause's decision in words: its one line, what decided it, what would have flipped it."""

from __future__ import annotations

from polyrag_cli.display.score_rows import (
    ScoreRow,
    lacks,
    number,
    places,
    shown_final_margin,
    shown_margin,
    threshold,
)
from polyrag_cli.display.text import clip, milliseconds
from polyrag_cli.types import ClauseDecision, RouteDecision, RouteScore

NO_EMBEDDER = "no embedder: no cosines, so stage 2 is skipped"
"""What stands in the place of margin and thresholds where there are none."""

TERM_TITLES = {"aggregate_bonus": "bonus"}
"""How terms are called where room is scarce; the others by their own name."""

_STAGES = {0: "forced", 1: "heuristic", 2: "cosine and margin", 3: "store evidence"}


def embedded(clause: ClauseDecision) -> bool:
    """Whether stage 2 had cosines to go by: without an embedder there is no winning anchor."""
    return any(score.anchor for score in clause.scores)


def timing_line(decision: RouteDecision) -> str:
    """How long the decision took, and its parts."""
    spent = ", ".join(f"{name} {ms:.1f}" for name, ms in decision.timings.items())
    return milliseconds(decision.took_ms) + (f": {spent}" if spent else "")


def decision_lines(decision: RouteDecision) -> list[str]:
    """One line per clause, numbered when there are several."""
    lines = [decision_line(clause) for clause in decision.clauses]
    return lines if len(lines) == 1 else [f"({n}) {line}" for n, line in enumerate(lines, 1)]


def decision_line(clause: ClauseDecision) -> str:
    """The route taken with its final score and final margin, what its store holds, and the stage, in one line."""
    own = _own(clause)
    if own is None:
        stage = f"stage {clause.stage}: " if clause.stage else ""
        return f"{clause.route} · {stage}{clause.reason}"
    digits = places(clause)
    line = f"{clause.route} {number(own.final_score, digits)} · final margin {shown_final_margin(clause, digits)}"
    if clause.stage == 0:
        return f"{line} · {clause.reason}"
    if not clause.answerable:
        line += " · nothing found: " + _missing(clause)
    elif clause.stage == 3 and own.evidence is not None and own.evidence.score > 0:
        line += f" → evidence: {own.evidence.kind} “{clip(own.evidence.name, 40)}”"
    zone = f" ({_zone(clause)})" if clause.stage == 3 else ""
    return f"{line} · stage {clause.stage}{zone}"


def _own(clause: ClauseDecision) -> RouteScore | None:
    return next((score for score in clause.scores if score.route == clause.route), None)


def _missing(clause: ClauseDecision) -> str:
    return f"evidence below {threshold(clause.evidence_min)}" if clause.evidence_min else "too little evidence"


def _zone(clause: ClauseDecision) -> str:
    """Where the best cosine lies when the thresholds didn't decide."""
    if not embedded(clause):
        return "no embedder"
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
    """Stage 2's margin, between the two best cosines, against delta (0.21 ≥ delta 0.15)."""
    gap = shown_margin(clause, places(clause))
    enough = "≥" if clause.margin >= clause.delta_margin else "<"
    gray = f": {_zone(clause)}" if clause.stage == 3 else ""
    return f"{gap} {enough} delta {threshold(clause.delta_margin)}{gray}"


def stage_line(clause: ClauseDecision) -> str:
    """The stage that decided and the route taken."""
    also = f", also searched: {', '.join(clause.also)}" if clause.also else ""
    nothing = "" if clause.answerable else f" · nothing found: {_missing(clause)}"
    return f"stage {clause.stage} · {_STAGES[clause.stage]}  →  {clause.route}{also}{nothing}"


def flip_line(clause: ClauseDecision) -> str:
    """What the route nearest to being taken instead would have needed more: "relational lacks 0.87"; "" where scores
    didn't decide or there is no other route."""
    digits = places(clause)
    reckoned = ((lacks(clause, score, digits), score.route) for score in clause.scores)
    missing = min(((short, route) for short, route in reckoned if short is not None), default=None)
    return f"{missing[1]} lacks {number(missing[0], digits)}" if missing is not None else ""


def sum_line(row: ScoreRow) -> str:
    """A row's arithmetic in one line: "cosine 0.29 + bonus 0.10 - gate 0.18 + evidence 0.19 = 0.40"."""
    return f"{_added(row.terms)} = {row.final}"


def parts_line(row: ScoreRow) -> str:
    """What a row's evidence is made of: "entity Foz: coverage 0.40 + bm25 0.12 + cosine 0.08 = evidence 0.60"; "" for
    nothing."""
    held = next((text for name, text in row.terms if name == "evidence"), "")
    return f"{clip(row.evidence, 60)}: {_added(row.parts)} = evidence {held}" if row.parts else ""


def gate_line(row: ScoreRow) -> str:
    """What the gate does to a route's anchors, as a factor; "" where it is open."""
    return f"gate: the anchors of {row.route} count × {row.factor:.2f}, since passages hold more than tables" * (
        row.factor != 1.0
    )


def source_lines(row: ScoreRow) -> list[str]:
    """What a row's numbers come from: the anchor that is nearest, what the store holds, what the gate does."""
    anchor = f"winning anchor “{clip(row.anchor, 60)}”" if row.anchor else ""
    return [text for text in (anchor, parts_line(row), gate_line(row)) if text]


def _added(terms: tuple[tuple[str, str], ...]) -> str:
    text = ""
    for name, value in terms:
        title = TERM_TITLES.get(name, name)
        text += f" {'-' if value.startswith('-') else '+'} {title} {value.lstrip('-')}" if text else f"{title} {value}"
    return text


def reasons(clause: ClauseDecision) -> tuple[str, str]:
    """Why the route was taken, and why its strategy was."""
    why, named, how = clause.reason.partition(f"; {clause.strategy}: ")
    return (why, how) if named else ("", clause.reason)
