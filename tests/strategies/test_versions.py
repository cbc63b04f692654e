"""Which passage of a version says what a passage says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from polyrag_cli.stores.base import Snapshot
from polyrag_cli.stores.records import StoredChunk
from polyrag_cli.strategies import versions as module
from polyrag_cli.strategies.base import Context
from polyrag_cli.strategies.versions import Versions
from polyrag_cli.types import Chunk, ChunkRoute, Window
from tests.strategies.library import Library

Row = tuple[str, str, tuple[float, float]]
ENGLISH = (("e1", "Fees", (1.0, 0.0)), ("e2", "Fees", (0.0, 1.0)), ("e3", "Dogs", (0.6, 0.8)))
SAME = (("p1", "Taxas", (0.8, 0.6)), ("p2", "Taxas", (0.0, 1.0)), ("p3", "Cães", (1.0, 0.0)))
OTHER = (("o1", "Taxas", (0.0, -1.0)), ("o2", "Cães", (1.0, 0.0)), ("o3", "Gatos", (0.0, -1.0)))


class _Documents:
    """Chunks of three documents with one vector each, in place of catalog and vector store."""

    def __init__(self, documents: Mapping[str, Sequence[Row]]) -> None:
        self.vectors = {i: np.array([v], dtype=np.float32) for rows in documents.values() for i, _, v in rows}
        self.chunks = {
            name: [
                StoredChunk(Chunk(i, name, n, n * 10, n * 10 + 10, i, heading), ChunkRoute("vectorial", (), (), 1.0))
                for n, (i, heading, _) in enumerate(rows)
            ]
            for name, rows in documents.items()
        }

    def chunks_of(self, snapshot: Snapshot, document: str) -> list[StoredChunk]:
        return self.chunks[document]

    def windows(
        self, snapshot: Snapshot, chunk_ids: Sequence[str]
    ) -> dict[str, tuple[tuple[Window, ...], NDArray[np.float32]]]:
        return {i: ((), self.vectors[i]) for i in chunk_ids}


@pytest.fixture
def context(library: Library, monkeypatch: pytest.MonkeyPatch) -> Iterator[Context]:
    monkeypatch.setattr(module, "_KEPT", {})
    documents = _Documents({"en": ENGLISH, "pt": SAME, "other": OTHER})
    with library.context() as found:
        stores = replace(found.stores, catalog=documents, vector=documents)  # type: ignore[arg-type]
        yield replace(found, stores=stores)


def _counterparts(context: Context, document: str) -> list[str | None]:
    own = context.stores.catalog.chunks_of(context.snapshot, "en")
    versions = Versions(context, "pt")
    found = [versions.counterpart(stored.chunk, document) for stored in own]
    return [None if chunk is None else chunk.chunk_id for chunk in found]


def test_documents_of_the_same_sections_are_matched_section_by_section(context: Context) -> None:
    # e3 is most like p1 and p2, but stands alone in its section, as p3 does.
    assert _counterparts(context, "pt") == ["p1", "p2", "p3"]


def test_without_vectors_the_place_inside_the_section_decides(context: Context, library: Library) -> None:
    with library.context(dense=False) as plain:
        assert _counterparts(replace(context, embedder=plain.embedder), "pt") == ["p1", "p2", "p3"]


def test_of_documents_with_other_sections_the_vectors_decide_or_nothing_does(
    context: Context, library: Library
) -> None:
    # e2 is like none of them.
    assert _counterparts(context, "other") == ["o2", None, "o2"]
    with library.context(dense=False) as plain:
        assert _counterparts(replace(context, embedder=plain.embedder), "other") == [None, None, None]


def test_a_chunk_that_is_gone_has_no_counterpart(context: Context) -> None:
    gone = Chunk("gone", "en", 9, 90, 99, "gone")
    assert Versions(context, "pt").counterpart(gone, "pt") is None
