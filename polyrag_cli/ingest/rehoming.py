"""The homes that stored chunks would have under other anchors and settings, from their stored vectors.

Owns the comparison of homes. Writes nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.config.sections import RoutingSettings
from polyrag_cli.graph.mentions import PassageGraph, passage_graph
from polyrag_cli.ingest.base import PipelineSettings
from polyrag_cli.ingest.prepare import Preparer, named_sentences
from polyrag_cli.providers.base import Embedder
from polyrag_cli.routing.router import Router
from polyrag_cli.stores.backends import Stores
from polyrag_cli.stores.base import Snapshot
from polyrag_cli.stores.records import StoredChunk
from polyrag_cli.types import ChunkMove, ChunkRoute, LinedText

# Stored vectors are rounded to half precision, which moves a margin by less than this: nearer to a boundary, a document
# is embedded again, so that rounding alone never moves a chunk.
ROUNDING = 2e-4


class Rehoming:
    """Decides again which stores are the homes of chunks that are stored already."""

    def __init__(self, stores: Stores, embedder: Embedder) -> None:
        self._stores = stores
        self._embedder = embedder

    def moves(
        self, router: Router, settings: RoutingSettings, snapshot: Snapshot
    ) -> tuple[list[ChunkMove], dict[str, ChunkRoute]]:
        """Every chunk's move, by document and ordinal, and its new route by chunk id."""
        moves: list[ChunkMove] = []
        homes: dict[str, ChunkRoute] = {}
        catalog = self._stores.catalog
        for record in catalog.documents(snapshot):
            stored = catalog.chunks_of(snapshot, record.document)
            if not stored:
                continue
            whole = catalog.document(snapshot, record.document)
            breaks = [position for position, character in enumerate(whole.text) if character == "\n"]
            text = LinedText(whole.text, whole.source_lines)
            for item, route in zip(stored, self._document(stored, router, settings, snapshot), strict=True):
                homes[item.chunk.chunk_id] = route
                moves.append(_move(item, route, settings, text, breaks))
        return moves, homes

    def _document(
        self, stored: Sequence[StoredChunk], router: Router, settings: RoutingSettings, snapshot: Snapshot
    ) -> list[ChunkRoute]:
        """The new routes of one document's chunks."""
        chunks = [item.chunk for item in stored]
        passages = [passage_graph(chunk) for chunk in chunks]
        vectors = self._vectors([chunk.chunk_id for chunk in chunks], snapshot)
        routes = router.route_chunks(chunks, vectors, [named_sentences(passage) for passage in passages])
        if any(_doubtful(item.route, route, settings) for item, route in zip(stored, routes, strict=True)):
            return self._exactly(stored, passages, router)
        return routes

    def _vectors(self, chunk_ids: Sequence[str], snapshot: Snapshot) -> list[NDArray[np.float32]]:
        found = self._stores.vector.windows(snapshot, chunk_ids)
        nothing = np.zeros((0, self._embedder.dimension), dtype=np.float32)
        return [found[chunk_id][1] if chunk_id in found else nothing for chunk_id in chunk_ids]

    def _exactly(
        self, stored: Sequence[StoredChunk], passages: Sequence[PassageGraph], router: Router
    ) -> list[ChunkRoute]:
        """The routes that ingesting would give these chunks, embedded again; words keep the vectors that they have."""
        preparer = Preparer(self._embedder, router, PipelineSettings(), known_terms=lambda words: words)
        name = stored[0].chunk.document
        (prepared,) = preparer.embedded([[item.chunk for item in stored]], [list(passages)], name)
        return [item.route for item in prepared.chunks]


def _doubtful(old: ChunkRoute, new: ChunkRoute, settings: RoutingSettings) -> bool:
    """Whether rounded vectors could be what decides this chunk's homes."""
    if new.reason.startswith("tabularity"):
        # The margin between its text routes, which names its second home, is not kept.
        return old.home == new.home and old.also != new.also
    return new.margin < ROUNDING or abs(new.margin - settings.chunk_margin) < ROUNDING


def _move(
    stored: StoredChunk, new: ChunkRoute, settings: RoutingSettings, text: LinedText, breaks: Sequence[int]
) -> ChunkMove:
    """A chunk's move. breaks: the positions of the line breaks in the text."""
    chunk, old = stored.chunk, stored.route
    shaped = new.reason.startswith("tabularity")
    return ChunkMove(
        chunk.chunk_id,
        chunk.document,
        chunk.heading,
        (old.home, *old.also),
        (new.home, *new.also),
        old.margin,
        new.margin,
        round(new.margin - settings.tabularity_min if shaped else new.margin, 6),
        chunk.ordinal,
        text.source_line_of(bisect_left(breaks, chunk.start)),
        text.source_line_of(bisect_left(breaks, max(chunk.start, chunk.end - 1))),
    )
