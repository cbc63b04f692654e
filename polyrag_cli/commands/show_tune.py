"""How tuning looks: estimates side by side, what matters, the reliability curve, anchors, and the proposal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from polyrag_cli.commands.output import console, print_wrapped
from polyrag_cli.commands.show_rows import plain_table
from polyrag_cli.display.text import bar, clip, counted
from polyrag_cli.evaluation.tuning.anchor_proposals import AnchorProposal
from polyrag_cli.evaluation.tuning.crossvalidation import Sensitivity, Tuned
from polyrag_cli.evaluation.tuning.tuning import TuneReport
from polyrag_cli.scoring.calibration import ReliabilityBin

SHOWN_QUESTIONS = 3
BAR = 24
_MEANING: Mapping[str, str] = {
    "routing": "the routes are exactly the labelled ones",
    "declining": "evidence is called too little exactly where nothing answers; both kinds of questions weigh the same",
    "second store": "every labelled route is asked; each second store asked costs a quarter",
    "fusion": "mean of recall@5 and MRR of hybrid search",
}


def show_tune(report: TuneReport, diff: Sequence[str], written: str | None, name: str) -> None:
    """Prints the report; `diff` is that of the configuration, `written` the file that was changed."""
    out = console()
    apart = report.questions - report.groups
    head = f"{name}: {counted(report.questions, 'question')}, {report.judged} with a labelled route"
    alike = f", {apart} of them near-duplicates kept in one fold" if apart else ""
    print_wrapped(out, f"{head}{alike} · {report.folds} folds, seed {report.seed}", style="bold", indent="")
    _estimates(report, out)
    _parameters(report.tuned, out)
    _reliability(report.reliability, report.ece, out)
    _anchors(report, out)
    for note in report.notes:
        print_wrapped(out, note, style="dim")
    out.print()
    _proposal(report, diff, written, out)


def _title(text: str, out: Console) -> None:
    out.print()
    out.print(Text(f"  {text}", style="bold"))


def _print(table: Table, out: Console) -> None:
    out.print(Padding(table, (0, 0, 0, 2), expand=False))


def _estimates(report: TuneReport, out: Console) -> None:
    table = plain_table()
    table.add_column("tuned for")
    for column in ("now", "fitted", "out of fold", "questions", "better/worse", "p"):
        table.add_column(column, justify="right", no_wrap=True)
    for found in report.tuned:
        means = (f"{mean:.3f}" for mean in (found.current, found.fitted, found.out_of_fold))
        row = (found.name, *means, str(found.questions), f"{found.better}/{found.worse}", f"{found.p:.2f}")
        table.add_row(*row)
    out.print()
    _print(table, out)
    out.print()
    print_wrapped(
        out,
        "fitted: on the questions that it was found on; out of fold: each question under parameters found without it,"
        " which is what to expect of new ones; p: of that difference from now by chance.",
        style="dim",
    )
    for found in report.tuned:
        measures = "; ".join(f"{name} {now:.3f} → {then:.3f} fitted" for name, (now, then) in report.measures.items())
        more = f": {measures}" if found.name == "fusion" and measures else ""
        print_wrapped(out, f"{found.name}: {_MEANING[found.name]}{more}", style="dim")


def _parameters(tuned: Sequence[Tuned], out: Console) -> None:
    """The parameters that matter, with what was found, and the names of those that don't."""
    _title("parameters", out)
    table = plain_table()
    table.add_column("parameter", no_wrap=True)
    for column in ("found", "in folds", "score", "best at"):
        table.add_column(column, justify="right", no_wrap=True)
    flat: list[str] = []
    for found in tuned:
        for item in found.sensitivity:
            if item.flat:
                flat.append(item.parameter)
                continue
            value = f"{found.found[item.parameter]:g}" + (" *" if item.parameter in found.changes else "")
            share = f"{found.agreement[item.parameter]:.0%}"
            table.add_row(item.parameter, value, share, f"{min(item.scores):.3f}–{max(item.scores):.3f}", _best(item))
    if table.row_count:
        _print(table, out)
    print_wrapped(
        out,
        "* another value than now; in folds: the share of folds that found the same; score: lowest and highest over the"
        " values tried, the other parameters as found",
        style="dim",
    )
    if flat:
        print_wrapped(out, f"flat, no value of their grids changes anything here: {', '.join(flat)}")


def _best(item: Sensitivity) -> str:
    """The values with the highest score, as a range where more than two stand in a row."""
    high = max(item.scores)
    at = [index for index, score in enumerate(item.scores) if high - score < 1e-9]
    best = [f"{item.values[index]:g}" for index in at]
    return f"{best[0]} to {best[-1]}" if len(at) > 2 and at[-1] - at[0] == len(at) - 1 else ", ".join(best)


def _reliability(bins: Sequence[ReliabilityBin], ece: float, out: Console) -> None:
    _title("reliability of the final margin", out)
    if not bins:
        print_wrapped(out, "no question of one clause was decided by scores")
        return
    table = plain_table()
    table.add_column("margin", no_wrap=True)
    table.add_column("route right", no_wrap=True)
    table.add_column("questions", justify="right", no_wrap=True)
    for item in bins:
        margins = f"{2 * item.low - 1:.1f} to {2 * item.high - 1:.1f}" + ("" if item.high < 1 else " or more")
        table.add_row(margins, Text(f"{item.right:.2f} {bar(item.right, BAR)}"), str(item.n))
    _print(table, out)
    lean = sum(item.n * (item.right - item.confidence) for item in bins)
    verdict = "right more often than it says" if lean > 0 else "right less often than it says"
    print_wrapped(out, f"read as a probability, (1 + margin) / 2: ECE {ece:.3f}, {verdict}")


def _anchors(report: TuneReport, out: Console) -> None:
    _title("anchors from misrouted questions", out)
    if not report.anchors:
        print_wrapped(out, "none" if report.misrouted else "none: every labelled question goes where it should")
        return
    for proposal in report.anchors:
        print_wrapped(out, f"{proposal.key} += {_quoted(proposal.question)}")
        does, so = ("fixes", ", which proves nothing") if proposal.fixes_itself else ("doesn't fix", "")
        print_wrapped(
            out,
            f"{does} the question itself (now {proposal.decided}){so}; of the others it fixes {len(proposal.fixes)} and"
            f" breaks {len(proposal.breaks)}{_named(proposal)}; moves no chunk, question anchors never do",
            indent="    ",
            hanging="    ",
        )


def _quoted(text: str) -> str:
    """A question as TOML writes it, on one line."""
    import json

    return json.dumps(clip(text, 2000), ensure_ascii=False)


def _named(proposal: AnchorProposal) -> str:
    """The first of the questions that it fixes and breaks."""
    said = [("fixes", proposal.fixes), ("breaks", proposal.breaks)]
    parts = [f"{verb} {'; '.join(clip(q, 60) for q in some[:SHOWN_QUESTIONS])}" for verb, some in said if some]
    return f" ({', '.join(parts)})" if parts else ""


def _proposal(report: TuneReport, diff: Sequence[str], written: str | None, out: Console) -> None:
    if not report.changes:
        print_wrapped(
            out,
            "No change proposed: nothing found does better on questions kept aside than the current settings do, by"
            " more than chance explains.",
            indent="",
        )
        return
    for line in diff:
        style = {"+": "green", "-": "red"}.get(line[:1], "")
        out.print(Text(f"  {line}", style=style), soft_wrap=True)
    out.print()
    changed = counted(len(report.changes), "value")
    print_wrapped(out, f"{changed} written to {written}." if written else "Write it with --write.", indent="")
