"""Owns the files of words' vectors in the user's cache folder: each word is embedded once for all data directories.

A file is of one embedder. It holds for each word 8 bytes of a hash, never the word, and the vector as float16, whose
bits depend on the word alone; so it is right for any corpus, and what is lost or damaged is embedded anew.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.stores.npy_files import UNREADABLE

# Words in a file, 200 MB at 512 dimensions; beyond, a new one is begun.
MAX_WORDS = 200_000
# Whoever can't write within this time lets it be: the words are embedded again when they are needed.
_LOCK_S = 2.0

Halves = NDArray[np.float16]
_Rows = NDArray[Any]


class WordVectors:
    """The file of one embedder, read anew at each call; any number of processes may use it at once.

    Whatever is wrong with the file, or with its folder, costs no more than embedding again.
    """

    def __init__(self, folder: Path, embedder: str) -> None:
        self._folder = folder
        self._name = "words-" + hashlib.sha256(embedder.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def find(self, words: Sequence[str]) -> tuple[NDArray[np.bool_], Halves]:
        """Which of some words have a vector, (n,), and the vectors of those, (found, d)."""
        rows = self._read()
        wanted = _keys(words)
        if not len(rows):
            return np.zeros(len(wanted), dtype=np.bool_), np.zeros((0, 0), dtype=np.float16)
        keys = np.ascontiguousarray(rows["key"])
        order = np.argsort(keys, kind="stable")
        # The last of equal ones: it was added because the one before it was damaged.
        places = np.searchsorted(keys[order], wanted, side="right") - 1
        at = order[np.maximum(places, 0)]
        chosen = rows[at]
        vectors = np.ascontiguousarray(chosen["vector"])
        found = (chosen["key"] == wanted) & (_checks(vectors) == chosen["check"])
        return found, vectors[found]

    def keep(self, vectors: Mapping[str, Halves]) -> None:
        """Adds words' vectors, (d,) each, as far as that can be done now."""
        from filelock import FileLock, Timeout

        if not vectors:
            return
        values = np.stack([np.asarray(vector, dtype="<f2") for vector in vectors.values()])
        rows = np.empty(len(values), dtype=_kind(values.shape[1]))
        rows["key"], rows["check"], rows["vector"] = _keys(list(vectors)), _checks(values), values
        with suppress(OSError, Timeout):
            self._folder.mkdir(parents=True, exist_ok=True)
            with FileLock(self._folder / f"{self._name}.lock", timeout=_LOCK_S, mode=0o600):
                _append(self._folder / f"{self._name}-{values.shape[1]}.vectors", rows)

    def _read(self) -> _Rows:
        """The file's rows, mapped into memory; none where it can't be read."""
        with suppress(*UNREADABLE):
            for path in sorted(self._folder.glob(f"{self._name}-*.vectors")):
                kind = _kind(int(path.stem.rpartition("-")[2]))
                if count := path.stat().st_size // kind.itemsize:
                    return np.memmap(path, dtype=kind, mode="r", shape=(count,)).view(np.ndarray)
        return np.empty(0, dtype=_kind(0))


def _append(path: Path, rows: _Rows) -> None:
    """Adds rows to a file, or begins a new one when it is full: one that others have mapped must not be cut short."""
    with suppress(FileNotFoundError):
        if path.stat().st_size // rows.dtype.itemsize + len(rows) > MAX_WORDS:
            path.unlink()
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        size = os.fstat(descriptor).st_size
        # What a process left that was killed while it wrote is no whole row: it is written over.
        file.seek(size - size % rows.dtype.itemsize)
        file.write(rows.tobytes())


def _kind(dimension: int) -> np.dtype[Any]:
    return np.dtype([("key", "<u8"), ("check", "<u4"), ("vector", "<f2", (dimension,))])


def _keys(words: Sequence[str]) -> NDArray[np.uint64]:
    digests = (hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest() for word in words)
    return np.frombuffer(b"".join(digests), dtype="<u8")


def _checks(vectors: Halves) -> NDArray[np.uint32]:
    """What a flipped bit changes, and a page that a power cut left blank."""
    checks: NDArray[np.uint32] = vectors.view("<u2").sum(axis=1, dtype=np.uint32) + np.uint32(1)
    return checks
