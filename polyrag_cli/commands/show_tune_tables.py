"""How `polyrag tune tables` looks: estimates, weights, reliability, precision against coverage, the proposal."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console

from polyrag_cli.commands.output import console, print_wrapped
from polyrag_cli.commands.show_tune_weights import (
    figures,
    print_table,
    share,
    show_estimates,
    show_left_out,
    show_proposal,
    show_reliability,
    show_weights,
    title,
)
from polyrag_cli.commands.tune_writing import Proposal
from polyrag_cli.display.text import bar, counted
from polyrag_cli.evaluation.tuning.table_weights import TableTuneReport

_BAR = 16


def show_tune_tables(report: TableTuneReport, left_out: Mapping[str, int], proposal: Proposal) -> None:
    """Prints the report."""
    out = console()
    print_wrapped(
        out,
        f"{counted(report.questions, 'question')}, {report.answerable} of them with an answer; {report.read} read on"
        f" {counted(report.tables, 'table')}, {report.right} of them rightly · {report.folds} folds, no table divided",
        style="bold",
        indent="",
    )
    show_left_out(left_out, out)
    show_estimates(report.now, report.fitted, report.out_of_fold, out)
    show_weights(report.weights_now, report.weights, out)
    show_reliability("confidence", "right", report.out_of_fold, out)
    _curve(report, out)
    show_proposal(report.changes, proposal, out)


def _curve(report: TableTuneReport, out: Console) -> None:
    proposed = bool(report.changes)
    weights = "out of fold" if proposed else "under the weights of now"
    title(f"what answer.min_confidence would do, {weights}", out)
    table = figures("from", "coverage", "accuracy")
    table.add_column("precision", no_wrap=True)
    for step in report.curve:
        own = step.out_of_fold if proposed else step.now
        precision = f"{share(own.precision)} {bar(own.precision or 0.0, _BAR)}"
        table.add_row(f"{step.threshold:.2f}", share(own.coverage), share(own.accuracy), precision)
    print_table(table, out)
    now, then = report.at_now.now, report.at_now.out_of_fold
    least = "none" if report.threshold is None else f"{report.threshold:g}"
    print_wrapped(
        out,
        "coverage, accuracy: of the questions with an answer, those that get a figure, and the right one; precision: of"
        f" the figures given, the right ones. answer.min_confidence is {report.threshold_now:g}: precision"
        f" {share(now.precision)}, accuracy {share(now.accuracy)}; out of fold {share(then.precision)},"
        f" {share(then.accuracy)}. Least with a precision of {report.precision:g} out of fold: {least}",
        style="dim",
    )
