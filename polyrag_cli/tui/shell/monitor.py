"""Looks at the data directory for what changed, whoever changed it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from textual.message import Message

from polyrag_cli.errors import PolyRAGError
from polyrag_cli.tui.messages import ADD_FILES, CorpusChanged, CorpusSummary, JobsChanged

if TYPE_CHECKING:
    from polyrag_cli.engine import Engine
    from polyrag_cli.stores.jobs import Job


def look(engine: Engine, known: CorpusSummary | None, jobs: tuple[Job, ...]) -> Iterator[Message]:
    """Messages on what differs from the summary and the jobs that are known already; none when nothing does."""
    summary = summarize(engine, known)
    if summary != known:
        yield CorpusChanged(summary)
    running = engine.jobs.running()
    if running != jobs:
        yield JobsChanged(running)


def summarize(engine: Engine, known: CorpusSummary | None = None) -> CorpusSummary:
    """What the corpus holds now; the counts are read again only when the generation has changed."""
    name = engine.paths.root.resolve().parent.name or "corpus"
    try:
        with engine.catalog.snapshot() as snapshot:
            if known is not None and not known.note and known.generation == snapshot.generation:
                return known
            counts = engine.catalog.counts(snapshot)
            return CorpusSummary(name, counts["documents"], counts["tables"], snapshot.generation)
    except PolyRAGError as error:
        advice = error.hint if engine.has_corpus else ADD_FILES
        return CorpusSummary(name, note=error.message, advice=advice)
