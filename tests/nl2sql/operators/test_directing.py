"""Questions that one of two opposite words answers."""

from __future__ import annotations

import pytest

from tests.nl2sql.operators.asked import answered
from tests.nl2sql.operators.staff import said


@pytest.mark.parametrize(
    ("table", "question", "expected"),
    [
        ("towers", "Is the height of Birch House above or below Elm Court?", ["above"]),
        ("towers", "Is the height of Elm Court above or below Birch House?", ["below"]),
        ("medals", "Did Sudland win more or less bronze than Norland?", ["more"]),
        ("medals", "Did Westland win more or fewer silver than Osterland?", ["fewer"]),
    ],
)
def test_the_word_that_holds(table: str, question: str, expected: list[object]) -> None:
    assert answered(table, question) == expected


@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [
        ("en", "Were the members in 2019 more or less than in 2018?", "more: 2019 120; 2018 100 (sum of Members)"),
        (
            "en",
            "Was the number of members in 2020 higher or lower than in 2022?",
            "lower: 2020 150; 2022 180 (sum of Members)",
        ),
    ],
)
def test_answers(language: str, question: str, answer: str) -> None:
    assert said(language, question) == ("directing", answer)
