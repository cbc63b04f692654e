"""How a cost grows with size: the exponent of a power law, and what it is called."""

from __future__ import annotations

import math
from collections.abc import Sequence

# Up to these exponents a growth is called constant, sublinear, linear; above, superlinear.
CONSTANT = 0.15
SUBLINEAR = 0.85
LINEAR = 1.15


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> float | None:
    """The b of cost = a · size^b: the least-squares slope of ln cost over ln size; None for fewer than two sizes.

    Raises ValueError for a size or a cost that isn't positive, or for lists of unequal length.
    """
    if len(sizes) != len(costs) or not all(value > 0 for value in (*sizes, *costs)):
        raise ValueError("an exponent needs as many positive costs as positive sizes")
    if len(set(sizes)) < 2:
        return None
    x, y = ([math.log(value) for value in values] for values in (sizes, costs))
    middle_x, middle_y = sum(x) / len(x), sum(y) / len(y)
    covariance = sum((a - middle_x) * (b - middle_y) for a, b in zip(x, y, strict=True))
    return covariance / sum((a - middle_x) ** 2 for a in x)


def growth_name(value: float | None) -> str:
    """The word for an exponent; "" without one."""
    if value is None:
        return ""
    if value <= CONSTANT:
        return "constant"
    if value < SUBLINEAR:
        return "sublinear"
    return "linear" if value <= LINEAR else "superlinear"
