"""Reliability bins and the expected calibration error, against values worked out by hand."""

import pytest

from polyrag_cli.scoring.calibration import (
    ReliabilityBin,
    expected_calibration_error,
    margin_confidence,
    reliability,
)


@pytest.mark.parametrize(("margin", "confidence"), [(0.0, 0.5), (0.2, 0.6), (1.0, 1.0), (1.7, 1.0), (-0.3, 0.5)])
def test_a_margin_as_a_probability(margin: float, confidence: float) -> None:
    assert margin_confidence(margin) == pytest.approx(confidence)


def test_bins_hold_their_lower_border_and_empty_ones_are_left_out() -> None:
    bins = reliability([0.5, 0.59, 0.6, 1.0], [True, False, True, True], bins=5, low=0.5, high=1.0)
    assert bins == (
        ReliabilityBin(0.5, 0.6, 2, 0.545, 0.5),
        ReliabilityBin(0.6, 0.7, 1, 0.6, 1.0),
        ReliabilityBin(0.9, 1.0, 1, 1.0, 1.0),
    )


def test_a_border_that_floats_miss_still_belongs_to_the_bin_above() -> None:
    # (0.7 - 0.5) / 0.1 is 1.9999999999999996.
    (only,) = reliability([0.7], [True], bins=5, low=0.5, high=1.0)
    assert (only.low, only.high) == (0.7, 0.8)


def test_the_error_is_the_mean_gap_weighted_by_cases() -> None:
    bins = reliability([0.9, 0.9, 0.9, 0.3], [True, True, False, True], bins=10)
    # 3/4 · |2/3 − 0.9| + 1/4 · |1 − 0.3| = 0.175 + 0.175
    assert expected_calibration_error(bins) == pytest.approx(0.35, abs=1e-6)
    assert expected_calibration_error(reliability([1.0, 0.0], [True, False])) == 0.0
    assert expected_calibration_error(()) == 0.0


def test_what_lies_outside_counts_at_the_ends() -> None:
    assert [item.n for item in reliability([-1.0, 2.0, 0.95], [True, True, True])] == [1, 2]


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="bin"):
        reliability([0.5], [True], bins=0)
    with pytest.raises(ValueError, match="range"):
        reliability([0.5], [True], low=0.5, high=0.5)
    with pytest.raises(ValueError, match="argument"):
        reliability([0.5], [])
