"""Two values of one column set against each other."""

from __future__ import annotations

import pytest

from tests.nl2sql.operators.asked import answered
from tests.nl2sql.operators.staff import said


@pytest.mark.parametrize(
    ("table", "question", "expected"),
    [
        ("towers", "Which is taller, Alder Spire or Cedar Point?", ["Cedar Point"]),
        ("towers", "How much taller is Cedar Point than Alder Spire?", [93]),
        ("towers", "Was Birch House opened before Dogwood Hall?", [False]),
        ("towers", "Was Birch House opened after Dogwood Hall?", [True]),
        ("medals", "Who won more gold, Norland or Sudland?", ["Norland"]),
        ("medals", "Which nation had a better place, Westland or Osterland?", ["Osterland"]),
        ("races", "Which driver is taller, Bruno Reyes or Clara Dunn?", ["Bruno Reyes"]),
        ("games", "Were more games played in March or April?", ["March"]),
        ("races", "Which driver was faster, Bruno Reyes or Clara Dunn?", ["Bruno Reyes"]),
    ],
)
def test_compared(table: str, question: str, expected: list[object]) -> None:
    assert answered(table, question) == expected


@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [
        (
            "en",
            "Who earns more, Ada Moss or Bruno Reyes?",
            "Ada Moss: 5,200; Bruno Reyes: 4,800 (sum of Salary)",
        ),
        (
            "pt",
            "Quem ganha mais, Ada Moss ou Bruno Reyes?",
            "Ada Moss: 5.200; Bruno Reyes: 4.800 (soma de Salary)",
        ),
        (
            "en",
            "Who earns less, Ada Moss or Bruno Reyes?",
            "Bruno Reyes: 4,800; Ada Moss: 5,200 (sum of Salary)",
        ),
        ("en", "Which office has more employees, Leeds or Porto?", "Leeds: 5; Porto: 2 (rows counted)"),
        ("en", "Which department has more employees, Design or Support?", "A tie: Design 2; Support 2 (rows counted)"),
        (
            "en",
            "What is the difference in salary between Ada Moss and Bruno Reyes?",
            "400 (Ada Moss 5,200 against Bruno Reyes 4,800, sum of Salary)",
        ),
    ],
)
def test_answers(language: str, question: str, answer: str) -> None:
    assert said(language, question) == ("comparing", answer)
