"""CRAG's confidence against values worked out by hand."""

import pytest

from polyrag_cli.scoring.confidence import gamma, grade


def test_gamma() -> None:
    # .7 · .5 + .3 · 2/4
    assert gamma(0.5, ["a", "b", "c", "d"], ["b", "d", "x"]) == pytest.approx(0.5)
    assert gamma(-0.4, ["a"], ["a"]) == pytest.approx(0.3)
    assert gamma(1.0, [], ["a"]) == pytest.approx(0.7)
    assert gamma(1.0, ["a", "a", "b"], ["a"]) == pytest.approx(0.85)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.6, "correct"), (0.599999, "ambiguous"), (0.4, "ambiguous"), (0.399999, "incorrect"), (0.0, "incorrect")],
)
def test_grade(value: float, expected: str) -> None:
    assert grade(value) == expected


def test_the_border_survives_float_noise() -> None:
    # .7 · 3/7 + .3 = .6
    assert grade(gamma(3 / 7, ["a"], ["a"])) == "correct"
