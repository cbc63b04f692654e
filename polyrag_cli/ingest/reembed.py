"""New vectors for a whole corpus, from its stored text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from polyrag_cli.graph.mentions import passage_graph
from polyrag_cli.ingest.base import OnProgress, PreparedDocument
from polyrag_cli.ingest.commit import Committer
from polyrag_cli.ingest.prepare import Preparer, embedder_mark
from polyrag_cli.ingest.schedule import Scheduler
from polyrag_cli.stores.catalog import META_EMBEDDER, Catalog
from polyrag_cli.stores.records import DocumentRecord, SourceRecord
from polyrag_cli.types import Chunk, FileReport


class Reembedding:
    """Moves a corpus to another embedder, a file a commit.

    Each file's recipe says whose vectors it has, so that a run after an interruption goes on where it stopped.
    Until all are done, the catalog names no embedder that exists, and nothing else reads or writes its vectors.
    """

    def __init__(self, catalog: Catalog, committer: Committer, preparer: Preparer, embedder: str) -> None:
        self._catalog = catalog
        self._committer = committer
        self._preparer = preparer
        self._embedder = embedder

    def run(self, threads: int, on_progress: OnProgress) -> Iterator[FileReport]:
        """Re-embeds every file that has other vectors; one report for each.

        Raises ProviderError when the embedder fails, StoreError when the disk refuses.
        """
        mark = embedder_mark(self._embedder)
        with self._catalog.snapshot() as snapshot:
            stored = self._catalog.meta(snapshot, META_EMBEDDER)
            sources = self._catalog.sources(snapshot)
        if not stored or stored == self._embedder:
            return
        mixed = f"{stored.split(' in part ')[0]} in part {self._embedder}"
        waiting = [source for source in sources if _mark(source) != mark]
        done = chunks = 0
        self._committer.begin_vectors(mixed)
        with Scheduler(self._preparer, threads) as scheduler:
            for source in waiting:
                documents = scheduler.prepared(partial(self._embedded, source.document), self._stored(source))
                self._committer.commit_vectors(_marked(source, mark), documents, mixed)
                done, chunks = done + 1, chunks + sum(len(document.chunks) for document in documents)
                on_progress(done, len(waiting), source.document, chunks)
                written = sum(len(document.chunks) for document in documents)
                yield FileReport(source.document, "updated", "embedded again", written)
        self._committer.finish_vectors()

    def _stored(self, source: SourceRecord) -> list[tuple[DocumentRecord, list[Chunk]]]:
        """A file's documents as they are stored, with their chunks."""
        with self._catalog.snapshot() as snapshot:
            return [
                (
                    self._catalog.document(snapshot, record.document),
                    [stored.chunk for stored in self._catalog.chunks_of(snapshot, record.document)],
                )
                for record in self._catalog.documents(snapshot, source.document)
            ]

    def _embedded(self, name: str, documents: Sequence[tuple[DocumentRecord, list[Chunk]]]) -> list[PreparedDocument]:
        chunks = [chunks for _, chunks in documents]
        passages = [[passage_graph(chunk) for chunk in group] for group in chunks]
        embedded = self._preparer.embedded(chunks, passages, name)
        return [replace(item, record=record) for item, (record, _) in zip(embedded, documents, strict=True)]


def _mark(source: SourceRecord) -> str:
    return source.recipe.partition("+")[2]


def _marked(source: SourceRecord, mark: str) -> SourceRecord:
    return replace(source, recipe=f"{source.recipe.partition('+')[0]}+{mark}")
