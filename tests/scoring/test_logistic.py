"""Logistic regression against hand-computed minima, gradients and losses."""

from __future__ import annotations

import math

import numpy as np
import pytest

from polyrag_cli.scoring.logistic import fitted, log_loss, probabilities, roc_auc


def test_one_feature_has_the_minimum_that_can_be_computed_by_hand() -> None:
    # Cases (−1, 0) and (1, 1): the loss is ln(1 + e^−w) + l2 · w², whose slope −1 / (1 + e^w) + 2 · l2 · w is 0 at
    # w = 1 for l2 = 1 / (2 · (1 + e)).
    weights, bias = fitted(np.array([[-1.0], [1.0]]), np.array([0.0, 1.0]), 1.0 / (2.0 * (1.0 + math.e)))
    assert weights == pytest.approx([1.0], abs=1e-9)
    assert bias == pytest.approx(0.0, abs=1e-9)


def test_the_unit_of_a_feature_does_not_matter() -> None:
    # The same two cases at 10 and 30: w = 1 of (x − 20) / 10.
    weights, bias = fitted(np.array([[10.0], [30.0]]), np.array([0.0, 1.0]), 1.0 / (2.0 * (1.0 + math.e)))
    assert weights == pytest.approx([0.1], abs=1e-9)
    assert bias == pytest.approx(-2.0, abs=1e-9)


def test_a_constant_says_nothing_and_the_bias_is_the_share() -> None:
    weights, bias = fitted(np.full((4, 1), 7.0), np.array([1.0, 1.0, 1.0, 0.0]), 0.01)
    assert weights.tolist() == [0.0]
    assert bias == pytest.approx(math.log(3.0), abs=1e-9)


def test_the_gradient_is_zero_at_the_minimum() -> None:
    drawn = np.random.default_rng(0)
    features = drawn.normal(size=(80, 3)) * [1.0, 5.0, 0.2] + [0.0, 3.0, -1.0]
    labels = (features[:, 0] + drawn.normal(size=80) > 0).astype(float)
    weights, bias = fitted(features, labels, 0.02)
    spreads = features.std(axis=0)

    def loss(point: np.ndarray) -> float:
        odds = features @ point[:3] + point[3]
        return float(np.mean(np.logaddexp(0.0, odds) - labels * odds) + 0.02 * np.sum((point[:3] * spreads) ** 2))

    at = np.array([*weights, bias])
    for place in range(4):
        step = np.zeros(4)
        step[place] = 1e-5
        assert (loss(at + step) - loss(at - step)) / 2e-5 == pytest.approx(0.0, abs=1e-7)


def test_labels_of_one_kind_and_of_another_number_are_refused() -> None:
    with pytest.raises(ValueError, match="either kind"):
        fitted(np.zeros((3, 1)), np.ones(3), 0.01)
    with pytest.raises(ValueError, match="one for each row"):
        fitted(np.zeros((3, 1)), np.array([0.0, 1.0]), 0.01)


def test_probabilities_are_the_logistic_function_however_large() -> None:
    found = probabilities(np.array([[0.0], [1.0], [-900.0], [900.0]]), np.array([2.0]), -1.0)
    assert found == pytest.approx([1 / (1 + math.e), 1 / (1 + math.exp(-1.0)), 0.0, 1.0])


def test_the_loss_is_the_mean_of_the_logarithms() -> None:
    assert log_loss(np.array([0.5, 0.8]), np.array([1.0, 0.0])) == pytest.approx(
        -(math.log(0.5) + math.log(0.2)) / 2, abs=1e-6
    )
    assert log_loss(np.array([0.0]), np.array([1.0])) == pytest.approx(13.815511, abs=1e-5)
    assert log_loss(np.zeros(0), np.zeros(0)) == 0.0


def test_the_area_counts_pairs_and_half_of_the_ties() -> None:
    # Of the pairs (.9, .5), (.9, .4), (.5, .5), (.5, .4) three are in order and one is a tie.
    assert roc_auc(np.array([0.9, 0.5, 0.5, 0.4]), np.array([1.0, 1.0, 0.0, 0.0])) == 0.875
    assert roc_auc(np.array([0.9]), np.array([1.0])) is None
