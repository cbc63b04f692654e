"""Owns the choice of a threshold on a probability: by what it may refuse, or by how often it must be right."""

from __future__ import annotations

import math
from collections.abc import Sequence

_DECIMALS = 6


def refusing_at_most(likely: Sequence[float], share: float) -> float:
    """Return the greatest threshold below which at most this share of cases lies, in [0, 1].

    Args:
        likely: probabilities of cases that should pass; one below 0 is refused whatever the threshold.
        share: in [0, 1).

    Without cases, or where more are refused anyway, 0.0.
    """
    if not likely:
        return 0.0
    # Rounded, so that .08 of 25 are the 2 that they are.
    allowed = math.floor(round(share * len(likely), _DECIMALS))
    return min(1.0, max(0.0, sorted(likely)[allowed])) if allowed < len(likely) else 1.0


def right_at_least(likely: Sequence[float], right: Sequence[bool], share: float) -> float | None:
    """Return the least threshold from which on at least this share of what passes is right; None where there is none.

    Args:
        likely: probabilities; a case passes when its own is at least the threshold. right: one for each.
        share: in [0, 1].
    """
    cases = sorted(zip(likely, right, strict=True), reverse=True)
    found, correct = None, 0
    for passed, (own, was_right) in enumerate(cases, 1):
        correct += was_right
        # Equal probabilities pass together.
        last = passed == len(cases) or cases[passed][0] < own
        if last and correct >= share * passed - 1e-9:
            found = own
    return found
