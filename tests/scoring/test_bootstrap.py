"""Resampling: the same draws for the same values, in however many blocks, and bounds known by hand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from polyrag_cli.scoring import bootstrap
from polyrag_cli.scoring.bootstrap import paired_interval, percentiles, ratio_interval, resampled

VALUES = np.random.default_rng(3).random((2, 50))


def test_percentiles_leave_a_fortieth_at_either_end() -> None:
    assert percentiles(np.arange(201, dtype=np.float64)) == pytest.approx((5.0, 195.0))


def test_a_resample_draws_the_same_questions_for_every_series() -> None:
    same = resampled(np.stack([VALUES[0], VALUES[0]]), 20, lambda x: np.abs(x[0] - x[1]).max(axis=1))
    assert same.shape == (20,) and not same.any()


def test_nothing_can_not_be_resampled() -> None:
    with pytest.raises(ValueError, match="nothing to resample"):
        resampled(np.zeros((2, 0)), 10, lambda x: x[0].mean(axis=1))


@pytest.mark.parametrize(
    "work",
    [
        lambda: tuple(resampled(VALUES, 300, lambda x: x[0].mean(axis=1))),
        lambda: ratio_interval(list(VALUES[0]), list(VALUES[1][:31])),
    ],
)
def test_draws_are_seeded_and_do_not_depend_on_the_blocks(
    monkeypatch: pytest.MonkeyPatch, work: Callable[[], tuple[float, ...]]
) -> None:
    first = work()
    assert work() == first
    monkeypatch.setattr(bootstrap, "_BLOCK", 1000)
    assert work() == first


def test_intervals_of_samples_without_spread_are_points() -> None:
    assert ratio_interval([2.0] * 4, [3.0] * 4) == (1.5, 1.5)
    assert paired_interval([[1.0, 10.0]] * 3, [[2.0, 30.0]] * 3) == (2.5, 2.5)


def test_an_interval_of_one_question_lies_between_its_extreme_ratios() -> None:
    old, new = [[10.0], [11.0], [12.0]], [[20.0], [22.0], [24.0]]
    # 1 of 27 draws has one value only in a run, so the bounds are within the outermost medians.
    low, high = paired_interval(old, new)
    assert 20 / 12 <= low < 2.0 < high <= 24 / 10
    assert paired_interval(old, new) == (low, high)
