"""The embedder interface: text in, unit vectors out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into vectors whose inner product is a cosine.

    name: identity of the model and of its tokenizer; vectors of another name can't be compared with these.
    dimension: columns of every result; 0 for the embedder that embeds nothing.

    A result depends on nothing but its argument: not on earlier calls, the number of threads or the hash seed. A text
    without content gets the zero vector. Any Python string is accepted.
    """

    @property
    def name(self) -> str:
        """Identity of the model, stored beside its vectors."""
        ...

    @property
    def dimension(self) -> int:
        """Columns of every result, ≥ 0."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, (len(texts), dimension); a row doesn't depend on the other texts.

        Raises ProviderError when the model can't be loaded.
        """
        ...

    def embed_windows(self, sentences: Sequence[str], spans: Sequence[tuple[int, int]]) -> Vectors:
        """Unit vectors of overlapping runs of sentences, (len(spans), dimension).

        spans: half-open (first, end) indexes into sentences; a window is its sentences joined by one space.
        A row equals `embed` of the joined text up to float32 rounding, and its bits depend on these arguments alone.
        """
        ...

    def embed_query(self, text: str) -> Vectors:
        """Unit vector of one question, (dimension,); equals `embed` of it up to float32 rounding."""
        ...

    def close(self) -> None:
        """Ends worker threads and lets go of the model; a later call loads it again."""
        ...


def joined_windows(
    embed: Callable[[Sequence[str]], Vectors], sentences: Sequence[str], spans: Sequence[tuple[int, int]]
) -> Vectors:
    """Embeds each window as its sentences joined by one space, (len(spans), dimension).

    embed: maps n texts to (n, dimension); sentences and spans as in `Embedder.embed_windows`.
    """
    return embed([window_text(sentences, span) for span in spans])


def window_text(sentences: Sequence[str], span: tuple[int, int]) -> str:
    """The sentences of one half-open span, joined by one space."""
    first, end = span
    return " ".join(sentences[first:end])
