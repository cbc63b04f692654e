"""Packing and splitting by meaning."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from polyrag_cli.chunking import semantic
from polyrag_cli.chunking.semantic import by_meaning, packed


def by_topic(texts: Sequence[str]) -> NDArray[np.float32]:
    """One axis for each topic word."""
    return np.array([[1.0, 0.0] if "ship" in text else [0.0, 1.0] for text in texts], dtype=np.float32)


def test_packed_is_even_and_never_longer_than_it_may() -> None:
    spans = [(start, start + 10) for start in range(0, 120, 10)]
    assert packed(spans, 100) == [(0, 6), (6, 12)]
    assert packed([(0, 300), (301, 310)], 100) == [(0, 1), (1, 2)]
    assert packed([], 100) == []


def test_a_border_stands_where_the_topic_turns() -> None:
    ships = " ".join(f"The ship number {number} sails." for number in range(6))
    trees = " ".join(f"The tree number {number} grows." for number in range(9))
    text = f"{ships} {trees}"
    assert [text[start:end] for start, end in by_meaning(text, 0, len(text), by_topic, 300, 50)] == [ships, trees]


def test_groups_keep_their_minimum_size() -> None:
    text = " ".join(f"The {'ship' if number % 2 else 'tree'} number {number}." for number in range(20))
    spans = by_meaning(text, 0, len(text), by_topic, 200, 100)
    assert all(end - start >= 100 for start, end in spans[:-1])
    assert all(end - start <= 200 for start, end in spans)


def test_without_an_embedder_sentences_are_packed() -> None:
    text = " ".join(f"Sentence number {number}." for number in range(30))
    spans = by_meaning(text, 0, len(text), None, 200, 50)
    assert " ".join(text[start:end] for start, end in spans) == text
    assert max(end - start for start, end in spans) <= 200
    assert by_meaning(text, 0, len(text), lambda texts: np.zeros((len(texts), 0), np.float32), 200, 50) == spans


def test_sentences_that_are_too_long_are_cut() -> None:
    text = "word " * 200 + "end"
    spans = by_meaning(text, 0, len(text), None, 100, 20)
    assert max(end - start for start, end in spans) <= 100
    assert " ".join(text[start:end] for start, end in spans) == text


def test_a_block_of_any_length_is_embedded_in_bounded_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(semantic, "_STRETCH", 8)
    asked: list[int] = []

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        asked.append(len(texts))
        return by_topic(texts)

    text = " ".join(f"The ship number {number}." for number in range(30))
    spans = by_meaning(text, 0, len(text), embed, 60, 20)
    assert asked == [8, 8, 8, 6]
    assert " ".join(text[start:end] for start, end in spans) == text
