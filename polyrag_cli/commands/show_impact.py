"""How the impact of a configuration looks: a summary, what changes, and what lies nearest to a boundary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from polyrag_cli.commands.output import console, print_wrapped
from polyrag_cli.commands.show_rows import plain_table
from polyrag_cli.display.text import clip, counted
from polyrag_cli.evaluation.chunk_impact import ChunkMove, counts_by_move
from polyrag_cli.evaluation.impact import ImpactReport
from polyrag_cli.evaluation.question_impact import QuestionMove

SHOWN = 40
# Before an ingest, which goes on without waiting for a reader.
SHOWN_PENDING = 5
_VERDICTS: Mapping[bool | None, str] = {True: "right", False: "wrong", None: ""}


def summary_lines(report: ImpactReport, which: str = "") -> list[str]:
    """What changes, in a line for chunks and one for questions. which: said before how many questions there are."""
    moved = counts_by_move(report.changed_chunks)
    ways = ", ".join(f"{old} → {new} {n}" for (old, new), n in moved.items())
    second = len(report.changed_chunks) - sum(moved.values())
    verb = "changes" if sum(moved.values()) == 1 else "change"
    line = f"{sum(moved.values())} of {counted(report.chunks, 'chunk')} {verb} home" + (f" ({ways})" if ways else "")
    line += f", {second} more gain or lose a second home" if second else ""
    verb = "changes" if len(report.changed_questions) == 1 else "change"
    asked = f"{len(report.changed_questions)} of {which}{counted(report.questions, 'question')} {verb} route"
    if report.judged:
        asked += f"; right {report.right_before} → {report.right_after} of {report.judged} labelled"
    return [line, asked if report.questions else "no question to compare: name a set with --set, or ask some first"]


def pending_lines(report: ImpactReport, file: Path | None) -> list[str]:
    """What is said before an ingest under a configuration that changed; `file` is the one in use."""
    head = "configuration or version changed since the last ingest"
    if report.skipped:
        return [f"{head}: {report.skipped}"]
    chunks, questions = summary_lines(report, "" if report.from_sets else "the last ")
    told = questions if report.questions else "no question asked yet to compare"
    moves = report.changed_questions
    lines = [f"{head}:", f"  {chunks}; {told}"]
    lines += [f"    “{clip(move.question, 60)}”  {_way(move.old, move.new)}" for move in moves[:SHOWN_PENDING]]
    if report.changed_chunks or len(moves) > SHOWN_PENDING:
        lines.append(f"  polyrag route --impact {file or 'NEW.toml'} shows them")
    return lines


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
    table = _table(title, "chunk", "home", out)
    for move in moves[:SHOWN]:
        place = f"{move.document} › {move.heading}" if move.heading else move.document
        table.add_row(
            Text(clip(place, 200), overflow="ellipsis"), Text(_way(move.old, move.new)), _margins(move.old_margin, move)
        )
    _print(table, len(moves), out)


def _questions(title: str, moves: Sequence[QuestionMove], out: Console) -> None:
    if not moves:
        return
    table = _table(title, "question", "route", out)
    labelled = any(move.right_after is not None for move in moves)
    if labelled:
        table.add_column("label", no_wrap=True)
    for move in moves[:SHOWN]:
        row = [
            Text(clip(move.question, 200), overflow="ellipsis"),
            Text(_way(move.old, move.new)),
            _margins(move.old_margin, move),
        ]
        table.add_row(*row, *([Text(_verdict(move))] if labelled else []))
    _print(table, len(moves), out)


def _table(title: str, what: str, where: str, out: Console) -> Table:
    out.print()
    out.print(Text(f"  {title}", style="bold"))
    table = plain_table()
    table.width = min(out.width - 2, 118)
    table.add_column("  " + what, no_wrap=True, ratio=1)
    table.add_column(where, no_wrap=True)
    table.add_column("margin", no_wrap=True)
    return table


def _print(table: Table, n: int, out: Console) -> None:
    from rich.padding import Padding

    out.print(Padding(table, (0, 0, 0, 2), expand=False))
    if n > SHOWN:
        out.print(Text(f"  … {n - SHOWN} more; --json lists all", style="dim"))


def _margins(old: float, move: ChunkMove | QuestionMove) -> Text:
    return Text(f"{old:.3f} → {move.new_margin:.3f}")


def _way(old: Sequence[str], new: Sequence[str]) -> str:
    """Old and new places; one of them where they are the same."""
    return "+".join(old) if tuple(old) == tuple(new) else f"{'+'.join(old)} → {'+'.join(new)}"


def _verdict(move: QuestionMove) -> str:
    """Whether the question goes where its label says, before and after."""
    before, after = _VERDICTS[move.right_before], _VERDICTS[move.right_after]
    return after if before == after else f"{before} → {after}"
