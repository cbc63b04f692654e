"""A routing decision in styled lines: each route's sum with its bar, the thresholds, what would have flipped it."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from polyrag_cli.display.decisions import (
    NO_EMBEDDER,
    TERM_TITLES,
    embedded,
    flip_line,
    margin_comparison,
    reasons,
    source_lines,
    stage_line,
    sum_line,
    threshold_track,
    timing_line,
)
from polyrag_cli.display.score_rows import ScoreRow, bars, score_rows, threshold
from polyrag_cli.display.text import clip, printable
from polyrag_cli.tui.widgets.cells import wrapped
from polyrag_cli.types import ClauseDecision, RouteDecision

MAX_ROUTES = 8
"""Routes that a clause shows."""

_ROOMY = 56
# No text that is shown is longer.
_MOST_LINES = 12


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
    """One clause's arithmetic: each route's sum, what would have flipped it, thresholds, stage, strategy and reason."""
    rows = score_rows(clause, MAX_ROUTES)
    named = max([10, *(min(16, len(row.route)) for row in rows)])
    lines = [line for row in rows for line in _row_lines(row, named, width)]
    if len(clause.scores) > MAX_ROUTES:
        lines.append(Content.styled(f"  … {len(clause.scores) - MAX_ROUTES} more routes", "$text-muted"))
    lines += _legend(rows, flip_line(clause), width) + _thresholds(clause, width)
    lines.append(Content.styled(stage_line(clause), "bold"))
    why, how = reasons(clause)
    lines.append(Content(printable(f"strategy {clause.strategy}" + (f" ({how})" if how else ""))))
    if why:
        lines += _hanging(f"reason: {printable(why)}", width, "$text-muted")
    return lines


def _row_lines(row: ScoreRow, named: int, width: int) -> list[Content]:
    """A route's bar with its final score and what its store holds; below it what the score is added up from."""
    cells = 16 if width >= _ROOMY else 10
    head = f"{'▸' if row.taken else ' '} {clip(row.route, named):<{named}} "
    leaning, held = bars(row, cells)
    colour = "$text-success" if row.taken else "$text-primary"
    room = width - len(head) - cells - len(row.final) - 3
    bar = Content.assemble(
        (head, "bold" if row.taken else ""),
        (leaning, f"{colour} 60%"),
        (f"{held:<{cells - len(leaning)}} ", colour),
        (f"{row.final} ", "bold" if row.taken else ""),
        (clip(row.evidence or "–", room) if room > 3 else "", "$text-muted"),
    )
    return [bar, Content.styled(f"    {sum_line(row)}", "$text-muted")]


def _legend(rows: Sequence[ScoreRow], flip: str, width: int) -> list[Content]:
    """What the two parts of a bar are; beside it, or below, what would have flipped the decision."""
    names = dict.fromkeys(name for row in rows for name, _ in row.terms if name not in ("evidence", "stores"))
    told = f"  ▓ {', '.join(TERM_TITLES.get(name, name) for name in names)}  █ evidence" if rows else ""
    flips = f"to flip: {flip}" if flip else ""
    if len(told) + 3 + len(flips) <= width:
        return [Content.assemble((told, "$text-muted"), f"   {flips}")] if told else []
    return [Content.styled(told, "$text-muted"), Content(f"  {flips}")]


def _thresholds(clause: ClauseDecision, width: int) -> list[Content]:
    """The margin against delta and the best cosine between the thresholds, each as a point on a line."""
    if not embedded(clause):
        return [Content(NO_EMBEDDER)] if clause.scores else []
    against = margin_track(clause.margin, clause.delta_margin, max(9, min(31, width - 40)) | 1)
    between, low, high = (
        threshold_track(clause, max(7, min(24, width - 36))),
        threshold(clause.tau_low),
        threshold(clause.tau_high),
    )
    return [
        Content.assemble("margin ", (against, "$text-accent"), f" {margin_comparison(clause)}"),
        Content.assemble(f"tau_low {low} ", (between, "$text-accent"), f" tau_high {high}"),
    ]


def source_notes(decision: RouteDecision, width: int) -> list[Content]:
    """What every clause's cosines and evidence come from: read seldom, so it stands below all else."""
    told = [
        f"{f'clause {number}, ' if len(decision.clauses) > 1 else ''}{row.route}: {text}"
        for number, clause in enumerate(decision.clauses, 1)
        for row in score_rows(clause, MAX_ROUTES)
        for text in source_lines(row)
    ]
    head = [Content.styled("where the numbers come from", "$text-muted underline")] if told else []
    return head + [line for text in told for line in _hanging(text, width, "$text-muted")]


def _hanging(text: str, width: int, style: str) -> list[Content]:
    """A text broken into lines of which all but the first stand further in."""
    first, *more = wrapped(text, max(8, width - 2), _MOST_LINES)
    return [Content.styled(first, style), *(Content.styled(f"  {line}", style) for line in more)]


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
