"""What per cent of all a part is. Every figure is worked out by hand."""

from __future__ import annotations

import pytest

from tests.nl2sql.operators.staff import said


@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [
        ("en", "What share of the employees works in Porto?", "28.57% (2 of 7, rows counted)"),
        ("pt", "Que percentual dos funcionários trabalha em Porto?", "28,57% (2 de 7, linhas contadas)"),
    ],
)
def test_answers(language: str, question: str, answer: str) -> None:
    assert said(language, question) == ("sharing", answer)
