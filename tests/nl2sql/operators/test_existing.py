"""Yes or no. Every figure is worked out by hand."""

from __future__ import annotations

import pytest

from tests.nl2sql.operators.staff import said


@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [
        ("en", "Is there an employee in Porto?", "Yes (2 rows)"),
        ("pt", "Há funcionários no Porto?", "Sim (2 linhas)"),
        ("en", "Do all employees work in Leeds?", "No (5 of 7 rows)"),
    ],
)
def test_answers(language: str, question: str, answer: str) -> None:
    assert said(language, question) == ("existing", answer)
