"""Ingesting: what is new is prepared, committed and reported file by file."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

from polyrag_cli.errors import LoadError, LockTimeout, UsageError, told
from polyrag_cli.ingest.base import (
    ChunkRouter,
    OnProgress,
    PipelineSettings,
    PreparedDocument,
    PreparedFile,
)
from polyrag_cli.ingest.collection import seldom_collected
from polyrag_cli.ingest.commit import Committer, EmbedderMismatchError, Schemas
from polyrag_cli.ingest.labels import keep_labels, label_texts
from polyrag_cli.ingest.prepare import Preparer, loaded_text
from polyrag_cli.ingest.reembed import Reembedding
from polyrag_cli.ingest.schedule import Outcome, Scheduler
from polyrag_cli.ingest.sources import SourceFile, expand, public_name
from polyrag_cli.ingest.table_words import keep_tables
from polyrag_cli.providers.base import Embedder
from polyrag_cli.registry import LOADER_SUFFIXES
from polyrag_cli.stores.backends import Stores
from polyrag_cli.stores.base import Snapshot
from polyrag_cli.stores.catalog import META_EMBEDDER, Catalog
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.records import SourceRecord
from polyrag_cli.stores.scratch import scratch_folder
from polyrag_cli.types import FileReport, IngestedTable, IngestReport, TableSchema

__all__ = ["IngestPipeline", "PipelineSettings"]

TEXT_ROOT = "text"
"""Source root of texts that are in no file."""
_MAX_WARNINGS = 20
# In between, the vectors' derived files are written after this many chunks, then whenever the run has doubled: what is
# rewritten stays in proportion to what was read. The graph's file serves one commit only, so it is written at the end.
_REFRESH_CHUNKS = 5_000
# An interrupted run writes the derived files of a corpus of at most so many chunks on its way out.
_QUICK_CHUNKS = 5_000
# In a commit's bounds, so many cells of tables count as one chunk.
_CELLS_PER_CHUNK = 100


@dataclass(slots=True)
class _Run:
    """One call's state: what waits for the commit, and the reports so far.

    labels: what questions compare with the tables that were committed. refreshed, unrefreshed: chunks committed before
    and since the vectors' derived files were written.
    """

    committer: Committer
    skip_graph: bool
    dry_run: bool
    reports: list[FileReport] = field(default_factory=list)
    batch: list[PreparedFile] = field(default_factory=list)
    labels: set[str] = field(default_factory=set)
    chunks: int = 0
    refreshed: int = 0
    unrefreshed: int = 0


class IngestPipeline:
    """Reads files into a catalog and its stores.

    on_progress: told files done, files in all, the current document and the chunks so far. on_wait: told whom a commit
    waits for.
    """

    def __init__(
        self,
        catalog: Catalog,
        stores: Stores,
        embedder: Embedder,
        chunk_router: ChunkRouter,
        settings: PipelineSettings | None = None,
        on_progress: OnProgress | None = None,
        on_wait: Callable[[str], None] | None = None,
    ) -> None:
        self._catalog = catalog
        self._stores = stores
        self._embedder = embedder
        self._router = chunk_router
        self._settings = settings or PipelineSettings()
        self._on_progress = on_progress or (lambda done, total, name, chunks: None)
        self._on_wait = on_wait

    @seldom_collected()
    def ingest(
        self, paths: Sequence[Path | str], *, dry_run: bool = False, skip_graph: bool = False, reembed: bool = False
    ) -> IngestReport:
        """Reads files and folders; a file that can't be read is reported and keeps its earlier version.

        dry_run: everything but the writing. reembed: first all stored documents get the embedder's vectors.
        Known files that vanished from an ingested folder are removed. An interruption leaves what is committed.
        Raises UsageError for a missing path, StoreError for a corpus of another embedder, ProviderError.
        """
        run = self._run(skip_graph, dry_run)
        try:
            with self._scratch(run):
                return self._ingest(run, paths, reembed)
        except BaseException:
            if run.refreshed or run.unrefreshed:
                run.committer.refresh_idle(_QUICK_CHUNKS)
            raise

    def _ingest(self, run: _Run, paths: Sequence[Path | str], reembed: bool) -> IngestReport:
        started = time.perf_counter()
        again = self._reembed() if reembed and not run.dry_run else {}
        self._check_kept()
        known = self._known()
        sources = expand(paths, known, LOADER_SUFFIXES, self._settings.data_dir)
        run.reports += sources.rejected
        by_identity = {(record.root, record.path): record for record in known}
        broken = self._broken()
        total, done = len(sources.files), 0
        with Scheduler(self._preparer(run.skip_graph), self._settings.threads) as scheduler:

            def known_record(file: SourceFile) -> SourceRecord | None:
                return by_identity.get((file.root, file.path))

            def count(file: SourceFile, chunks: int) -> None:
                run.chunks += chunks
                self._on_progress(done, total, file.document, run.chunks)

            def sound_record(file: SourceFile) -> SourceRecord | None:
                record = known_record(file)
                return record if record is not None and record.document not in broken else None

            def read(file: SourceFile, share: float) -> None:
                self._on_progress(done, total, f"{file.document}, {share:.0%} read", run.chunks)

            for outcome in scheduler.outcomes(sources.files, sound_record, count, read):
                self._take(run, outcome, known_record(outcome.file))
                done += 1
                self._on_progress(done, total, outcome.file.document, run.chunks)
        self._flush(run, sources.vanished, last=True)
        keep_labels(label_texts(self._schemas()) if again else run.labels, self._embedder, self._stores.labels)
        if not run.dry_run:
            keep_tables(self._stores)
        reports = {report.document: report for report in [*again.values(), *run.reports]}
        return _report(reports.values(), started)

    def ingest_text(self, text: str, document: str, title: str | None = None) -> IngestReport:
        """Reads a text that is in no file, in place of what had its name; Markdown when it has Markdown's headings."""
        started = time.perf_counter()
        run = self._run(False, False)
        known = self._known()
        mine = next((record for record in known if (record.root, record.path) == (TEXT_ROOT, document)), None)
        name = mine.document if mine else public_name(TEXT_ROOT, document, {record.document for record in known})
        content = text.encode("utf-8", "surrogatepass")
        preparer = self._preparer(False)
        digest = hashlib.sha256(content + b"\0" + (title or "").encode("utf-8", "surrogatepass")).hexdigest()
        source = SourceRecord(TEXT_ROOT, document, name, digest, len(content), 0, preparer.recipe("text"))
        if mine is not None and (mine.sha256, mine.recipe) == (source.sha256, source.recipe):
            return _report([_unchanged(mine)], started)
        loaded = loaded_text(text, document, title or "")
        documents = preparer.prepare(source, [loaded] if loaded.text.strip() else [])
        documents = [_as_given(document, text) for document in documents]
        self._queue(run, _prepared_file(source, documents, mine is not None))
        self._flush(run, (), last=True)
        keep_labels(run.labels, self._embedder, self._stores.labels)
        keep_tables(self._stores)
        return _report(run.reports, started)

    def remove(self, document: str) -> None:
        """Forgets a file's content.

        Raises UsageError when no file has that name.
        """
        record = next((record for record in self._known() if record.document == document), None)
        if record is None:
            raise UsageError(f"{document}: no such document.", "`polyrag corpus list` shows the documents.")
        committer = self._committer()
        committer.commit((), (record,), skip_graph=False, refresh=committer.refresh_last)
        keep_tables(self._stores)

    # ---------------------------------------------------------------- one file
    def _take(self, run: _Run, outcome: Outcome, known: SourceRecord | None) -> None:
        """Reports a file at once, or queues it for the next commit."""
        if outcome.error is not None or outcome.loaded is None:
            reason = _reason(outcome.error, outcome.file)
            kept = known is not None and known.status == "added"
            reason += " The earlier version stays." if kept else ""
            run.reports.append(FileReport(outcome.file.document, "failed", reason))
        elif outcome.loaded.unchanged:
            run.reports.append(_unchanged(outcome.loaded.source))
        else:
            self._queue(run, _prepared_file(outcome.loaded.source, outcome.documents, known is not None))

    def _queue(self, run: _Run, file: PreparedFile) -> None:
        if run.dry_run:
            run.reports.append(_written(file, {}))
            return
        # The last batch is held back until another follows it, so that there is always one left to refresh with.
        if run.batch and sum(map(_weight, run.batch)) + _weight(file) > self._settings.commit_chunks:
            self._flush(run, (), last=False)
        run.batch.append(file)

    def _flush(self, run: _Run, vanished: Sequence[SourceRecord], last: bool) -> None:
        """Commits the batch; when the disk refuses it, each file by itself, so that those that fit are kept."""
        if run.dry_run:
            run.reports += [FileReport(record.document, "removed") for record in vanished]
            return
        batch, run.batch = run.batch, []
        if not batch and not vanished:
            return
        try:
            schemas = run.committer.commit(batch, vanished, run.skip_graph, _refresh(run, batch, last))
            run.reports += [_written(file, schemas) for file in batch]
            run.labels.update(*(label_texts(tables) for tables in schemas.values()))
            run.reports += [FileReport(record.document, "removed", "no longer there") for record in vanished]
        except (EmbedderMismatchError, LockTimeout):
            raise
        except Exception as error:  # noqa: BLE001 - the boundary of a file: no other may be lost
            if len(batch) + len(vanished) == 1:
                reason = " ".join(told(error).split())
                run.reports += [FileReport(item.document, "failed", reason) for item in _records(batch, vanished)]
                return
            for file in batch:
                self._flush(replace(run, batch=[file]), (), last)
            for record in vanished:
                self._flush(replace(run, batch=[]), (record,), last)

    # ---------------------------------------------------------------- parts
    def _scratch(self, run: _Run) -> AbstractContextManager[object]:
        """Where what is too long for memory lies meanwhile; outside of the data directory where nothing is written."""
        folder = self._settings.data_dir
        return nullcontext() if run.dry_run or folder is None else scratch_folder(DataPaths(folder))

    def _run(self, skip_graph: bool, dry_run: bool) -> _Run:
        return _Run(self._committer(), skip_graph, dry_run)

    def _preparer(self, skip_graph: bool) -> Preparer:
        return Preparer(self._embedder, self._router, self._settings, skip_graph, self._known_terms)

    def _known_terms(self, words: Collection[str]) -> Collection[str]:
        if self._stores.terms is None:
            return words
        with self._catalog.snapshot() as snapshot:
            return self._stores.terms.known(snapshot, words)

    def _committer(self) -> Committer:
        return Committer(self._catalog, self._stores, self._embedder.name, self._settings.lock_timeout, self._on_wait)

    def _known(self) -> list[SourceRecord]:
        with self._catalog.snapshot() as snapshot:
            return self._catalog.sources(snapshot)

    def _schemas(self) -> Sequence[TableSchema]:
        with self._catalog.snapshot() as snapshot:
            return self._stores.relational.schemas(snapshot)

    def _broken(self) -> Collection[str]:
        """Files of which a store lost something: they are read again, though they didn't change."""
        with self._catalog.snapshot() as snapshot:
            lost = frozenset[str]().union(*(store.lost(snapshot) for store in self._stores.each().values()))
            return frozenset(self._catalog.files_of(snapshot, lost).values())

    def _reembed(self) -> dict[str, FileReport]:
        reembedding = Reembedding(self._catalog, self._committer(), self._preparer(False), self._embedder.name)
        return {report.document: report for report in reembedding.run(self._settings.threads, self._on_progress)}

    def _check_kept(self) -> None:
        """Raises StoreError when the corpus has another embedder's vectors, or is kept in other stores."""
        with self._catalog.snapshot() as snapshot:
            self._stores.check_backends(snapshot)
            stored = self._catalog.meta(snapshot, META_EMBEDDER)
        if stored and stored != self._embedder.name:
            raise EmbedderMismatchError(stored, self._embedder.name)


def _refresh(run: _Run, batch: Sequence[PreparedFile], last: bool) -> Callable[[Snapshot], None] | None:
    """Which derived files to write after a commit of this batch."""
    run.unrefreshed += sum(file.chunks for file in batch)
    if last:
        return run.committer.refresh_last
    if run.unrefreshed < max(_REFRESH_CHUNKS, run.refreshed):
        return None
    run.refreshed, run.unrefreshed = run.refreshed + run.unrefreshed, 0
    return run.committer.refresh


def _weight(file: PreparedFile) -> int:
    """What a file takes up of a commit, in chunks; a table takes one at least."""
    tables = [table for document in file.documents for table in document.tables]
    return file.chunks + sum(1 + table.rows * len(table.columns) // _CELLS_PER_CHUNK for table in tables)


def _records(batch: Sequence[PreparedFile], vanished: Sequence[SourceRecord]) -> list[SourceRecord]:
    return [*(file.source for file in batch), *vanished]


def _prepared_file(source: SourceRecord, documents: Sequence[PreparedDocument], existed: bool) -> PreparedFile:
    if any(document.chunks or document.tables for document in documents):
        return PreparedFile(source, tuple(documents), existed)
    reason = "empty file" if source.size == 0 else "no text and no table in it"
    return PreparedFile(replace(source, status="skipped", reason=reason), (), existed)


def _unchanged(record: SourceRecord) -> FileReport:
    if record.status == "skipped":
        return FileReport(record.document, "skipped", record.reason)
    return FileReport(record.document, "unchanged")


def _written(file: PreparedFile, schemas: Schemas) -> FileReport:
    """The report of a file; its tables under their settled names where they were written."""
    if file.source.status == "skipped":
        return FileReport(file.source.document, "skipped", file.source.reason)
    stored = [chunk for document in file.documents for chunk in document.chunks]
    tables = [table for document in file.documents for table in document.tables]
    names = [(schema.name, schema.rows, len(schema.columns)) for schema in schemas.get(file.source.document, ())]
    names = names or [(table.name, table.rows, len(table.columns)) for table in tables]
    return FileReport(
        file.source.document,
        "updated" if file.existed else "added",
        chunks=len(stored),
        routes=dict(sorted(Counter(chunk.route.home for chunk in stored).items())),
        tables=tuple(IngestedTable(*name) for name in names),
        warnings=_warnings(file),
        boundary=sum(1 for chunk in stored if chunk.route.also),
    )


def _warnings(file: PreparedFile) -> tuple[str, ...]:
    found = []
    for document in file.documents:
        key = document.record.document.removeprefix(file.source.document)
        found += [f"{key}: {warning}" if key else warning for warning in document.record.warnings]
        found += [f"{table.label}: {note}" for table in document.tables for note in table.notes]
    more = len(found) - _MAX_WARNINGS
    return tuple(found) if more <= 0 else (*found[:_MAX_WARNINGS], f"… and {more} more.")


def _reason(error: LoadError | None, file: SourceFile) -> str:
    """The error's line without the file's name, which the report states anyway."""
    text = str(error) if error is not None else "not loaded"
    for prefix in (f"{file.location.name}: ", f"{file.location.name}, "):
        text = text.removeprefix(prefix)
    return text


def _report(files: Iterable[FileReport], started: float) -> IngestReport:
    took = round((time.perf_counter() - started) * 1000, 3)
    return IngestReport(tuple(sorted(files, key=lambda report: report.document)), took)


def _as_given(document: PreparedDocument, text: str) -> PreparedDocument:
    """A document with the text that it was made of, which no file keeps."""
    record = document.record
    return document if record.text == text else replace(document, record=replace(record, given=text))
