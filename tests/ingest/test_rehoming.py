"""Homes that stored chunks would have: those that they were given, as long as nothing changed."""

from __future__ import annotations

import pytest

from polyrag_cli.engine import Engine
from polyrag_cli.ingest import rehoming
from polyrag_cli.ingest.rehoming import Rehoming
from polyrag_cli.stores.base import Snapshot
from polyrag_cli.types import ChunkMove, ChunkRoute
from tests.stores.corpus import every_chunk


def homes_again(engine: Engine, snapshot: Snapshot) -> tuple[list[ChunkMove], dict[str, ChunkRoute]]:
    return Rehoming(engine.stores, engine.embedder).moves(engine.router, engine.settings.routing, snapshot)


def test_near_a_boundary_a_document_is_embedded_again(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    # Each margin counts as too near to be told from rounded vectors: all come out as they were ingested, to the digit.
    monkeypatch.setattr(rehoming, "ROUNDING", 10.0)
    with engine.snapshot() as snapshot:
        moves, homes = homes_again(engine, snapshot)
        stored = {s.chunk.chunk_id: s.route for s in every_chunk(engine.catalog, snapshot)}
    assert homes == stored
    assert [move.old_margin for move in moves] == [move.new_margin for move in moves]


def test_passages_of_one_document_are_told_apart(engine: Engine) -> None:
    with engine.snapshot() as snapshot:
        moves, _ = homes_again(engine, snapshot)
        texts = {move.document: engine.document_text(move.document).split("\n") for move in moves}
        chunks = {s.chunk.chunk_id: s.chunk for s in every_chunk(engine.catalog, snapshot)}
    assert len({(move.document, move.ordinal) for move in moves}) == len(moves)
    assert max(move.first_line for move in moves) > 1
    for move in moves:
        chunk = chunks[move.chunk_id]
        lines = texts[move.document][move.first_line - 1 : move.last_line]
        assert chunk.ordinal == move.ordinal
        assert lines[0].strip() and chunk.text.split("\n")[0] in lines[0]
        assert lines[-1].strip() and chunk.text.split("\n")[-1] in lines[-1]
