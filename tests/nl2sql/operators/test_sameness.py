"""Rows that share a value with the one that is named."""

from __future__ import annotations

import pytest

from tests.nl2sql.operators.asked import answered
from tests.nl2sql.operators.staff import said


def test_the_others_with_the_same_value() -> None:
    assert answered("towers", "Which tower is in the same city as Alder Spire?") == ["Cedar Point"]
    assert answered("towers", "How many towers are in the same city as Elm Court?") == [1]


@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [
        ("en", "Who works in the same office as Ada Moss?", "Clara Dunn; Elena Stone; Farah Quinn; Goran Vale"),
        ("pt", "Quem trabalha no mesmo escritório que Bruno Reyes?", "Dinis Faria"),
    ],
)
def test_answers(language: str, question: str, answer: str) -> None:
    assert said(language, question) == ("sameness", answer)
