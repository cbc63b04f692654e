"""How many replayed decisions look: changed routes first, each with its reasons, and the totals."""

from __future__ import annotations

from collections import Counter

from rich.console import Console
from rich.text import Text

from polyrag_cli.display.text import clip, counted
from polyrag_cli.routing.replay_report import SAME, Replayed, ReplayReport

_TITLES = {
    "route": "another route",
    "decision": "same route, another strategy, stage or second route",
    "score": "same decision, other numbers",
    "stamp": "same decision, under another configuration or corpus generation",
    "same": "same",
}
_STYLES = {"route": "red", "decision": "yellow"}
MOST_REASONS = 4
# Of a kind whose route stayed; those that moved most come first.
MOST_SHOWN = 10


def show_replays(report: ReplayReport, out: Console, only_changed: bool) -> None:
    """Prints each decision that differs with what makes it differ, and how many there are of each kind."""
    for change, title in _TITLES.items():
        group = [one for one in report.replayed if one.change == change]
        if not group or (change in SAME and only_changed):
            continue
        out.print(Text(f"{title}: {len(group):,}", style=f"bold {_STYLES.get(change, '')}".strip()), soft_wrap=True)
        shown = group if change in _STYLES else group[:MOST_SHOWN]
        for one in shown:
            _show(one, out)
        if len(group) > len(shown):
            out.print(Text(f"  … and {len(group) - len(shown):,} more; --json has all", style="dim"))
    for trace in report.unreadable:
        out.print(Text(f"  {trace.trace_id[:8]}  can't be read: {trace.reason}", style="yellow"), soft_wrap=True)
    out.print(Text(_summary(report)), soft_wrap=True)


def _show(one: Replayed, out: Console) -> None:
    routes = f"{one.before} → {one.now}" if one.before != one.now else one.before
    width = max(40, out.width - 12)
    out.print(Text(f"  {one.trace_id[:8]}  " + clip(f"{routes:<12}  {one.question}", width - 10)), soft_wrap=True)
    if one.change in SAME:
        if one.stamps:
            out.print(Text(f"            {clip('; '.join(one.stamps), width)}", style="dim"), soft_wrap=True)
        return
    shown = " · ".join(one.reasons[:MOST_REASONS])
    because = "neither configuration nor corpus" if one.cause == "neither" else one.cause
    text = f"{because}: {shown}" if shown else because
    out.print(Text(f"            {clip(text, width)}", style="dim"), soft_wrap=True)


def _summary(report: ReplayReport) -> str:
    different = report.different
    same, stamped = len(report.replayed) - different, report.changes["stamp"]
    under = f" ({stamped:,} under another configuration or corpus generation)" if stamped else ""
    kinds = [f"{report.changes[name]:,} {word}" for name, word in _KINDS if report.changes[name]]
    causes = [f"{name} {count:,}" for name, count in Counter(_causes(report)).items()]
    parts = [f"{counted(len(report.replayed), 'decision')}: {same:,} same{under}, {different:,} different"]
    if different:
        parts.append(f"({', '.join(kinds)}; since then changed: {', '.join(causes)})")
    if report.unreadable:
        parts.append(f"· {len(report.unreadable):,} unreadable")
    return " ".join(parts)


def _causes(report: ReplayReport) -> list[str]:
    """Of the decisions that differ, in the report's order of kinds."""
    known = list(report.causes)
    return sorted((one.cause for one in report.replayed if one.change not in SAME), key=known.index)


_KINDS = (("route", "route"), ("decision", "decision"), ("score", "numbers only"))
