"""Owns what a walk runs on, and how rows of it are read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class WalkGraph:
    """What a walk runs on. P passages, S sentences (in passage order), E entities.

    passage_sentences: (P + 1,) first sentence of each passage. sentence_passage: (S,).
    article: (P,) passages of one title share a number.
    link_*: CSR sentence × entity, each sentence's strongest entities and their strength in [0, 1].
    bearer_*: CSR entity × sentence with the mention's weight, and the bonus factor where the entity titles the passage.
    node_*: CSR over P + E nodes, passages first, symmetric, the weights of PageRank's edges.
    """

    passage_sentences: Ints
    sentence_passage: Ints
    article: Ints
    link_indptr: Ints
    link_entities: Ints
    link_strengths: Floats
    bearer_indptr: Ints
    bearer_sentences: Ints
    bearer_weights: Floats
    bearer_bonus: Floats
    node_indptr: Ints
    node_targets: Ints
    node_weights: Floats


def ranges(indptr: Ints, rows: npt.NDArray[np.integer]) -> tuple[Longs, Longs]:
    """Return positions of all elements of the CSR rows, and for each the index into `rows`."""
    first = indptr[rows].astype(np.int64)
    counts = indptr[rows.astype(np.int64) + 1].astype(np.int64) - first
    which = np.repeat(np.arange(len(rows), dtype=np.int64), counts)
    ends = np.cumsum(counts)
    return np.arange(len(which), dtype=np.int64) + np.repeat(first - ends + counts, counts), which
