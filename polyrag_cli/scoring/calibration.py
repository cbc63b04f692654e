"""Owns how well a confidence agrees with being right: the reliability curve, and its expected error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """The cases whose confidence lies in [low, high), the last bin's in [low, high].

    confidence: their mean confidence; right: the share of them that was right; both in [0, 1].
    """

    low: float
    high: float
    n: int
    confidence: float
    right: float


def margin_confidence(margin: float) -> float:
    """Return a margin between two routes read as a probability, (1 + margin) / 2 within [0.5, 1].

    A margin of 0 is the toss of a coin between the two, a margin of 1 or more is certainty.
    """
    return (1.0 + min(1.0, max(0.0, margin))) / 2.0


def reliability(
    confidences: Sequence[float], right: Sequence[bool], bins: int = 10, low: float = 0.0, high: float = 1.0
) -> tuple[ReliabilityBin, ...]:
    """Return the bins of equal width between `low` and `high` that hold any case, in order.

    Args:
        confidences: in [low, high]; what lies outside counts in the first or the last bin.
        right: one per confidence.

    Raises:
        ValueError: the lengths differ, or there are no bins.

    Source: Guo et al., On Calibration of Modern Neural Networks (2017), equation 1.
    """
    if bins < 1 or high <= low:
        raise ValueError("a reliability curve needs a bin and a range")
    width = (high - low) / bins
    members: list[list[tuple[float, bool]]] = [[] for _ in range(bins)]
    for confidence, was_right in zip(confidences, right, strict=True):
        # Rounded, so that a case on a border falls into the bin above it.
        place = int(round((confidence - low) / width, _DECIMALS))
        members[min(bins - 1, max(0, place))].append((confidence, was_right))
    return tuple(
        ReliabilityBin(
            round(low + index * width, _DECIMALS),
            round(low + (index + 1) * width, _DECIMALS),
            len(cases),
            round(sum(confidence for confidence, _ in cases) / len(cases), _DECIMALS),
            round(sum(was_right for _, was_right in cases) / len(cases), _DECIMALS),
        )
        for index, cases in enumerate(members)
        if cases
    )


def expected_calibration_error(bins: Sequence[ReliabilityBin]) -> float:
    """Return Σ n_b / n · |right_b − confidence_b|, in [0, 1]; 0.0 without cases.

    Source: Guo et al., On Calibration of Modern Neural Networks (2017), equation 3.
    """
    total = sum(item.n for item in bins)
    if not total:
        return 0.0
    return round(sum(item.n * abs(item.right - item.confidence) for item in bins) / total, _DECIMALS)
