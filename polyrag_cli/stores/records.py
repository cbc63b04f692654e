"""What passes through a store: files, documents, chunks and tables as they are kept, and what searches find."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from polyrag_cli.types import Chunk, ChunkRoute, Column, Reference

if TYPE_CHECKING:
    from polyrag_cli.stores.staged_values import StagedCells


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
    document name.

    source_lines: as of `LoadedDocument`. given: the text as it came, where it is in no file and `text` isn't the same.
    """

    document: str
    source: str
    title: str
    language: str
    text: str
    warnings: tuple[str, ...] = ()
    source_lines: tuple[tuple[int, int], ...] = ()
    given: str = ""


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


# How many different values of a column are kept to be searched: of texts, and of all else. Of 20,000 names the first
# question of a process takes a second longer, of 60,000 three and a half.
MAX_TEXTS = 20_000
MAX_VALUES = 1000


@dataclass(frozen=True, slots=True)
class TypedTable:
    """A table ready to store: `columns` typed and named, `cells` column-wise Python values in `rows` order (None
    for null).

    source: cells as they stand in the source, for display; header first when `has_header`.
    staged: where a long table's rows are instead of in `cells` and `source`, which are empty then.
    """

    name: str
    label: str
    columns: tuple[Column, ...]
    cells: tuple[tuple[object, ...], ...]
    source: tuple[tuple[str, ...], ...]
    heading: str = ""
    notes: tuple[str, ...] = ()
    place: str = ""
    dialect: str = ""
    hidden: bool = False
    keys: tuple[str, ...] = ()
    references: tuple[Reference, ...] = ()
    has_header: bool = True
    total_rows: tuple[int, ...] = ()
    staged: StagedCells | None = None

    @property
    def rows(self) -> int:
        """Number of data rows."""
        if self.staged is not None:
            return self.staged.rows.rows
        return len(self.cells[0]) if self.cells else 0
