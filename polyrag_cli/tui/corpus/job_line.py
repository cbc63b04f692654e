"""Work that goes on in the data directory, a line each, whichever process does it."""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Button, Static

from polyrag_cli.display.text import bar, counted
from polyrag_cli.tui.widgets.cells import clipped, padded

if TYPE_CHECKING:
    from polyrag_cli.stores.jobs import Job

_BAR = 12
_VERBS = {"ingest": "ingests", "reembed": "embeds again"}
SHOWN_JOBS = 3


def job_text(job: Job, width: int, pid: int, host: str) -> str:
    """A job in one line: who, how far, what it is at.

    pid, host: this process, whose own jobs are told from others'.
    """
    verb = _VERBS.get(job.kind, job.kind)
    place = "" if job.host == host else f" on {job.host}"
    who = (
        f"this dashboard {verb}" if (job.pid, job.host) == (pid, host) else f"another process ({job.pid}{place}) {verb}"
    )
    if not job.total:
        return clipped(f"{who}: beginning", width)
    drawn = padded(bar(job.done / job.total, _BAR), _BAR).replace(" ", "░")
    parts = [f"{who}: {drawn} {job.done:,} of {counted(job.total, 'file')}", counted(job.chunks, "chunk")]
    return clipped(" · ".join([*parts, *([f"at {job.current}"] if job.current else [])]), width)


class JobLine(Horizontal):
    """Up to three jobs, and a button that stops this process's own; hidden when there are none."""

    DEFAULT_CSS = """
    JobLine {
        height: auto; display: none; background: $panel;
        &.-working { display: block; }
        & > Static { width: 1fr; height: auto; padding: 0 1; }
        & > Button { display: none; }
        &.-own > Button { display: block; }
    }
    """

    class StopAsked(Message):
        """This process's own ingest is to stop."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._jobs: Sequence[Job] = ()

    def compose(self) -> ComposeResult:
        yield Static(id="job-text", markup=False)
        yield Button("Stop (x)", id="job-stop", compact=True, variant="warning")

    def show(self, jobs: Sequence[Job], own: bool) -> None:
        """Shows what goes on. own: whether this process's ingest can be stopped."""
        self._jobs = jobs
        self.set_class(bool(jobs), "-working")
        self.set_class(own, "-own")
        self._fill()

    def on_resize(self) -> None:
        self._fill()

    def _fill(self) -> None:
        width = max(20, self.size.width - (14 if self.has_class("-own") else 2))
        lines = [job_text(job, width, os.getpid(), socket.gethostname()) for job in self._jobs[:SHOWN_JOBS]]
        more = len(self._jobs) - SHOWN_JOBS
        self.query_one("#job-text", Static).update("\n".join([*lines, *([f"and {more} more"] if more > 0 else [])]))

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.post_message(self.StopAsked())
