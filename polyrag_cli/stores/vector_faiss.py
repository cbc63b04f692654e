"""Owns exact nearest-window search over the catalog's `windows` table.

The float16 vectors in the catalog are the truth. A matrix of them in memory, by numpy or above a size by FAISS, only
chooses candidates; their scores are recomputed in float64 from the catalog, so neither cache, row order, thread
count nor library changes a result.
"""

from __future__ import annotations

import json
import struct
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
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
from polyrag_cli.stores.sqlite_schema import read_meta
from polyrag_cli.stores.sqlite_transactions import connection_of
from polyrag_cli.stores.storable import storable
from polyrag_cli.stores.vector_segments import Halves, Ids, Segments
from polyrag_cli.types import Window

# Above this many windows FAISS on float16 codes is faster than numpy on float32 and takes half the memory; below,
# loading the library costs more than it saves.
FAISS_WINDOWS = 40_000
# Fewer rows than this outside the segments are read from the catalog each time a matrix is built.
SEGMENT_ROWS = 256
# A reader leaves a segment when the rows outside of all are this part of those inside: beside a writer, few arise.
_LEFT_SHARE = 4
# The most that a float32 inner product of unit vectors may differ from the exact one.
_SLACK = 1e-4
# Routing asks for a few chunks, a head or the graph walk of the same question for more: the windows looked at for the
# first are enough for the last.
_WINDOWS_KEPT = 1024
_QUESTIONS_KEPT = 16
# Ordinal, start and end of a window.
_SPAN = struct.Struct("<iii")

Floats = NDArray[np.float32]


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
        rows, start = [], 0
        for chunk_id, group in groupby(windows, key=lambda window: window.chunk_id):
            own = list(group)
            spans = np.array([(window.ordinal, window.start, window.end) for window in own], dtype="<i4")
            texts = storable(json.dumps([window.text for window in own], ensure_ascii=False))
            blob = halves[start : start + len(own)].tobytes()
            rows.append((document, chunk_id, len(own), spans.tobytes(), blob, texts))
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
                "SELECT chunk_id, count, spans, vectors, texts FROM windows"
                " WHERE chunk_id IN (SELECT value FROM json_each(?))",
                (json.dumps(wanted),),
            )
            .fetchall()
        )
        if not rows:
            return {}
        vectors = _halves(b"".join(row[3] for row in rows), sum(row[1] for row in rows)).astype(np.float32)
        found, start = {}, 0
        for chunk_id, count, spans, _, texts in rows:
            pairs = zip(_SPAN.iter_unpack(spans), json.loads(texts), strict=True)
            own = tuple(Window(chunk_id, ordinal, first, end, text) for (ordinal, first, end), text in pairs)
            found[chunk_id] = (own, vectors[start : start + count])
            start += count
        return {chunk_id: found[chunk_id] for chunk_id in wanted if chunk_id in found}

    def refresh(self, snapshot: Snapshot, *, last: bool) -> None:
        """Writes a segment of the rows that no segment holds yet, once they are many; merges small segments into it.

        Called under the writer lock. A disk that refuses is no failure: search reads the catalog instead.
        """
        query = "SELECT id, count, vectors FROM windows ORDER BY id DESC LIMIT 1"
        row = connection_of(snapshot).execute(query).fetchone()
        if row is None or not row[2]:
            return
        segments = Segments(self._folder, _catalog_id(snapshot), len(row[2]) // 2 // row[1])
        known = segments.list()
        if row[0] - max((segment.last for segment in known), default=0) < SEGMENT_ROWS:
            return
        live = _live_rows(snapshot)
        parts = [(segment, *segments.read(live, [segment])) for segment in known]
        covered = np.concatenate([np.zeros(0, dtype=np.int64), *(owners for _, owners, _ in parts)])
        owners, vectors = _stored(snapshot, _without(live, covered), segments.dimension)
        # Merging whatever isn't much larger, or is half dead, keeps segments few and rewrites a window few times.
        merged = []
        for segment, own, halves in reversed(parts):
            if segment.rows <= 2 * len(owners) or len(own) <= segment.rows // 2:
                merged.append(segment)
                new = ~np.isin(own, owners)
                owners, vectors = np.concatenate([owners, own[new]]), np.concatenate([vectors, halves[new]])
        with suppress(OSError):
            segments.write(owners, vectors, merged)

    def repair(self, snapshot: Snapshot) -> None:
        """Drops all segments and writes one anew; called under the writer lock."""
        for path in self._folder.glob("*"):
            with suppress(OSError):
                path.unlink()
        self.refresh(snapshot, last=True)

    def check(self, snapshot: Snapshot) -> str:
        """How many windows there are."""
        (count,) = connection_of(snapshot).execute("SELECT coalesce(sum(count), 0) FROM windows").fetchone()
        return f"{count} windows"

    def _current(self, snapshot: Snapshot, dimension: int) -> _Matrix:
        """The matrix of the snapshot's commit, built from segments and, for the rest, from the catalog."""
        commit = snapshot.commit
        matrix = self._matrix
        if matrix is not None and matrix.commit == commit and matrix.vectors.shape[1] == dimension:
            return matrix
        with self._lock:
            matrix = self._matrix
            if matrix is None or matrix.commit != commit or matrix.vectors.shape[1] != dimension:
                matrix = self._build(snapshot, commit, dimension)
                self._matrix = matrix
        return matrix

    def _build(self, snapshot: Snapshot, commit: str, dimension: int) -> _Matrix:
        live = _live_rows(snapshot)
        segments = Segments(self._folder, _catalog_id(snapshot), dimension)
        owners, halves = segments.read(live, segments.list())
        rest = _without(live, owners)
        if len(rest):
            more_owners, more = _stored(snapshot, rest, dimension)
            if len(rest) >= max(SEGMENT_ROWS, (len(live) - len(rest)) // _LEFT_SHARE):
                # What an interrupted writer didn't write, or a lost file: left for the processes to come.
                with suppress(OSError):
                    segments.write(more_owners, more, ())
            owners, halves = np.concatenate([owners, more_owners]), np.concatenate([halves, more])
        if len(owners) < FAISS_WINDOWS:
            return _Matrix(commit, owners, halves.astype(np.float32))
        import faiss

        index = faiss.IndexScalarQuantizer(dimension, faiss.ScalarQuantizer.QT_fp16, faiss.METRIC_INNER_PRODUCT)
        index.add_sa_codes(halves.view(np.uint8))
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


def _without(live: Ids, covered: Ids) -> Ids:
    """The ascending row ids `live` that aren't among others."""
    return np.setdiff1d(live, _distinct(covered), assume_unique=True)


def _halves(blob: bytes, count: int) -> Halves:
    return np.frombuffer(blob, dtype="<f2").reshape(count, -1)


def _catalog_id(snapshot: Snapshot) -> str:
    return read_meta(connection_of(snapshot), "catalog") or "0"


def _live_rows(snapshot: Snapshot) -> Ids:
    # One string from SQLite and one pass of numpy: a fraction of the time of a row for each.
    joined = connection_of(snapshot).execute("SELECT group_concat(id) FROM windows").fetchone()[0]
    return np.sort(np.fromstring(joined or "", dtype=np.int64, sep=","))


def _stored(snapshot: Snapshot, rows: Ids, dimension: int) -> tuple[Ids, Halves]:
    """The windows of some rows from the catalog: row id of each window, and (n, d) vectors."""
    query = "SELECT id, count, vectors FROM windows WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id"
    found = connection_of(snapshot).execute(query, (json.dumps(rows.tolist()),)).fetchall()
    if any(len(blob) != 2 * count * dimension for _, count, blob in found):
        raise StoreError(
            f"The stored vectors don't have the embedder's {dimension} dimensions.",
            "Run `polyrag ingest --reembed` to embed the corpus anew.",
        )
    owners = np.repeat(np.array([row[0] for row in found], dtype=np.int64), [row[1] for row in found])
    vectors = np.frombuffer(b"".join(row[2] for row in found), dtype="<f2").reshape(-1, dimension)
    return owners, vectors
