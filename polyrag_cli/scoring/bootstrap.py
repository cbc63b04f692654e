"""Owns resampling: how far a statistic of measured values varies from draw to draw, and its interval.

Seeded, so equal inputs give equal intervals.

Source: Efron & Tibshirani, An Introduction to the Bootstrap (1993), §13.3 (percentile intervals).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

CONFIDENCE = 0.95
RESAMPLES = 2000
_SEED = 0
# Values drawn at a time: all resamples of a large set would not fit into memory together.
_BLOCK = 500_000

Floats = NDArray[np.float64]


def percentiles(statistics: Floats) -> tuple[float, float]:
    """Return the 95 % percentile interval of resampled statistics, shape (resamples,)."""
    tail = (1.0 - CONFIDENCE) / 2.0 * 100.0
    low, high = np.percentile(statistics, [tail, 100.0 - tail])
    return float(low), float(high)


def resampled(data: Floats, resamples: int, statistic: Callable[[Floats], Floats]) -> Floats:
    """Return the statistic of each resample, shape (resamples,).

    data: (series, questions); a resample draws questions, the same ones for every series. statistic: from drawn values,
    (series, n, questions), to (n,).

    Raises:
        ValueError: no questions.
    """
    questions = data.shape[1]
    if not questions:
        raise ValueError("nothing to resample")
    rng = np.random.default_rng(_SEED)
    drawn = (rng.integers(0, questions, size=(part, questions)) for part in _parts(questions, resamples))
    return np.concatenate([statistic(data[:, indices]) for indices in drawn])


def ratio_interval(old: Sequence[float], new: Sequence[float], resamples: int = RESAMPLES) -> tuple[float, float]:
    """Return the 95 % interval of the ratio of two medians, new over old, of samples that have nothing to do with each
    other.

    old, new: positive values, one at least.
    """
    rng = np.random.default_rng(_SEED)
    medians = []
    for samples in (old, new):
        values = np.asarray(samples, dtype=np.float64)
        parts = _parts(len(values), resamples)
        medians.append(np.concatenate([np.median(rng.choice(values, (n, len(values))), axis=1) for n in parts]))
    return percentiles(medians[1] / medians[0])


def paired_interval(
    old: Sequence[Sequence[float]], new: Sequence[Sequence[float]], resamples: int = RESAMPLES
) -> tuple[float, float]:
    """Return the 95 % interval of the median over questions of a question's own ratio of medians, new over old.

    old, new: positive values, (rounds, questions). A question's rounds are drawn again; the questions stay, since they
    are the same in both.
    """
    rng = np.random.default_rng(_SEED)
    matrices = [np.asarray(rounds, dtype=np.float64) for rounds in (old, new)]
    ratios = []
    for n in _parts(max(matrix.size for matrix in matrices), resamples):
        before, after = (
            np.median(np.take_along_axis(m[None], rng.integers(0, len(m), (n, *m.shape)), axis=1), axis=1)
            for m in matrices
        )
        ratios.append(np.median(after / before, axis=1))
    return percentiles(np.concatenate(ratios))


def _parts(values: int, resamples: int) -> list[int]:
    """How many resamples of so many values to draw at once."""
    step = max(1, _BLOCK // values)
    return [min(step, resamples - done) for done in range(0, resamples, step)]
