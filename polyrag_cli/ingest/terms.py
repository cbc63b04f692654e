"""Vectors of the words that the catalog doesn't know yet. Holds no lock and writes nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from threading import Lock
from typing import TYPE_CHECKING

from polyrag_cli.providers.base import Embedder
from polyrag_cli.text.vocabulary import vocabulary
from polyrag_cli.types import Chunk

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Known = Callable[[Collection[str]], Collection[str]]
# Words kept for the documents that follow, about 50 MB.
_MAX_KEPT = 40_000


class TermEmbedding:
    """Embeds each new word once a run; safe to call from several threads at once.

    known: those of some words that the catalog has vectors of.
    """

    def __init__(self, embedder: Embedder, known: Known) -> None:
        self._embedder = embedder
        self._known = known
        self._kept: dict[str, NDArray[np.float16] | None] = {}
        self._lock = Lock()

    def of(self, documents: Sequence[Sequence[Chunk]]) -> list[Mapping[str, NDArray[np.float16] | None]]:
        """For each document, given by its chunks, its words: with a vector, or with None where the catalog has one.

        Every document brings the vectors of its new words itself, so that it doesn't matter which is committed first.
        Raises ProviderError when the embedder fails.
        """
        if self._embedder.dimension == 0:
            return [{} for _ in documents]
        words = [_words(chunks) for chunks in documents]
        every = sorted(frozenset().union(*words))
        with self._lock:
            found = {word: self._kept[word] for word in every if word in self._kept}
        if missing := [word for word in every if word not in found]:
            fresh = self._vectors(missing)
            found.update(fresh)
            with self._lock:
                if len(self._kept) > _MAX_KEPT:
                    self._kept.clear()
                self._kept.update(fresh)
        return [{word: found[word] for word in sorted(own)} for own in words]

    def _vectors(self, words: Sequence[str]) -> dict[str, NDArray[np.float16] | None]:
        import numpy as np

        known = self._known(words)
        found: dict[str, NDArray[np.float16] | None] = dict.fromkeys(known)
        new = [word for word in words if word not in found]
        if new:
            vectors = self._embedder.embed(new).astype(np.float16)
            found.update(zip(new, vectors, strict=True))
        return found


def _words(chunks: Sequence[Chunk]) -> frozenset[str]:
    found: set[str] = set()
    for chunk in chunks:
        for text in dict.fromkeys((chunk.title, chunk.heading, chunk.lead, chunk.text)):
            found |= vocabulary(text, chunk.language)
    return frozenset(found)
