"""Owns exact nearest-window search by numpy, over one file a document: nothing but a file system is needed."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.errors import StoreError
from polyrag_cli.stores.base import Snapshot, VectorStore, Writer
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.document_files import DocumentFiles
from polyrag_cli.stores.records import WindowHit
from polyrag_cli.stores.storable import storable
from polyrag_cli.types import Window
from polyrag_cli.types.decoding import decoded

Floats = NDArray[np.float32]

# What a float32 product of unit vectors may be off by.
_SLACK = 1e-4


@dataclass(frozen=True, slots=True)
class _Content:
    """A document's windows and their (n, d) vectors, as rounded to float16."""

    windows: tuple[Window, ...]
    vectors: Floats


@dataclass(frozen=True, slots=True)
class _Commit:
    """All windows of one commit, by document; `places`: chunk id → its windows' places."""

    token: str
    contents: Mapping[str, _Content]
    windows: tuple[Window, ...]
    vectors: Floats
    places: Mapping[str, Sequence[int]]


class NumpyVectorStore(VectorStore):
    """Cosine search over files of `vectors/`, held in memory for one commit; thread-safe.

    A file is a line of JSON, the windows, and their vectors as float16 numbers.
    """

    def __init__(self, paths: DataPaths) -> None:
        self._files = DocumentFiles(paths.root / "vectors", "vector.numpy", ".windows")
        self._commit: _Commit | None = None
        self._lock = threading.Lock()

    def add(self, writer: Writer, document: str, windows: Sequence[Window], vectors: Floats) -> None:
        """Stores a document's windows and their (n, d) unit vectors, rounded to float16, in place of what it had.

        Raises StoreError when there are not as many vectors as windows.
        """
        if len(windows) != len(vectors):
            raise StoreError(f"{document}: {len(windows)} windows came with {len(vectors)} vectors.")
        if not windows:
            self.remove(writer, document)
            return
        head = storable(json.dumps([asdict(window) for window in windows], ensure_ascii=False))
        self._files.write(writer, document, head.encode() + b"\n" + np.asarray(vectors, dtype="<f2").tobytes())

    def remove(self, writer: Writer, document: str) -> None:
        """Forgets a document's windows."""
        self._files.remove(writer, document)

    def search(self, snapshot: Snapshot, vector: Floats, k: int) -> list[WindowHit]:
        """The k chunks with the highest cosine of their best window, rounded to 1e-6, ties by chunk id.

        vector: (d,) unit vector; an empty or zero one finds nothing.
        Raises StoreError when the stored vectors have another size.
        """
        query = np.ascontiguousarray(vector, dtype=np.float32).reshape(-1)
        if query.size == 0 or k < 1 or not query.any():
            return []
        commit = self._current(snapshot)
        if not commit.windows:
            return []
        if commit.vectors.shape[1] != query.size:
            raise StoreError(
                f"The stored vectors don't have the embedder's {query.size} dimensions.",
                "Embed the corpus again with: polyrag ingest --reembed",
            )
        rough = np.einsum("ij,j->i", commit.vectors, query)
        best: dict[str, WindowHit] = {}
        for place in np.flatnonzero(rough >= self._bar(commit, rough, k)).tolist():
            # A sum along a row by itself, in double precision: what stands beside it doesn't change its bits.
            exact = (commit.vectors[place].astype(np.float64) * query.astype(np.float64)).sum()
            score = round(float(np.clip(exact, -1.0, 1.0)), 6)
            window = commit.windows[place]
            known = best.get(window.chunk_id)
            if known is None or score > known.score:
                best[window.chunk_id] = WindowHit(window.chunk_id, window.ordinal, window.start, window.end, score)
        return sorted(best.values(), key=lambda hit: (-hit.score, hit.chunk_id))[:k]

    def windows(self, snapshot: Snapshot, chunk_ids: Sequence[str]) -> Mapping[str, tuple[tuple[Window, ...], Floats]]:
        """Each chunk's windows and their (n, d) float32 vectors, in the order given; unknown ids are left out."""
        commit = self._current(snapshot)
        return {
            chunk_id: (tuple(commit.windows[place] for place in places), commit.vectors[places])
            for chunk_id in dict.fromkeys(chunk_ids)
            if (places := list(commit.places.get(chunk_id, ())))
        }

    def check(self, snapshot: Snapshot) -> str:
        """How many windows there are."""
        return f"{len(self._current(snapshot).windows)} windows"

    def lost(self, snapshot: Snapshot) -> frozenset[str]:
        """The documents whose file is gone or torn."""
        return self._files.lost(snapshot)

    def repair(self, snapshot: Snapshot) -> None:
        """Sweeps files that the snapshot doesn't name; called under the writer lock."""
        self._files.sweep(snapshot)

    @staticmethod
    def _bar(commit: _Commit, rough: Floats, k: int) -> float:
        """What a window of one of the k best chunks reaches for certain."""
        if len(commit.places) <= k:
            return -np.inf
        best = np.array([rough[places].max() for places in commit.places.values()])
        return float(np.partition(best, len(best) - k)[len(best) - k]) - 2 * _SLACK

    def _current(self, snapshot: Snapshot) -> _Commit:
        commit = self._commit
        if commit is None or commit.token != snapshot.commit:
            with self._lock:
                commit = self._commit
                if commit is None or commit.token != snapshot.commit:
                    # Content is named by what it is: of another commit, only new files are read.
                    known = {} if commit is None else commit.contents
                    commit = self._commit = self._loaded(snapshot, known)
        return commit

    def _loaded(self, snapshot: Snapshot, known: Mapping[str, _Content]) -> _Commit:
        versions = [version for _, version in self._files.versions(snapshot)]
        contents = {version: known.get(version) or self._read(version) for version in versions}
        windows = tuple(window for version in versions for window in contents[version].windows)
        sizes = {content.vectors.shape[1] for content in contents.values()}
        if len(sizes) > 1:
            raise StoreError(
                "The stored vectors are of several embedders.", "Embed the corpus again with: polyrag ingest --reembed"
            )
        vectors = [contents[version].vectors for version in versions]
        places: dict[str, list[int]] = {}
        for place, window in enumerate(windows):
            places.setdefault(window.chunk_id, []).append(place)
        matrix = np.concatenate(vectors) if vectors else np.zeros((0, 0), dtype=np.float32)
        return _Commit(snapshot.commit, contents, windows, matrix, places)

    def _read(self, version: str) -> _Content:
        head, _, body = self._files.read(version).partition(b"\n")
        try:
            windows = decoded(tuple[Window, ...], json.loads(head))
            halves = np.frombuffer(body, dtype="<f2").reshape(len(windows), -1)
        except ValueError as error:
            hint = "Delete it and ingest its folder again: that writes it anew."
            raise StoreError(f"The vector file {self._files.path(version)} is damaged ({error}).", hint) from error
        return _Content(windows, halves.astype(np.float32))
