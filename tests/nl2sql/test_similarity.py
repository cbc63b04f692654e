from __future__ import annotations

from collections.abc import Sequence

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
