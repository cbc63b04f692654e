"""Owns Maximal Marginal Relevance."""

import numpy as np
import numpy.typing as npt


def mmr(
    relevance: npt.NDArray[np.floating], similarity: npt.NDArray[np.floating], k: int, mmr_lambda: float = 0.70
) -> list[int]:
    """Return the indices of `k` items in the order chosen, each the best of λ·relevance - (1 - λ)·max similarity.

    Args:
        relevance: shape (n,), any scale comparable with `similarity`.
        similarity: shape (n, n), between the items.
        k: items to choose; all when larger than n.
        mmr_lambda: in [0, 1]; 1 ignores diversity.

    Ties go to the lower index. Source: Carbonell & Goldstein, The Use of MMR (1998).
    """
    chosen: list[int] = []
    nearest = np.zeros(len(relevance), dtype=np.float64)
    left = np.ones(len(relevance), dtype=bool)
    for _ in range(min(k, len(relevance))):
        values = np.round(mmr_lambda * relevance - (1.0 - mmr_lambda) * nearest, 6)
        best = int(np.argmax(np.where(left, values, -np.inf)))
        # The first choice sets the similarities, which may be negative; later ones can only raise them.
        nearest = similarity[best].astype(np.float64) if not chosen else np.maximum(nearest, similarity[best])
        chosen.append(best)
        left[best] = False
    return chosen
