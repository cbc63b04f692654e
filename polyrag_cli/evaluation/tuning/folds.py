"""Owns the division of labelled questions into folds: by label, near-duplicates together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.text.words import content_words

# From this cosine, or this share of common words, two questions are one question in other words or with another value.
ALIKE_COSINE = 0.8
ALIKE_WORDS = 0.6


def alike_groups(questions: Sequence[str], vectors: NDArray[np.float32]) -> list[int]:
    """A group number for each question, from 0 in order of first appearance; near-duplicates share one.

    vectors: unit rows, shape (n, d); d may be 0, which leaves the words alone to say what is alike.
    """
    parents = list(range(len(questions)))

    def root(index: int) -> int:
        while parents[index] != index:
            parents[index] = parents[parents[index]]
            index = parents[index]
        return index

    words = [frozenset(word.folded for word in content_words(question)) for question in questions]
    for later in range(len(questions)):
        cosines = vectors[:later] @ vectors[later] if vectors.size else np.zeros(later)
        for earlier in range(later):
            if round(float(cosines[earlier]), 6) >= ALIKE_COSINE or _shared(words[earlier], words[later]):
                parents[root(later)] = root(earlier)
    numbers: dict[int, int] = {}
    return [numbers.setdefault(root(index), len(numbers)) for index in range(len(questions))]


def _shared(one: frozenset[str], other: frozenset[str]) -> bool:
    return bool(one) and len(one & other) >= ALIKE_WORDS * len(one | other)


def stratified_folds(labels: Sequence[str], groups: Sequence[int], folds: int, seed: int) -> NDArray[np.int64]:
    """The fold of each question, 0 to folds − 1: every label spread evenly, no group divided.

    Large groups are placed first, then in a seeded order, each into the fold that lacks its labels most.
    """
    members: dict[int, list[int]] = {}
    for index, group in enumerate(groups):
        members.setdefault(group, []).append(index)
    order = np.random.default_rng(seed).permutation(len(members)).tolist()
    keys = sorted(members)
    queue = sorted((keys[i] for i in order), key=lambda group: -len(members[group]))
    held: list[Counter[str]] = [Counter() for _ in range(folds)]
    placed = np.zeros(len(labels), dtype=np.int64)
    for group in queue:
        own = Counter(labels[index] for index in members[group])

        def load(fold: int, own: Counter[str] = own) -> tuple[int, int, int]:
            return sum(held[fold][label] * n for label, n in own.items()), held[fold].total(), fold

        fold = min(range(folds), key=load)
        held[fold] += own
        placed[members[group]] = fold
    return placed
