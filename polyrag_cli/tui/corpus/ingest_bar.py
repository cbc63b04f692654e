"""Adding a path: its dialog, the thread that ingests, its progress beside that of other processes, and its stop.

Owns the one ingest that this dashboard runs at a time.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.timer import Timer
from textual.worker import get_current_worker

from polyrag_cli.tui.corpus.add_path_screen import AddPathScreen, ChosenPath
from polyrag_cli.tui.corpus.ingest_run import IngestRun, Outcome
from polyrag_cli.tui.corpus.job_line import JobLine

if TYPE_CHECKING:
    from polyrag_cli.stores.jobs import Job
    from polyrag_cli.tui.view import Dashboard

_DRAW_S = 0.2


class IngestBar(Vertical):
    """The lines of running work; `add` starts some, `stop` ends it."""

    DEFAULT_CSS = """
    IngestBar { height: auto; }
    """

    class Ended(Message):
        """The ingest that was started here is over."""

        def __init__(self, outcome: Outcome) -> None:
            super().__init__()
            self.outcome = outcome

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.run: IngestRun | None = None
        self._others: Sequence[Job] = ()
        self._drawing: Timer | None = None

    def compose(self) -> ComposeResult:
        yield JobLine()

    def show_jobs(self, jobs: Sequence[Job]) -> None:
        """Shows what goes on in the data directory; this dashboard's own ingest is known better here."""
        self._others = [job for job in jobs if job.pid != os.getpid() or job.kind != "ingest"]
        self._draw()

    def _draw(self) -> None:
        own = [self.run.job] if self.run is not None else []
        self.query_one(JobLine).show([*own, *self._others], own=bool(own))

    # ------------------------------------------------------------ an ingest of one's own
    def add(self) -> None:
        """Asks for a path and ingests it."""
        if self.run is not None:
            self.notify("An ingest is running here already: stop it with x or wait for its end.", severity="warning")
            return
        self.app.push_screen(AddPathScreen(Path.cwd()), self._chosen)

    def _chosen(self, chosen: ChosenPath | None) -> None:
        if chosen is not None and self.run is None:
            self.ingest([chosen.path], chosen.skip_graph)

    def ingest(self, paths: Sequence[Path], skip_graph: bool) -> None:
        """Ingests in a thread."""
        run = self.run = IngestRun(paths, skip_graph)

        def work() -> None:
            worker = get_current_worker()
            run.gone = lambda: worker.is_cancelled
            outcome = run.work(cast("Dashboard", self.app).engine.result())
            if not worker.is_cancelled:
                self.post_message(self.Ended(outcome))

        self.run_worker(work, thread=True, group="ingest", exit_on_error=False)
        self._drawing = self.set_interval(_DRAW_S, self._draw)
        self._draw()

    def stop(self) -> None:
        """Ends this dashboard's ingest."""
        if self.run is not None and not self.run.stopping:
            self.run.stop()
            self.notify("Stopping after the file that is being read; what is committed stays.")

    def on_job_line_stop_asked(self, event: JobLine.StopAsked) -> None:
        event.stop()
        self.stop()

    def on_ingest_bar_ended(self) -> None:
        self.run = None
        if self._drawing is not None:
            self._drawing.stop()
        self._draw()
        self.refresh_bindings()
