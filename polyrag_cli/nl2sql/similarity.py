"""Owns cosines between single words and column labels, each embedded once. Must never import a provider or a store."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Similar = Callable[[Sequence[str], Sequence[str]], "NDArray[np.float32]"]
"""Gives the (len(a), len(b)) cosines between two lists of words."""

MAX_KEPT = 20_000
MAX_MATRICES = 512


class WordSimilarity:
    """Cosines of words under an embedder that keeps the vectors of what it has seen.

    embed: texts → (n, d) float32 unit vectors; a row must not depend on the other texts.
    """

    def __init__(self, embed: Callable[[Sequence[str]], NDArray[np.float32]]) -> None:
        self._embed = embed
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self._matrices: dict[int, tuple[Sequence[str], NDArray[np.float32]]] = {}
        self._lock = Lock()

    def __call__(self, words: Sequence[str], labels: Sequence[str]) -> NDArray[np.float32]:
        """Return the (len(words), len(labels)) cosines; the labels' matrix is kept while the same sequence comes
        back.
        """
        with self._lock:
            kept = self._matrices.get(id(labels))
            if kept is None:
                if len(self._matrices) >= MAX_MATRICES:
                    self._matrices.clear()
                # Holding the labels keeps their id from being used again.
                kept = self._matrices[id(labels)] = (labels, self._stacked(labels))
            return self._stacked(words) @ kept[1].T

    def _stacked(self, words: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        if len(self._vectors) > MAX_KEPT:
            self._vectors.clear()
        missing = sorted({word for word in words if word not in self._vectors})
        if missing:
            self._vectors.update(zip(missing, self._embed(missing), strict=True))
        return np.stack([self._vectors[word] for word in words])
