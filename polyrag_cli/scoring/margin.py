"""Owns the margin rule by which a score list is taken, left to free text, or called gray."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["take", "free", "gray"]

# Scores are compared as they are shown: a difference below this is no difference.
_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class MarginRule:
    """Thresholds of the rule, all cosines in [-1, 1]: `tau_low` <= `tau_high`, `delta_margin` >= 0."""

    tau_high: float
    tau_low: float
    delta_margin: float


def margin(scores: Sequence[float]) -> float:
    """Return the distance of the best score to the second, the best itself when single, 0.0 when empty."""
    ordered = sorted((round(score, _DECIMALS) for score in scores), reverse=True)
    if not ordered:
        return 0.0
    return round(ordered[0] - ordered[1], _DECIMALS) if len(ordered) > 1 else ordered[0]


def margin_of(own: float, others: Sequence[float]) -> float:
    """Return the distance of one score to the best of the others, below zero where that one is higher; the score
    itself when it is alone."""
    return round(round(own, _DECIMALS) - round(max(others, default=0.0), _DECIMALS), _DECIMALS) + 0.0


def verdict(scores: Sequence[float], rule: MarginRule) -> Verdict:
    """Return "take" if top1 >= tau_high and margin >= delta_margin, "free" if top1 < tau_low, "gray" otherwise.

    No scores at all is "free".
    """
    if not scores:
        return "free"
    top = round(max(scores), _DECIMALS)
    if top >= rule.tau_high and margin(scores) >= rule.delta_margin:
        return "take"
    return "free" if top < rule.tau_low else "gray"
