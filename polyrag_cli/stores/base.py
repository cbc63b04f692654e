"""Interfaces of the stores, and what passes through them.

Write methods run inside a `Writer` (one SQLite transaction under the writer lock, the commit point of a file); read
methods run inside a `Snapshot` (one read transaction). A backend that is no part of the catalog's SQLite file still
gets both.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from polyrag_cli.types import Chunk, ChunkRoute, Column, Rows, TableSchema, Window

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from polyrag_cli.graph.arrays import GraphArrays
    from polyrag_cli.graph.mentions import PassageGraph


class Work:
    """One piece of work, such as a question, which may read through several snapshots, one after the other.

    What stores remember of it goes when it ends.
    """

    __slots__ = ("__weakref__",)


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """A read transaction on the catalog: everything read through it is of one generation. Equal to itself alone."""

    connection: sqlite3.Connection
    generation: int
    work: Work = field(default_factory=Work)


@dataclass(frozen=True, slots=True)
class Writer:
    """A write transaction under the writer lock; `generation` is the one that its commit makes."""

    connection: sqlite3.Connection
    generation: int


@dataclass(frozen=True, slots=True)
class SourceRecord:
    """A file as last committed: the unit of commit, change and report.

    root: resolved source root; path: relative to it (NFC, forward slashes); document: the public name.
    sha256: of the bytes; recipe: what else decided the outcome (loader, chunking, embedder, anchors), hashed.
    status: "added" for files with content, "skipped" or "failed" with a reason otherwise.
    """

    root: str
    path: str
    document: str
    sha256: str
    size: int
    mtime_ns: int
    recipe: str
    status: str = "added"
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """A document: the file itself, or one record `file.jsonl#id` of a file of documents; `source` is the file's
    document name."""

    document: str
    source: str
    title: str
    language: str
    text: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk with its route."""

    chunk: Chunk
    route: ChunkRoute


@dataclass(frozen=True, slots=True)
class WindowHit:
    """A chunk found through its best window; `score` is a cosine."""

    chunk_id: str
    ordinal: int
    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class LexicalHit:
    """A chunk found by its terms; `score` is BM25, `coverage` the idf share of the query's terms that it holds
    (0–1)."""

    chunk_id: str
    score: float
    coverage: float


@dataclass(frozen=True, slots=True)
class TypedTable:
    """A table ready to store: `columns` typed and named, `cells` column-wise Python values in `rows` order (None
    for null).

    source: cells as they stand in the source, header first, for display.
    """

    name: str
    label: str
    columns: tuple[Column, ...]
    cells: tuple[tuple[object, ...], ...]
    source: tuple[tuple[str, ...], ...]
    heading: str = ""
    notes: tuple[str, ...] = ()

    @property
    def rows(self) -> int:
        """Number of data rows."""
        return len(self.cells[0]) if self.cells else 0


class VectorStore(Protocol):
    """Nearest windows by cosine."""

    def replace(self, writer: Writer, document: str, windows: Sequence[Window], vectors: NDArray[np.float32]) -> None:
        """Stores a document's windows and their (n, d) unit vectors in place of what it had."""

    def remove(self, writer: Writer, document: str) -> None:
        """Forgets a document's windows."""

    def search(self, snapshot: Snapshot, vector: NDArray[np.float32], k: int) -> list[WindowHit]:
        """The k chunks with the highest cosine of their best window, ties by chunk id."""

    def windows(
        self, snapshot: Snapshot, chunk_ids: Sequence[str]
    ) -> Mapping[str, tuple[tuple[Window, ...], NDArray[np.float32]]]:
        """Each chunk's windows and their (n, d) vectors."""

    def refresh(self, snapshot: Snapshot) -> None:
        """Writes the derived segments of this snapshot; called only under the writer lock, after a commit."""


class LexicalStore(Protocol):
    """BM25 over folded, stemmed terms."""

    def replace(self, writer: Writer, document: str, chunks: Sequence[Chunk]) -> None:
        """Indexes a document's chunks in place of what it had."""

    def remove(self, writer: Writer, document: str) -> None:
        """Forgets a document's chunks."""

    def search(self, snapshot: Snapshot, text: str, k: int) -> list[LexicalHit]:
        """The k chunks with the highest BM25, ties by chunk id; scripts without spaces are found by trigrams."""

    def soft_search(self, snapshot: Snapshot, words: Sequence[Sequence[tuple[str, float]]], k: int) -> list[LexicalHit]:
        """The k chunks that hold most of some words or of what is like them, ties by chunk id.

        words: for each word of a question the stems that stand for it, with their likeness in (0, 1]; a chunk holds the
        word to the degree of its most alike stem. `coverage` is the idf share of the words held so, idf by the sum of
        degrees over all chunks; `score` is that sum of idf.
        """

    def document_frequency(self, snapshot: Snapshot, stems: Sequence[str]) -> tuple[int, dict[str, int]]:
        """Number of chunks, and in how many each stem occurs (0 when in none)."""


class TermStore(Protocol):
    """Vectors of the corpus's words."""

    def known(self, snapshot: Snapshot, terms: Iterable[str]) -> frozenset[str]:
        """Those of some words that have a vector."""

    def replace(self, writer: Writer, document: str, vectors: Mapping[str, NDArray[np.float16] | None]) -> None:
        """Stores a document's words in place of what it had; None for the vector of a word that has one."""

    def remove(self, writer: Writer, document: str) -> None:
        """Forgets a document's words."""

    def clear(self, writer: Writer) -> None:
        """Forgets every vector, as when another embedder takes over; the words stay."""

    def nearest(
        self,
        snapshot: Snapshot,
        words: Sequence[str],
        embed: Callable[[Sequence[str]], NDArray[np.float32]],
        k: int,
        floor: float,
    ) -> list[tuple[tuple[str, float], ...]]:
        """For each word (in lower case) at most k words of the corpus with a cosine of at least `floor`, best first.

        embed: gives the unit vectors of words that the corpus doesn't hold. Ties are broken by the word.
        """


class KeptVectors(Protocol):
    """Vectors of one embedder that were made before, in this process or another."""

    def find(self, texts: Iterable[str]) -> dict[str, NDArray[np.float32]]:
        """The vectors, (d,) each, of those of some texts that are kept."""

    def room(self) -> int:
        """How many more texts can be kept."""

    def keep(self, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        """Adds vectors, (d,) each, where that can be done."""


class LabelStore(Protocol):
    """Vectors of the labels of tables."""

    def of(self, embedder: str, dimension: int) -> KeptVectors:
        """The vectors of an embedder. dimension: their size, 1 or more."""


class RelationalStore(Protocol):
    """Typed tables and a read-only SQL sandbox over them."""

    def write(self, table: TypedTable) -> str:
        """Writes the immutable Parquet file of a table, before any commit, and returns its file name (content hash)."""

    def replace(
        self, writer: Writer, document: str, tables: Sequence[tuple[TypedTable, str]]
    ) -> tuple[TableSchema, ...]:
        """Records a document's tables (with the file names that `write` gave) in place of what it had; settles
        clashing names."""

    def remove(self, writer: Writer, document: str) -> None:
        """Forgets a document's tables (their files are swept later)."""

    def schemas(self, snapshot: Snapshot) -> tuple[TableSchema, ...]:
        """All tables, by name, columns with their distinct values (capped)."""

    def execute(
        self,
        snapshot: Snapshot,
        sql: str,
        tables: Sequence[str] | None = None,
        max_rows: int = 1000,
        *,
        trusted: bool = False,
    ) -> Rows:
        """Runs one SELECT over the named tables (all when None) in the sandbox.

        trusted: the statement was made from a plan and checked against the schemas, so it isn't parsed again.

        Raises QueryRejected for anything but a single SELECT over known tables, StoreError when it fails or takes
        too long.
        """

    def source_cells(self, snapshot: Snapshot, name: str) -> list[list[str]]:
        """The table as its source holds it, header first."""


class GraphStore(Protocol):
    """Entities, sentences and passages, and the arrays that the walk runs on."""

    def replace(self, writer: Writer, document: str, passages: Sequence[PassageGraph]) -> None:
        """Stores a document's sentences, entity spans and relations in place of what it had."""

    def remove(self, writer: Writer, document: str) -> None:
        """Forgets a document."""

    def arrays(self, snapshot: Snapshot) -> GraphArrays:
        """The derived arrays of this snapshot, from the cache where it is current."""

    def refresh(self, snapshot: Snapshot) -> None:
        """Writes the derived arrays of this snapshot; called only under the writer lock, after a commit."""


@dataclass(frozen=True, slots=True)
class Stores:
    """The four stores of one data directory, and the vectors of its words and labels where they are kept."""

    relational: RelationalStore
    vector: VectorStore
    lexical: LexicalStore
    graph: GraphStore
    terms: TermStore | None = None
    labels: LabelStore | None = None


@dataclass(frozen=True, slots=True)
class DataPaths:
    """Where a data directory keeps things."""

    root: Path

    @property
    def catalog(self) -> Path:
        """The truth: documents, chunks, windows, postings, graph, tables."""
        return self.root / "catalog.sqlite"

    @property
    def activity(self) -> Path:
        """What questions leave behind: traces and cached answers."""
        return self.root / "activity.sqlite"

    @property
    def tables(self) -> Path:
        """Parquet files, one a table version."""
        return self.root / "tables"

    @property
    def cache(self) -> Path:
        """Derived and disposable files."""
        return self.root / "cache"

    @property
    def jobs(self) -> Path:
        """A small file for each job that is going on."""
        return self.root / "jobs"

    @property
    def lock(self) -> Path:
        """The writer lock."""
        return self.root / "writer.lock"
