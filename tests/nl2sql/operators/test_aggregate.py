"""One figure of all rows. Every figure is worked out by hand."""

from __future__ import annotations

import pytest

from tests.nl2sql.operators.staff import said


@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [
        ("en", "What is the median age?", "35 (median of Age, 7 of 7 rows)"),
        ("pt", "Qual a mediana das idades?", "35 (mediana de Age, 7 de 7 linhas)"),
        ("en", "How many employees work in Porto?", "2 (2 of 7 rows)"),
        ("pt", "Qual o salário médio em Porto?", "4.350 (média de Salary, 2 de 7 linhas)"),
    ],
)
def test_answers(language: str, question: str, answer: str) -> None:
    assert said(language, question) == ("aggregate", answer)
