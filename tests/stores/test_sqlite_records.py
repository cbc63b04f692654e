from __future__ import annotations

from dataclasses import replace

from polyrag_cli.stores import sqlite_records as records
from polyrag_cli.stores.catalog_sqlite import SQLiteCatalog
from polyrag_cli.stores.records import SourceRecord
from polyrag_cli.types import Chunk, ChunkRoute
from tests.stores.corpus import document


def test_a_chunk_keeps_every_field(catalog: SQLiteCatalog) -> None:
    one = Chunk("0" * 16, "a.md", 3, 5, 12, "ação 😀\n", "A › B", "T", 7, "table", "pt")
    route = ChunkRoute(
        "relational", ("graph", "vectorial"), (("relational", 0.123456), ("graph", 0.1)), 0.023456, "why"
    )
    record, (stored, *_) = document("a.md", ["x"])
    with catalog.writer() as writer:
        records.put_document(writer.connection, record, [replace(stored, chunk=one, route=route)])
        (found,) = records.read_chunks_of(writer.connection, "a.md")
    assert found.chunk == one
    assert found.route == route


def test_a_source_takes_the_place_of_its_path_or_name(catalog: SQLiteCatalog) -> None:
    first = SourceRecord("/r", "a.md", "a.md", "aa", 1, 2, "x", "failed", "no reason")
    renamed = replace(first, document="r/a.md", sha256="bb", status="added", reason="")
    other = SourceRecord("/s", "a.md", "a.md", "cc", 1, 2, "x")
    with catalog.writer() as writer:
        for record in (first, renamed, other):
            records.put_source(writer.connection, record)
        assert records.read_sources(writer.connection) == [other, renamed]
