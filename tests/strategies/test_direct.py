from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

from polyrag_cli.strategies.base import Query
from polyrag_cli.strategies.direct import DirectStrategy
from polyrag_cli.text.utterance import read
from tests.strategies.library import decision


def _answer(text: str) -> str | None:
    query = Query(read(text), np.zeros(0, dtype=np.float32))
    return DirectStrategy().retrieve(query, decision("direct"), cast(Any, None)).answer


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("oi", "Olá!"),
        ("Bom dia!", "Olá!"),
        ("hello", "Hello!"),
        ("hola", "¡Hola!"),
        ("obrigada", "De nada!"),
        ("thanks a lot", "You're welcome!"),
        ("tchau", "Até logo!"),
        ("Guten Tag!", "Hallo!"),
        ("vielen Dank", "Gern geschehen!"),
        ("adiós", "¡Hasta luego!"),
        ("goodbye", "Goodbye!"),
    ],
)
def test_greetings_in_the_language_of_the_greeting(text: str, begins: str) -> None:
    assert (_answer(text) or "").startswith(begins)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("quanto é 15% de 200", "15% × 200 = 30"),
        ("10/3", "10 ÷ 3 ≈ 3.33"),
        ("what is 1,000 * 3?", "1000 × 3 = 3,000"),
        ("quanto é 5 dividido por 0", "Não há resultado: é uma divisão por zero."),
        ("Was ist 7 mal 6?", "7 × 6 = 42"),
        ("wie viel ist 5 geteilt durch 0", "Es gibt kein Ergebnis: Es wird durch null geteilt."),
        ("9^99", "The result is too large to be worked out here."),
        ("sala 12 livre?", None),
    ],
)
def test_sums(text: str, answer: str | None) -> None:
    assert _answer(text) == answer
