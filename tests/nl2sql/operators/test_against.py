"""Rows compared with a figure of rows. Every figure is worked out by hand."""

from __future__ import annotations

import pytest

from tests.nl2sql.operators.staff import said


@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [
        (
            "en",
            "Which employees have a salary above the average?",
            "Ada Moss: 5,200; Bruno Reyes: 4,800; Goran Vale: 5,600",
        ),
        (
            "pt",
            "Quais funcionários têm salário acima da média?",
            "Ada Moss: 5.200; Bruno Reyes: 4.800; Goran Vale: 5.600",
        ),
        ("en", "Who earns more than Ada Moss?", "Goran Vale: 5,600"),
    ],
)
def test_answers(language: str, question: str, answer: str) -> None:
    assert said(language, question) == ("against", answer)
