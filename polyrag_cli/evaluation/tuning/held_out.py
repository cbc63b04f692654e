"""Owns the honest estimate of a logistic regression's weights: each fold is judged by weights found without it.

Knows nothing of what the features say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.scoring.calibration import ReliabilityBin, expected_calibration_error, reliability
from polyrag_cli.scoring.logistic import fitted, log_loss, log_losses, probabilities, roc_auc
from polyrag_cli.scoring.significance import mean_interval

# Of the squared standardised weights: what few questions show by chance must not become large.
L2 = 0.01
RELIABILITY_BINS = 10
BIAS = "bias"
_DECIMALS = 3
_BETTER = 1e-6

Numbers = NDArray[np.float64]
Weights = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Cases:
    """What weights are fitted to.

    names: of the features, in their order; features: shape (n, k). labels: shape (n,), 1 for what is so, else 0.
    folds: shape (n,); what belongs together shares one.
    """

    names: tuple[str, ...]
    features: Numbers
    labels: Numbers
    folds: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """How well probabilities say what is so: log loss in nats, area under the ROC curve (None where all labels are
    alike), the reliability curve and its expected error.
    """

    loss: float
    auc: float | None
    reliability: tuple[ReliabilityBin, ...]
    ece: float


@dataclass(frozen=True, slots=True)
class Found:
    """Weights found on all cases, and what to expect of such.

    likely_now, likely: of each case under the weights of now, and under weights found without its fold.
    now, out_of_fold: what these are worth; fitted: the same under the weights found, on the cases they were found on.
    gain: 95 % interval of what the log loss of a case falls by, from now to out of fold.
    per_fold: fold → the weights found without it.
    """

    weights: Weights
    likely_now: Numbers
    likely: Numbers
    now: Estimate
    out_of_fold: Estimate
    fitted: Estimate
    per_fold: Mapping[int, Weights]
    gain: tuple[float, float]

    @property
    def improves(self) -> bool:
        """Whether what was kept aside is foretold better than by the weights of now, by more than chance."""
        return self.gain[0] > _BETTER


def found_on(cases: Cases, now: Weights, l2: float = L2) -> Found:
    """Fits on all cases, and once without each fold to judge that fold. now: the weights of today, with the bias.

    Raises ValueError where some fold leaves labels of one kind alone to be fitted on.
    """
    everything = np.ones(len(cases.labels), dtype=bool)
    weights = _fitted(cases, everything, l2)
    likely = np.zeros(len(cases.labels))
    per_fold: dict[int, Weights] = {}
    for fold in np.unique(cases.folds).tolist():
        inside = cases.folds == fold
        per_fold[fold] = _fitted(cases, ~inside, l2)
        likely[inside] = likely_under(cases, per_fold[fold])[inside]
    likely_now = likely_under(cases, now)
    return Found(
        weights,
        likely_now,
        likely,
        estimated(likely_now, cases.labels),
        estimated(likely, cases.labels),
        estimated(likely_under(cases, weights), cases.labels),
        per_fold,
        mean_interval((log_losses(likely_now, cases.labels) - log_losses(likely, cases.labels)).tolist()),
    )


def likely_under(cases: Cases, weights: Weights) -> Numbers:
    """The probability of each case, shape (n,), rounded to 1e-6."""
    found = probabilities(cases.features, np.array([weights[name] for name in cases.names]), weights[BIAS])
    rounded: Numbers = np.round(found, 6)
    return rounded


def estimated(likely: Numbers, labels: Numbers) -> Estimate:
    """What probabilities are worth."""
    bins = reliability(likely.tolist(), [label > 0.5 for label in labels.tolist()], RELIABILITY_BINS)
    return Estimate(log_loss(likely, labels), roc_auc(likely, labels), bins, expected_calibration_error(bins))


def numbered(groups: Sequence[str], folds: int) -> NDArray[np.int64]:
    """The fold of each case by the name of its group: the names in their order are dealt out in turn.

    folds: at most; with fewer groups each is a fold.
    """
    places = {name: place % folds for place, name in enumerate(sorted(set(groups)))}
    return np.array([places[name] for name in groups], dtype=np.int64)


def _fitted(cases: Cases, rows: NDArray[np.bool_], l2: float) -> Weights:
    """Weights as a configuration holds them, rounded to 1e-3."""
    weights, bias = fitted(cases.features[rows], cases.labels[rows], l2)
    found = {name: round(float(weight), _DECIMALS) for name, weight in zip(cases.names, weights, strict=True)}
    return {BIAS: round(bias, _DECIMALS), **found}
