"""The commit of prepared files: every store in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from polyrag_cli.errors import StoreError
from polyrag_cli.ingest.base import PreparedDocument, PreparedFile
from polyrag_cli.stores.backends import Stores
from polyrag_cli.stores.base import Snapshot, Writer
from polyrag_cli.stores.catalog import META_EMBEDDER, Catalog
from polyrag_cli.stores.records import SourceRecord, TypedTable
from polyrag_cli.tracing import span
from polyrag_cli.types import TableSchema

Schemas = Mapping[str, tuple[TableSchema, ...]]


class EmbedderMismatchError(StoreError):
    """The corpus's vectors were made by another embedder."""

    def __init__(self, stored: str, wanted: str) -> None:
        super().__init__(
            f"The corpus was embedded with {stored}, not with {wanted}.",
            "Embed it again with: polyrag ingest --reembed",
        )


class Committer:
    """Writes and removes files; the lock is held for the transaction alone."""

    def __init__(
        self,
        catalog: Catalog,
        stores: Stores,
        embedder: str,
        lock_timeout: float,
        on_wait: Callable[[str], None] | None = None,
    ) -> None:
        self._catalog = catalog
        self._stores = stores
        self._embedder = embedder
        self._lock_timeout = lock_timeout
        self._on_wait = on_wait

    def commit(
        self,
        files: Sequence[PreparedFile],
        removed: Sequence[SourceRecord],
        skip_graph: bool,
        refresh: Callable[[Snapshot], None] | None,
    ) -> Schemas:
        """Writes files in place of their earlier versions and forgets removed ones; the schemas of tables by file.

        refresh: what writes derived files afterwards, `refresh` or `refresh_last`; None for nothing.
        Raises StoreError when the disk refuses or the lock isn't to be had; nothing is written then.
        """
        written = {
            document.record.document: [(table, self._stores.relational.write(table)) for table in document.tables]
            for file in files
            for document in file.documents
        }
        schemas: dict[str, tuple[TableSchema, ...]] = {}
        with (
            span("ingest.commit", files=len(files), removed=len(removed)),
            self._catalog.writer(self._lock_timeout, self._on_wait, refresh) as writer,
        ):
            self._check_embedder(writer)
            self._stores.note_backends(writer)
            for record in removed:
                self._forget(writer, record.document, keep=set())
                self._catalog.remove_source(writer, record.document)
            for file in files:
                schemas[file.source.document] = self._replace(writer, file, written, skip_graph)
        return schemas

    def refresh(self, snapshot: Snapshot) -> None:
        """Writes the stores' derived files that later commits go on using."""
        self._refresh(snapshot, last=False)

    def refresh_last(self, snapshot: Snapshot) -> None:
        """Writes all derived files of the stores, those too that are of this very commit alone."""
        self._refresh(snapshot, last=True)

    def _refresh(self, snapshot: Snapshot, *, last: bool) -> None:
        for store in self._stores.each().values():
            # What is derived can be done without: where it can't be written, the commit before it still stands.
            with suppress(StoreError, OSError):
                store.refresh(snapshot, last=last)

    def refresh_idle(self, most: int) -> None:
        """Writes the derived files of the newest state, for a run that ends before its time: unless the corpus has more
        than `most` chunks, which would take long, or another process is at it."""
        with suppress(StoreError):
            with self._catalog.snapshot() as snapshot:
                chunks = self._catalog.counts(snapshot)["chunks"]
            if chunks <= most:
                self._catalog.derive(self.refresh_last)

    def begin_vectors(self, embedder: str) -> None:
        """Records that vectors are being made anew; embedder: as in `commit_vectors`."""
        with self._catalog.writer(self._lock_timeout, self._on_wait) as writer:
            self._catalog.set_meta(writer, META_EMBEDDER, embedder)

    def commit_vectors(self, source: SourceRecord, documents: Sequence[PreparedDocument], embedder: str) -> None:
        """Writes routes and vectors of a file's documents anew, its tables, postings and graph untouched.

        embedder: what the corpus's vectors are made with from now on, in words where they are mixed.
        """
        with span("ingest.commit", files=1), self._catalog.writer(self._lock_timeout, self._on_wait) as writer:
            if self._catalog.source(writer, source.root, source.path) is None:
                return
            self._catalog.set_meta(writer, META_EMBEDDER, embedder)
            for document in documents:
                self._put_chunks(writer, document)
                if self._stores.terms is not None:
                    self._stores.terms.add(writer, document.record.document, document.terms)
            self._catalog.put_source(writer, source)

    def finish_vectors(self) -> None:
        """Records that all vectors are the embedder's, and writes the derived files."""
        with self._catalog.writer(self._lock_timeout, self._on_wait, self.refresh_last) as writer:
            self._catalog.set_meta(writer, META_EMBEDDER, self._embedder)

    def _put_chunks(self, writer: Writer, document: PreparedDocument) -> None:
        self._catalog.put_document(writer, document.record, document.chunks)
        self._stores.vector.add(writer, document.record.document, document.windows, document.vectors)

    def _check_embedder(self, writer: Writer) -> None:
        stored = self._catalog.meta(writer, META_EMBEDDER)
        if not stored:
            self._catalog.set_meta(writer, META_EMBEDDER, self._embedder)
        elif stored != self._embedder:
            raise EmbedderMismatchError(stored, self._embedder)

    def _replace(
        self,
        writer: Writer,
        file: PreparedFile,
        written: Mapping[str, Sequence[tuple[TypedTable, str]]],
        skip_graph: bool,
    ) -> tuple[TableSchema, ...]:
        source = file.source
        self._check_name(writer, source)
        self._forget(writer, source.document, keep={document.record.document for document in file.documents})
        schemas: list[TableSchema] = []
        for document in file.documents:
            name = document.record.document
            self._put_chunks(writer, document)
            self._stores.lexical.add(writer, name, [stored.chunk for stored in document.chunks])
            if self._stores.terms is not None:
                self._stores.terms.add(writer, name, document.terms)
            if self._stores.shared is not None:
                texts = [stored.chunk.text for stored in document.chunks]
                self._stores.shared.add(writer, name, document.shape, texts)
            schemas += self._stores.relational.add(writer, name, written[name])
            if skip_graph:
                self._stores.graph.remove(writer, name)
            else:
                self._stores.graph.add(writer, name, document.passages)
        self._catalog.put_source(writer, source)
        return tuple(schemas)

    def _check_name(self, writer: Writer, source: SourceRecord) -> None:
        """Another process may have given the name away, or named this file, since the names were read."""
        stored = self._catalog.source(writer, source.root, source.path)
        moved = stored is not None and stored.document != source.document
        if moved or (stored is None and self._catalog.documents(writer, source.document)):
            raise StoreError(f"{source.document} was just ingested by another process.", "Ingest it again.")

    def _forget(self, writer: Writer, source: str, keep: set[str]) -> None:
        """Removes a file's documents that its new version doesn't have."""
        for record in self._catalog.documents(writer, source):
            if record.document not in keep:
                for store in self._stores.each().values():
                    store.remove(writer, record.document)
                self._catalog.remove_document(writer, record.document)
