"""Owns what documents share, in the catalog's SQLite file: their versions in other languages and repeated blocks.

Each document brings its shape and its blocks. A pair of versions is recorded when the second of them is committed.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from polyrag_cli.languages import UNDETERMINED
from polyrag_cli.scoring.repetition import LEAST_REPEATED
from polyrag_cli.scoring.versions import version_likeness
from polyrag_cli.stores.base import Snapshot, Transaction, Writer
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.shared import DocumentVersion, SharedStore, Spread
from polyrag_cli.stores.sqlite_transactions import connection_of
from polyrag_cli.types import DocumentShape

# Documents of one path in two languages are versions of each other from this likeness on: of 426 such pairs of two
# documentations all but two have more, of pairs of other paths one in a hundred.
LIKENESS = 0.5

# Made by the first document: a corpus of an earlier version has none, and says nothing until it is ingested again.
_DDL = (
    """CREATE TABLE IF NOT EXISTS shared_shapes (
        document TEXT PRIMARY KEY, language TEXT NOT NULL, structure TEXT NOT NULL, marks BLOB NOT NULL
    ) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS shared_paths (
        path TEXT NOT NULL, document TEXT NOT NULL, code TEXT NOT NULL, PRIMARY KEY (path, document, code)
    ) WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS shared_paths_document ON shared_paths (document)",
    """CREATE TABLE IF NOT EXISTS shared_versions (
        document TEXT NOT NULL, other TEXT NOT NULL, language TEXT NOT NULL, PRIMARY KEY (document, other)
    ) WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS shared_versions_other ON shared_versions (other)",
    "CREATE TABLE IF NOT EXISTS shared_blocks (document TEXT PRIMARY KEY, blocks BLOB NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS shared_counts (block INTEGER PRIMARY KEY, documents INTEGER NOT NULL)",
    f"CREATE INDEX IF NOT EXISTS shared_repeated ON shared_counts (documents) WHERE documents >= {LEAST_REPEATED}",
)


class SQLiteSharedStore(SharedStore):
    """Shapes, versions and block counts by document; thread-safe."""

    def __init__(self, paths: DataPaths) -> None:
        self._paths = paths
        self._spread: tuple[str, Spread] | None = None

    def add(self, writer: Writer, document: str, shape: DocumentShape | None, texts: Sequence[str]) -> None:
        """Takes a document in, in place of what it was.

        shape: tells its versions; None for what is no file of its own. texts: its passages.
        """
        # What only reads corpora has no use for it.
        from polyrag_cli.text.blocks import text_blocks

        connection = connection_of(writer)
        if not _exists(connection):
            for statement in _DDL:
                connection.execute(statement)
        self.remove(writer, document)
        keys = sorted({block.key for text in texts for block in text_blocks(text)})
        if keys:
            connection.execute(
                "INSERT INTO shared_blocks VALUES (?, ?)", (document, np.array(keys, dtype="<i8").tobytes())
            )
            connection.executemany(
                "INSERT INTO shared_counts VALUES (?, 1) ON CONFLICT (block) DO UPDATE SET documents = documents + 1",
                ((key,) for key in keys),
            )
        if shape is not None and shape.structure:
            _put_shape(connection, document, shape)

    def remove(self, writer: Writer, document: str) -> None:
        """Forgets a document."""
        connection = connection_of(writer)
        if not _exists(connection):
            return
        row = connection.execute("SELECT blocks FROM shared_blocks WHERE document = ?", (document,)).fetchone()
        if row is not None:
            keys = json.dumps(np.frombuffer(row[0], dtype="<i8").tolist())
            held = "block IN (SELECT value FROM json_each(?))"
            connection.execute(f"DELETE FROM shared_counts WHERE documents = 1 AND {held}", (keys,))
            connection.execute(f"UPDATE shared_counts SET documents = documents - 1 WHERE {held}", (keys,))
        for table in ("shared_blocks", "shared_shapes", "shared_paths", "shared_versions"):
            connection.execute(f"DELETE FROM {table} WHERE document = ?", (document,))
        connection.execute("DELETE FROM shared_versions WHERE other = ?", (document,))

    def versions(self, transaction: Transaction, documents: Iterable[str]) -> Mapping[str, tuple[DocumentVersion, ...]]:
        """The versions in other languages of each of some documents, by language and name."""
        connection = connection_of(transaction)
        found: dict[str, list[DocumentVersion]] = {}
        if _exists(connection):
            query = (
                "SELECT document, other, language FROM shared_versions"
                " WHERE document IN (SELECT value FROM json_each(?)) ORDER BY document, language, other"
            )
            for document, other, language in connection.execute(query, (json.dumps(sorted(set(documents))),)):
                found.setdefault(document, []).append(DocumentVersion(other, language))
        return {document: tuple(versions) for document, versions in found.items()}

    def languages(self, transaction: Transaction, documents: Iterable[str]) -> Mapping[str, str]:
        """The language in which each of some documents is a version of others."""
        connection = connection_of(transaction)
        if not _exists(connection):
            return {}
        query = (
            "SELECT other, min(language) FROM shared_versions"
            " WHERE other IN (SELECT value FROM json_each(?)) GROUP BY other"
        )
        return dict(connection.execute(query, (json.dumps(sorted(set(documents))),)).fetchall())

    def spread(self, snapshot: Snapshot) -> Spread:
        """In how many documents blocks stand that are repeated."""
        known = self._spread
        if known is None or known[0] != snapshot.commit:
            known = self._spread = (snapshot.commit, _read_spread(connection_of(snapshot)))
        return known[1]

    def check(self, snapshot: Snapshot) -> str:
        """How many repeated blocks and versions there are."""
        connection = connection_of(snapshot)
        if not _exists(connection):
            return "nothing yet: the next ingest looks for repeated blocks and translations"
        (versions,) = connection.execute("SELECT count(DISTINCT document) FROM shared_versions").fetchone()
        return f"{len(self.spread(snapshot).of_block)} repeated blocks, {versions} translated documents"


def _exists(connection: sqlite3.Connection) -> bool:
    query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'shared_counts'"
    return connection.execute(query).fetchone() is not None


def _read_spread(connection: sqlite3.Connection) -> Spread:
    if not _exists(connection):
        return Spread(0, {})
    (documents,) = connection.execute("SELECT count(*) FROM shared_blocks").fetchone()
    query = f"SELECT block, documents FROM shared_counts WHERE documents >= {LEAST_REPEATED}"
    counts: dict[int, int] = dict(connection.execute(query).fetchall())
    # What translations have in common, such as code, is said once: all versions of a document count as one.
    for blobs in _version_blocks(connection) if counts else ():
        documents -= len(blobs) - 1
        keys, times = np.unique(np.frombuffer(b"".join(blobs), dtype="<i8"), return_counts=True)
        for key, again in zip(keys[times > 1].tolist(), times[times > 1].tolist(), strict=True):
            if key in counts:
                counts[key] -= again - 1
    return Spread(documents, {key: count for key, count in counts.items() if count >= LEAST_REPEATED})


def _version_blocks(connection: sqlite3.Connection) -> Iterable[list[bytes]]:
    """For each document in several languages the blocks of all its versions."""
    rows = connection.execute(
        "SELECT min(v.document, v.first), b.blocks FROM shared_blocks AS b JOIN"
        " (SELECT document, min(other) AS first FROM shared_versions GROUP BY document) AS v USING (document)"
    )
    groups: dict[str, list[bytes]] = {}
    for first, blob in rows:
        groups.setdefault(first, []).append(blob)
    return groups.values()


def _put_shape(connection: sqlite3.Connection, document: str, shape: DocumentShape) -> None:
    """Records a document's shape and what its path says, and pairs it with those that are its versions."""
    from polyrag_cli.text.path_languages import path_versions

    marks = np.array(shape.marks, dtype="<u4").tobytes()
    connection.execute(
        "INSERT INTO shared_shapes VALUES (?, ?, ?, ?)", (document, shape.language, shape.structure, marks)
    )
    readings = {(document, ""), *((version.key, version.code) for version in path_versions(document))}
    connection.executemany(
        "INSERT INTO shared_paths VALUES (?, ?, ?)", [(path, document, code) for path, code in sorted(readings)]
    )
    pairs: dict[str, tuple[str, str]] = {}
    for path, code in sorted(readings):
        for other, other_code, other_shape in _of_path(connection, path, document):
            languages = _languages(shape, code, other_shape, other_code)
            if languages is not None and other not in pairs and _alike(shape, other_shape):
                pairs[other] = languages
    connection.executemany(
        "INSERT INTO shared_versions VALUES (?, ?, ?)",
        [
            row
            for other, (own, others) in sorted(pairs.items())
            for row in ((document, other, others), (other, document, own))
        ],
    )


def _of_path(connection: sqlite3.Connection, path: str, document: str) -> list[tuple[str, str, DocumentShape]]:
    """The other documents that a path may be meant by, the code that theirs names, and their shapes."""
    rows = connection.execute(
        "SELECT document, code, structure, marks, language FROM shared_paths JOIN shared_shapes USING (document)"
        " WHERE path = ? AND document <> ? ORDER BY document, code",
        (path, document),
    )
    return [
        (other, code, DocumentShape(structure, tuple(np.frombuffer(marks, dtype="<u4").tolist()), language))
        for other, code, structure, marks, language in rows
    ]


def _languages(a: DocumentShape, code: str, b: DocumentShape, other_code: str) -> tuple[str, str] | None:
    """The languages that the prose of two documents is in; None where paths or contents say the same, or the prose of
    one can't be told: any two letters of a path may be those of a country or an office.
    """
    same = code == other_code or a.language == b.language
    return None if same or UNDETERMINED in (a.language, b.language) else (a.language, b.language)


def _alike(a: DocumentShape, b: DocumentShape) -> bool:
    return version_likeness((a.structure, a.marks), (b.structure, b.marks)) >= LIKENESS
