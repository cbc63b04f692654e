"""Whether a measure changed between two runs, by more than their noise. Pure arithmetic on samples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median, stdev
from typing import Literal

Verdict = Literal["slower", "faster", "same", "too few"]

# A change below this is not worth a word, however certain.
LEAST_CHANGE = 0.10
# Of the ratio of medians, in each of a comparison's many rows.
RESAMPLES = 1000
# With fewer samples on a side an interval says nothing.
LEAST_SAMPLES = 3


@dataclass(frozen=True, slots=True)
class RatioChange:
    """The ratio of two medians, new over old; `low` and `high` bound it with 95 % confidence.

    noise: the factor, at least 1, by which two runs of one program may differ. paired: whether each question was
    compared with itself.
    """

    ratio: float
    low: float
    high: float
    noise: float
    verdict: Verdict
    paired: bool = False


def ratio_change(
    old: Sequence[Sequence[float]],
    new: Sequence[Sequence[float]],
    machine: float = 1.0,
    higher_is_better: bool = False,
    paired: bool = False,
) -> RatioChange:
    """How much slower the new samples are than the old ones: a ratio above 1 is slower.

    old, new: positive samples, round by round. machine: how much slower the machine itself was in the new run.
    higher_is_better: for rates; the ratio is then old over new.
    paired: the n-th sample of every round is of the same question; then questions are compared each with itself, where
    all rounds are of one length and there are two of them at least.
    A row is slower when its ratio is at least 1.10 and the interval's lower end lies above the noise; faster likewise.
    """
    before, after = (new, old) if higher_is_better else (old, new)
    noise = round(round_noise(old, new, machine), 4)
    aligned = paired and min(len(old), len(new)) > 1 and len({len(one) for one in (*old, *new)}) == 1
    ratio = _paired_ratio(before, after) if aligned else median(_flat(after)) / median(_flat(before))
    if min(len(_flat(before)), len(_flat(after))) < LEAST_SAMPLES:
        return RatioChange(round(ratio, 4), math.nan, math.nan, noise, "too few", aligned)
    low, high = _interval(before, after, aligned)
    verdict: Verdict = "same"
    if ratio >= 1.0 + LEAST_CHANGE and low > noise:
        verdict = "slower"
    elif ratio <= 1.0 - LEAST_CHANGE and high < 1.0 / noise:
        verdict = "faster"
    return RatioChange(round(ratio, 4), round(low, 4), round(high, 4), noise, verdict, aligned)


def _interval(old: Sequence[Sequence[float]], new: Sequence[Sequence[float]], aligned: bool) -> tuple[float, float]:
    # Not before it is needed: a command that compares nothing doesn't load numpy.
    from polyrag_cli.scoring.bootstrap import paired_interval, ratio_interval

    return paired_interval(old, new, RESAMPLES) if aligned else ratio_interval(_flat(old), _flat(new), RESAMPLES)


def _paired_ratio(old: Sequence[Sequence[float]], new: Sequence[Sequence[float]]) -> float:
    """The median over questions of the ratio of a question's medians over the rounds."""
    pairs = zip(zip(*old, strict=True), zip(*new, strict=True), strict=True)
    return float(median(median(after) / median(before) for before, after in pairs))


def round_noise(old: Sequence[Sequence[float]], new: Sequence[Sequence[float]], machine: float = 1.0) -> float:
    """The factor, at least 1, that lies within the noise: exp(√(s₁² + s₂²) + |ln machine|).

    s: standard deviation of the logarithms of a run's round medians; 0 for a single round.
    """
    spread = math.hypot(*(_log_deviation(rounds) for rounds in (old, new)))
    return math.exp(spread + abs(math.log(machine)))


def _log_deviation(rounds: Sequence[Sequence[float]]) -> float:
    logs = [math.log(median(one)) for one in rounds if one]
    return stdev(logs) if len(logs) > 1 else 0.0


def _flat(rounds: Sequence[Sequence[float]]) -> list[float]:
    return [value for one in rounds for value in one]
