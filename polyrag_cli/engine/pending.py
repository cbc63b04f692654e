"""What settings that changed since the last ingest change of the corpus: noted by each ingest, compared by the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from polyrag_cli import __version__
from polyrag_cli.config import changed_settings
from polyrag_cli.datasets import load_set
from polyrag_cli.engine.impact import question_moves, report_of
from polyrag_cli.engine.parts import Parts
from polyrag_cli.engine.traces import Traces
from polyrag_cli.errors import StoreError, UsageError
from polyrag_cli.ingest.base import PipelineSettings
from polyrag_cli.ingest.prepare import Preparer
from polyrag_cli.ingest.rehoming import Rehoming
from polyrag_cli.registry import LOADER_SUFFIXES, resolve
from polyrag_cli.routing.moves import unlabelled
from polyrag_cli.routing.noted import META_ROUTING, NotedRouting, read_note, written_note
from polyrag_cli.stores.base import Snapshot
from polyrag_cli.stores.catalog import META_EMBEDDER
from polyrag_cli.stores.records import SourceRecord
from polyrag_cli.types import ChunkMove, ChunkRoute, EvalItem, ImpactReport, PendingImpact, QuestionMove

# More chunks and questions than these are compared only when asked for: an ingest waits a second or two at most.
AUTOMATIC_CHUNKS = 2_000
# Up to so many routes a chunk takes a millisecond; with more, in proportion longer.
AUTOMATIC_ROUTES = 20
AUTOMATIC_QUESTIONS = 100
# Nobody waits for a note: the next ingest writes it.
_LOCK_TIMEOUT_S = 1.0


@dataclass(frozen=True, slots=True)
class Pending:
    """Compares an engine's settings with those of the last ingest."""

    parts: Parts
    traces: Traces

    def impact(self, skip_graph: bool = False) -> PendingImpact | None:
        """What the engine's own settings change of a corpus that was ingested with other ones; None when it wasn't.

        Settings of questions alone count too, where the last ingest noted its own. Questions are decided as that ingest
        was configured and as the engine is, so that a change is told once; where it isn't known how, none is compared.
        skip_graph: as of the ingest to come, since it is part of what decides a file's outcome.
        Bounded: at most 100 questions; a corpus of more than 2,000 chunks, or of fewer with more than 20 routes, is not
        compared, and `skipped` says so.
        """
        parts = self.parts
        if not parts.has_corpus:
            return None
        with parts.catalog.snapshot() as snapshot:
            # Another embedder is refused by ingesting, or re-embeds everything.
            if parts.catalog.meta(snapshot, META_EMBEDDER) != parts.embedder.name:
                return None
            files = self._outdated(parts.catalog.sources(snapshot), skip_graph)
            noted = self._noted(snapshot)
            chunks = parts.catalog.counts(snapshot)["chunks"]
        differing = changed_settings(noted.settings, self._stated()) if noted else []
        if not files and not differing:
            return None
        versions = [f"version {noted.version} → {__version__}"] if noted and noted.version != __version__ else []
        recut = any(line.startswith("chunking.") for line in differing)
        from_sets = bool(parts.settings.gate.sets)
        changes = (*versions, *differing)
        pending = PendingImpact(ImpactReport(chunks), files, changes, noted is not None, recut, from_sets)
        if files and not recut and chunks * max(1.0, len(parts.settings.routes) / AUTOMATIC_ROUTES) > AUTOMATIC_CHUNKS:
            waits = f"{chunks:,} chunks are too many to compare while an ingest waits"
            return replace(pending, skipped=f"{waits}; polyrag route --impact compares them before one")
        try:
            return self._compared(pending, None if versions else noted)
        except (StoreError, UsageError) as error:
            # The ingest to come says what is wrong, or mends it.
            return replace(pending, skipped=f"not compared: {error.message}")

    def note(self) -> None:
        """Notes today's routing configuration with the corpus; nothing is written where it is noted already.

        Best effort: where it can't be written, a later ingest does.
        """
        parts = self.parts
        if not parts.has_corpus:
            return
        state = written_note(__version__, self._stated(), parts.settings.routes, parts.settings.routing)
        with suppress(StoreError):
            with parts.catalog.snapshot() as snapshot:
                if parts.catalog.meta(snapshot, META_ROUTING) == state:
                    return
            parts.catalog.note(META_ROUTING, state, _LOCK_TIMEOUT_S)

    def _noted(self, snapshot: Snapshot) -> NotedRouting | None:
        """What the last ingest ran with; None when nothing is noted, or when the note has another version's form."""
        text = self.parts.catalog.meta(snapshot, META_ROUTING)
        return None if text is None else read_note(text, self.parts.embedder, self.parts.paths.cache)

    def _stated(self) -> Mapping[str, Any]:
        """Dotted key → value of the settings that are noted; the embedder is recorded by itself."""
        return self.parts.settings.stated("chunks", "homes", "routes")

    def _compared(self, pending: PendingImpact, noted: NotedRouting | None) -> PendingImpact:
        """With the moves of chunks, unless they are cut anew, and of questions, where it is noted how they went."""
        moved: Sequence[str] = [line for line in pending.changes if not line.startswith("chunking.")]
        unasked = "" if noted else "how questions went before isn't known"
        if pending.recut and not moved:
            unasked = unasked or "which questions go elsewhere isn't known before"
        asked = self._asked() if not unasked else ()
        parts = self.parts
        with parts.snapshot() as snapshot:
            moves: Sequence[ChunkMove] = ()
            homes: Mapping[str, ChunkRoute] = {}
            if pending.files and not pending.recut:
                rehoming = Rehoming(parts.stores, parts.embedder)
                moves, homes = rehoming.moves(parts.router, parts.settings.routing, snapshot)
            questions: Sequence[QuestionMove] = ()
            if noted and asked:
                questions = question_moves(parts, asked, {}, (noted.router, parts.router), homes, snapshot)
        report = replace(report_of(moves, questions), chunks=pending.report.chunks)
        return replace(pending, report=report, unasked=unasked or ("" if asked else "no question asked yet to compare"))

    def _asked(self) -> Sequence[EvalItem]:
        """The first 100 questions of gate.sets; those asked last where it names none.

        Raises UsageError for a set that can't be read, StoreError when the stored questions can't.
        """
        items = [item for path in self.parts.settings.gate.sets for item in load_set(path)]
        return items[:AUTOMATIC_QUESTIONS] or unlabelled(self.traces.questions(AUTOMATIC_QUESTIONS))

    def _outdated(self, sources: Sequence[SourceRecord], skip_graph: bool) -> int:
        """How many files' recipes would be other ones now, with or without the graph."""
        parts = self.parts
        settings = PipelineSettings(parts.settings.chunking, recipe=parts.settings.ingest_hash)
        preparers = [Preparer(parts.embedder, parts.router, settings, flag) for flag in (skip_graph, not skip_graph)]
        suffixes = {PurePosixPath(source.path).suffix.lower() for source in sources}
        names = sorted({LOADER_SUFFIXES[suffix] for suffix in suffixes if suffix in LOADER_SUFFIXES})
        loaders = [resolve("loader", name)() for name in names]
        marks = ["text", *(f"{loader.name} {loader.version}" for loader in loaders)]
        current = {preparer.recipe(mark) for preparer in preparers for mark in marks}
        return sum(source.recipe not in current for source in sources)
