"""How an evaluation looks: a table of measures, the questions that fell short, and the gate's verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from polyrag_cli.commands.output import console, print_wrapped
from polyrag_cli.commands.show_rows import plain_table
from polyrag_cli.display.text import clip, counted
from polyrag_cli.evaluation.quality.gate import Comparison, Flip, SetVerdict, Verdict
from polyrag_cli.evaluation.quality.measures import METRICS
from polyrag_cli.evaluation.quality.reports import flip_line, latency_line, unmatched_line, wrong_measures
from polyrag_cli.evaluation.quality.runner import EvalReport

GROUPINGS = ("route", "lang", "tags")
# What a row per language or tag has room for.
_GROUP_METRICS = ("router", "recall@5", "ndcg@10", "facts", "precision", "declined")


def show_set(name: str, report: EvalReport, by: str, failures: bool) -> None:
    """Prints one set: every measure with its interval, by route or for each language or tag."""
    out = console()
    title = f"{name}  {counted(report.questions, 'question')}, longest answer {report.longest_answer_words} words"
    out.print(Text(title, style="bold"), soft_wrap=True)
    out.print(_measures_table(report, report.routes if by == "route" else {}))
    if by != "route":
        out.print()
        groups = report.langs if by == "lang" else report.tags
        tags = (tag for item in report.items for tag in (item.tags if by == "tags" else (item.lang,)))
        out.print(_groups_table(by, groups, tags))
    out.print()
    if failures:
        _show_failures(report, out)


def _measures_table(report: EvalReport, routes: Mapping[str, Mapping[str, float]]) -> Table:
    table = plain_table()
    # One column to the left of each figure: with five routes the table still fits into 80 columns.
    table.padding = (0, 0, 0, 1)
    table.add_column("metric", no_wrap=True)
    for name in ("all", "95 %", *routes):
        table.add_column(name, justify="right", no_wrap=True)
    for metric in METRICS:
        if metric in report.overall:
            digits = 1 if metric.endswith("_ms") else 3
            figures = [_figure(values, metric, digits) for values in (report.overall, *routes.values())]
            low, high = report.intervals[metric]
            table.add_row(metric, figures[0], f"{_short(low, digits)}–{_short(high, digits)}", *figures[1:])
    return table


def _groups_table(by: str, groups: Mapping[str, Mapping[str, float]], names: Iterable[str]) -> Table:
    sizes = Counter(names)
    metrics = [m for m in _GROUP_METRICS if any(m in values for values in groups.values())]
    table = plain_table()
    table.padding = (0, 0, 0, 1)
    table.add_column(by, no_wrap=True, overflow="ellipsis")
    for name in ("n", *metrics):
        table.add_column(name, justify="right", no_wrap=True)
    for group, values in groups.items():
        table.add_row(Text(group), str(sizes[group]), *(_figure(values, metric, 3) for metric in metrics))
    return table


def _figure(values: Mapping[str, float], metric: str, digits: int) -> str:
    return f"{values[metric]:.{digits}f}" if metric in values else "–"


def _short(value: float, digits: int) -> str:
    """A share without its leading zero, since an interval has two of them; a time as it is."""
    return f"{value:.0f}" if digits == 1 else f"{value:.2f}".removeprefix("0")


def _show_failures(report: EvalReport, out: Console) -> None:
    for item in report.items:
        wrong = wrong_measures(item)
        if wrong:
            print_wrapped(out, item.question, style="yellow")
            answer = item.answer if item.answer is not None else "no answer"
            print_wrapped(out, f"{', '.join(wrong)} · routed {'+'.join(item.routes)} · {answer}", indent="    ")
            if item.false_hit:
                print_wrapped(out, f"the cache would serve the answer to “{item.false_hit}”", indent="    ")


# ---------------------------------------------------------------- the gate
def show_verdict(verdict: Verdict) -> None:
    """Prints what was lost and won since the baseline, and why, and whether the gate passes."""
    out = console()
    for name, checked in verdict.sets.items():
        where = f"{name} against {verdict.baseline}" if len(verdict.sets) > 1 else f"against {verdict.baseline}"
        out.print(Text(where, style="bold"), soft_wrap=True)
        changed = [c for c in checked.comparisons if c.lost or c.won]
        if changed:
            out.print(_comparisons_table(changed))
        _show_flips("lost", "red", checked.lost, out)
        _show_flips("won", "green", checked.won, out)
        for line in _side_notes(checked):
            print_wrapped(out, line)
    for note in verdict.notes:
        print_wrapped(out, f"since the baseline: {note}")
    for reason in verdict.reasons:
        print_wrapped(out, reason, style="red")
    word, style = ("gate passed", "green") if verdict.passed else ("gate FAILED", "red")
    out.print(Text(word, style=f"bold {style}"))


def _comparisons_table(changed: Sequence[Comparison]) -> Table:
    table = plain_table()
    table.add_column("metric")
    for name in ("before", "now", "lost", "won", "p"):
        table.add_column(name, justify="right")
    table.add_column("test")
    for c in changed:
        figures = (f"{c.before:.3f}", f"{c.now:.3f}", str(c.lost), str(c.won), f"{c.p:.3f}")
        table.add_row(c.measure, *figures, f"{c.test}, n = {c.n}")
    return table


def _show_flips(word: str, style: str, flips: Sequence[Flip], out: Console) -> None:
    for flip in flips:
        print_wrapped(out, f"{word:<5} {clip(flip.question, 200)}", style=style, hanging="        ")
        print_wrapped(out, flip_line(flip), indent="        ", hanging="        ")
        print_wrapped(out, flip.change, indent="        ", hanging="        ")


def _side_notes(checked: SetVerdict) -> list[str]:
    unchanged = "" if checked.lost or checked.won else "no question changed"
    return [line for line in (unchanged, latency_line(checked), unmatched_line(checked)) if line]
