"""One ingest that the dashboard started: how far it is, and how it is stopped."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from polyrag_cli.display.files import totals
from polyrag_cli.display.text import counted
from polyrag_cli.errors import PolyRAGError, told
from polyrag_cli.stores.jobs import Job
from polyrag_cli.types import FileReport, PendingImpact

if TYPE_CHECKING:
    from polyrag_cli.engine import Engine


class StoppedByUser(Exception):
    """Raised out of a progress call to end an ingest."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an ingest ended. summary: one line; files: what became of each file, empty when it was stopped or refused;
    impact: what settings that had changed since the ingest before changed with it."""

    summary: str
    files: tuple[FileReport, ...] = ()
    failed: bool = False
    impact: PendingImpact | None = None


class IngestRun:
    """An ingest of some paths, run by a thread and watched by others.

    gone: asked at each progress call whether the application was closed, which stops it as well.
    """

    def __init__(self, paths: Sequence[Path], skip_graph: bool) -> None:
        self.gone: Callable[[], bool] = lambda: False
        self._paths = list(paths)
        self._skip_graph = skip_graph
        self._stop = threading.Event()
        self._job = Job("ingest", os.getpid(), socket.gethostname(), time.time(), time.time())

    @property
    def job(self) -> Job:
        """How far it is."""
        return self._job

    @property
    def stopping(self) -> bool:
        """Whether it was asked to stop."""
        return self._stop.is_set()

    def stop(self) -> None:
        """Ends it at its next progress call; what is committed stays."""
        self._stop.set()

    def work(self, engine: Engine) -> Outcome:
        """Ingests; errors become the outcome's summary."""
        before = _sources(engine)
        try:
            report = engine.ingest(self._paths, skip_graph=self._skip_graph, on_progress=self._tell)
        except StoppedByUser:
            now = _sources(engine)
            kept = sum(before.get(name) != digest for name, digest in now.items())
            read = f"{self._job.done:,} of {counted(self._job.total, 'file')} read"
            return Outcome(f"stopped: {read}, {kept:,} of them committed; those stay, the rest is read next time")
        except Exception as error:  # noqa: BLE001 - the boundary of the thread: the dashboard stays open
            return Outcome(f"ingest failed: {told(error)}", failed=True)
        return Outcome(totals(report.files, report.took_ms, ("added",)), report.files, impact=report.impact)

    def _tell(self, done: int, total: int, name: str, chunks: int) -> None:
        job = self._job
        self._job = Job(job.kind, job.pid, job.host, job.started, time.time(), done, total, name, chunks)
        if self._stop.is_set() or self.gone():
            raise StoppedByUser


def _sources(engine: Engine) -> dict[str, str]:
    """The committed files with their digests; none where there is no corpus yet."""
    try:
        with engine.catalog.snapshot() as snapshot:
            return {record.document: record.sha256 + record.recipe for record in engine.catalog.sources(snapshot)}
    except PolyRAGError:
        return {}
