"""Owns the vectors of tables' labels in `cache/`: texts that questions about tables are compared with again and again.

A file holds, for one embedder, a digest of each text with its vector; so it is right for any snapshot, whoever wrote
it.
"""

from __future__ import annotations

import hashlib
import threading
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.stores.base import LabelStore
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.npy_files import mapped
from polyrag_cli.whole_file import replacing

# Texts in a file; further ones are embedded anew in each process.
MAX_TEXTS = 20_000
_DIGEST_CHARS = 32

Vector = NDArray[np.float32]
_Rows = NDArray[Any]


class LabelVectors:
    """One embedder's vectors of short texts, thread-safe.

    Whatever is wrong with the file, or with its folder, costs no more than embedding again.
    """

    def __init__(self, path: Path, dimension: int) -> None:
        self._path = path
        self._kind = np.dtype([("digest", f"S{_DIGEST_CHARS}"), ("check", "<u4"), ("vector", "<f4", (dimension,))])
        self._rows: _Rows | None = None
        self._lock = threading.Lock()

    def find(self, texts: Iterable[str]) -> dict[str, Vector]:
        """The vectors, (d,) each, of those of some texts that are kept."""
        wanted = list(dict.fromkeys(texts))
        if not wanted:
            return {}
        with self._lock:
            if self._rows is None:
                self._rows = self._read()
            rows = self._rows
        digests = np.array([_digest(text) for text in wanted], dtype=f"S{_DIGEST_CHARS}")
        places = np.searchsorted(rows["digest"], digests)
        found = {}
        for text, digest, place in zip(wanted, digests.tolist(), places.tolist(), strict=True):
            if place < len(rows) and rows["digest"][place] == digest:
                vector = np.array(rows["vector"][place], dtype=np.float32)
                # After a power cut, pages of a file may be blank.
                if zlib.crc32(vector.tobytes()) == int(rows["check"][place]):
                    found[text] = vector
        return found

    def room(self) -> int:
        """How many more texts can be kept."""
        with self._lock:
            return max(0, MAX_TEXTS - len(self._read()))

    def keep(self, vectors: Mapping[str, Vector]) -> None:
        """Adds vectors, (d,) each, as far as there is room. What another process adds at the same time may be lost."""
        with self._lock, suppress(OSError):
            kept = self._read()
            new = np.empty(len(vectors), dtype=self._kind)
            for row, (text, vector) in enumerate(vectors.items()):
                new[row] = (_digest(text), zlib.crc32(np.asarray(vector, dtype="<f4").tobytes()), vector)
            # The newer of two rows of one text replaces a damaged one.
            new = new[: max(0, MAX_TEXTS - len(kept))]
            rows = np.concatenate([kept[~np.isin(kept["digest"], new["digest"])], new])
            if not len(new):
                return
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(self._path, durable=False) as temporary, temporary.open("wb") as file:
                np.save(file, rows[np.argsort(rows["digest"], kind="stable")], allow_pickle=False)
            self._rows = None

    def _read(self) -> _Rows:
        rows = mapped(self._path, self._kind)
        return np.empty(0, dtype=self._kind) if rows is None else rows


class LabelFiles(LabelStore):
    """The files of a data directory, one for each embedder that was used with it."""

    def __init__(self, paths: DataPaths) -> None:
        self._folder = paths.cache

    def of(self, embedder: str, dimension: int) -> LabelVectors:
        """The vectors of an embedder. dimension: their size, 1 or more."""
        key = hashlib.sha256(f"{embedder}\0{dimension}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
        return LabelVectors(self._folder / f"labels-{key}.npy", dimension)


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST_CHARS].encode()
