"""Finds which cached questions may be the same without reading them: by their verbatim form, and by sketches.

A sketch is the signs of a vector's products with fixed random directions. Two vectors at an angle of θ differ in a
share of θ/π of them, so that the nearest of 100,000 are among the few with the fewest differing bits.

Source: Charikar 2002, "Similarity estimation techniques from rounding algorithms", §3.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.stores.activity import EntryKey

_BITS = 512
_SEED = 20_021


def key_of(verbatim: str) -> bytes:
    """8 bytes that stand for a verbatim form."""
    return hashlib.sha256(verbatim.encode("utf-8", "surrogatepass")).digest()[:8]


def sketch_of(vector: NDArray[np.float32]) -> bytes:
    """512 bits of a vector of any size, as 64 bytes; b"" of an empty one."""
    if not vector.size:
        return b""
    return np.packbits(_directions(vector.size) @ vector > 0).tobytes()


@cache
def _directions(size: int) -> NDArray[np.float32]:
    """(512, size)."""
    return np.random.default_rng(_SEED).standard_normal((_BITS, size), dtype=np.float32)


class CachedIndex:
    """The keys of one configuration's entries at one version of the activity file; grows, never shrinks.

    version: of the activity file. config_hash: of the configuration.
    """

    def __init__(self, version: int, config_hash: str) -> None:
        self.version = version
        self.config_hash = config_hash
        self.last = 0
        self.created: dict[int, float] = {}
        self._verbatim: dict[bytes, int] = {}
        self._rows = np.zeros(0, dtype=np.int64)
        # A row a word of the sketches: whole rows are compared at once.
        self._sketches = np.zeros((_BITS // 64, 0), dtype=np.uint64)
        self._size = 0

    def __len__(self) -> int:
        return len(self.created)

    def add(self, keys: Sequence[EntryKey]) -> None:
        """Adds entries of later rows than it has."""
        for key in keys:
            self._verbatim[key.key] = key.row
            self.created[key.row] = key.created
            self.last = key.row
        sketched = [key for key in keys if len(key.sketch) == _BITS // 8]
        if not sketched:
            return
        needed = self._size + len(sketched)
        if needed > len(self._rows):
            # Room for as many again, so that growing one by one copies little.
            room = max(64, 2 * needed) if self._size else needed
            self._rows = np.concatenate([self._rows[: self._size], np.zeros(room - self._size, dtype=np.int64)])
            empty = np.zeros((_BITS // 64, room - self._size), dtype=np.uint64)
            self._sketches = np.concatenate([self._sketches[:, : self._size], empty], axis=1)
        self._rows[self._size : needed] = [key.row for key in sketched]
        bits = np.frombuffer(b"".join(key.sketch for key in sketched), dtype=np.uint64)
        self._sketches[:, self._size : needed] = bits.reshape(len(sketched), -1).T
        self._size = needed

    def verbatim(self, key: bytes) -> int | None:
        """The newest row of a verbatim form."""
        return self._verbatim.get(key)

    def nearest(self, sketch: bytes, k: int) -> list[int]:
        """At most k rows with the fewest differing bits, the newest first of equals."""
        if not self._size or not sketch:
            return []
        asked = np.frombuffer(sketch, dtype=np.uint64)
        differing = np.zeros(self._size, dtype=np.uint16)
        for kept, word in zip(self._sketches, asked, strict=True):
            differing += np.bitwise_count(kept[: self._size] ^ word)
        k = min(k, self._size)
        border = np.partition(differing, k - 1)[k - 1]
        near = np.flatnonzero(differing <= border)
        order = np.lexsort((-self._rows[near], differing[near]))[:k]
        return [int(row) for row in self._rows[near[order]]]
