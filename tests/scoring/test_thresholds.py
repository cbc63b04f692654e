from __future__ import annotations

import pytest

from polyrag_cli.scoring.thresholds import refusing_at_most, right_at_least


@pytest.mark.parametrize(
    ("share", "threshold"), [(0.0, 0.1), (0.24, 0.1), (0.25, 0.2), (0.5, 0.3), (0.75, 0.9), (0.99, 0.9)]
)
def test_the_greatest_threshold_that_refuses_no_more(share: float, threshold: float) -> None:
    likely = [0.9, 0.2, 0.1, 0.3]
    assert refusing_at_most(likely, share) == threshold
    assert sum(own < threshold for own in likely) <= share * len(likely)


def test_what_is_refused_anyway_counts() -> None:
    assert refusing_at_most([-1.0, 0.4, 0.6, 0.8], 0.25) == 0.4
    assert refusing_at_most([-1.0, -1.0, 0.6, 0.8], 0.25) == 0.0
    assert refusing_at_most([], 0.25) == 0.0


def test_a_share_that_is_no_binary_fraction_is_what_it_says() -> None:
    # .07 · 100 is 7.000000000000001 in floats, .29 · 100 is 28.999999999999996.
    assert refusing_at_most([i / 100 for i in range(100)], 0.29) == 0.29
    assert refusing_at_most([i / 100 for i in range(100)], 0.07) == 0.07


def test_the_least_threshold_that_is_right_often_enough() -> None:
    likely, right = [0.9, 0.8, 0.7, 0.6], [True, False, True, True]
    assert right_at_least(likely, right, 0.75) == 0.6
    assert right_at_least(likely, right, 0.8) == 0.9
    assert right_at_least([0.9, 0.9, 0.1], [True, False, False], 0.9) is None
    assert right_at_least([], [], 0.5) is None


def test_equal_probabilities_pass_together() -> None:
    assert right_at_least([0.9, 0.5, 0.5], [True, True, False], 0.9) == 0.9
