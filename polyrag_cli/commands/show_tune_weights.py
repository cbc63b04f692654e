"""How weights found on labelled questions look: the estimates, the reliability curve, and the proposal."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from polyrag_cli.commands.output import print_wrapped
from polyrag_cli.commands.show_rows import plain_table
from polyrag_cli.commands.tune_writing import Proposal
from polyrag_cli.display.text import bar, counted
from polyrag_cli.evaluation.tuning.held_out import Estimate, Weights

BAR = 24
_WIDEST = 1000


def title(text: str, out: Console) -> None:
    """Prints a heading with a line above it."""
    out.print()
    out.print(Text(f"  {text}", style="bold"))


def print_table(table: Table, out: Console) -> None:
    """Prints a table under a heading; in a pipe no line of it is cut."""
    if not out.is_terminal:
        out.width = max(out.width, out.measure(table, options=out.options.update(max_width=_WIDEST)).maximum + 2)
    out.print(Padding(table, (0, 0, 0, 2), expand=False))


def figures(first: str, *others: str) -> Table:
    """A table of a name and figures."""
    table = plain_table()
    table.add_column(first, no_wrap=True)
    for name in others:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def share(value: float | None) -> str:
    """A share as two decimals, a dash for none."""
    return "–" if value is None else f"{value:.2f}"


def show_left_out(left_out: Mapping[str, int], out: Console) -> None:
    """Prints how many questions say nothing, by the reason."""
    if left_out:
        told = ", ".join(f"{count} {reason}" for reason, count in sorted(left_out.items()))
        print_wrapped(out, f"left out: {told}", style="dim")


def show_estimates(now: Estimate, fitted: Estimate, out_of_fold: Estimate, out: Console) -> None:
    """Prints what the weights of now and those found are worth, side by side."""
    table = figures("weights", "log loss", "AUC", "ECE")
    for name, found in (("now", now), ("fitted", fitted), ("out of fold", out_of_fold)):
        table.add_row(name, f"{found.loss:.4f}", share(found.auc), f"{found.ece:.3f}")
    out.print()
    print_table(table, out)
    out.print()
    print_wrapped(
        out,
        "now: the weights in force, which may have been fitted to such questions; fitted: judged on what they were"
        " found on; out of fold: each question under weights found without its part, which is what to expect of new"
        " ones.",
        style="dim",
    )


def show_weights(now: Weights, found: Weights, out: Console) -> None:
    """Prints each weight, now and found."""
    table = figures("weight", "now", "found")
    for name, weight in found.items():
        table.add_row(name, f"{now[name]:g}", f"{weight:g}")
    title("weights", out)
    print_table(table, out)


def show_reliability(name: str, what: str, found: Estimate, out: Console) -> None:
    """Prints how often what was told with a probability was so."""
    title(f"reliability, out of fold: {what} by {name}", out)
    table = plain_table()
    table.add_column(name, no_wrap=True)
    table.add_column("mean", justify="right", no_wrap=True)
    table.add_column(what, no_wrap=True)
    table.add_column("questions", justify="right", no_wrap=True)
    for item in found.reliability:
        shown = Text(f"{item.right:.2f} {bar(item.right, BAR)}")
        table.add_row(f"{item.low:.1f} to {item.high:.1f}", f"{item.confidence:.2f}", shown, str(item.n))
    print_table(table, out)


def show_proposal(changes: Mapping[str, object], proposal: Proposal, out: Console) -> None:
    """Prints the diff of what is proposed, or that nothing is."""
    out.print()
    if not changes:
        print_wrapped(
            out,
            "No change proposed: out of fold, the weights found foretell no better than those in force (log loss).",
            indent="",
        )
        return
    if proposal.note:
        print_wrapped(out, proposal.note, indent="")
        return
    for line in proposal.diff:
        out.print(Text(f"  {line}", style={"+": "green", "-": "red"}.get(line[:1], "")), soft_wrap=True)
    out.print()
    written = f"{counted(len(changes), 'value')} written to {proposal.written}."
    print_wrapped(out, written if proposal.written else "Write it with --write.", indent="")
