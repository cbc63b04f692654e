"""The most, the least and the best."""

from __future__ import annotations

import pytest

from tests.nl2sql.operators.asked import answered
from tests.nl2sql.operators.staff import said


@pytest.mark.parametrize(
    ("table", "question", "expected"),
    [
        ("towers", "Which tower is the tallest?", ["Cedar Point"]),
        ("towers", "Which tower is the second tallest?", ["Dogwood Hall"]),
        ("races", "Which driver had the fastest time?", ["Ada Moss"]),
        ("races", "Which driver had the slowest time?", ["Clara Dunn"]),
        ("medals", "Which nation had the best place?", ["Norland"]),
        ("medals", "Which nation had the worst place?", ["Midland"]),
        ("medals", "Which nation had the least silver?", ["Midland", "Sudland"]),
        # Nothing is called so, but a total of three columns is what there is most of.
        ("medals", "Which nation had the most trophies?", ["Norland"]),
    ],
)
def test_the_first_of_an_order(table: str, question: str, expected: list[object]) -> None:
    assert sorted(map(str, answered(table, question))) == expected


def test_what_has_the_least_is_a_thing_and_no_figure() -> None:
    assert answered("medals", "Which had the least total?") == ["Midland"]
    assert answered("medals", "What is the highest silver?") == [8]


@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [
        ("en", "Who has the second highest salary?", "Ada Moss: 5,200 (highest Salary)"),
        ("pt", "Quem tem o segundo maior salário?", "Ada Moss: 5.200 (maior Salary)"),
        ("en", "Who is the oldest employee in Leeds?", "Elena Stone: 52 (highest Age)"),
        ("en", "Which department has the most employees?", "Engineering: 3 (highest rows counted)"),
    ],
)
def test_answers(language: str, question: str, answer: str) -> None:
    assert said(language, question) == ("superlative", answer)
