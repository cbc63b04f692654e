"""A model-free embedder: words and character n-grams hashed into signed buckets.

It knows spelling, not meaning, and exists so that everything can be tested without weights.
"""

from __future__ import annotations

import re
import sys
import zlib
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path

import numpy as np

from polyrag_cli.providers.base import Vectors, joined_windows
from polyrag_cli.text.fold import fold

_WORD = re.compile(r"\w+")
_NGRAM_SIZES = (3, 4)
_WORD_WEIGHT = 1.0
_NGRAM_WEIGHT = 0.35
# Beyond this a text is cut: the vector of more words than that says little, and one text must not take seconds.
MAX_CHARACTERS = 20_000
_MAX_KEPT_LENGTH = 32


class HashingEmbedder:
    """Signed feature hashing of folded words and of their 3- and 4-grams, with square-root counts.

    Source: Weinberger et al. 2009, "Feature Hashing for Large Scale Multitask Learning", eq. 2; the hash is CRC-32.
    """

    def __init__(self, dimension: int = 256) -> None:
        """dimension: buckets, 1 to 65,536.

        Raises ValueError outside that range.
        """
        if not 1 <= dimension <= 65_536:
            raise ValueError(f"dimension is {dimension}; 1 to 65536 are possible")
        self.dimension = dimension
        self.name = f"hashing-{dimension}-1"

    @classmethod
    def from_options(cls, *, cache_dir: Path | None = None, threads: int = 1) -> HashingEmbedder:
        """Built from what the settings offer every embedder; needs neither."""
        return cls()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, (len(texts), dimension)."""
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            vectors[row] = self._vector(text)
        return vectors

    def embed_windows(self, sentences: Sequence[str], spans: Sequence[tuple[int, int]]) -> Vectors:
        """Unit vectors of the joined sentences of each span, (len(spans), dimension)."""
        return joined_windows(self.embed, sentences, spans)

    def embed_query(self, text: str) -> Vectors:
        """Unit vector, (dimension,)."""
        return self._vector(text)

    def close(self) -> None:
        """Holds nothing."""

    def _vector(self, text: str) -> Vectors:
        words = _WORD.findall(fold(text[:MAX_CHARACTERS]))
        counts = Counter(chain.from_iterable(map(_features, words)))
        sums = [0.0] * self.dimension
        # Sorted, so that float sums don't depend on the order in which features were met.
        for feature in sorted(counts):
            code, weight = _signed(feature)
            sums[code % self.dimension] += weight * counts[feature] ** 0.5
        vector = np.asarray(sums, dtype=np.float64)
        norm = float(np.sqrt(vector @ vector))
        if norm == 0.0:
            return vector.astype(np.float32)
        return (vector / norm).astype(np.float32)


def _features(word: str) -> tuple[str, ...]:
    """A word, and its n-grams between its borders."""
    # Windows overlap and common words come again and again; what is longer than a word would only fill the memory.
    return _kept(word) if len(word) <= _MAX_KEPT_LENGTH else _made(word)


def _made(word: str) -> tuple[str, ...]:
    bordered = f"<{word}>"
    # Interned, because words share most of their n-grams.
    grams = [
        sys.intern(f"#{bordered[start : start + size]}")
        for size in _NGRAM_SIZES
        for start in range(len(bordered) - size + 1)
    ]
    return (word, *grams)


_kept = lru_cache(maxsize=16_384)(_made)


@lru_cache(maxsize=65_536)
def _signed(feature: str) -> tuple[int, float]:
    """A feature's hash, and its weight with its sign. No word holds the sign that n-grams begin with."""
    code = zlib.crc32(feature.encode("utf-8"))
    weight = _NGRAM_WEIGHT if feature[0] == "#" else _WORD_WEIGHT
    # The sign takes the bit that the bucket doesn't use.
    return code >> 1, weight if code & 1 else -weight
