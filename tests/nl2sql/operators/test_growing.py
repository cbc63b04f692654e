"""From one figure to another. Every figure is worked out by hand."""

from __future__ import annotations

import pytest

from tests.nl2sql.operators.staff import said


@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [
        ("en", "How much did the members grow from 2018 to 2022?", "80 (80%, 2018 100; 2022 180, sum of Members)"),
        ("pt", "Quanto cresceu members de 2018 a 2022?", "80 (80%, 2018 100; 2022 180, soma de Members)"),
    ],
)
def test_answers(language: str, question: str, answer: str) -> None:
    assert said(language, question) == ("growing", answer)
