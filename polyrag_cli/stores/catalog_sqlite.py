"""Owns the catalog in one SQLite file, whose transaction is the commit point of a file in all stores."""

from __future__ import annotations

import sqlite3
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress

from polyrag_cli.display.text import counted
from polyrag_cli.errors import StoreError
from polyrag_cli.stores import sqlite_records as records
from polyrag_cli.stores.base import Snapshot, Transaction, Work, Writer
from polyrag_cli.stores.catalog import Catalog, PassageCount
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.faults import store_errors
from polyrag_cli.stores.lock import WriterLock
from polyrag_cli.stores.records import DocumentRecord, SourceRecord, StoredChunk
from polyrag_cli.stores.sqlite_connections import (
    check_schema,
    create_catalog,
    file_identity,
    open_reader,
    open_writer,
    transaction,
)
from polyrag_cli.stores.sqlite_fingerprint import counts, fingerprint
from polyrag_cli.stores.sqlite_schema import read_meta, read_state, write_meta
from polyrag_cli.stores.sqlite_transactions import SQLiteSnapshot, SQLiteWriter, connection_of


class _Reading(threading.local):
    """A thread's read connection and the snapshot that it is inside of."""

    connection: sqlite3.Connection | None = None
    immutable: bool = False
    identity: tuple[int, int] | None = None
    snapshot: SQLiteSnapshot | None = None


class SQLiteCatalog(Catalog):
    """The truth of a data directory: documents, chunks, windows, postings, graph and tables; thread-safe."""

    def __init__(self, paths: DataPaths) -> None:
        self.paths = paths
        self._lock = WriterLock(paths.lock)
        self._reading = _Reading()
        self._readers: dict[threading.Thread, sqlite3.Connection] = {}
        self._guard = threading.Lock()
        self._write_connection: sqlite3.Connection | None = None
        self._write_identity: tuple[int, int] | None = None

    @classmethod
    def open(cls, paths: DataPaths, *, create: bool) -> SQLiteCatalog:
        """The catalog of a data directory.

        create: whether to make one where there is none.
        Raises StoreError when there is none, when its layout is another version's, or when it can't be read.
        """
        catalog = cls(paths)
        if create and not paths.catalog.exists():
            with catalog._lock.held(60.0):
                create_catalog(paths.catalog)
        try:
            with catalog.snapshot() as snapshot:
                check_schema(snapshot.connection, paths.catalog)
        except BaseException:
            catalog.close()
            raise
        return catalog

    @staticmethod
    def exists(paths: DataPaths) -> bool:
        """Whether anything was ever ingested into a data directory."""
        return paths.catalog.exists()

    # ------------------------------------------------------------ transactions
    @contextmanager
    def snapshot(self, work: Work | None = None) -> Iterator[SQLiteSnapshot]:
        """One read transaction on this thread's own connection; nested on one thread, the same snapshot.

        work: what reads, where it has read or will read through other snapshots too.
        """
        reading = self._reading
        if reading.snapshot is not None:
            yield reading.snapshot
            return
        with store_errors(self.paths.catalog):
            connection = self._reader()
            connection.execute("BEGIN")
            try:
                reading.snapshot = SQLiteSnapshot(connection, *self._state(connection), work or Work())
                yield reading.snapshot
            finally:
                reading.snapshot = None
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                if reading.immutable:
                    # Somebody with more rights may write after this: the next snapshot must look again.
                    self._drop_reader()

    @contextmanager
    def writer(
        self,
        timeout_s: float = 60.0,
        on_wait: Callable[[str], None] | None = None,
        after_commit: Callable[[Snapshot], None] | None = None,
    ) -> Iterator[SQLiteWriter]:
        """One write transaction under the writer lock: committed at the end of the block, rolled back on any exception.

        timeout_s: how long to wait for the lock. on_wait: told once who is waited for.
        after_commit: called with a snapshot of the new state while the lock is still held (derived files, sweep).
        Raises LockTimeout, or StoreError when the disk refuses.
        """
        with self._lock.held(timeout_s, on_wait), store_errors(self.paths.catalog):
            connection = self._writing()
            with transaction(connection, "BEGIN IMMEDIATE"):
                writer = SQLiteWriter(connection, self._state(connection)[0] + 1, uuid.uuid4().hex)
                yield writer
                write_meta(connection, "generation", str(writer.generation))
                write_meta(connection, "commit", writer.commit)
            if after_commit is not None:
                with transaction(connection, "BEGIN"):
                    after_commit(SQLiteSnapshot(connection, *self._state(connection)))

    def derive(self, write: Callable[[Snapshot], None], timeout_s: float = 0.0) -> None:
        """Calls `write` with a snapshot under the writer lock, for derived files.

        timeout_s: how long to wait for the lock. Raises LockTimeout, or StoreError when the catalog can't be read.
        """
        with self._lock.held(timeout_s), self.snapshot() as snapshot:
            write(snapshot)

    def close(self) -> None:
        """Closes every connection, those of other threads included."""
        with self._guard:
            connections = [*self._readers.values(), self._write_connection]
            self._readers.clear()
            self._write_connection = None
        self._reading = _Reading()
        for connection in connections:
            if connection is not None:
                with suppress(sqlite3.Error):
                    connection.close()

    def _state(self, connection: sqlite3.Connection) -> tuple[int, str]:
        """Generation and commit token."""
        try:
            return read_state(connection)
        except sqlite3.OperationalError:
            # An SQLite file of something else: check_schema says so in words.
            check_schema(connection, self.paths.catalog)
            raise

    def _identity(self) -> tuple[int, int]:
        identity = file_identity(self.paths.catalog)
        if identity is None:
            raise StoreError(f"Nothing is ingested in {self.paths.root} yet.", "Run `polyrag ingest PATH` first.")
        return identity

    def _reader(self) -> sqlite3.Connection:
        reading, identity = self._reading, self._identity()
        if reading.connection is not None and reading.identity == identity:
            return reading.connection
        # The first use on this thread, or the file was deleted or put back under us.
        self._drop_reader()
        reading.connection, reading.immutable = open_reader(self.paths.catalog)
        reading.identity = identity
        with self._guard:
            for thread in [thread for thread in self._readers if not thread.is_alive()]:
                self._readers.pop(thread).close()
            self._readers[threading.current_thread()] = reading.connection
        return reading.connection

    def _drop_reader(self) -> None:
        connection, self._reading.connection = self._reading.connection, None
        if connection is not None:
            with self._guard:
                self._readers.pop(threading.current_thread(), None)
            connection.close()

    def _writing(self) -> sqlite3.Connection:
        # Called under the writer lock only, so one thread at a time.
        create_catalog(self.paths.catalog)
        identity = self._identity()
        if self._write_connection is None or self._write_identity != identity:
            if self._write_connection is not None:
                self._write_connection.close()
            self._write_connection, self._write_identity = open_writer(self.paths.catalog), identity
        return self._write_connection

    # ------------------------------------------------------------ meta
    def meta(self, transaction: Transaction, key: str) -> str | None:
        """A setting that was recorded with the corpus, such as its embedder."""
        return read_meta(connection_of(transaction), key)

    def set_meta(self, writer: Writer, key: str, value: str) -> None:
        """Records a setting with the corpus."""
        write_meta(connection_of(writer), key, value)

    def note(self, key: str, value: str, timeout_s: float = 60.0) -> None:
        """Records a setting outside of any commit: content, generation and derived files stay as they are.

        timeout_s: how long to wait for the writer lock. Raises LockTimeout, or StoreError when the disk refuses.
        """
        with self.aside(timeout_s) as writer:
            self.set_meta(writer, key, value)

    @contextmanager
    def aside(self, timeout_s: float = 60.0) -> Iterator[SQLiteWriter]:
        """One write transaction outside of any commit, for what is made of the content and can be made anew.

        Content, generation and derived files stay as they are. timeout_s: how long to wait for the writer lock.
        Raises LockTimeout, or StoreError when the disk refuses.
        """
        with self._lock.held(timeout_s), store_errors(self.paths.catalog):
            connection = self._writing()
            with transaction(connection, "BEGIN IMMEDIATE"):
                yield SQLiteWriter(connection, *self._state(connection))

    # ------------------------------------------------------------ files
    def sources(self, transaction: Transaction) -> list[SourceRecord]:
        """All files, by document name."""
        return records.read_sources(connection_of(transaction))

    def source(self, transaction: Transaction, root: str, path: str) -> SourceRecord | None:
        """The file of that root and relative path."""
        found = records.read_sources(connection_of(transaction), "WHERE root = ? AND path = ?", (root, path))
        return found[0] if found else None

    def put_source(self, writer: Writer, record: SourceRecord) -> None:
        """Records a file as committed."""
        records.put_source(connection_of(writer), record)

    def remove_source(self, writer: Writer, document: str) -> None:
        """Forgets a file with its documents and chunks; what other stores hold of them is removed by their `remove`."""
        connection_of(writer).execute("DELETE FROM documents WHERE source = ?", (document,))
        connection_of(writer).execute("DELETE FROM sources WHERE document = ?", (document,))

    def hashes(self, snapshot: Snapshot, documents: Iterable[str]) -> dict[str, str]:
        """The sha256 of each of some files as last committed; "" for one that is gone."""
        return records.read_hashes(connection_of(snapshot), documents)

    # ------------------------------------------------------------ documents and chunks
    def documents(self, transaction: Transaction, source: str | None = None) -> list[DocumentRecord]:
        """The documents of one file (of all when None), by name, without their texts and lines."""
        return records.read_documents(connection_of(transaction), source)

    def document(self, transaction: Transaction, document: str) -> DocumentRecord:
        """A document as a whole.

        Raises StoreError when there is no such document.
        """
        record = records.read_document(connection_of(transaction), document)
        if record is None:
            raise StoreError(f"There is no document {document!r}.", "`polyrag corpus list` shows the documents.")
        return record

    def put_document(self, writer: Writer, record: DocumentRecord, chunks: Sequence[StoredChunk]) -> None:
        """Stores a document and its chunks in place of what it had."""
        records.put_document(connection_of(writer), record, chunks)

    def remove_document(self, writer: Writer, document: str) -> None:
        """Forgets a document and its chunks."""
        connection_of(writer).execute("DELETE FROM documents WHERE document = ?", (document,))

    def files_of(self, snapshot: Snapshot, documents: Iterable[str]) -> dict[str, str]:
        """The file that each of some documents is from; documents that aren't there are left out."""
        return records.read_files_of(connection_of(snapshot), documents)

    def chunks(self, transaction: Transaction, ids: Iterable[str]) -> dict[str, StoredChunk]:
        """The chunks of those ids that exist, in the order of `ids`."""
        return records.read_chunks(connection_of(transaction), ids)

    def chunks_of(self, transaction: Transaction, document: str) -> list[StoredChunk]:
        """A document's chunks in order."""
        return records.read_chunks_of(connection_of(transaction), document)

    def homes(self, snapshot: Snapshot, ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Each chunk's home route, followed by its second homes; without their texts, since many are asked for."""
        return records.read_homes(connection_of(snapshot), ids)

    def headings(self, transaction: Transaction) -> list[tuple[str, str, str]]:
        """Each document's heading paths in order: (document, heading, id of the first chunk under it)."""
        rows = connection_of(transaction).execute(
            "SELECT document, heading, chunk_id, min(ordinal) AS first FROM chunks WHERE heading <> ''"
            " GROUP BY document, heading ORDER BY document, first"
        )
        return [(document, heading, chunk_id) for document, heading, chunk_id, _ in rows]

    def tally(self, snapshot: Snapshot) -> list[PassageCount]:
        """How many passages each document has, by home route, sorted by document and route."""
        return records.read_tally(connection_of(snapshot))

    def main_language(self, snapshot: Snapshot) -> str:
        """The language that most passages are in, "und" when none says."""
        query = (
            "SELECT language FROM chunks WHERE language <> 'und'"
            " GROUP BY language ORDER BY count(*) DESC, language LIMIT 1"
        )
        row = connection_of(snapshot).execute(query).fetchone()
        return str(row[0]) if row else "und"

    # ------------------------------------------------------------ the whole
    def counts(self, transaction: Transaction) -> dict[str, int]:
        """How many sources, documents, chunks, windows, tables and graph rows there are."""
        return counts(connection_of(transaction))

    def fingerprint(self, transaction: Transaction) -> str:
        """The identity of the content, 64 hex digits; see `stores.fingerprint`."""
        return fingerprint(connection_of(transaction))

    def check(self, snapshot: Snapshot) -> str:
        """How much the catalog holds, in words. Raises StoreError when it is damaged."""
        connection = connection_of(snapshot)
        (result,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if result != "ok":
            raise StoreError(f"damaged: {result}.", "Remove the data directory and ingest again.")
        number = counts(connection)
        # A file may hold a document in each of its lines.
        (held,) = connection.execute("SELECT count(DISTINCT source) FROM documents").fetchone()
        kinds = (held, "file"), (number["documents"], "document"), (number["chunks"], "chunk")
        return ", ".join((f"generation {snapshot.generation}", *(counted(many, noun) for many, noun in kinds)))
