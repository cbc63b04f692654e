"""Owns the graph's tables in the catalog, and the file of derived arrays in `cache/`.

The tables are the truth; the arrays are rebuilt from them whenever no file of this very commit is there, and whoever
had to do so leaves them for the others.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polyrag_cli.errors import StoreError
from polyrag_cli.stores.base import Snapshot, Writer
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.graph_arrays import ArrayGraphStore
from polyrag_cli.stores.sqlite_transactions import connection_of
from polyrag_cli.stores.storable import storable
from polyrag_cli.whole_file import drop_left, replacing

if TYPE_CHECKING:
    from polyrag_cli.graph.arrays import GraphArrays
    from polyrag_cli.graph.columns import PassageRows
    from polyrag_cli.graph.mentions import PassageGraph

_DDL = (
    """CREATE TABLE IF NOT EXISTS graph_passages (
        chunk_id TEXT PRIMARY KEY, document TEXT NOT NULL, title_words TEXT NOT NULL, title_stems TEXT NOT NULL
    ) WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS graph_passages_document ON graph_passages (document)",
    """CREATE TABLE IF NOT EXISTS graph_titles (
        chunk_id TEXT NOT NULL, key TEXT NOT NULL, name TEXT NOT NULL, weight REAL NOT NULL, PRIMARY KEY (chunk_id, key)
    ) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS graph_sentences (
        chunk_id TEXT NOT NULL, ordinal INTEGER NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL,
        words TEXT NOT NULL, stems TEXT NOT NULL, PRIMARY KEY (chunk_id, ordinal)
    ) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS graph_mentions (
        chunk_id TEXT NOT NULL, sentence INTEGER NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL,
        key TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, PRIMARY KEY (chunk_id, start, "end")
    ) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS graph_relations (
        chunk_id TEXT NOT NULL, ordinal INTEGER NOT NULL, sentence INTEGER NOT NULL, subject TEXT NOT NULL,
        subject_name TEXT NOT NULL, verb TEXT NOT NULL, object TEXT NOT NULL, object_name TEXT NOT NULL,
        PRIMARY KEY (chunk_id, ordinal)
    ) WITHOUT ROWID""",
    """CREATE VIEW IF NOT EXISTS graph_entities AS
        SELECT key, min(name) AS name, count(DISTINCT chunk_id) AS passages FROM (
            SELECT key, name, chunk_id FROM graph_mentions WHERE kind NOT IN ('initial', 'noun')
            UNION ALL SELECT key, name, chunk_id FROM graph_titles
        ) GROUP BY key""",
)
_PARTS = ("graph_titles", "graph_sentences", "graph_mentions", "graph_relations")
_SUFFIX = ".arrays"
# A file that a reader may be about to open is left alone this long.
_SWEEP_SECONDS = 600.0


class SQLiteGraphStore(ArrayGraphStore):
    """The graph in the catalog's SQLite file, with its arrays in memory for one commit; thread-safe."""

    def __init__(self, paths: DataPaths) -> None:
        self._cache = paths.cache
        self._current: tuple[str, GraphArrays] | None = None
        self._left: Path | None = None
        self._lock = threading.Lock()

    def add(self, writer: Writer, document: str, passages: Sequence[PassageGraph]) -> None:
        """Stores a document's passages, sentences, mentions and relations in place of what it had."""
        if _exists(connection_of(writer)):
            self.remove(writer, document)
        else:
            for statement in _DDL:
                connection_of(writer).execute(statement)
        for table, rows in _rows(passages).items():
            if rows:
                marks = ", ".join("?" * len(rows[0]))
                connection_of(writer).executemany(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", rows)

    def remove(self, writer: Writer, document: str) -> None:
        """Forgets a document."""
        if not _exists(connection_of(writer)) or not _holds(connection_of(writer), document):
            return
        owned = "SELECT chunk_id FROM graph_passages WHERE document = ?"
        for table in _PARTS:
            connection_of(writer).execute(f"DELETE FROM {table} WHERE chunk_id IN ({owned})", (document,))
        connection_of(writer).execute("DELETE FROM graph_passages WHERE document = ?", (document,))

    def arrays(self, snapshot: Snapshot) -> GraphArrays:
        """The arrays of this snapshot: those in memory, else the cache's file, else built from the tables."""
        token = snapshot.commit
        current = self._current
        if current is None or current[0] != token:
            with self._lock:
                current = self._current
                if current is None or current[0] != token:
                    current = (token, self._load(snapshot, token) or self._built(snapshot, token))
                    self._current = current
        return current[1]

    def refresh(self, snapshot: Snapshot, *, last: bool) -> None:
        """Writes the arrays of this snapshot to the cache and sweeps older files, once a run is over: a file of arrays
        serves one commit alone. Called under the writer lock.

        Raises OSError when the cache can't be written.
        """
        if not last:
            return
        path = self._path(snapshot, snapshot.commit)
        if path.exists():
            return
        self._left = None
        arrays = self.arrays(snapshot)
        # What a commit left is for its readers, and the sweep's.
        self._left = None
        if not path.exists():
            self._save(arrays, path)
        self._sweep(path)

    def repair(self, snapshot: Snapshot) -> None:
        """Drops the files of arrays and writes that of this snapshot anew; called under the writer lock."""
        for path in self._cache.glob("graph-*"):
            with suppress(OSError):
                path.unlink()
        self.refresh(snapshot, last=True)

    def _built(self, snapshot: Snapshot, token: str) -> GraphArrays:
        """The arrays from the tables, left in the cache for other processes where it can be written.

        No lock is needed: the name is that of a commit, and whoever writes it writes the same.
        """
        arrays = _build(snapshot)
        path = self._path(snapshot, token)
        with suppress(OSError):
            self._save(arrays, path)
            if self._left is not None:
                # Beside a writer, each commit would leave one until the sweep.
                self._left.unlink(missing_ok=True)
            self._left = path
        return arrays

    def _save(self, arrays: GraphArrays, path: Path) -> None:
        from polyrag_cli.graph.arrays import save

        self._cache.mkdir(parents=True, exist_ok=True)
        with replacing(path) as unfinished:
            save(arrays, unfinished)

    def _path(self, snapshot: Snapshot, token: str) -> Path:
        return self._cache / f"graph-{snapshot.generation}-{token[:16] or '0'}{_SUFFIX}"

    def _load(self, snapshot: Snapshot, token: str) -> GraphArrays | None:
        from polyrag_cli.graph.arrays import load

        # Whatever is wrong with a derived file, the tables still hold everything.
        with suppress(StoreError, OSError, ValueError):
            return load(self._path(snapshot, token))
        return None

    def _sweep(self, keep: Path) -> None:
        now = time.time()
        for path in self._cache.glob("graph-*"):
            with suppress(OSError):
                if path != keep and now - path.stat().st_mtime > _SWEEP_SECONDS:
                    path.unlink()
        drop_left(self._cache)


def _exists(connection: sqlite3.Connection) -> bool:
    query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'graph_passages'"
    return connection.execute(query).fetchone() is not None


def _holds(connection: sqlite3.Connection, document: str) -> bool:
    query = "SELECT 1 FROM graph_passages WHERE document = ? LIMIT 1"
    return connection.execute(query, (document,)).fetchone() is not None


def _rows(passages: Sequence[PassageGraph]) -> dict[str, list[tuple[Any, ...]]]:
    rows: dict[str, list[tuple[Any, ...]]] = {table: [] for table in ("graph_passages", *_PARTS)}
    for passage in passages:
        c = passage.chunk
        rows["graph_passages"].append(
            (
                *(c.chunk_id, storable(c.document)),
                *(storable(" ".join(passage.title_words)), storable(" ".join(passage.title_stems))),
            )
        )
        rows["graph_titles"] += [(c.chunk_id, storable(t.key), storable(t.name), t.weight) for t in passage.titles]
        rows["graph_sentences"] += [
            (c.chunk_id, i, s.start, s.end, storable(" ".join(s.words)), storable(" ".join(s.stems)))
            for i, s in enumerate(passage.sentences)
        ]
        rows["graph_mentions"] += [
            (c.chunk_id, m.sentence, m.start, m.end, storable(m.key), storable(m.name), m.kind)
            for m in passage.mentions
        ]
        rows["graph_relations"] += [
            (
                *(c.chunk_id, i, r.sentence, storable(r.subject), storable(r.subject_name)),
                *(storable(r.verb), storable(r.object), storable(r.object_name)),
            )
            for i, r in enumerate(passage.relations)
        ]
    return rows


def _build(snapshot: Snapshot) -> GraphArrays:
    from polyrag_cli.graph.build import arrays_of
    from polyrag_cli.graph.columns import Columns

    return arrays_of(Columns.of(_read(connection_of(snapshot))), snapshot.generation)


def _read(connection: sqlite3.Connection) -> Iterator[PassageRows]:
    """The passages by chunk id, one at a time; what is left of chunks that are gone is passed over."""
    from polyrag_cli.graph.columns import PassageRows

    if not _exists(connection):
        return
    parts = [
        _ByChunk(connection, 'SELECT chunk_id, start, "end", words, stems FROM graph_sentences'),
        _ByChunk(connection, "SELECT chunk_id, sentence, key, name, kind FROM graph_mentions"),
        _ByChunk(connection, "SELECT chunk_id, key, name, weight FROM graph_titles"),
        _ByChunk(connection, "SELECT chunk_id, subject, object, verb FROM graph_relations"),
    ]
    # Cross join: in the order of the passages, a chunk looked up for each, so that nothing is sorted.
    for passage in connection.execute(
        "SELECT chunk_id, document, title, heading, title_words, title_stems"
        " FROM graph_passages CROSS JOIN chunks USING (chunk_id, document) ORDER BY chunk_id"
    ):
        yield PassageRows(*passage, *(part.of(passage[0]) for part in parts))


class _ByChunk:
    """Rows of one of the graph's tables, read along with the passages in the order of their chunk ids."""

    def __init__(self, connection: sqlite3.Connection, select: str) -> None:
        rows: Iterable[tuple[Any, ...]] = connection.execute(f"{select} ORDER BY chunk_id")
        self._groups = groupby(rows, key=itemgetter(0))
        self._next = next(self._groups, None)

    def of(self, chunk_id: str) -> list[tuple[Any, ...]]:
        """The rows of a chunk without its id; chunks are asked for in ascending order."""
        while self._next is not None and self._next[0] < chunk_id:
            self._next = next(self._groups, None)
        if self._next is None or self._next[0] != chunk_id:
            return []
        found = [row[1:] for row in self._next[1]]
        self._next = next(self._groups, None)
        return found
