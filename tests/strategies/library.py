"""A small corpus in real stores, embedded by spelling, for the tests of retrieval and answering."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from polyrag_cli.chunking.structural import chunk_id
from polyrag_cli.chunking.windows import windows
from polyrag_cli.config.sections import RetrievalSettings
from polyrag_cli.providers.base import Embedder
from polyrag_cli.providers.hashing import HashingEmbedder
from polyrag_cli.providers.none import NullEmbedder
from polyrag_cli.stores.backends import Stores
from polyrag_cli.stores.catalog_sqlite import SQLiteCatalog
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.graph_sqlite import SQLiteGraphStore
from polyrag_cli.stores.lexical_fts5 import FTS5LexicalStore
from polyrag_cli.stores.records import DocumentRecord, SourceRecord, StoredChunk
from polyrag_cli.stores.relational_duckdb import DuckDBRelationalStore
from polyrag_cli.stores.vector_faiss import FaissVectorStore
from polyrag_cli.strategies.base import Context, Query
from polyrag_cli.text.language import detect
from polyrag_cli.text.utterance import read
from polyrag_cli.types import Chunk, ChunkRoute, ClauseDecision

SECTIONS = (
    ("orchard.md", "Apples", "graph", "The north orchard grows red apples. Every apple is picked by hand in October."),
    (
        "orchard.md",
        "Pears",
        "vectorial",
        "Pears ripen on straw in the cellar. The cellar is cold.\nIt was dug in 1911.",
    ),
    (
        "bees.md",
        "Hives",
        "vectorial",
        "Forty hives stand behind the cellar. Marta Quill keeps the bees calm with smoke.",
    ),
    (
        "bees.md",
        "Honey",
        "vectorial",
        "Honey is sold in jars of three hundred grams. Jars above two kilos need a label.",
    ),
    (
        "regras.md",
        "Colheita",
        "graph",
        "A colheita das maçãs depende do Sistema Pomar. O Sistema Pomar obedece à Regra Z9.",
    ),
    ("regras.md", "Regra Z9", "graph", "A Regra Z9 é assinada pela Clara Dias. Ela proíbe escadas sem corda."),
)
"""(document, heading, home route, text) of each chunk."""


def decision(route: str = "vectorial") -> ClauseDecision:
    """A decision for a route, without arithmetic."""
    return ClauseDecision("", "", route, (), 3, (), 0.0, 0.0, 0.0, 0.0, 0.0, "hybrid", "")


class Library:
    """The corpus under a folder."""

    def __init__(self, folder: Path, embedder: Embedder | None = None) -> None:
        self.embedder = embedder or HashingEmbedder()
        paths = DataPaths(folder / "data")
        self.catalog = SQLiteCatalog.open(paths, create=True)
        lexical, vector = FTS5LexicalStore(paths), FaissVectorStore(paths)
        self.stores = Stores(self.catalog, DuckDBRelationalStore(paths), vector, lexical, SQLiteGraphStore(paths))
        self.texts: dict[str, str] = {}
        with self.catalog.writer() as writer:
            for document in sorted({section[0] for section in SECTIONS}):
                chunks, homes = self._chunks(document)
                source = SourceRecord("/root", document, document, f"hash of {document}", 1, 1, "recipe")
                self.catalog.put_source(writer, source)
                record = DocumentRecord(document, document, "", "en", self.texts[document])
                stored = [StoredChunk(c, ChunkRoute(home, (), (), 1.0)) for c, home in zip(chunks, homes, strict=True)]
                self.catalog.put_document(writer, record, stored)
                lexical.add(writer, document, chunks)
                if self.embedder.dimension:
                    own = [w for c in chunks for w in windows(c)]
                    vector.add(writer, document, own, self.embedder.embed([w.text for w in own]))

    def _chunks(self, document: str) -> tuple[list[Chunk], list[str]]:
        chunks: list[Chunk] = []
        homes: list[str] = []
        text = ""
        for name, heading, home, body in SECTIONS:
            if name != document:
                continue
            start = len(text)
            text += body + "\n\n"
            end = start + len(body)
            identity = chunk_id(document, start, end, body)
            chunks.append(Chunk(identity, document, len(chunks), start, end, body, heading, language=detect(body)))
            homes.append(home)
        self.texts[document] = text
        return chunks, homes

    @contextmanager
    def context(self, settings: RetrievalSettings | None = None, dense: bool = True) -> Iterator[Context]:
        """A snapshot with the stores; without `dense`, as with the embedder that embeds nothing."""
        embedder = self.embedder if dense else NullEmbedder()
        with self.catalog.snapshot() as snapshot:
            yield Context(snapshot, self.stores, embedder, settings or RetrievalSettings())

    def query(self, text: str, top_k: int = 3, dense: bool = True) -> Query:
        """A question with its vector."""
        embedder = self.embedder if dense else NullEmbedder()
        return Query(read(text), embedder.embed_query(text), top_k)
