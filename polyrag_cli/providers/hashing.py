"""A model-free embedder: words and character n-grams hashed into signed buckets. Imports no model.

It knows spelling, not meaning, and exists so that everything can be tested without weights.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
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
        sums = np.zeros(self.dimension, dtype=np.float64)
        # Sorted, so that float sums don't depend on the order in which features were met.
        for (feature, weight), count in sorted(Counter(_features(text)).items()):
            code = zlib.crc32(feature.encode("utf-8"))
            # The sign takes the bit that the bucket doesn't use.
            sums[(code >> 1) % self.dimension] += (1.0 if code & 1 else -1.0) * weight * count**0.5
        norm = float(np.sqrt(sums @ sums))
        if norm == 0.0:
            return sums.astype(np.float32)
        return (sums / norm).astype(np.float32)


def _features(text: str) -> Iterator[tuple[str, float]]:
    """Words, and the n-grams of each word between its borders, each with its weight."""
    for word in _WORD.findall(fold(text[:MAX_CHARACTERS])):
        yield word, _WORD_WEIGHT
        bordered = f"<{word}>"
        for size in _NGRAM_SIZES:
            for start in range(len(bordered) - size + 1):
                yield f"#{bordered[start : start + size]}", _NGRAM_WEIGHT
