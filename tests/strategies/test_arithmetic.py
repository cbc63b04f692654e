from __future__ import annotations

import pytest

from polyrag_cli.strategies.arithmetic import MAX_CHARACTERS, SumError, evaluate, shown_value


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("2+2", "en", "4"),
        ("2 + 3 × 4", "en", "14"),
        ("(2 + 3) x 4", "en", "20"),
        ("-2^2", "en", "-4"),
        ("2^3^2", "en", "512"),
        ("2 - - 3", "en", "5"),
        ("0.1 + 0.2", "en", "0.3"),
        ("quanto é 15% de 200?", "pt", "30"),
        ("15 por cento de 80", "pt", "12"),
        ("200 + 10%", "en", "220"),
        ("200 - 10 percent", "en", "180"),
        ("1.000 * 2", "pt", "2000"),
        ("1.5 * 2", "en", "3"),
        ("1,5 vezes 2", "pt", "3"),
        ("17 : 4", "pt", "4.25"),
        ("what is 12 divided by 8?", "en", "1.5"),
        ("10 − 4", "en", "6"),
    ],
)
def test_sums(text: str, language: str, value: str) -> None:
    found = evaluate(text, language)
    assert found is not None
    assert f"{found.value.normalize():f}" == value


@pytest.mark.parametrize(
    "text", ["2+", "(2+3", "1e5", "2 3", "7", "0^0", "(-8)^(1/3)", "x + 1", "1" * MAX_CHARACTERS + "+1"]
)
def test_what_is_no_sum(text: str) -> None:
    assert evaluate(text, "en") is None


@pytest.mark.parametrize(
    ("text", "why"), [("1/0", "zero"), ("0/0", "zero"), ("9^129", "size"), ("9^99", "size"), ("10^13*10^13", "size")]
)
def test_sums_without_a_value(text: str, why: str) -> None:
    with pytest.raises(SumError, match=why):
        evaluate(text, "en")


@pytest.mark.parametrize(
    ("text", "shown"), [("10/4", ("2,5", False)), ("10/3", ("3,33", True)), ("1000*2", ("2.000", False))]
)
def test_shown(text: str, shown: tuple[str, bool]) -> None:
    found = evaluate(text, "pt")
    assert found is not None
    assert shown_value(found.value, "pt") == shown
