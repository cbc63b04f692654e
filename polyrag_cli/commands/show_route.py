"""How a routing decision looks: scores, anchors and evidence, the margin against its thresholds, the stage that
decided."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from polyrag_cli.commands.output import print_wrapped
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
from polyrag_cli.display.text import bar, clip
from polyrag_cli.types import ClauseDecision, RouteDecision

SHOWN_ROUTES = 8
# Below this many columns bars, tracks and labels are shorter.
ROOMY = 100


def show_decision(decision: RouteDecision, out: Console) -> None:
    """Prints every clause's arithmetic, and the time that it took."""
    for number, clause in enumerate(decision.clauses, 1):
        if len(decision.clauses) > 1:
            out.print(Text(f"  clause {number}: {clip(clause.text, out.width - 14)}", style="bold"))
            out.print()
        _show_clause(clause, out)
        out.print()
    tail = f" · config {decision.config_hash[:6]} · generation {decision.generation}"
    print_wrapped(out, timing_line(decision) + tail, style="dim")


def _show_clause(clause: ClauseDecision, out: Console) -> None:
    if clause.scores:
        out.print(_scores_table(clause, out.width))
        out.print()
    if embedded(clause):
        out.print(Text(f"  {_thresholds(clause, 14 if out.width >= ROOMY else 8)}"), soft_wrap=True)
    elif clause.scores:
        out.print(Text(f"  {NO_EMBEDDER}"))
    print_wrapped(out, stage_line(clause))
    why, how = reasons(clause)
    print_wrapped(out, f"strategy {clause.strategy} ({how})" if how else f"strategy {clause.strategy}")
    if why:
        print_wrapped(out, f"reason: {why}", style="dim")


def _scores_table(clause: ClauseDecision, width: int) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1), width=min(width, 120))
    table.add_column("  route", no_wrap=True)
    table.add_column("score", no_wrap=True)
    table.add_column("winning anchor", no_wrap=True, ratio=3)
    table.add_column("evidence", no_wrap=True, ratio=3)
    table.add_column("final", no_wrap=True, justify="right")
    narrow = 10 if width < ROOMY else 16
    for score in clause.scores[:SHOWN_ROUTES]:
        won = score.route == clause.route
        style = "bold" if won else ""
        table.add_row(
            Text(("▸ " if won else "  ") + score.route, style=style),
            Text(f"{score.score:5.2f} {bar(score.score, narrow)}", style="green" if won else "blue"),
            Text(score.anchor or "–", overflow="ellipsis"),
            Text(evidence_text(score.evidence), overflow="ellipsis"),
            Text(f"{score.final_score:.2f}", style=style),
        )
    if len(clause.scores) > SHOWN_ROUTES:
        table.add_row(Text(f"  … {len(clause.scores) - SHOWN_ROUTES} more", style="dim"))
    return table


def _thresholds(clause: ClauseDecision, track: int) -> str:
    line = threshold_track(clause, track)
    return f"tau_low {clause.tau_low:.2f} {line} tau_high {clause.tau_high:.2f}    margin {margin_comparison(clause)}"
