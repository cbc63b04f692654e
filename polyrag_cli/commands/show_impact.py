"""How the impact of a configuration looks: a summary, what changes, and what lies nearest to a boundary."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from polyrag_cli.commands.output import console, print_wrapped
from polyrag_cli.commands.show_rows import plain_table
from polyrag_cli.display.impact import SHOWN, passage, place, summary_lines, verdict, way
from polyrag_cli.display.text import clip
from polyrag_cli.types import ChunkMove, ImpactReport, QuestionMove


def show_impact(report: ImpactReport, name: str) -> None:
    """Prints the whole report; `name` is that of the configuration compared with."""
    out = console()
    print_wrapped(out, f"{name}, nothing applied:", style="bold", indent="")
    for line in summary_lines(report):
        print_wrapped(out, line)
    for note in report.notes:
        print_wrapped(out, note, style="dim")
    _chunks("chunks that change", report.changed_chunks, out)
    _questions("questions that change", report.changed_questions, out)
    _chunks("unchanged, nearest to the boundary", report.nearest_chunks, out)
    _questions("unchanged, nearest to the boundary", report.nearest_questions, out)


def _chunks(title: str, moves: Sequence[ChunkMove], out: Console) -> None:
    if not moves:
        return
    table = _table(title, ("chunk", "passage", "home", "margin"), out)
    for move in moves[:SHOWN]:
        cells = Text(place(move), overflow="ellipsis"), Text(passage(move)), Text(way(move.old, move.new))
        table.add_row(*cells, _margins(move.old_margin, move))
    _print(table, len(moves), out)


def _questions(title: str, moves: Sequence[QuestionMove], out: Console) -> None:
    if not moves:
        return
    labelled = any(move.right_after is not None for move in moves)
    table = _table(title, ("question", "route", "margin", *(["label"] if labelled else [])), out)
    for move in moves[:SHOWN]:
        row = [
            Text(clip(move.question, 200), overflow="ellipsis"),
            Text(way(move.old, move.new)),
            _margins(move.old_margin, move),
        ]
        table.add_row(*row, *([Text(verdict(move))] if labelled else []))
    _print(table, len(moves), out)


def _table(title: str, columns: Sequence[str], out: Console) -> Table:
    out.print()
    out.print(Text(f"  {title}", style="bold"))
    table = plain_table()
    table.width = min(out.width - 2, 118)
    table.add_column("  " + columns[0], no_wrap=True, ratio=1)
    for column in columns[1:]:
        table.add_column(column, no_wrap=True)
    return table


def _print(table: Table, n: int, out: Console) -> None:
    from rich.padding import Padding

    out.print(Padding(table, (0, 0, 0, 2), expand=False))
    if n > SHOWN:
        out.print(Text(f"  … {n - SHOWN} more; --json lists all", style="dim"))


def _margins(old: float, move: ChunkMove | QuestionMove) -> Text:
    before, after = f"{old:.3f}", f"{move.new_margin:.3f}"
    return Text(after if before == after else f"{before} → {after}")
