"""Owns how documents, chunks and sources stand in the catalog's rows."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from polyrag_cli.stores.catalog import PassageCount
from polyrag_cli.stores.packing import packed, unpacked
from polyrag_cli.stores.records import DocumentRecord, SourceRecord, StoredChunk
from polyrag_cli.stores.sqlite_schema import held
from polyrag_cli.stores.storable import storable
from polyrag_cli.types import Chunk, ChunkRoute

SOURCE_COLUMNS = "root, path, document, sha256, size, mtime_ns, recipe, status, reason"
_DOCUMENT_COLUMNS = "document, source, title, language, warnings, text, source_lines, given"
CHUNK_COLUMNS = (
    'chunk_id, document, ordinal, start, "end", text, heading, title, page, kind, language, lead, '
    "home, also, scores, margin, reason"
)


def put_source(connection: sqlite3.Connection, record: SourceRecord) -> None:
    """Stores a file's record in place of the one of the same root and path or of the same name."""
    connection.execute(
        f"INSERT OR REPLACE INTO sources ({SOURCE_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(storable(text) for text in (record.root, record.path, record.document, record.sha256)),
            record.size,
            record.mtime_ns,
            *(storable(text) for text in (record.recipe, record.status, record.reason)),
        ),
    )


def read_sources(connection: sqlite3.Connection, where: str = "", values: Sequence[object] = ()) -> list[SourceRecord]:
    """The files, by document name."""
    rows = connection.execute(f"SELECT {SOURCE_COLUMNS} FROM sources {where} ORDER BY document", tuple(values))
    return [SourceRecord(*row) for row in rows]


def put_document(connection: sqlite3.Connection, record: DocumentRecord, chunks: Sequence[StoredChunk]) -> None:
    """Stores a document with its chunks in place of what it was."""
    connection.execute("DELETE FROM documents WHERE document = ?", (record.document,))
    connection.execute(
        f"INSERT INTO documents ({_DOCUMENT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            record.document,
            record.source,
            storable(record.title),
            record.language,
            storable(json.dumps(record.warnings)),
            packed(storable(record.text)),
            packed(json.dumps(record.source_lines, separators=(",", ":"))),
            storable(record.given),
        ),
    )
    connection.executemany(
        f"INSERT INTO chunks ({CHUNK_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (_chunk_row(stored) for stored in chunks),
    )


def _chunk_row(stored: StoredChunk) -> tuple[object, ...]:
    chunk, route = stored.chunk, stored.route
    return (
        *(chunk.chunk_id, chunk.document, chunk.ordinal, chunk.start, chunk.end),
        *(storable(chunk.text), storable(chunk.heading), storable(chunk.title)),
        *(chunk.page, chunk.kind, chunk.language, storable(chunk.lead)),
        *(route.home, json.dumps(route.also), json.dumps(route.scores), route.margin, storable(route.reason)),
    )


def _stored_chunk(row: Sequence[Any]) -> StoredChunk:
    home, also, scores, margin, reason = row[12:]
    route = ChunkRoute(home, _names(also), held(tuple[tuple[str, float], ...], scores), margin, reason)
    return StoredChunk(Chunk(*row[:12]), route)


def read_chunks(connection: sqlite3.Connection, ids: Iterable[str]) -> dict[str, StoredChunk]:
    """The chunks of those ids that exist, in the order of `ids`."""
    wanted = list(dict.fromkeys(ids))
    rows = connection.execute(
        f"SELECT {CHUNK_COLUMNS} FROM chunks WHERE chunk_id IN (SELECT value FROM json_each(?))", (json.dumps(wanted),)
    )
    found = {row[0]: _stored_chunk(row) for row in rows}
    return {chunk_id: found[chunk_id] for chunk_id in wanted if chunk_id in found}


def read_chunks_of(connection: sqlite3.Connection, document: str) -> list[StoredChunk]:
    """A document's chunks in order."""
    rows = connection.execute(f"SELECT {CHUNK_COLUMNS} FROM chunks WHERE document = ? ORDER BY ordinal", (document,))
    return [_stored_chunk(row) for row in rows]


def read_documents(connection: sqlite3.Connection, source: str | None = None) -> list[DocumentRecord]:
    """The documents of one file or of all, by name, without their texts and lines."""
    where, values = ("", ()) if source is None else ("WHERE source = ?", (source,))
    rows = connection.execute(
        f"SELECT document, source, title, language, warnings FROM documents {where} ORDER BY document", values
    )
    return [
        DocumentRecord(document, name, title, language, "", _names(warnings))
        for document, name, title, language, warnings in rows
    ]


def read_document(connection: sqlite3.Connection, document: str) -> DocumentRecord | None:
    """One document as a whole, None when there is no such one."""
    row = connection.execute(f"SELECT {_DOCUMENT_COLUMNS} FROM documents WHERE document = ?", (document,)).fetchone()
    if row is None:
        return None
    name, source, title, language, warnings, text, lines, given = row
    source_lines = held(tuple[tuple[int, int], ...], unpacked(lines))
    return DocumentRecord(name, source, title, language, unpacked(text), _names(warnings), source_lines, given)


def read_hashes(connection: sqlite3.Connection, documents: Iterable[str]) -> dict[str, str]:
    """The sha256 of each of some files; "" for one that isn't there."""
    names = list(documents)
    rows = connection.execute(
        "SELECT document, sha256 FROM sources WHERE document IN (SELECT value FROM json_each(?))", (json.dumps(names),)
    )
    known = dict(rows.fetchall())
    return {name: known.get(name, "") for name in names}


def read_files_of(connection: sqlite3.Connection, documents: Iterable[str]) -> dict[str, str]:
    """The file of each of some documents, as far as they are there."""
    rows = connection.execute(
        "SELECT document, source FROM documents WHERE document IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(documents)),),
    )
    return dict(rows.fetchall())


def read_homes(connection: sqlite3.Connection, ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The home and second homes of some chunks."""
    rows = connection.execute(
        "SELECT chunk_id, home, also FROM chunks WHERE chunk_id IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(ids)),),
    )
    return {chunk_id: (home, *_names(also)) for chunk_id, home, also in rows}


@lru_cache(maxsize=64)
def _names(text: str) -> tuple[str, ...]:
    return held(tuple[str, ...], text) if text else ()


def read_tally(connection: sqlite3.Connection) -> list[PassageCount]:
    """How many passages of each document have which homes."""
    rows = connection.execute(
        "SELECT document, home, also NOT IN ('', '[]') AS boundary, count(*) FROM chunks"
        " GROUP BY document, home, boundary ORDER BY document, home, boundary"
    )
    return [PassageCount(document, home, bool(boundary), count) for document, home, boundary, count in rows]
