"""Owns cosines between single words and labels, each embedded once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import TYPE_CHECKING

from polyrag_cli.lru import Bounded

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from polyrag_cli.stores.base import KeptVectors

Similar = Callable[[Sequence[str], Sequence[str]], "NDArray[np.float32]"]
"""Gives the (len(a), len(b)) cosines between two lists of words."""

# Words whose vectors are kept, and labels that stand in kept matrices.
MAX_KEPT = 20_000
MAX_LABELS = 20_000


class WordSimilarity:
    """Cosines of words under an embedder that keeps the vectors of what it has seen.

    embed: texts → (n, d) float32 unit vectors; a row must not depend on the other texts. kept: where the labels'
    vectors are looked for first, and left for other processes; those of a question's words aren't.
    """

    def __init__(self, embed: Callable[[Sequence[str]], NDArray[np.float32]], kept: KeptVectors | None = None) -> None:
        self._embed = embed
        self._kept = kept
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self._matrices: Bounded[int, tuple[Sequence[str], NDArray[np.float32]]] = Bounded(MAX_LABELS)
        self._lock = Lock()

    def __call__(self, words: Sequence[str], labels: Sequence[str]) -> NDArray[np.float32]:
        """Return the (len(words), len(labels)) cosines; the labels' matrix is kept while the same sequence comes
        back.
        """
        kept = self._matrices.get(id(labels))
        if kept is None:
            # Holding the labels keeps their id from being used again.
            kept = (labels, self._stacked(labels, self._kept))
            self._matrices.put(id(labels), kept, len(labels))
        return self._stacked(words) @ kept[1].T

    def _stacked(self, words: Sequence[str], kept: KeptVectors | None = None) -> NDArray[np.float32]:
        import numpy as np

        with self._lock:
            if len(self._vectors) > MAX_KEPT:
                self._vectors.clear()
            missing = sorted({word for word in words if word not in self._vectors})
            if missing and kept is not None:
                self._vectors.update(kept.find(missing))
                missing = [word for word in missing if word not in self._vectors]
            if missing:
                made = dict(zip(missing, self._embed(missing), strict=True))
                self._vectors.update(made)
                if kept is not None:
                    kept.keep(made)
            return np.stack([self._vectors[word] for word in words])
