"""Owns the files of words' vectors in the user's cache folder: each word is embedded once for all data directories.

An embedder has two: one holds for each word 8 bytes of a hash, never the word, and a check, the other its vector as
float16, whose bits depend on the word alone. So they are right for any corpus, a process reads no more vectors than its
corpus has words, and what is lost or damaged is embedded anew.
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

# Words in a file, 1 GB at 512 dimensions; beyond, a new one is begun.
MAX_WORDS = 1_000_000
# Whoever can't write within this time lets it be: the words are embedded again when they are needed.
_LOCK_S = 2.0

Halves = NDArray[np.float16]
_KEY = np.dtype([("key", "<u8"), ("check", "<u4")])


class WordVectors:
    """The files of one embedder, read anew at each call; any number of processes may use them at once.

    Whatever is wrong with them, or with their folder, costs no more than embedding again.
    """

    def __init__(self, folder: Path, embedder: str) -> None:
        self._folder = folder
        self._name = "words-" + hashlib.sha256(embedder.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def find(self, words: Sequence[str]) -> tuple[NDArray[np.bool_], Halves]:
        """Which of some words have a vector, (n,), and the vectors of those, (found, d)."""
        rows, kept = self._read()
        wanted = _keys(words)
        if not len(rows):
            return np.zeros(len(wanted), dtype=np.bool_), np.zeros((0, 0), dtype=np.float16)
        order = np.argsort(rows["key"], kind="stable")
        # The last of equal ones: it was added because the one before it was damaged.
        places = np.searchsorted(rows["key"][order], wanted, side="right") - 1
        at = order[np.maximum(places, 0)]
        there = np.flatnonzero(rows["key"][at] == wanted)
        vectors = kept[at[there]]
        whole = _checks(vectors) == rows["check"][at[there]]
        found = np.zeros(len(wanted), dtype=np.bool_)
        found[there[whole]] = True
        return found, vectors[whole]

    def keep(self, vectors: Mapping[str, Halves]) -> None:
        """Adds words' vectors, (d,) each, as far as that can be done now."""
        from filelock import FileLock, Timeout

        if not vectors:
            return
        values = np.stack([np.asarray(vector, dtype="<f2") for vector in vectors.values()])
        rows = np.empty(len(values), dtype=_KEY)
        rows["key"], rows["check"] = _keys(list(vectors)), _checks(values)
        with suppress(OSError, Timeout):
            self._folder.mkdir(parents=True, exist_ok=True)
            with FileLock(self._folder / f"{self._name}.lock", timeout=_LOCK_S, mode=0o600):
                _append(self._folder / f"{self._name}-{values.shape[1]}.keys", rows, values)

    def _read(self) -> tuple[NDArray[Any], Halves]:
        """The keys, and the vectors mapped into memory; none where they can't be read."""
        with suppress(*UNREADABLE):
            for path in sorted(self._folder.glob(f"{self._name}-*.keys")):
                dimension = int(path.stem.rpartition("-")[2])
                vectors = path.with_suffix(".vectors")
                # Vectors are written before their keys: those that were there first have theirs.
                content = path.read_bytes()
                count = min(len(content) // _KEY.itemsize, vectors.stat().st_size // (2 * dimension))
                if count:
                    rows = np.frombuffer(content, dtype=_KEY, count=count)
                    return rows, np.memmap(vectors, dtype="<f2", mode="r", shape=(count, dimension)).view(np.ndarray)
        return np.empty(0, dtype=_KEY), np.zeros((0, 0), dtype=np.float16)


def _append(path: Path, rows: NDArray[Any], values: Halves) -> None:
    """Adds rows to both files, or begins new ones when they are full: what others have mapped must not be cut short."""
    vectors = path.with_suffix(".vectors")
    count = path.stat().st_size // _KEY.itemsize if path.exists() else 0
    if count + len(rows) > MAX_WORDS:
        path.unlink(missing_ok=True)
        vectors.unlink(missing_ok=True)
        count = 0
    # What a process left that was killed while it wrote is written over.
    _write(vectors, count * values.shape[1] * values.itemsize, values.tobytes())
    _write(path, count * _KEY.itemsize, rows.tobytes())


def _write(path: Path, place: int, content: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.seek(place)
        file.write(content)


def _keys(words: Sequence[str]) -> NDArray[np.uint64]:
    digests = (hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest() for word in words)
    return np.frombuffer(b"".join(digests), dtype="<u8")


def _checks(vectors: Halves) -> NDArray[np.uint32]:
    """What a flipped bit changes, and a page that a power cut left blank."""
    checks: NDArray[np.uint32] = vectors.view("<u2").sum(axis=1, dtype=np.uint32) + np.uint32(1)
    return checks
