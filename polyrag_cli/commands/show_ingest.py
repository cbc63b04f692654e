"""How an ingest looks: how far it is while it runs, then a line per file with what went where and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import typer
from rich.console import Console
from rich.text import Text

from polyrag_cli.commands.output import console, print_wrapped, wrapped
from polyrag_cli.commands.progress import telling
from polyrag_cli.display.files import STATES, contents, totals
from polyrag_cli.display.text import clip, counted, milliseconds, printable
from polyrag_cli.ingest.base import OnProgress
from polyrag_cli.types import FileReport, IngestReport, PendingImpact

SHOWN_UNCHANGED = 5
# Nothing is removed but by a file that vanished: seldom worth a word.
_ALWAYS = tuple(state for state in STATES if state != "removed")
# What becomes of a file of which nothing was read.
_UNREAD = ("skipped", "removed")
_STYLES = {"added": "green", "updated": "green", "skipped": "yellow", "failed": "red", "removed": "yellow"}


@contextmanager
def progress() -> Iterator[OnProgress]:
    """A callback for (files done, files in all, current name, chunks so far)."""
    with telling("ingest", "files") as tell:
        yield lambda done, total, name, chunks: tell(f"{chunks} chunks, at {name}", done, total)


def announce_impact(impact: PendingImpact, dry_run: bool) -> None:
    """Says on stderr what settings that changed since the last ingest change."""
    from polyrag_cli.display.impact import pending_lines

    for line in pending_lines(impact, dry_run):
        typer.echo(printable(line), err=True)


def announce_nothing_read(report: IngestReport) -> None:
    """Says on stderr that no file was found that can be read, and which can; nothing where one was."""
    from polyrag_cli.registry import LOADER_SUFFIXES

    if all(file.status in _UNREAD for file in report.files):
        endings = " ".join(sorted(LOADER_SUFFIXES))
        said = f"Nothing was found to read there. Files that are read: {endings}"
        print_wrapped(console(stderr=True), said, indent="", hanging="  ")


def nothing_to_do(report: IngestReport) -> bool:
    """Whether the files are as they were at the last ingest."""
    states = {file.status for file in report.files}
    return "unchanged" in states and states <= {"unchanged", "skipped"}


def show_report(report: IngestReport, dry_run: bool = False, corpus: Sequence[FileReport] = ()) -> None:
    """Prints a line for each file that changed or needs attention, and the totals.

    corpus: all ingested files, for a report of which `nothing_to_do` is true.
    """
    out = console()
    width = min(44, max((len(f.document) for f in report.files), default=0))
    unchanged = [f for f in report.files if f.status == "unchanged"]
    shown = [f for f in report.files if f.status != "unchanged" or len(unchanged) <= SHOWN_UNCHANGED]
    for file in shown:
        _show_file(file, width, out)
    if shown:
        out.print(Text("  " + "─" * min(out.width - 4, 78), style="dim"))
    would = "dry run, nothing written: " if dry_run else ""
    said = _unchanged(report, corpus) if nothing_to_do(report) else totals(report.files, report.took_ms, _ALWAYS)
    print_wrapped(out, would + said, hanging="  ")


def _unchanged(report: IngestReport, corpus: Sequence[FileReport]) -> str:
    counts = Counter(file.status for file in report.files)
    states = ", ".join(f"{number:,} {state}" for state, number in counts.items())
    chunks, tables = sum(file.chunks for file in corpus), sum(len(file.tables) for file in corpus)
    held = f"{counted(chunks, 'chunk')}, {counted(tables, 'table')} in the corpus"
    return f"nothing to do: {states} · {held} · {milliseconds(report.took_ms)}"


def _show_file(file: FileReport, width: int, out: Console) -> None:
    name = f"  {clip(file.document, width):<{width}}  "
    state = f"{file.status:<9} "
    first, *more = wrapped(name + state + contents(file), out, " " * (len(name) + len(state)))
    line = Text(first)
    line.stylize(_STYLES.get(file.status, "dim"), len(name), len(name) + len(state))
    out.print(line, soft_wrap=True)
    for rest in more:
        out.print(Text(rest), soft_wrap=True)
