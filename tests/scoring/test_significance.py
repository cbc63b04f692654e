"""Intervals and tests against values computed by hand or in closed form."""

import math

import numpy as np
import pytest

from polyrag_cli.scoring.significance import (
    mcnemar,
    mean_interval,
    median_ratio,
    paired_bootstrap,
    percentile_interval,
    share_interval,
)


def test_the_interval_of_a_constant_is_that_constant() -> None:
    assert mean_interval([0.25] * 7) == (0.25, 0.25)
    assert percentile_interval([3.0, 3.0], 95) == (3.0, 3.0)


def test_the_interval_of_a_share_is_near_the_normal_one() -> None:
    low, high = mean_interval([1.0] * 60 + [0.0] * 40)
    half = 1.96 * math.sqrt(0.6 * 0.4 / 100)
    assert low == pytest.approx(0.6 - half, abs=0.02)
    assert high == pytest.approx(0.6 + half, abs=0.02)


def test_nothing_has_no_interval() -> None:
    with pytest.raises(ValueError, match="nothing to resample"):
        mean_interval([])


@pytest.mark.parametrize(
    ("lost", "won", "p"),
    [
        (0, 0, 1.0),
        (1, 0, 1.0),
        (3, 3, 1.0),
        (5, 0, 2 * 1 / 32),
        (0, 6, 2 * 1 / 64),
        (8, 2, 2 * (1 + 10 + 45) / 1024),
    ],
)
def test_mcnemar_is_the_two_sided_binomial_test(lost: int, won: int, p: float) -> None:
    assert mcnemar(lost, won) == pytest.approx(p, abs=1e-12)
    assert mcnemar(won, lost) == mcnemar(lost, won)


def test_mcnemar_over_thousands_of_questions_is_still_a_number() -> None:
    assert 0.0 < mcnemar(1000, 1100) < 0.05
    assert mcnemar(0, 5000) == pytest.approx(0.0, abs=1e-300)


def test_paired_bootstrap_tells_a_shift_from_noise() -> None:
    generator = np.random.default_rng(1)
    before = generator.random(80)
    noise = generator.normal(0.0, 0.05, 80)
    assert paired_bootstrap(list(before), list(before)) == 1.0
    assert paired_bootstrap(list(before), list(before + noise - noise.mean() + 0.001)) > 0.5
    assert paired_bootstrap(list(before), list(before + noise - 0.1)) == 1 / 2001


def test_one_change_among_many_is_no_proof() -> None:
    # The centred differences are 0.1 once and -0.9 or less rarely: resamples reach the observed mean often.
    p = paired_bootstrap([1.0] * 10, [0.0] + [1.0] * 9)
    assert p > 0.3


def test_pairs_must_be_pairs() -> None:
    with pytest.raises(ValueError, match="equal numbers"):
        paired_bootstrap([1.0], [1.0, 0.0])


def test_the_ratio_of_medians_holds_its_interval() -> None:
    before = [10.0, 20.0, 30.0]
    ratio, low, high = median_ratio(before, [20.0, 40.0, 60.0])
    assert (ratio, low, high) == (2.0, 2.0, 2.0)
    generator = np.random.default_rng(2)
    noisy = generator.uniform(5, 50, 100)
    ratio, low, high = median_ratio(list(noisy), list(noisy * generator.uniform(0.8, 1.25, 100)))
    assert low < ratio < high
    assert low < 1.0 < high


@pytest.mark.parametrize(("before", "now"), [([], []), ([1.0], [1.0, 2.0]), ([0.0, 0.0], [1.0, 1.0])])
def test_a_ratio_needs_positive_pairs(before: list[float], now: list[float]) -> None:
    with pytest.raises(ValueError, match="positive times"):
        median_ratio(before, now)


@pytest.mark.parametrize(("n", "low"), [(1, 0.025), (2, 0.158114), (20, 0.831566)])
def test_all_right_or_all_wrong_leaves_a_doubt_that_shrinks(n: int, low: float) -> None:
    assert share_interval([1.0] * n) == pytest.approx((low, 1.0), abs=1e-6)
    assert share_interval([0.0] * n) == pytest.approx((0.0, 1.0 - low), abs=1e-6)


def test_where_questions_disagree_a_share_has_the_bootstrap_interval() -> None:
    values = [1.0, 0.0, 0.5, 1.0]
    assert share_interval(values) == mean_interval(values)


def test_only_what_is_all_right_or_all_wrong_has_the_exact_interval() -> None:
    # The bootstrap's low end is 0, but not its high one; both ends are alike, but neither 0 nor 1.
    assert share_interval([1.0, 0.0, 0.0, 0.0]) == mean_interval([1.0, 0.0, 0.0, 0.0]) != (0.0, 0.0)
    assert share_interval([0.5] * 4) == (0.5, 0.5)


@pytest.mark.parametrize(("n", "p"), [(1, 1.0), (2, 0.5), (5, 0.0625)])
def test_a_few_equal_differences_are_no_certainty(n: int, p: float) -> None:
    assert paired_bootstrap([1.0] * n, [0.5] * n) == p
