"""How a routing decision looks: scores, anchors and evidence, the margin against its thresholds, the stage that
decided."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from polyrag_cli.commands.output import bar, clip, milliseconds, print_wrapped
from polyrag_cli.commands.summary import embedded
from polyrag_cli.types import ClauseDecision, Evidence, RouteDecision, RouteScore

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
    spent = ", ".join(f"{name} {ms:.1f}" for name, ms in decision.timings.items())
    tail = f" · config {decision.config_hash[:6]} · generation {decision.generation}"
    print_wrapped(out, milliseconds(decision.took_ms) + (f": {spent}" if spent else "") + tail, style="dim")


def _show_clause(clause: ClauseDecision, out: Console) -> None:
    if clause.scores:
        out.print(_scores_table(clause, out.width))
        out.print()
    if embedded(clause):
        out.print(Text("  " + _margin_line(clause, 14 if out.width >= ROOMY else 8)), soft_wrap=True)
    elif clause.scores:
        out.print(Text("  no embedder: no cosines, so stage 2 is skipped"))
    print_wrapped(out, _stage_line(clause))
    why, how = _reasons(clause)
    print_wrapped(out, f"strategy {clause.strategy} ({how})" if how else f"strategy {clause.strategy}")
    if why:
        print_wrapped(out, f"reason: {why}", style="dim")


def _reasons(clause: ClauseDecision) -> tuple[str, str]:
    """Why the route was taken, and why its strategy was."""
    why, named, how = clause.reason.partition(f"; {clause.strategy}: ")
    return (why, how) if named else ("", clause.reason)


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
            Text(_evidence(score.evidence), overflow="ellipsis"),
            Text(f"{score.final_score:.2f}", style=style),
        )
    if len(clause.scores) > SHOWN_ROUTES:
        table.add_row(Text(f"  … {len(clause.scores) - SHOWN_ROUTES} more", style="dim"))
    return table


def _evidence(evidence: Evidence | None) -> str:
    if evidence is None or evidence.score <= 0:
        return "–"
    return f"{evidence.score:.2f} {evidence.kind} {evidence.name}"


def _margin_line(clause: ClauseDecision, track: int) -> str:
    """The best cosine on its way from tau_low to tau_high, and the margin against delta."""
    best = max((s.score for s in clause.scores), default=0.0)
    place = (best - clause.tau_low) / max(1e-9, clause.tau_high - clause.tau_low)
    at = min(track - 1, max(0, round(place * (track - 1))))
    line = "─" * at + "●" + "─" * (track - 1 - at)
    below, above = ("●" if place < 0 else "─"), ("●" if place > 1 else "─")
    if place < 0 or place > 1:
        line = "─" * track
    enough = "≥" if clause.margin >= clause.delta_margin else "<"
    gray = ": gray" if clause.stage == 3 else ""
    # As many decimals as tell the two apart.
    places = 2 if f"{clause.margin:.2f}" != f"{clause.delta_margin:.2f}" else 4
    return (
        f"tau_low {clause.tau_low:.2f} {below}┼{line}┼{above} tau_high {clause.tau_high:.2f}"
        f"    margin {clause.margin:.{places}f} {enough} delta {clause.delta_margin:.2f}{gray}"
    )


def _stage_line(clause: ClauseDecision) -> str:
    also = f", also searched: {', '.join(clause.also)}" if clause.also else ""
    nothing = "" if clause.answerable else " · evidence below evidence_min everywhere: nothing found"
    if clause.stage == 3:
        parts = ", ".join(f"{s.route} {_share(s)}" for s in clause.scores[:4])
        return f"stage 3 · store evidence: {parts}  →  {clause.route}{also}{nothing}"
    names = {0: "forced", 1: "heuristic", 2: "cosine and margin"}
    return f"stage {clause.stage} · {names[clause.stage]}  →  {clause.route}{also}{nothing}"


def _share(score: RouteScore) -> str:
    return f"{score.evidence.score:.2f}" if score.evidence else "0"
