"""A routing decision in styled lines: score bars, the margin against delta, the way between the thresholds."""

from __future__ import annotations

from textual.content import Content

from polyrag_cli.display.decisions import (
    NO_EMBEDDER,
    embedded,
    evidence_text,
    margin_comparison,
    reasons,
    stage_line,
    threshold_track,
    timing_line,
)
from polyrag_cli.display.text import bar, clip, printable
from polyrag_cli.types import ClauseDecision, RouteDecision, RouteScore

MAX_ROUTES = 8
"""Routes that a clause shows."""

_ROOMY = 56


def decision_lines(decision: RouteDecision, width: int) -> list[Content]:
    """Every clause's arithmetic, for a width in cells."""
    lines: list[Content] = []
    for number, clause in enumerate(decision.clauses, 1):
        if len(decision.clauses) > 1:
            if lines:
                lines.append(Content(""))
            lines.append(Content.styled(f"clause {number}: {clip(clause.text, max(8, width - 10))}", "bold underline"))
        lines += clause_lines(clause, width)
    lines.append(Content.styled(timing_line(decision), "$text-muted"))
    return lines


def clause_lines(clause: ClauseDecision, width: int) -> list[Content]:
    """One clause's arithmetic: scores, margin, thresholds, stage, evidence, strategy and reason."""
    lines = [_score_line(score, clause, width) for score in clause.scores[:MAX_ROUTES]]
    if len(clause.scores) > MAX_ROUTES:
        lines.append(Content.styled(f"  … {len(clause.scores) - MAX_ROUTES} more routes", "$text-muted"))
    track = max(7, min(24, width - 36))
    if embedded(clause):
        against = margin_track(clause.margin, clause.delta_margin, max(9, min(31, width - 34)) | 1)
        between = threshold_track(clause, track)
        lines += [
            Content.assemble("margin ", (against, "$text-accent"), f" {margin_comparison(clause)}"),
            Content.assemble(
                f"tau_low {clause.tau_low:.2f} ", (between, "$text-accent"), f" tau_high {clause.tau_high:.2f}"
            ),
        ]
    elif clause.scores:
        lines.append(Content(NO_EMBEDDER))
    lines.append(Content.styled(stage_line(clause), "bold"))
    lines += _evidence(clause, width)
    why, how = reasons(clause)
    lines.append(Content(printable(f"strategy {clause.strategy}" + (f" ({how})" if how else ""))))
    if why:
        lines.append(Content.styled(f"reason: {printable(why)}", "$text-muted"))
    return lines


def _score_line(score: RouteScore, clause: ClauseDecision, width: int) -> Content:
    won = score.route == clause.route
    name = max(10, min(16, max(len(s.route) for s in clause.scores[:MAX_ROUTES])))
    cells = 16 if width >= _ROOMY else 10
    head = f"{'▸' if won else ' '} {clip(score.route, name):<{name}} "
    room = width - len(head) - 5 - cells - 1
    return Content.assemble(
        (head, "bold" if won else ""),
        (f"{score.score:.2f} ", "bold" if won else ""),
        (f"{bar(score.score, cells):<{cells}} ", "$text-success" if won else "$text-primary"),
        (clip(score.anchor or "–", room) if room > 3 else "", "$text-muted"),
    )


def _evidence(clause: ClauseDecision, width: int) -> list[Content]:
    held = [s for s in clause.scores[:MAX_ROUTES] if s.evidence is not None and s.evidence.score > 0]
    return [
        Content(clip(f"final {s.final_score:.2f} {s.route}: evidence {evidence_text(s.evidence)}", width)) for s in held
    ]


def margin_track(margin: float, delta: float, width: int) -> str:
    """The margin as a point on a line from 0 to twice delta, delta being the mark in its middle; a margin beyond
    stands at the end. width: cells of the line without its ends, odd."""
    middle = width // 2
    at = min(width - 1, max(0, round(margin / max(1e-9, 2 * delta) * (width - 1))))
    # Rounding must not put the point on the other side of the mark than the comparison.
    at = max(at, middle) if margin >= delta else min(at, middle - 1)
    cells = ["─"] * width
    cells[middle] = "┼"
    cells[at] = "●"
    return "├" + "".join(cells) + "┤"
