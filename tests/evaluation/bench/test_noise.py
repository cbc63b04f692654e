"""Ratios of medians with their intervals and noise: planted slow-downs are found, unchanged runs are not."""

from __future__ import annotations

import math

import numpy as np
import pytest

from polyrag_cli.evaluation.bench.noise import ratio_change, round_noise

Rounds = list[list[float]]


def run(seed: int, factor: float = 1.0, rounds: int = 4, questions: int = 12) -> Rounds:
    """Questions of different lengths, each with noise of its own and a common one for its round."""
    lengths = np.random.default_rng(99).uniform(3.0, 40.0, questions)
    rng = np.random.default_rng(seed)
    shared = rng.normal(0.0, 0.01, (rounds, 1))
    noise = rng.normal(0.0, 0.05, (rounds, questions))
    found: Rounds = (factor * lengths * np.exp(shared + noise)).tolist()
    return found


def test_noise_is_how_far_round_medians_lie_apart() -> None:
    # Medians 10 and 10e: logarithms 1 apart, so their standard deviation is 1/√2 in each run.
    apart = [[9.0, 10.0, 11.0], [10.0 * math.e] * 3]
    assert round_noise(apart, apart) == pytest.approx(math.e)
    assert round_noise(apart, [[5.0]]) == pytest.approx(math.exp(1 / math.sqrt(2)))
    assert round_noise([[5.0]], [[7.0]]) == 1.0
    assert round_noise([[5.0]], [[7.0]], machine=0.5) == pytest.approx(2.0)
    assert round_noise([[5.0]], [[7.0]], machine=2.0) == pytest.approx(2.0)


def test_questions_are_compared_each_with_itself() -> None:
    old, new = [[1.0, 2.0, 100.0]] * 2, [[2.0, 4.0, 100.0]] * 2
    assert ratio_change(old, new, paired=True).ratio == 2.0
    assert ratio_change(old, new).ratio == 2.0
    assert ratio_change([[1.0, 100.0, 100.0]] * 2, [[2.0, 200.0, 90.0]] * 2, paired=True).ratio == 2.0
    # Rounds of unequal length don't tell which sample is of which question: median 90 over median 50.5.
    assert ratio_change([[1.0, 100.0, 100.0], [1.0]], [[2.0, 200.0, 90.0]] * 2, paired=True).ratio == 1.7822


@pytest.mark.parametrize("seed", range(20))
def test_an_unchanged_run_is_the_same(seed: int) -> None:
    change = ratio_change(run(1), run(100 + seed), paired=True)
    assert change.verdict == "same"
    assert 0.93 < change.low <= change.ratio <= change.high < 1.07


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("paired", [True, False])
def test_a_planted_change_is_found(seed: int, paired: bool) -> None:
    factor = 1.3 if paired else 4.0
    slower = ratio_change(run(1), run(100 + seed, factor), paired=paired)
    assert slower.verdict == "slower"
    assert slower.low <= slower.ratio <= slower.high
    assert ratio_change(run(1, factor), run(100 + seed), paired=paired).verdict == "faster"


def test_pairing_narrows_the_interval() -> None:
    alike = [ratio_change(run(1), run(2), paired=paired) for paired in (True, False)]
    widths = [change.high - change.low for change in alike]
    assert widths[0] < widths[1] / 2


def test_a_small_change_is_not_worth_a_word() -> None:
    change = ratio_change([[10.0] * 5] * 3, [[10.9] * 5] * 3, paired=True)
    assert (change.ratio, change.low, change.verdict) == (1.09, 1.09, "same")
    assert ratio_change([[10.0] * 5] * 3, [[11.0] * 5] * 3, paired=True).verdict == "slower"
    assert ratio_change([[10.0] * 5] * 3, [[9.0] * 5] * 3, paired=True).verdict == "faster"


def test_what_the_machine_lost_is_not_the_program_s() -> None:
    old, new = [[10.0] * 5] * 3, [[14.0] * 5] * 3
    assert ratio_change(old, new, machine=1.2).verdict == "slower"
    assert ratio_change(old, new, machine=1.5).verdict == "same"


def test_a_rate_that_falls_is_slower() -> None:
    change = ratio_change([[100.0]] * 4, [[50.0]] * 4, higher_is_better=True)
    assert (change.ratio, change.verdict) == (2.0, "slower")
    assert ratio_change([[100.0]] * 4, [[200.0]] * 4, higher_is_better=True).verdict == "faster"


def test_two_samples_say_nothing() -> None:
    change = ratio_change([[1.0], [1.0]], [[9.0], [9.0], [9.0]])
    assert (change.ratio, change.verdict) == (9.0, "too few")
    assert math.isnan(change.low) and math.isnan(change.high)
