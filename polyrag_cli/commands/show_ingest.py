"""How an ingest looks: a bar while it runs, then a line per file with what went where and why."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.text import Text

from polyrag_cli.commands.output import console, print_wrapped, wrapped
from polyrag_cli.display.files import STATES, contents, totals
from polyrag_cli.display.text import clip
from polyrag_cli.types import FileReport, IngestReport

Progress = Callable[[int, int, str, int], None]
SHOWN_UNCHANGED = 5
PLAIN_EVERY_S = 5.0
# Nothing is removed but by a file that vanished: seldom worth a word.
_ALWAYS = tuple(state for state in STATES if state != "removed")
_STYLES = {"added": "green", "updated": "green", "skipped": "yellow", "failed": "red", "removed": "yellow"}


@contextmanager
def progress() -> Iterator[Progress]:
    """A callback for (files done, files in all, current name, chunks so far): a bar on a terminal, plain lines
    elsewhere."""
    if not sys.stderr.isatty():
        yield _plain()
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Bar(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task("ingest", total=None)

        def update(done: int, total: int, name: str, chunks: int) -> None:
            bar.update(task, completed=done, total=total, description=f"{clip(name, 32):<32} {chunks} chunks")

        yield update


def _plain() -> Progress:
    last = time.monotonic()

    def update(done: int, total: int, name: str, chunks: int) -> None:
        nonlocal last
        if time.monotonic() - last >= PLAIN_EVERY_S:
            last = time.monotonic()
            print(f"ingest: {done} of {total} files, {chunks} chunks, at {name}", file=sys.stderr, flush=True)  # noqa: T201

    return update


def show_report(report: IngestReport, dry_run: bool = False) -> None:
    """Prints a line for each file that changed or needs attention, and the totals."""
    out = console()
    width = min(44, max((len(f.document) for f in report.files), default=0))
    unchanged = [f for f in report.files if f.status == "unchanged"]
    for file in report.files:
        if file.status != "unchanged" or len(unchanged) <= SHOWN_UNCHANGED:
            _show_file(file, width, out)
    out.print(Text("  " + "─" * min(out.width - 4, 78), style="dim"))
    would = "dry run, nothing written: " if dry_run else ""
    print_wrapped(out, would + totals(report.files, report.took_ms, _ALWAYS), hanging="  ")


def _show_file(file: FileReport, width: int, out: Console) -> None:
    name = f"  {clip(file.document, width):<{width}}  "
    state = f"{file.status:<9} "
    first, *more = wrapped(name + state + contents(file), out, " " * (len(name) + len(state)))
    line = Text(first)
    line.stylize(_STYLES.get(file.status, "dim"), len(name), len(name) + len(state))
    out.print(line, soft_wrap=True)
    for rest in more:
        out.print(Text(rest), soft_wrap=True)
