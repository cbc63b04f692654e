"""Small documents, chunks, windows and tables that the store tests are about."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.stores.base import Snapshot, Writer
from polyrag_cli.stores.catalog_sqlite import SQLiteCatalog
from polyrag_cli.stores.records import DocumentRecord, StoredChunk, TypedTable
from polyrag_cli.types import Chunk, ChunkRoute, Column, Window


def chunk(text: str, document: str = "a.md", ordinal: int = 0, language: str = "en", heading: str = "") -> Chunk:
    """A chunk whose id comes from its content, as chunking makes it."""
    start = ordinal * 1000
    end = start + len(text)
    digest = hashlib.sha256(f"{document}\0{start}\0{end}\0{text}".encode("utf-8", "replace")).hexdigest()
    return Chunk(digest[:16], document, ordinal, start, end, text, heading, "", None, "paragraph", language)


def stored(of: Chunk, home: str = "vectorial") -> StoredChunk:
    """A chunk with a route."""
    return StoredChunk(of, ChunkRoute(home, ("graph",), ((home, 0.5), ("graph", 0.45)), 0.05, "inside delta"))


def document(name: str, texts: Sequence[str]) -> tuple[DocumentRecord, list[StoredChunk]]:
    """A document of one chunk a text."""
    chunks = [stored(chunk(text, name, ordinal)) for ordinal, text in enumerate(texts)]
    return DocumentRecord(
        name, name, f"Title of {name}", "en", "\n".join(texts), ("a warning",), ((0, 2),), "raw"
    ), chunks


def windows(of: Chunk, count: int) -> list[Window]:
    """`count` windows of a chunk."""
    return [Window(of.chunk_id, n, of.start + n, of.start + n + 5, f"{of.text} {n}") for n in range(count)]


def unit_vectors(count: int, dimension: int = 16, seed: int = 0) -> NDArray[np.float32]:
    """Random (count, dimension) unit vectors."""
    matrix = np.random.default_rng(seed).standard_normal((count, dimension))
    unit: NDArray[np.float32] = (matrix / np.linalg.norm(matrix, axis=1, keepdims=True)).astype(np.float32)
    return unit


def table(name: str = "harvest", rows: int = 3, offset: int = 0) -> TypedTable:
    """A table of a text, an integer and a number column."""
    crops = tuple(("oats", "rye", "maçã")[n % 3] for n in range(rows))
    tons = tuple(None if n == 1 else n + offset for n in range(rows))
    prices = tuple(n * 0.5 for n in range(rows))
    columns = (
        Column("crop", "Crop", "text", tuple(sorted(set(crops))), len(set(crops))),
        Column("tons", "Tons", "integer"),
        Column("price", "Price", "number", decimal=","),
    )
    source = (
        ("Crop", "Tons", "Price"),
        *((c, str(t or ""), str(p)) for c, t, p in zip(crops, tons, prices, strict=True)),
    )
    return TypedTable(name, name.title(), columns, (crops, tons, prices), source, "Yields", ("a note",))


def every_chunk(catalog: SQLiteCatalog, transaction: Snapshot | Writer) -> list[StoredChunk]:
    """The chunks of all documents, by document and ordinal."""
    documents = catalog.documents(transaction)
    return [chunk for record in documents for chunk in catalog.chunks_of(transaction, record.document)]
