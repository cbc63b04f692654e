"""What a catalog is: the truth of a data directory, and the transactions that all stores take part in.

It has files (what was ingested), documents (one a file, or one a line of a file of documents) and passages, and keeps
a few settings beside them. `Catalog` is what the engine holds; whoever needs only a part of it takes that part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from polyrag_cli.stores.base import Snapshot, Transaction, Work, Writer
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.records import DocumentRecord, SourceRecord, StoredChunk

META_EMBEDDER = "embedder"
"""Key of the name of the embedder that made the corpus's vectors."""


@dataclass(frozen=True, slots=True)
class PassageCount:
    """How many passages of a document have one home route; `boundary` when they have a second one."""

    document: str
    home: str
    boundary: bool
    count: int


class Transactions(Protocol):
    """How a catalog is read and written; thread-safe."""

    def snapshot(self, work: Work | None = None) -> AbstractContextManager[Snapshot]:
        """One read transaction of this thread; nested on one thread, the same snapshot.

        work: what reads, where it has read or will read through other snapshots too.
        """

    def writer(
        self,
        timeout_s: float = 60.0,
        on_wait: Callable[[str], None] | None = None,
        after_commit: Callable[[Snapshot], None] | None = None,
    ) -> AbstractContextManager[Writer]:
        """One write transaction under the writer lock: committed at the end of the block, rolled back on any exception.

        timeout_s: how long to wait for the lock. on_wait: told once who is waited for.
        after_commit: called with a snapshot of the new state while the lock is still held (derived files, sweep).
        Raises LockTimeout, or StoreError when the disk refuses.
        """

    def derive(self, write: Callable[[Snapshot], None], timeout_s: float = 0.0) -> None:
        """Calls `write` with a snapshot under the writer lock, for derived files.

        timeout_s: how long to wait for the lock. Raises LockTimeout, or StoreError when the catalog can't be read.
        """

    def note(self, key: str, value: str, timeout_s: float = 60.0) -> None:
        """Records a setting outside of any commit: content, generation and derived files stay as they are.

        timeout_s: how long to wait for the writer lock. Raises LockTimeout, or StoreError when the disk refuses.
        """

    def aside(self, timeout_s: float = 60.0) -> AbstractContextManager[Writer]:
        """One write transaction outside of any commit, for what is made of the content and can be made anew.

        Content, generation and derived files stay as they are. timeout_s: how long to wait for the writer lock.
        Raises LockTimeout, or StoreError when the disk refuses.
        """

    def close(self) -> None:
        """Closes every connection, those of other threads included."""


class Files(Protocol):
    """What was ingested: the unit of commit, change and report."""

    def sources(self, transaction: Transaction) -> list[SourceRecord]:
        """All files, by document name."""

    def source(self, transaction: Transaction, root: str, path: str) -> SourceRecord | None:
        """The file of that root and relative path."""

    def put_source(self, writer: Writer, record: SourceRecord) -> None:
        """Records a file as committed."""

    def remove_source(self, writer: Writer, document: str) -> None:
        """Forgets a file with its documents and chunks; what other stores hold of them is removed by their `remove`."""

    def hashes(self, snapshot: Snapshot, documents: Iterable[str]) -> dict[str, str]:
        """The sha256 of each of some files as last committed; "" for one that is gone."""


class Documents(Protocol):
    """The texts that files hold."""

    def documents(self, transaction: Transaction, source: str | None = None) -> list[DocumentRecord]:
        """The documents of one file (of all when None), by name, without their texts and lines."""

    def document(self, transaction: Transaction, document: str) -> DocumentRecord:
        """A document as a whole.

        Raises StoreError when there is no such document.
        """

    def put_document(self, writer: Writer, record: DocumentRecord, chunks: Sequence[StoredChunk]) -> None:
        """Stores a document and its chunks in place of what it had."""

    def remove_document(self, writer: Writer, document: str) -> None:
        """Forgets a document and its chunks."""

    def files_of(self, snapshot: Snapshot, documents: Iterable[str]) -> dict[str, str]:
        """The file that each of some documents is from; documents that aren't there are left out."""


class Passages(Protocol):
    """The chunks of documents, each with its route."""

    def chunks(self, transaction: Transaction, ids: Iterable[str]) -> dict[str, StoredChunk]:
        """The chunks of those ids that exist, in the order of `ids`."""

    def chunks_of(self, transaction: Transaction, document: str) -> list[StoredChunk]:
        """A document's chunks in order."""

    def homes(self, snapshot: Snapshot, ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Each chunk's home route, followed by its second homes; without their texts, since many are asked for."""

    def headings(self, transaction: Transaction) -> list[tuple[str, str, str]]:
        """Each document's heading paths in order: (document, heading, id of the first chunk under it)."""

    def tally(self, snapshot: Snapshot) -> list[PassageCount]:
        """How many passages each document has, by home route, sorted by document and route."""

    def main_language(self, snapshot: Snapshot) -> str:
        """The language that most passages are in, "und" when none says."""


class Whole(Protocol):
    """What is known of the corpus as a whole."""

    def meta(self, transaction: Transaction, key: str) -> str | None:
        """A setting that was recorded with the corpus, such as its embedder."""

    def set_meta(self, writer: Writer, key: str, value: str) -> None:
        """Records a setting with the corpus."""

    def counts(self, transaction: Transaction) -> Mapping[str, int]:
        """How many sources, documents, chunks, windows, tables and graph rows there are."""

    def fingerprint(self, transaction: Transaction) -> str:
        """The identity of the content, 64 hex digits: the same for the same files, wherever they lie, in whatever
        order they came."""

    def check(self, snapshot: Snapshot) -> str:
        """How much the catalog holds, in words. Raises StoreError when it is damaged."""


class Catalog(Transactions, Files, Documents, Passages, Whole, Protocol):
    """The truth of a data directory."""


class CatalogBackend(Protocol):
    """How the catalog of a data directory is come by; what the registry names is one of these."""

    def open(self, paths: DataPaths, *, create: bool) -> Catalog:
        """The catalog of a data directory.

        create: whether to make one where there is none.
        Raises StoreError when there is none, when its layout is another version's, or when it can't be read.
        """

    def exists(self, paths: DataPaths) -> bool:
        """Whether anything was ever ingested into a data directory."""
