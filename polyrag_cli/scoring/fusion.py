"""Owns the fusion of several rankings into one."""

import math
from collections.abc import Iterable, Mapping, Sequence

_DECIMALS = 6


def rrf(rankings: Sequence[Sequence[str]], k: int = 60) -> list[tuple[str, float]]:
    """Return (id, score) by falling sum of 1 / (k + rank), ranks from 1, ties by id.

    An id that a ranking repeats counts at its first rank.

    Source: Cormack, Clarke & Büttcher, Reciprocal Rank Fusion (2009), k = 60.
    """
    shares: dict[str, list[float]] = {}
    for ranking in rankings:
        for rank, identifier in enumerate(dict.fromkeys(ranking), start=1):
            shares.setdefault(identifier, []).append(1.0 / (k + rank))
    totals = {identifier: math.fsum(values) for identifier, values in shares.items()}
    # The gaps between neighbouring ranks are about 1e-4 / rank: rounding must be finer than for cosines.
    return sorted(totals.items(), key=lambda item: (-round(item[1], 12), item[0]))


def min_max(scores: Mapping[str, float]) -> dict[str, float]:
    """Return the scores scaled to [0, 1]; all equal scores become 1.0."""
    if not scores:
        return {}
    low, high = min(scores.values()), max(scores.values())
    if high - low < 10**-_DECIMALS:
        return dict.fromkeys(scores, 1.0)
    return {identifier: (value - low) / (high - low) for identifier, value in scores.items()}


def weighted(heads: Sequence[Mapping[str, float]], weights: Sequence[float]) -> list[tuple[str, float]]:
    """Return (id, score) by falling weighted sum of the min-max normalised heads, ties by id.

    Args:
        heads: one id → score map per retriever; an id that a head lacks gets 0 from it.
        weights: one non-negative weight per head.

    Raises:
        ValueError: the numbers of heads and weights differ.
    """
    totals: dict[str, float] = {}
    for head, weight in zip(heads, weights, strict=True):
        for identifier, value in min_max(head).items():
            totals[identifier] = totals.get(identifier, 0.0) + weight * value
    return _by_score(totals.items())


def _by_score(items: Iterable[tuple[str, float]]) -> list[tuple[str, float]]:
    rounded = ((identifier, round(value, _DECIMALS)) for identifier, value in items)
    return sorted(rounded, key=lambda item: (-item[1], item[0]))
