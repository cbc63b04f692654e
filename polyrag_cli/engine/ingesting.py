"""Ingesting with everything that it entails, whichever front door asks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from polyrag_cli.engine.parts import Parts
from polyrag_cli.engine.pending import Pending
from polyrag_cli.engine.traces import Traces
from polyrag_cli.ingest.base import OnProgress
from polyrag_cli.types import IngestReport, PendingImpact

OnImpact = Callable[[PendingImpact], None]
"""Told, before anything is read, what settings that changed since the last ingest are about to change."""


@dataclass(frozen=True, slots=True)
class Request:
    """How an ingest is asked for. reembed: everything stored gets the configured embedder's vectors first."""

    dry_run: bool = False
    skip_graph: bool = False
    reembed: bool = False
    on_progress: OnProgress | None = None
    on_impact: OnImpact | None = None


class Ingester:
    """Takes files and texts into an engine's corpus.

    With each ingest the pending impact is told, the anchors of questions are embedded ahead of the first question, and
    the settings are noted that it ran with.
    """

    def __init__(self, parts: Parts, traces: Traces) -> None:
        self._parts = parts
        self._pending = Pending(parts, traces)

    def ingest(self, paths: Sequence[Path | str], request: Request) -> IngestReport:
        """Reads files and folders into the stores. Raises as `Engine.ingest` does."""
        if request.dry_run and not self._parts.has_corpus:
            return self._rehearsed(paths, request)
        with self._parts.traced("ingest", keep=False):
            # Everything is embedded again: what the settings change besides can't be told apart.
            impact = None if request.reembed else self._told_impact(request)
            if request.dry_run:
                return replace(self._run(paths, request, request.on_progress), impact=impact)
            with self._job("reembed" if request.reembed else "ingest", request.on_progress) as tell:
                report = self._run(paths, request, tell)
                self._parts.router.keep_anchors()
            if not request.reembed:
                self._pending.note()
            return replace(report, impact=impact)

    def ingest_text(self, text: str, document: str, title: str | None) -> IngestReport:
        """Takes in a text that is in no file."""
        with self._parts.traced("ingest", keep=False):
            impact = self._told_impact(Request())
            report = self._parts.pipeline().ingest_text(text, document, title)
            self._parts.router.keep_anchors()
            self._pending.note()
            return replace(report, impact=impact)

    def _run(self, paths: Sequence[Path | str], request: Request, on_progress: OnProgress | None) -> IngestReport:
        return self._parts.pipeline(on_progress).ingest(
            paths, dry_run=request.dry_run, skip_graph=request.skip_graph, reembed=request.reembed
        )

    def _told_impact(self, request: Request) -> PendingImpact | None:
        impact = self._pending.impact(request.skip_graph)
        if impact is not None and request.on_impact is not None:
            request.on_impact(impact)
        return impact

    @contextmanager
    def _job(self, kind: str, on_progress: OnProgress | None) -> Iterator[OnProgress]:
        """Work that other processes see: what to tell how far it is, which tells `on_progress` as well."""
        with self._parts.jobs.tracked(kind) as update:

            def tell(done: int, total: int, name: str, chunks: int) -> None:
                update(done, total, name, chunks)
                if on_progress is not None:
                    on_progress(done, total, name, chunks)

            yield tell

    def _rehearsed(self, paths: Sequence[Path | str], request: Request) -> IngestReport:
        """A dry run where there is no corpus yet: over an empty one elsewhere, so that nothing is written here."""
        with TemporaryDirectory(prefix="polyrag-") as folder:
            elsewhere = Parts(self._parts.settings.with_data(Path(folder) / "data"))
            try:
                return elsewhere.pipeline(request.on_progress).ingest(
                    paths, dry_run=True, skip_graph=request.skip_graph
                )
            finally:
                elsewhere.close()
