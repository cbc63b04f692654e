"""The embedder that embeds nothing: the state in which arithmetic on words alone decides."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from polyrag_cli.providers.base import Vectors


class NullEmbedder:
    """Has no dimension, so every result is empty and callers skip what needs a cosine."""

    name = "none"
    dimension = 0

    @classmethod
    def from_options(cls, *, cache_dir: Path | None = None, threads: int = 1) -> NullEmbedder:
        """Built from what the settings offer every embedder; needs neither."""
        return cls()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """(len(texts), 0)."""
        return np.zeros((len(texts), 0), dtype=np.float32)

    def embed_windows(self, sentences: Sequence[str], spans: Sequence[tuple[int, int]]) -> Vectors:
        """(len(spans), 0)."""
        return np.zeros((len(spans), 0), dtype=np.float32)

    def embed_query(self, text: str) -> Vectors:
        """(0,)."""
        return np.zeros(0, dtype=np.float32)

    def close(self) -> None:
        """Holds nothing."""
