"""Owns the layout of the catalog and of the activity file: every table, in one place."""

from __future__ import annotations

import json
import sqlite3
from typing import TypeVar

from polyrag_cli.errors import StoreError
from polyrag_cli.types.decoding import decoded

T = TypeVar("T")

SCHEMA_VERSION = 4

# What is long and seldom read is packed (see `packing`). A window's text is cut out of its chunk's: `texts` holds it
# only where that isn't what the chunk says. FTS5 keeps postings alone; what it needs to forget them again stands by
# document.
# A row id of `lexical` carries its chunk's length in the low 16 bits, so that scoring needs no second look-up.
# The tokenizer takes everything but white space as a token: text/ has already decided what a word is.
CATALOG_DDL = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE sources (
    document TEXT PRIMARY KEY, root TEXT NOT NULL, path TEXT NOT NULL, sha256 TEXT NOT NULL, size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL, recipe TEXT NOT NULL, status TEXT NOT NULL, reason TEXT NOT NULL, UNIQUE (root, path)
) WITHOUT ROWID;

CREATE TABLE documents (
    id INTEGER PRIMARY KEY, document TEXT NOT NULL UNIQUE, source TEXT NOT NULL, title TEXT NOT NULL,
    language TEXT NOT NULL, warnings TEXT NOT NULL, text BLOB NOT NULL,
    source_lines BLOB NOT NULL, given TEXT NOT NULL
);
CREATE INDEX documents_source ON documents (source);

CREATE TABLE chunks (
    id INTEGER PRIMARY KEY, chunk_id TEXT NOT NULL UNIQUE,
    document TEXT NOT NULL REFERENCES documents (document) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL, page INTEGER, kind TEXT NOT NULL,
    language TEXT NOT NULL, heading TEXT NOT NULL, title TEXT NOT NULL, lead TEXT NOT NULL,
    home TEXT NOT NULL, also TEXT NOT NULL, scores TEXT NOT NULL, margin REAL NOT NULL,
    reason TEXT NOT NULL, text TEXT NOT NULL
);
CREATE INDEX chunks_document ON chunks (document, ordinal);

CREATE TABLE windows (
    id INTEGER PRIMARY KEY, document TEXT NOT NULL, chunk_id TEXT NOT NULL, count INTEGER NOT NULL,
    spans BLOB NOT NULL, texts TEXT, vectors BLOB NOT NULL
);
CREATE INDEX windows_document ON windows (document);
CREATE INDEX windows_chunk ON windows (chunk_id);

CREATE TABLE lexical_chunks (id INTEGER PRIMARY KEY, chunk_id TEXT NOT NULL);
CREATE TABLE lexical_documents (
    document TEXT PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL, stems BLOB NOT NULL
);
CREATE VIRTUAL TABLE lexical USING fts5(
    stems, content="", columnsize=0, tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'"
);
CREATE VIRTUAL TABLE lexical_terms USING fts5vocab(lexical, row);
CREATE VIRTUAL TABLE lexical_instances USING fts5vocab(lexical, instance);

CREATE TABLE terms (term TEXT PRIMARY KEY, documents INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE document_terms (document TEXT PRIMARY KEY, terms BLOB NOT NULL);

CREATE TABLE tables (
    document TEXT NOT NULL, ordinal INTEGER NOT NULL, name TEXT NOT NULL, file TEXT NOT NULL, schema TEXT NOT NULL,
    PRIMARY KEY (document, ordinal)
) WITHOUT ROWID;
CREATE TABLE table_cells (
    document TEXT NOT NULL, ordinal INTEGER NOT NULL, cells BLOB NOT NULL, PRIMARY KEY (document, ordinal)
);
"""

# What finds a cached answer lies apart from the answers, so that finding reads little. Answers without it are of an
# earlier version.
ACTIVITY_DDL = """
CREATE TABLE IF NOT EXISTS traces (
    id INTEGER PRIMARY KEY AUTOINCREMENT, trace_id TEXT NOT NULL UNIQUE, created REAL NOT NULL, question TEXT NOT NULL,
    route TEXT NOT NULL, cached INTEGER NOT NULL, failed INTEGER NOT NULL, took_ms REAL NOT NULL, payload BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT, entry_id TEXT NOT NULL UNIQUE, config_hash TEXT NOT NULL,
    generation INTEGER NOT NULL, question TEXT NOT NULL, vector BLOB NOT NULL, slots TEXT NOT NULL,
    answer TEXT NOT NULL, sources TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS entries_config ON entries (config_hash, id);
CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT OR IGNORE INTO counters VALUES ('entries', 0);
CREATE TABLE IF NOT EXISTS entry_keys (
    id INTEGER PRIMARY KEY, config_hash TEXT NOT NULL, key BLOB NOT NULL, sketch BLOB NOT NULL, created REAL NOT NULL,
    used REAL NOT NULL, hits INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS entry_keys_used ON entry_keys (used, id);
DELETE FROM entries WHERE id NOT IN (SELECT id FROM entry_keys);
"""


def read_meta(connection: sqlite3.Connection, key: str) -> str | None:
    """One value of the catalog's `meta` table, None when it has none of that key."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return None if row is None else str(row[0])


def write_meta(connection: sqlite3.Connection, key: str, value: str) -> None:
    """Sets one value of the catalog's `meta` table."""
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))


def read_state(connection: sqlite3.Connection) -> tuple[int, str]:
    """The generation and the commit token that a connection sees."""
    values = dict(connection.execute("SELECT key, value FROM meta WHERE key IN ('generation', 'commit')"))
    return int(values.get("generation", 0)), values.get("commit", "")


def held(kind: type[T], text: str, **more: object) -> T:
    """What a column holds as JSON, as a type that `decoded` takes; more: fields that other columns hold.

    Raises StoreError when it is damaged.
    """
    try:
        value = json.loads(text)
        return decoded(kind, {**value, **more} if more else value)
    except (ValueError, TypeError) as error:
        raise StoreError(
            f"The catalog holds a damaged row ({error}).", "Remove its file and ingest it again."
        ) from error
