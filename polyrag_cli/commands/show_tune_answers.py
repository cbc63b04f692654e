"""How `polyrag tune answers` looks: estimates, folders kept aside, reliability, the trade-off, the proposal."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

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
from polyrag_cli.display.text import bar, clip, counted
from polyrag_cli.evaluation.tuning.answer_weights import AnswerTuneReport
from polyrag_cli.evaluation.tuning.refusing import Shares

MAX_TAGS = 3
_BAR = 16
_NAME = 20


def show_tune_answers(report: AnswerTuneReport, left_out: Mapping[str, int], proposal: Proposal) -> None:
    """Prints the report."""
    out = console()
    print_wrapped(
        out,
        f"{counted(len(report.folders), 'folder')}: {counted(report.questions, 'question')}, {report.unanswerable} of"
        f" them answered by nothing there; {report.declined_before} declined whatever the probability",
        style="bold",
        indent="",
    )
    show_left_out(left_out, out)
    if not report.dense:
        print_wrapped(out, "nothing is embedded: these are the weights of words alone", style="dim")
    show_estimates(report.now, report.fitted, report.out_of_fold, out)
    show_weights(report.weights_now, report.weights, out)
    tags = _tags(report)
    _folders(report, tags, out)
    show_reliability("probability", "answerable", report.out_of_fold, out)
    _curve(report, tags, out)
    show_proposal(report.changes, proposal, out)


def _tags(report: AnswerTuneReport) -> list[str]:
    """The tags of questions that nothing answers, those of most folders first."""
    folders = [folder.shares.by_tag for folder in report.folders]
    tags = sorted(report.kept_aside.by_tag, key=lambda tag: (-sum(tag in own for own in folders), tag))
    return tags[:MAX_TAGS]


def _folders(report: AnswerTuneReport, tags: list[str], out: Console) -> None:
    title(f"each folder by weights and threshold of the others, at most {report.refuse:g} of theirs refused", out)
    table = figures("folder", "n", "loss", "AUC", "from", "refused", "declined", *tags)
    for one in report.folders:
        row = (_brief(one.folder), str(one.questions), f"{one.loss:.3f}", share(one.auc), f"{one.threshold:.2f}")
        table.add_row(*row, *_shares(one.shares, tags))
    for name, estimate, own in (
        ("all", report.out_of_fold, report.kept_aside),
        ("all, weights of now", report.now, report.kept_aside_now),
    ):
        row = (name, str(report.questions), f"{estimate.loss:.3f}", share(estimate.auc), "")
        table.add_row(*row, *_shares(own, tags))
    print_table(table, out)
    print_wrapped(
        out,
        "refused: of the answerable questions; declined: of those that nothing answers, by their tags behind it; from:"
        " the least probability that passes",
        style="dim",
    )


def _brief(folder: str) -> str:
    """A folder by the last two parts of its path."""
    return clip("/".join(Path(folder).parts[-2:]), _NAME)


def _shares(found: Shares, tags: list[str]) -> list[str]:
    return [share(found.refused), share(found.declined), *(share(found.by_tag.get(tag)) for tag in tags)]


def _curve(report: AnswerTuneReport, tags: list[str], out: Console) -> None:
    proposed = bool(report.changes)
    weights = "out of fold" if proposed else "under the weights of now"
    title(f"what answer.min_probability would do, {weights}", out)
    table = figures("from", "refused", "right refused", "declined", *tags)
    table.add_column("declined − refused", no_wrap=True)
    for step in report.curve:
        own = step.out_of_fold if proposed else step.now
        gained = (own.declined or 0.0) - (own.refused or 0.0)
        told = (share(own.refused), share(own.right_refused), share(own.declined))
        rest = (share(own.by_tag.get(tag)) for tag in tags)
        table.add_row(f"{step.threshold:.2f}", *told, *rest, f"{gained:5.2f} {bar(max(0.0, gained), _BAR)}")
    print_table(table, out)
    print_wrapped(
        out,
        f"answer.min_probability is {report.threshold_now:g}; with the weights found {report.threshold:g} refuses at"
        f" most {report.refuse:g} of the answerable. right refused: of those whose quotes hold the facts labelled",
        style="dim",
    )
