"""How a routing decision looks: every term of every score, the thresholds that decided, what would have flipped it."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from polyrag_cli.commands.output import print_wrapped
from polyrag_cli.display.decisions import (
    NO_EMBEDDER,
    TERM_TITLES,
    embedded,
    flip_line,
    margin_comparison,
    reasons,
    source_lines,
    stage_line,
    threshold_track,
    timing_line,
)
from polyrag_cli.display.score_rows import ScoreRow, bars, score_rows, threshold
from polyrag_cli.display.text import clip
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
    rows = score_rows(clause, SHOWN_ROUTES)
    if rows:
        out.print(_sums(rows, len(clause.scores) - len(rows), out.width))
        out.print()
        _show_sources(rows, out)
    if embedded(clause):
        out.print(Text(f"  {_thresholds(clause, 14 if out.width >= ROOMY else 8)}"), soft_wrap=True)
    elif clause.scores:
        out.print(Text(f"  {NO_EMBEDDER}"))
    print_wrapped(out, stage_line(clause))
    why, how = reasons(clause)
    for title, text in (("decided by", why), ("to flip", flip_line(clause)), ("strategy", _strategy(clause, how))):
        if text:
            print_wrapped(out, f"{title:<10}  {text}", hanging=" " * 14)


def _strategy(clause: ClauseDecision, how: str) -> str:
    return f"{clause.strategy} ({how})" if how else clause.strategy


def _sums(rows: tuple[ScoreRow, ...], unseen: int, width: int) -> Table:
    """One line per route: its terms in columns, in the order added, and the final score that they add up to."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), width=min(width, 120))
    table.add_column("  route", no_wrap=True)
    # A route lacks some of the terms; no two have them in different orders.
    names = sorted({name for row in rows for name, _ in row.terms}, key=_ORDER.index)
    for name in names:
        table.add_column(
            ("" if name == names[0] else "+ ") + TERM_TITLES.get(name, name), justify="right", no_wrap=True
        )
    table.add_column("= final", no_wrap=True, justify="right")
    table.add_column("", no_wrap=True)
    table.add_column("evidence", no_wrap=True, ratio=1)
    for row in rows:
        style, terms = "bold" if row.taken else "", dict(row.terms)
        leaning, held = bars(row, 16 if width >= ROOMY else 10)
        colour = "green" if row.taken else "blue"
        table.add_row(
            Text(("▸ " if row.taken else "  ") + row.route, style=style),
            *(Text(terms.get(name, "")) for name in names),
            Text(row.final, style=style),
            Text.assemble((leaning, f"dim {colour}"), (held, colour)),
            Text(row.evidence or "–", overflow="ellipsis"),
        )
    if unseen > 0:
        table.add_row(Text(f"  … {unseen} more", style="dim"))
    return table


_ORDER = ("cosine", "aggregate_bonus", "gate", "evidence", "stores")


def _show_sources(rows: tuple[ScoreRow, ...], out: Console) -> None:
    """What each cosine and each evidence comes from."""
    width = max(len(row.route) for row in rows)
    for row in rows:
        for text in source_lines(row):
            print_wrapped(out, f"{row.route:<{width}}  {text}", style="dim", hanging=" " * (width + 4))
    out.print()


def _thresholds(clause: ClauseDecision, track: int) -> str:
    low, high = threshold(clause.tau_low), threshold(clause.tau_high)
    return f"tau_low {low} {threshold_track(clause, track)} tau_high {high}    margin {margin_comparison(clause)}"
