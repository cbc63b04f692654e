"""Owns the graph's rows in the catalog, and the file of derived arrays in `cache/`.

The rows are the truth; the arrays are rebuilt from them whenever no file of this very commit is there, and whoever
had to do so leaves them for the others.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from polyrag_cli.errors import StoreError
from polyrag_cli.stores.base import Snapshot, Writer
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.graph_arrays import ArrayGraphStore
from polyrag_cli.stores.packing import damaged_row, packed, unpacked
from polyrag_cli.stores.sqlite_transactions import connection_of
from polyrag_cli.stores.storable import storable
from polyrag_cli.whole_file import drop_left, replacing

if TYPE_CHECKING:
    from polyrag_cli.graph.arrays import GraphArrays
    from polyrag_cli.graph.columns import PassageRows
    from polyrag_cli.graph.gazetteer import TitleName
    from polyrag_cli.graph.mentions import PassageGraph

# A passage's sentences, mentions, titles and relations are read all together or not at all: they are one packed text,
# whose words are mostly those of its chunk.
_DDL = """CREATE TABLE IF NOT EXISTS graph_passages (
    document TEXT NOT NULL, chunk_id TEXT NOT NULL, content BLOB NOT NULL, PRIMARY KEY (document, chunk_id)
) WITHOUT ROWID"""
_SUFFIX = ".arrays"
# Fields of `PassageRows` that are the chunk's own.
_OWN = 4
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
        self.remove(writer, document)
        connection = connection_of(writer)
        connection.execute(_DDL)
        rows = [(storable(passage.chunk.document), passage.chunk.chunk_id, _content(passage)) for passage in passages]
        connection.executemany("INSERT OR IGNORE INTO graph_passages VALUES (?, ?, ?)", rows)

    def remove(self, writer: Writer, document: str) -> None:
        """Forgets a document."""
        if _exists(connection_of(writer)):
            connection_of(writer).execute("DELETE FROM graph_passages WHERE document = ?", (document,))

    def arrays(self, snapshot: Snapshot) -> GraphArrays:
        """The arrays of this snapshot: those in memory, else the cache's file, else built from the rows."""
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
        """The arrays from the rows, left in the cache for other processes where it can be written.

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
        from polyrag_cli.graph.arrays_file import save

        self._cache.mkdir(parents=True, exist_ok=True)
        with replacing(path) as unfinished:
            save(arrays, unfinished)

    def _path(self, snapshot: Snapshot, token: str) -> Path:
        return self._cache / f"graph-{snapshot.generation}-{token[:16] or '0'}{_SUFFIX}"

    def _load(self, snapshot: Snapshot, token: str) -> GraphArrays | None:
        from polyrag_cli.graph.arrays_file import load

        # Whatever is wrong with a derived file, the rows still hold everything.
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


def _content(passage: PassageGraph) -> bytes:
    """What a passage's row holds: the fields of `PassageRows` behind the chunk's own, as JSON."""
    from polyrag_cli.graph.columns import PassageRows

    # Of two mentions of one span the first counts.
    spans = {(mention.start, mention.end): mention for mention in reversed(passage.mentions)}
    mentions = tuple(mention for _, mention in sorted(spans.items(), key=itemgetter(0)))
    rows = PassageRows.of(replace(passage, mentions=mentions, titles=tuple(sorted(passage.titles, key=_key))))
    text = json.dumps(rows[_OWN:], ensure_ascii=False, separators=(",", ":"))
    return packed(storable(text), storable(passage.chunk.text))


def _key(title: TitleName) -> str:
    return title.key


def _build(snapshot: Snapshot) -> GraphArrays:
    from polyrag_cli.graph.build import arrays_of
    from polyrag_cli.graph.columns import Columns

    return arrays_of(Columns.of(_read(connection_of(snapshot))), snapshot.generation)


def _read(connection: sqlite3.Connection) -> Iterator[PassageRows]:
    """The passages by chunk id, one at a time; what is left of chunks that are gone is passed over."""
    from polyrag_cli.graph.columns import PassageRows

    if not _exists(connection):
        return
    # Cross join: in the order of the chunks' ids, a passage looked up for each, so that nothing is sorted.
    for *own, text, content in connection.execute(
        "SELECT c.chunk_id, c.document, c.title, c.heading, c.text, p.content FROM chunks AS c CROSS JOIN"
        " graph_passages AS p ON p.document = c.document AND p.chunk_id = c.chunk_id ORDER BY c.chunk_id"
    ):
        try:
            passage = PassageRows(*own, *json.loads(unpacked(content, text)))
        except (ValueError, TypeError) as error:
            raise damaged_row(error) from error
        yield passage
