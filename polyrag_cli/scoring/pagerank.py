"""Owns Personalized PageRank on CSR arrays."""

import numpy as np
import numpy.typing as npt


def personalized_pagerank(
    indptr: npt.NDArray[np.integer],
    indices: npt.NDArray[np.integer],
    weights: npt.NDArray[np.floating],
    personalization: npt.NDArray[np.floating],
    damping: float = 0.85,
    iterations: int = 20,
    tolerance: float = 1e-9,
) -> npt.NDArray[np.float64]:
    """Return each node's stationary probability, shape (n,), of a walk that teleports to the seeds.

    Args:
        indptr: shape (n + 1,); row = source node.
        indices: shape (m,), target nodes.
        weights: shape (m,), non-negative edge weights; rows are normalised inside.
        personalization: shape (n,), non-negative seed mass, any sum; all zero gives all zero.
        damping: in [0, 1), the chance to follow an edge.
        iterations: power iterations at most.
        tolerance: L1 change at which to stop sooner.

    The mass of nodes without out-edges returns to the seeds.

    Source: Page et al., The PageRank Citation Ranking (1999), §6; Haveliwala, Topic-Sensitive PageRank (2002).
    """
    n = len(indptr) - 1
    total = float(personalization.sum())
    if total <= 0.0:
        return np.zeros(n, dtype=np.float64)
    seeds = personalization.astype(np.float64) / total
    sources = np.repeat(np.arange(n), np.diff(indptr))
    out = np.bincount(sources, weights=weights, minlength=n)
    dangling = out <= 0.0
    share = weights / np.where(dangling, 1.0, out)[sources]
    ranks = seeds
    for _ in range(iterations):
        arrived = np.bincount(indices, weights=ranks[sources] * share, minlength=n)
        lost = float(ranks[dangling].sum())
        following = damping * (arrived + lost * seeds) + (1.0 - damping) * seeds
        change = float(np.abs(following - ranks).sum())
        ranks = following
        if change < tolerance:
            break
    return ranks
