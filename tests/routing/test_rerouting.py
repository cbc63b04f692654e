"""A catalog with other homes: the given ones change, all else is the catalog's."""

from __future__ import annotations

from polyrag_cli.engine import Engine
from polyrag_cli.routing.rerouting import RehomedCatalog
from polyrag_cli.types import ChunkRoute
from tests.stores.corpus import every_chunk


def test_only_the_given_chunks_move(engine: Engine) -> None:
    with engine.snapshot() as snapshot:
        stored = {s.chunk.chunk_id: s for s in every_chunk(engine.catalog, snapshot)}
        moved = next(iter(stored))
        home = ChunkRoute("elsewhere", (), (), 0.5)
        rehomed = RehomedCatalog(engine.catalog, {moved: home})
        read = rehomed.chunks(snapshot, [*stored, "no such id"])
    assert list(read) == list(stored)
    assert read[moved].route == home
    assert read[moved].chunk == stored[moved].chunk
    assert all(read[i] == stored[i] for i in stored if i != moved)
