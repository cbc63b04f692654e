"""Owns how sure a measured mean is, and whether two runs over the same questions differ."""

import math
from collections.abc import Sequence

import numpy as np

from polyrag_cli.scoring.bootstrap import CONFIDENCE, RESAMPLES, percentiles, resampled


def mean_interval(values: Sequence[float], resamples: int = RESAMPLES) -> tuple[float, float]:
    """Return the 95 % interval of a mean by the percentile bootstrap over the values.

    Raises:
        ValueError: no values.

    Source: Efron & Tibshirani, An Introduction to the Bootstrap (1993), §13.3.
    """
    return percentiles(resampled(np.asarray(values, dtype=np.float64)[None, :], resamples, lambda x: x[0].mean(axis=1)))


def share_interval(values: Sequence[float], resamples: int = RESAMPLES) -> tuple[float, float]:
    """Return the 95 % interval of the mean of values in [0, 1]: `mean_interval`, or exact where all are 0 or 1 alike.

    A resample of equal values can't vary, though a few questions that all went well don't make the next one certain.

    Raises:
        ValueError: no values.

    Source: Clopper & Pearson (1934): n of n successes give [0.025^(1/n), 1], none of n gives [0, 1 − 0.025^(1/n)].
    """
    low, high = mean_interval(values, resamples)
    if low == high and low in (0.0, 1.0):
        doubt = ((1.0 - CONFIDENCE) / 2.0) ** (1.0 / len(values))
        return (doubt, 1.0) if low else (0.0, 1.0 - doubt)
    return low, high


def percentile_interval(values: Sequence[float], q: float, resamples: int = RESAMPLES) -> tuple[float, float]:
    """Return the 95 % interval of the `q`-th percentile (0–100), as `mean_interval` does for a mean."""
    data = np.asarray(values, dtype=np.float64)[None, :]
    return percentiles(resampled(data, resamples, lambda x: np.percentile(x[0], q, axis=1)))


def median_ratio(
    before: Sequence[float], now: Sequence[float], resamples: int = RESAMPLES
) -> tuple[float, float, float]:
    """Return median(now) / median(before) with its 95 % bootstrap interval: (ratio, low, high).

    before, now: positive times of the same questions in the same order; a resample draws questions, so both medians
    of it are over the same ones.

    Raises:
        ValueError: no values, different lengths, or a median of 0.
    """
    pairs = np.asarray([before, now], dtype=np.float64) if len(before) == len(now) else np.zeros((2, 0))
    if not pairs.size or not np.median(pairs[0]) > 0:
        raise ValueError("a ratio of medians needs positive times of the same questions")
    ratios = resampled(pairs, resamples, lambda x: np.median(x[1], axis=1) / np.maximum(np.median(x[0], axis=1), 1e-9))
    return (float(np.median(pairs[1]) / np.median(pairs[0])), *percentiles(ratios))


def mcnemar(lost: int, won: int) -> float:
    """Return the two-sided p-value of McNemar's exact test, in (0, 1].

    Args:
        lost: questions that were right and turned wrong; won: the other way round.

    Source: McNemar (1947); exact form: 2 · P(X ≤ min(lost, won)) for X binomial over lost + won trials of 1/2.
    """
    trials = lost + won
    tail = sum(math.comb(trials, i) for i in range(min(lost, won) + 1))
    # Whole numbers until here: 2 to the power of the trials overflows a float from 1,024 on.
    return min(1.0, float(2 * tail / (1 << trials)))


def paired_bootstrap(before: Sequence[float], now: Sequence[float], resamples: int = RESAMPLES) -> float:
    """Return the two-sided p-value that the mean difference of paired values is 0, in (0, 1].

    The differences are centred on 0 and resampled; p is the share of resampled means at least as far from 0 as the
    observed one, counting the observed one itself. 1.0 for no pairs and for equal values. Few pairs can't be surer than
    the sign test of as many that all agree, 2 / 2ⁿ over the n that differ: centred equal differences are all 0.

    Raises:
        ValueError: different lengths.

    Source: Efron & Tibshirani (1993), §16.4; Davison & Hinkley, Bootstrap Methods (1997), eq. 4.11 for the + 1.
    """
    if len(before) != len(now):
        raise ValueError("paired values come in equal numbers")
    differences = np.asarray(now, dtype=np.float64) - np.asarray(before, dtype=np.float64)
    if not differences.any():
        return 1.0
    observed = float(differences.mean())
    centred = (differences - observed)[None, :]
    means = resampled(centred, resamples, lambda x: x[0].mean(axis=1))
    extreme = int(np.count_nonzero(np.abs(means) >= abs(observed) - 1e-12))
    return max((extreme + 1) / (resamples + 1), 2.0 ** (1 - int(np.count_nonzero(differences))))
