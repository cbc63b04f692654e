from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.nl2sql.similarity import WordSimilarity


def test_each_word_is_embedded_once() -> None:
    seen: list[str] = []

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        seen.extend(texts)
        return np.array([[1.0, 0.0] if t == "a" else [0.6, 0.8] for t in texts], dtype=np.float32)

    similar = WordSimilarity(embed)
    labels = ("a", "b")
    assert np.allclose(similar(["b"], labels), [[0.6, 1.0]])
    similar(["b", "a"], labels)
    assert sorted(seen) == ["a", "b"]


def test_a_matrix_is_made_once_for_the_same_labels_and_anew_for_others() -> None:
    similar = WordSimilarity(lambda texts: np.eye(3, dtype=np.float32)[["abc".index(t) for t in texts]])
    labels = ("a", "b")
    assert similar(["b", "c"], labels).tolist() == [[0.0, 1.0], [0.0, 0.0]]
    assert similar(["b"], labels).tolist() == [[0.0, 1.0]]
    assert similar(["b"], ("b", "c", "a")).tolist() == [[1.0, 0.0, 0.0]]


class _Kept:
    """Vectors of labels that another process made, and what this one adds."""

    def __init__(self) -> None:
        self.vectors = {"a": np.array([1.0, 0.0], dtype=np.float32)}

    def find(self, texts: Iterable[str]) -> dict[str, NDArray[np.float32]]:
        return {text: self.vectors[text] for text in texts if text in self.vectors}

    def room(self) -> int:
        return 100

    def keep(self, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        self.vectors.update(vectors)


def test_labels_are_taken_from_what_is_kept_and_added_to_it_and_words_are_not() -> None:
    seen: list[str] = []

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        seen.extend(texts)
        return np.array([[1.0, 0.0] if t == "a" else [0.6, 0.8] for t in texts], dtype=np.float32)

    kept = _Kept()
    labels = ("a", "b")
    cosines = WordSimilarity(embed, kept)(["c"], labels)
    assert seen == ["b", "c"]
    assert sorted(kept.vectors) == ["a", "b"]
    assert cosines.tobytes() == WordSimilarity(embed)(["c"], labels).tobytes()
