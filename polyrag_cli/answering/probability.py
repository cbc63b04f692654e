"""How likely a quote answers the question."""

from __future__ import annotations

import math
from collections.abc import Sequence

from polyrag_cli.answering.asked import Asked
from polyrag_cli.answering.stretches import Stretch

_BIAS = -2.0
_SPELT = 3.0
_COSINE = 3.0
_DECIMALS = 6


def probability(asked: Asked, best: Stretch, pool: Sequence[Stretch]) -> float:
    """The probability, in [0, 1], that the best of some stretches answers: a logistic regression."""
    z = _BIAS + _SPELT * best.spelt + _COSINE * best.cosine
    return round(1.0 / (1.0 + math.exp(-z)), _DECIMALS)
