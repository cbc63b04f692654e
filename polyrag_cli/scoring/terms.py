"""Owns how the terms of a sum are rounded so that whoever adds them gets the rounded sum, to the last digit."""

from __future__ import annotations

from collections.abc import Iterable

DECIMALS = 6
"""Decimals that scores and their terms are kept with."""


def rounded_steps(totals: Iterable[float], decimals: int = DECIMALS) -> tuple[float, ...]:
    """Return the terms of a sum from its running totals: each is the step between two rounded totals.

    Rounding each term by itself would not do: .314 + .954 = 1.268, but .31 + .95 is not 1.27. The steps are .31 and
    .96: they add up to the rounded sum, the first is rounded as ever, and none is off by a unit of the last digit.

    Args:
        totals: the sum after each term, in the order added; the last is the whole sum.
    """
    steps: list[float] = []
    before = 0.0
    for total in totals:
        now = round(total, decimals)
        # Rounded again: the difference of two decimals as floats isn't the nearest float to their difference.
        steps.append(round(now - before, decimals) + 0.0)
        before = now
    return tuple(steps)
