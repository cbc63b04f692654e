"""Owns the identity of a corpus: what is stored, without when, where from and in which order."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator

from polyrag_cli.stores.packing import add_unpacked
from polyrag_cli.stores.sqlite_transactions import has_versions

# Each line dumps one part under a name, by ids that come from the content; row ids depend on the order of ingest.
_PARTS: tuple[tuple[str, str], ...] = (
    (
        "documents",
        "SELECT document, source, title, language, warnings, unpacked(text), unpacked(source_lines), given"
        " FROM documents ORDER BY document",
    ),
    (
        "chunks",
        'SELECT chunk_id, document, ordinal, start, "end", page, kind, language, heading, title, lead, text,'
        " home, also, scores, margin, reason FROM chunks ORDER BY chunk_id",
    ),
    ("windows", "SELECT document, chunk_id, count, spans, texts, vectors FROM windows ORDER BY document, chunk_id"),
    (
        "lexical",
        "SELECT document, unpacked(stems), (SELECT group_concat(chunk_id) FROM"
        " (SELECT chunk_id FROM lexical_chunks WHERE id BETWEEN first AND last ORDER BY id))"
        " FROM lexical_documents ORDER BY document",
    ),
    ("words", "SELECT term, documents FROM terms WHERE documents > 0 ORDER BY term"),
    (
        "tables",
        "SELECT t.document, t.ordinal, t.name, t.file, t.schema, c.cells FROM tables AS t"
        " JOIN table_cells AS c USING (document, ordinal) ORDER BY t.document, t.ordinal",
    ),
)


def fingerprint(connection: sqlite3.Connection) -> str:
    """The sha256 of a dump sorted by id: documents, chunks with routes, windows, postings, tables, graph and what
    documents share.

    Times, the generation, roots and sources are left out, so that the same files give the same value wherever they lie
    and in whatever order they came. Of stores outside the catalog it has the versions, which are made of the content.
    """
    digest = hashlib.sha256()
    add_unpacked(connection)
    for part, query in (
        *_PARTS,
        *_dumps(connection, "graph"),
        *_dumps(connection, "shared"),
        *_version_parts(connection),
    ):
        digest.update(f"[{part}]".encode())
        for row in connection.execute(query):
            for value in row:
                data = value if isinstance(value, bytes) else repr(value).encode("utf-8", "surrogatepass")
                digest.update(len(data).to_bytes(8, "little"))
                digest.update(data)
    return digest.hexdigest()


def counts(connection: sqlite3.Connection) -> dict[str, int]:
    """How many rows of each kind there are; the graph's kinds are named by its tables."""
    queries = {
        "sources": "SELECT count(*) FROM sources",
        "documents": "SELECT count(*) FROM documents",
        "chunks": "SELECT count(*) FROM chunks",
        "windows": "SELECT coalesce(sum(count), 0) FROM windows",
        "tables": "SELECT count(*) FROM tables",
    }
    for table in _tables(connection, "graph"):
        queries[table] = f'SELECT count(*) FROM "{table}"'
    return {kind: int(connection.execute(query).fetchone()[0]) for kind, query in queries.items()}


def _tables(connection: sqlite3.Connection, store: str) -> list[str]:
    """The tables of a store that makes its own."""
    query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB ? ORDER BY name"
    rows = connection.execute(query, (f"{store}_*",))
    return [name for (name,) in rows]


def _dumps(connection: sqlite3.Connection, store: str) -> Iterator[tuple[str, str]]:
    """Dumps of such a store's tables by all their columns but the row id, which the store keeps for itself."""
    for table in _tables(connection, store):
        info = connection.execute(f'PRAGMA table_info("{table}")')
        columns = ", ".join(f'"{name}"' for _, name, *_ in info if name != "id")
        yield table, f'SELECT {columns} FROM "{table}" ORDER BY {columns}'


def _version_parts(connection: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    """Which version of each document counts in stores that aren't part of the catalog, where there are such."""
    if has_versions(connection):
        yield "versions", "SELECT store, document, version FROM store_versions ORDER BY store, document"
