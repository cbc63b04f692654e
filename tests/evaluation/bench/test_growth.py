"""Exponents against hand-computed slopes."""

from __future__ import annotations

import pytest

from polyrag_cli.evaluation.bench.growth import exponent, growth_name


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0, 2.0])
def test_a_power_law_s_exponent_is_found(power: float) -> None:
    sizes = [10.0, 100.0, 1000.0]
    assert exponent(sizes, [3.0 * size**power for size in sizes]) == pytest.approx(power)


def test_least_squares_by_hand() -> None:
    # ln size 0, 1, 2 · ln 10; ln cost 0, 0, 3 · ln 10: slope Σ(x-1)(y-1) / Σ(x-1)² = (1 + 2) / 2.
    assert exponent([1.0, 10.0, 100.0], [1.0, 1.0, 1000.0]) == pytest.approx(1.5)
    assert exponent([10.0, 100.0], [5.0, 20.0]) == pytest.approx(0.60206, abs=1e-5)


def test_one_size_has_no_growth() -> None:
    assert exponent([10.0], [5.0]) is None
    assert exponent([10.0, 10.0], [5.0, 6.0]) is None
    assert growth_name(None) == ""


@pytest.mark.parametrize(("sizes", "costs"), [([1.0, 2.0], [1.0]), ([0.0, 1.0], [1.0, 1.0]), ([1.0, 2.0], [1.0, 0.0])])
def test_what_has_no_logarithm_is_refused(sizes: list[float], costs: list[float]) -> None:
    with pytest.raises(ValueError, match="positive"):
        exponent(sizes, costs)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (-0.4, "constant"),
        (0.15, "constant"),
        (0.16, "sublinear"),
        (0.84, "sublinear"),
        (0.85, "linear"),
        (1.15, "linear"),
        (1.16, "superlinear"),
    ],
)
def test_names(value: float, name: str) -> None:
    assert growth_name(value) == name
