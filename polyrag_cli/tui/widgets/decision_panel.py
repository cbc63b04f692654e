"""A routing decision in styled lines: score bars, the margin against delta, the way between the thresholds."""

from __future__ import annotations

from textual.content import Content

from polyrag_cli.display.decisions import (
    NO_EMBEDDER,
    embedded,
    flip_line,
    margin_comparison,
    reasons,
    stage_line,
    sum_line,
    threshold_track,
    timing_line,
)
from polyrag_cli.display.score_rows import ScoreRow, bars, score_rows, threshold
from polyrag_cli.display.text import clip, printable
from polyrag_cli.types import ClauseDecision, RouteDecision

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
    rows = score_rows(clause, MAX_ROUTES)
    named = max([10, *(min(16, len(row.route)) for row in rows)])
    lines = [_row_line(row, named, width) for row in rows]
    if len(clause.scores) > MAX_ROUTES:
        lines.append(Content.styled(f"  … {len(clause.scores) - MAX_ROUTES} more routes", "$text-muted"))
    track = max(7, min(24, width - 36))
    if embedded(clause):
        against = margin_track(clause.margin, clause.delta_margin, max(9, min(31, width - 34)) | 1)
        between, low, high = threshold_track(clause, track), threshold(clause.tau_low), threshold(clause.tau_high)
        lines += [
            Content.assemble("margin ", (against, "$text-accent"), f" {margin_comparison(clause)}"),
            Content.assemble(f"tau_low {low} ", (between, "$text-accent"), f" tau_high {high}"),
        ]
    elif clause.scores:
        lines.append(Content(NO_EMBEDDER))
    lines.append(Content.styled(stage_line(clause), "bold"))
    flip = flip_line(clause)
    if flip:
        lines.append(Content(f"to flip: {flip}"))
    lines += [_sum_line(row, named, width) for row in rows]
    why, how = reasons(clause)
    lines.append(Content(printable(f"strategy {clause.strategy}" + (f" ({how})" if how else ""))))
    if why:
        lines.append(Content.styled(f"reason: {printable(why)}", "$text-muted"))
    return lines


def _row_line(row: ScoreRow, named: int, width: int) -> Content:
    """A route's bar with its final score and what its store holds."""
    cells = 16 if width >= _ROOMY else 10
    head = f"{'▸' if row.taken else ' '} {clip(row.route, named):<{named}} "
    leaning, held = bars(row, cells)
    colour = "$text-success" if row.taken else "$text-primary"
    room = width - len(head) - cells - len(row.final) - 3
    return Content.assemble(
        (head, "bold" if row.taken else ""),
        (leaning, f"{colour} 60%"),
        (f"{held:<{cells - len(leaning)}} ", colour),
        (f"{row.final} ", "bold" if row.taken else ""),
        (clip(row.evidence or "–", room) if room > 3 else "", "$text-muted"),
    )


def _sum_line(row: ScoreRow, named: int, width: int) -> Content:
    """What a route's final score is added up from."""
    return Content.styled(
        f"  {clip(row.route, named):<{named}} {clip(sum_line(row), width - named - 3)}", "$text-muted"
    )


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
