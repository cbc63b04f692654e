from __future__ import annotations

import math

import pytest

from polyrag_cli.answering.bounds import amounts, limits, verdict
from polyrag_cli.text.utterance import read


@pytest.mark.parametrize(
    ("text", "language", "low", "high"),
    [
        ("Gastos acima de cinquenta mil reais", "pt", 50_000.0, math.inf),
        ("Gastos entre dez mil e cinquenta mil reais", "pt", 10_000.0, 50_000.0),
        ("Gastos abaixo de dez mil reais", "pt", -math.inf, 10_000.0),
        ("até R$ 500 por dia", "pt", -math.inf, 500.0),
        ("Loads heavier than 450 kilograms", "en", 450.0, math.inf),
        ("between 5 and 10 days", "en", 5.0, 10.0),
        ("at most 3 guests", "en", -math.inf, 3.0),
        ("Ausgaben über 5.000 Euro", "de", 5_000.0, math.inf),
        ("höchstens 3 Gäste", "de", -math.inf, 3.0),
        ("zwischen 5 und 10 Tagen", "de", 5.0, 10.0),
        ("gastos superiores a 500 euros", "es", 500.0, math.inf),
        ("entre 5 y 10 días", "es", 5.0, 10.0),
    ],
)
def test_limits(text: str, language: str, low: float, high: float) -> None:
    (limit,) = limits(text, language)
    assert (limit.low, limit.high) == (low, high)


def test_what_states_no_limit() -> None:
    assert limits("São 40 reais. Em 2024 foram 30.", "pt") == ()


@pytest.mark.parametrize(
    ("question", "statement", "said"),
    [
        ("um gasto de oitenta mil reais", "acima de cinquenta mil reais", 1),
        ("um gasto de oitenta mil reais", "abaixo de dez mil reais", -1),
        ("um gasto de R$ 80.000", "acima de cinquenta mil reais", 1),
        ("oitenta caixas", "acima de cinquenta mil reais", 0),
        ("em 2024", "acima de 10 reais", 0),
        ("oitenta reais", "sem limite", 0),
    ],
)
def test_verdict(question: str, statement: str, said: int) -> None:
    assert verdict(amounts(read(question, "pt")), limits(statement, "pt")) == said
