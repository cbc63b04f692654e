"""Owns exact nearest-window search over the catalog's `windows` table.

The float16 vectors in the catalog are the truth, and lie nowhere else. A matrix of them in memory, by numpy or above a
size by FAISS, only chooses candidates; their scores are recomputed in float64 from the catalog, so neither row order,
thread count nor library changes a result.
"""

from __future__ import annotations

import json
import struct
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.errors import StoreError
from polyrag_cli.stores.base import Snapshot, VectorStore, Writer
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.recent import Recent
from polyrag_cli.stores.records import WindowHit
from polyrag_cli.stores.sqlite_transactions import connection_of
from polyrag_cli.stores.storable import storable
from polyrag_cli.types import Window

# Above this many windows FAISS on float16 codes is faster than numpy on float32 and takes half the memory; below,
# loading the library costs more than it saves.
FAISS_WINDOWS = 40_000
# Rows that are read at once.
_ROWS = 256
# The most that a float32 inner product of unit vectors may differ from the exact one.
_SLACK = 1e-4
# Routing asks for a few chunks, a head or the graph walk of the same question for more: the windows looked at for the
# first are enough for the last.
_WINDOWS_KEPT = 1024
_QUESTIONS_KEPT = 16
# Ordinal, start and end of a window.
_SPAN = struct.Struct("<iii")

Floats = NDArray[np.float32]
Halves = NDArray[np.float16]
Ids = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Top:
    """The windows with the highest inner products, in any order: their owners' row ids and their scores.

    floor: no window outside them is above it; minus infinity when they are all windows.
    """

    owners: Ids
    scores: Floats
    floor: float

    def candidates(self, k: int) -> Ids | None:
        """Row ids that hold the k best rows for certain, by scores off by `_SLACK` at most; None: too few windows."""
        threshold = _kth_best(self.owners, self.scores, k) - 2 * _SLACK
        complete = self.floor == -np.inf
        return _distinct(self.owners[self.scores >= threshold]) if complete or self.floor < threshold else None


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is known about one question: its top windows, rows scored exactly, and its `k` best hits in order."""

    top: _Top
    exact: Mapping[int, WindowHit]
    k: int
    hits: tuple[WindowHit, ...]


@dataclass(frozen=True, slots=True)
class _Matrix:
    """All windows of one commit: the row id of each, and their vectors as a float32 matrix or a FAISS index."""

    commit: str
    owners: Ids
    vectors: Floats
    index: Any = None
    asked: Recent[bytes, _Asked] = field(default_factory=lambda: Recent(_QUESTIONS_KEPT))

    def top(self, vector: Floats, wanted: int) -> _Top:
        """The `wanted` windows with the highest inner products, at least; all of them where there are fewer."""
        complete = wanted >= len(self.owners)
        if self.index is not None:
            import faiss

            # One question is one thread's work; the others would only wait for it, busily.
            faiss.omp_set_num_threads(1)
            found, rows = self.index.search(vector[None, :], min(wanted, len(self.owners)))
            return _Top(self.owners[rows[0]], found[0], -np.inf if complete else float(found[0][-1]))
        # Not a BLAS product: its threads cost more than they bring here, twenty times so on a busy machine.
        scores = np.einsum("ij,j->i", self.vectors, vector)
        if complete:
            return _Top(self.owners, scores, -np.inf)
        bar = float(np.partition(scores, len(scores) - wanted)[len(scores) - wanted])
        rows = np.flatnonzero(scores >= bar)
        return _Top(self.owners[rows], scores[rows], bar)


def _kth_best(owners: Ids, scores: Floats, k: int) -> float:
    """The k-th highest of the owners' best scores; minus infinity when there are fewer owners."""
    order = np.argsort(owners, kind="stable")
    starts = np.flatnonzero(np.diff(owners[order], prepend=-1))
    best = np.maximum.reduceat(scores[order], starts)
    return float(np.partition(best, len(best) - k)[len(best) - k]) if len(best) >= k else -np.inf


class FaissVectorStore(VectorStore):
    """Exact cosine search over sentence windows, thread-safe."""

    def __init__(self, paths: DataPaths) -> None:
        self._folder = paths.cache / "vectors"
        self._matrix: _Matrix | None = None
        self._lock = threading.Lock()

    def add(self, writer: Writer, document: str, windows: Sequence[Window], vectors: Floats) -> None:
        """Stores a document's windows and their (n, d) unit vectors, rounded to float16, in place of what it had.

        Windows of one chunk stand together. Raises StoreError when there are not as many vectors as windows.
        """
        if len(windows) != len(vectors):
            raise StoreError(f"{document}: {len(windows)} windows came with {len(vectors)} vectors.")
        self.remove(writer, document)
        halves = np.asarray(vectors, dtype="<f2")
        passages = _passages(writer, document)
        rows, start = [], 0
        for chunk_id, group in groupby(windows, key=lambda window: window.chunk_id):
            own = list(group)
            spans = np.array([(window.ordinal, window.start, window.end) for window in own], dtype="<i4")
            texts = [storable(window.text) for window in own]
            blob = halves[start : start + len(own)].tobytes()
            kept = None if _cut(passages.get(chunk_id), spans.tobytes()) == texts else json.dumps(texts)
            rows.append((document, chunk_id, len(own), spans.tobytes(), blob, kept))
            start += len(own)
        connection_of(writer).executemany(
            "INSERT INTO windows (document, chunk_id, count, spans, vectors, texts) VALUES (?, ?, ?, ?, ?, ?)", rows
        )

    def remove(self, writer: Writer, document: str) -> None:
        """Forgets a document's windows."""
        connection_of(writer).execute("DELETE FROM windows WHERE document = ?", (document,))

    def search(self, snapshot: Snapshot, vector: Floats, k: int) -> list[WindowHit]:
        """The k chunks with the highest cosine of their best window, rounded to 1e-6, ties by chunk id.

        vector: (d,) unit vector; an empty or zero one finds nothing.
        Raises StoreError when the stored vectors have another size.
        """
        query = np.ascontiguousarray(vector, dtype=np.float32).reshape(-1)
        if query.size == 0 or k < 1 or not query.any():
            return []
        matrix = self._current(snapshot, query.size)
        if not len(matrix.owners):
            return []
        key = query.tobytes()
        asked = matrix.asked.get(snapshot, key)
        if asked is None or (asked.k < k and len(asked.hits) == asked.k):
            asked = _searched(snapshot, matrix, query, k, asked)
            if len(asked.exact) <= _WINDOWS_KEPT:
                matrix.asked.put(snapshot, key, asked)
        return list(asked.hits[:k])

    def windows(self, snapshot: Snapshot, chunk_ids: Sequence[str]) -> Mapping[str, tuple[tuple[Window, ...], Floats]]:
        """Each chunk's windows and their (n, d) float32 vectors, in the order given; unknown ids are left out."""
        wanted = list(dict.fromkeys(chunk_ids))
        rows = (
            connection_of(snapshot)
            .execute(
                "SELECT w.chunk_id, w.count, w.spans, w.vectors, w.texts, c.start, c.text FROM windows AS w"
                " LEFT JOIN chunks AS c ON w.texts IS NULL AND c.chunk_id = w.chunk_id"
                " WHERE w.chunk_id IN (SELECT value FROM json_each(?))",
                (json.dumps(wanted),),
            )
            .fetchall()
        )
        if not rows:
            return {}
        vectors = _halves(b"".join(row[3] for row in rows), sum(row[1] for row in rows)).astype(np.float32)
        found, start = {}, 0
        for chunk_id, count, spans, _, texts, *passage in rows:
            said = _cut((passage[0], passage[1]), spans) if texts is None else json.loads(texts)
            pairs = zip(_SPAN.iter_unpack(spans), said, strict=True)
            own = tuple(Window(chunk_id, ordinal, first, end, text) for (ordinal, first, end), text in pairs)
            found[chunk_id] = (own, vectors[start : start + count])
            start += count
        return {chunk_id: found[chunk_id] for chunk_id in wanted if chunk_id in found}

    def check(self, snapshot: Snapshot) -> str:
        """How many windows there are."""
        (count,) = connection_of(snapshot).execute("SELECT coalesce(sum(count), 0) FROM windows").fetchone()
        return f"{count} windows"

    def _current(self, snapshot: Snapshot, dimension: int) -> _Matrix:
        """The matrix of the snapshot's commit."""
        commit = snapshot.commit
        matrix = self._matrix
        if matrix is not None and matrix.commit == commit and matrix.vectors.shape[1] == dimension:
            return matrix
        with self._lock:
            matrix = self._matrix
            if matrix is None or matrix.commit != commit or matrix.vectors.shape[1] != dimension:
                matrix = _built(snapshot, commit, dimension)
                self._matrix = matrix
        return matrix


def _built(snapshot: Snapshot, commit: str, dimension: int) -> _Matrix:
    """The matrix of all windows, filled as they are read: at no time do they lie in memory twice."""
    total = connection_of(snapshot).execute("SELECT coalesce(sum(count), 0) FROM windows").fetchone()[0]
    owners = np.zeros(total, dtype=np.int64)
    large = total >= FAISS_WINDOWS
    vectors = np.zeros((total, dimension), dtype=np.float16 if large else np.float32)
    start = 0
    for rows in _stored(snapshot):
        counts = [row[1] for row in rows]
        halves = b"".join(row[2] for row in rows)
        end = start + sum(counts)
        if len(halves) != 2 * (end - start) * dimension:
            raise StoreError(
                f"The stored vectors don't have the embedder's {dimension} dimensions.",
                "Run `polyrag ingest --reembed` to embed the corpus anew.",
            )
        owners[start:end] = np.repeat([row[0] for row in rows], counts)
        vectors[start:end] = _halves(halves, end - start)
        start = end
    if not large:
        return _Matrix(commit, owners, vectors)
    import faiss

    index = faiss.IndexScalarQuantizer(dimension, faiss.ScalarQuantizer.QT_fp16, faiss.METRIC_INNER_PRODUCT)
    index.add_sa_codes(vectors.view(np.uint8))
    return _Matrix(commit, owners, np.zeros((0, dimension), dtype=np.float32), index)


def _searched(snapshot: Snapshot, matrix: _Matrix, query: Floats, k: int, asked: _Asked | None) -> _Asked:
    """The k best chunks of a question; from what is known of it already, where that is enough."""
    wanted = max(8 * k, _WINDOWS_KEPT)
    top = asked.top if asked is not None else matrix.top(query, wanted)
    while (rows := top.candidates(k)) is None:
        wanted *= 4
        top = matrix.top(query, wanted)
    exact = dict(asked.exact) if asked is not None else {}
    missing = [row for row in rows.tolist() if row not in exact]
    exact |= _exact(snapshot, missing, query)
    # A row that was scored for a smaller k and is no candidate now would stand behind the candidates anyway.
    hits = sorted(exact.values(), key=lambda hit: (-hit.score, hit.chunk_id))[:k]
    return _Asked(top, exact, k, tuple(hits))


def _exact(snapshot: Snapshot, rows: Sequence[int], query: Floats) -> dict[int, WindowHit]:
    """The best window of each row, scored from the catalog; on equal scores the first window."""
    found = (
        connection_of(snapshot)
        .execute(
            "SELECT id, chunk_id, count, spans, vectors FROM windows WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(rows),),
        )
        .fetchall()
    )
    if not found:
        return {}
    halves = _halves(b"".join(row[4] for row in found), sum(row[2] for row in found))
    # A sum along each row by itself: a matrix product's bits would depend on the rows beside it.
    exact = (halves.astype(np.float64) * query.astype(np.float64)).sum(axis=1)
    scores = np.round(np.clip(exact, -1.0, 1.0), 6).tolist()
    hits, start = {}, 0
    for row, chunk_id, count, spans, _ in found:
        own = scores[start : start + count]
        score = max(own)
        best = own.index(score)
        ordinal, first, end = _SPAN.unpack_from(spans, best * _SPAN.size)
        hits[row] = WindowHit(chunk_id, ordinal, first, end, score)
        start += count
    return hits


def _distinct(rows: Ids) -> Ids:
    """The different row ids, ascending; without the counts, numpy would load numpy.ma for it."""
    return np.unique(rows, return_counts=True)[0]


def _passages(writer: Writer, document: str) -> dict[str, tuple[int, str]]:
    """Where each of a document's chunks starts, and its text."""
    query = "SELECT chunk_id, start, text FROM chunks WHERE document = ?"
    return {chunk_id: (start, text) for chunk_id, start, text in connection_of(writer).execute(query, (document,))}


def _cut(passage: tuple[int, str] | None, spans: bytes) -> list[str]:
    """The texts of a chunk's windows, cut out of it; none where there is no such chunk.

    passage: where the chunk starts, and its text.
    """
    if passage is None or passage[1] is None:
        return []
    offset, text = passage
    return [text[start - offset : end - offset] for _, start, end in _SPAN.iter_unpack(spans)]


def _halves(blob: bytes, count: int) -> Halves:
    return np.frombuffer(blob, dtype="<f2").reshape(count, -1)


def _stored(snapshot: Snapshot) -> Iterator[list[tuple[int, int, bytes]]]:
    """Row id, number of windows and vectors of all rows, some at a time."""
    cursor = connection_of(snapshot).execute("SELECT id, count, vectors FROM windows ORDER BY id")
    while rows := cursor.fetchmany(_ROWS):
        yield rows
