"""The margin rule at its borders."""

import pytest

from polyrag_cli.scoring.margin import MarginRule, margin, margin_of, verdict

RULE = MarginRule(tau_high=0.5, tau_low=0.2, delta_margin=0.1)


def test_margin() -> None:
    assert margin([0.3, 0.9, 0.7]) == pytest.approx(0.2)
    assert margin([0.4]) == 0.4
    assert margin([]) == 0.0
    assert margin([0.5, 0.5]) == 0.0


def test_the_margin_of_one_score_has_a_sign() -> None:
    assert margin_of(0.9, [0.3, 0.7]) == 0.2
    assert margin_of(0.3, [0.9, 0.7]) == -0.6
    assert margin_of(0.4, []) == 0.4
    assert str(margin_of(0.5, [0.5])) == "0.0"


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([0.6, 0.5], "take"),
        ([0.5, 0.4], "take"),
        ([0.6, 0.51], "gray"),
        ([0.49, 0.1], "gray"),
        ([0.2, 0.1], "gray"),
        ([0.19, 0.0], "free"),
        ([0.6], "take"),
        ([], "free"),
    ],
)
def test_verdict(scores: list[float], expected: str) -> None:
    assert verdict(scores, RULE) == expected


def test_float_noise_does_not_decide() -> None:
    assert 0.6 - 0.5 < 0.1
    assert verdict([0.1 + 0.2 + 0.3, 0.5], RULE) == "take"
