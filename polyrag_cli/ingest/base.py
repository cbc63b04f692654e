"""What ingesting is given and what passes through it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from polyrag_cli.config.sections import ChunkingSettings
from polyrag_cli.stores.records import DocumentRecord, SourceRecord, StoredChunk, TypedTable
from polyrag_cli.types import Chunk, ChunkRoute, DocumentShape, Window

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from polyrag_cli.graph.mentions import PassageGraph

OnProgress = Callable[[int, int, str, int], None]
"""Called with files done, files in all, the current file's document name and the chunks so far."""


class ChunkRouter(Protocol):
    """Decides which store is a chunk's home."""

    def route_chunks(
        self, chunks: Sequence[Chunk], vectors: Sequence[NDArray[np.float32]], named: Sequence[Sequence[bool]]
    ) -> list[ChunkRoute]:
        """One route for each chunk of one document.

        vectors: for each chunk its windows' (n, d) unit vectors. named: for each chunk, which sentences name an entity.
        """


@dataclass(frozen=True, slots=True)
class PipelineSettings:
    """Plain values that ingesting works with.

    recipe: identifies whatever else decides the outcome, such as anchors. threads: documents prepared at once.
    commit_chunks: small files share a commit up to this many chunks. lock_timeout: seconds to wait for another writer.
    data_dir: what is left out of folders, since it is the corpus itself.
    """

    chunking: ChunkingSettings = ChunkingSettings()
    recipe: str = ""
    threads: int = 2
    commit_chunks: int = 200
    lock_timeout: float = 60.0
    data_dir: Path | None = None


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """A document ready to be written: everything but the commit is done.

    terms: the words of its chunks with the float16 unit vectors of those that the catalog doesn't know yet.
    shape: tells its versions in other languages; None for a record inside a file.
    """

    record: DocumentRecord
    chunks: tuple[StoredChunk, ...]
    windows: tuple[Window, ...]
    vectors: NDArray[np.float32]
    passages: tuple[PassageGraph, ...]
    tables: tuple[TypedTable, ...]
    terms: Mapping[str, NDArray[np.float16] | None] = field(default_factory=dict)
    shape: DocumentShape | None = None


@dataclass(frozen=True, slots=True)
class PreparedFile:
    """A file ready to be written; `existed` when it replaces an earlier version."""

    source: SourceRecord
    documents: tuple[PreparedDocument, ...]
    existed: bool

    @property
    def chunks(self) -> int:
        """Number of text chunks of all its documents."""
        return sum(len(document.chunks) for document in self.documents)
