"""Owns logistic regression: its fit, its loss, and how well scores part right from wrong."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

_MAX_STEPS = 100
_CONVERGED = 1e-10
# A feature that varies less than this says nothing: its weight is 0.
_CONSTANT = 1e-9
# The least probability that a loss is taken of: what is called impossible and happens costs 13.8.
_LEAST = 1e-6


def fitted(features: Numbers, labels: Numbers, l2: float) -> tuple[Numbers, float]:
    """Return the weights, shape (k,), and the bias that minimise mean(log loss) + l2 · Σ w², found by Newton's method.

    Args:
        features: shape (n, k). The penalty is that of their standardised weights, so that no unit counts for more;
            those returned are of the features as given.
        labels: shape (n,), each 0 or 1.
        l2: above 0; the bias isn't penalised.

    Raises:
        ValueError: the labels are all alike, or their number isn't that of the rows.
    """
    if len(labels) != len(features) or len(np.unique(labels)) != 2:
        raise ValueError("a logistic regression needs a label of either kind, one for each row")
    means, spreads = features.mean(axis=0), features.std(axis=0)
    varied = spreads > _CONSTANT
    scaled = np.where(varied, (features - means) / np.where(varied, spreads, 1.0), 0.0)
    found = _newton(np.column_stack([scaled, np.ones(len(labels))]), labels, l2)
    weights = np.where(varied, found[:-1] / np.where(varied, spreads, 1.0), 0.0)
    return weights, float(found[-1] - weights @ means)


def _newton(design: Numbers, labels: Numbers, l2: float) -> Numbers:
    """The minimum for a design whose last column is the bias's, shape (k + 1,)."""
    found = np.zeros(design.shape[1])
    penalty = np.full(design.shape[1], 2.0 * l2)
    penalty[-1] = 0.0
    for _ in range(_MAX_STEPS):
        likely = probabilities(design, found, 0.0)
        gradient = design.T @ (likely - labels) / len(labels) + penalty * found
        curved = (design * (likely * (1.0 - likely))[:, None]).T @ design / len(labels) + np.diag(penalty)
        # A hair on the diagonal keeps a column of zeros, whose feature says nothing, from having no inverse.
        step = np.linalg.solve(curved + np.eye(len(found)) * 1e-12, gradient)
        size = 1.0
        while size > _CONVERGED and _loss(design, labels, found - size * step, penalty) > _loss(
            design, labels, found, penalty
        ):
            size /= 2.0
        found = found - size * step
        if float(np.abs(size * step).max()) < _CONVERGED:
            break
    return found


def _loss(design: Numbers, labels: Numbers, weights: Numbers, penalty: Numbers) -> float:
    odds = design @ weights
    return float(np.mean(np.logaddexp(0.0, odds) - labels * odds) + 0.5 * penalty @ weights**2)


def probabilities(features: Numbers, weights: Numbers, bias: float) -> Numbers:
    """Return 1 / (1 + e^−z) with z = features · weights + bias, shape (n,)."""
    likely: Numbers = np.exp(-np.logaddexp(0.0, -(features @ weights + bias)))
    return likely


def log_loss(likely: Numbers, labels: Numbers) -> float:
    """Return the mean of −ln of the probability given to what is so, in nats; 0.0 without cases.

    Args:
        likely: of the label 1, in [0, 1], shape (n,). labels: each 0 or 1.
    """
    return round(float(log_losses(likely, labels).mean()), 6) if len(labels) else 0.0


def log_losses(likely: Numbers, labels: Numbers) -> Numbers:
    """Return −ln of the probability given to what is so, of each case in nats, shape (n,)."""
    losses: Numbers = -np.log(np.clip(np.where(labels > 0.5, likely, 1.0 - likely), _LEAST, 1.0))
    return losses


def roc_auc(scores: Numbers, labels: Numbers) -> float | None:
    """Return how often a case labelled 1 scores above one labelled 0, a tie counting half, in [0, 1]; None where there
    are not both.

    Source: Hanley & McNeil, The meaning and use of the area under a ROC curve (1982).
    """
    ones, zeros = scores[labels > 0.5], scores[labels <= 0.5]
    if not len(ones) or not len(zeros):
        return None
    above = (ones[:, None] > zeros).sum() + 0.5 * (ones[:, None] == zeros).sum()
    return round(float(above) / (len(ones) * len(zeros)), 6)
