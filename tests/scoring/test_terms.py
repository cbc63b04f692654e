"""Terms that add up to the rounded sum, to the last digit."""

from __future__ import annotations

import random
from decimal import Decimal
from itertools import accumulate

from polyrag_cli.scoring.terms import rounded_steps


def exact_sum(values: tuple[float, ...]) -> Decimal:
    return sum((Decimal(str(value)) for value in values), Decimal(0))


def test_steps_by_hand() -> None:
    assert rounded_steps([0.314, 1.268], 2) == (0.31, 0.96)
    assert rounded_steps([0.314, 0.714, 0.3854], 2) == (0.31, 0.4, -0.32)
    assert rounded_steps([]) == ()
    assert str(rounded_steps([0.0, -0.0000001])) == "(0.0, 0.0)"


def test_steps_add_up_exactly_and_none_is_off_by_a_unit() -> None:
    draw = random.Random(7)
    for _ in range(2000):
        values = [draw.uniform(-1.0, 2.0) for _ in range(draw.randint(1, 6))]
        totals = list(accumulate(values))
        for decimals in (2, 6):
            steps = rounded_steps(totals, decimals)
            assert exact_sum(steps) == Decimal(str(round(totals[-1], decimals) + 0.0))
            assert all(abs(step - value) < 10.0**-decimals for step, value in zip(steps, values, strict=True))
            assert steps[0] == round(values[0], decimals)
