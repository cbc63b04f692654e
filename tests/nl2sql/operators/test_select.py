"""Columns of the rows that are restricted."""

from __future__ import annotations

import pytest

from tests.nl2sql.operators.asked import answered, best
from tests.nl2sql.operators.staff import said


def test_the_only_row() -> None:
    assert answered("towers", "Which is the only tower in Lyon?") == ["Dogwood Hall"]


def test_the_only_row_is_none_of_several() -> None:
    found = best("towers", "Which is the only tower in Leeds?")
    assert not found.reading.proposal.alone


def test_which_of_two_is_so() -> None:
    assert answered("towers", "Which tower is in Leeds, Alder Spire or Birch House?") == ["Alder Spire"]


@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [
        ("en", "Which employees work in Porto?", "Bruno Reyes; Dinis Faria"),
        ("pt", "Quais funcionários trabalham em Porto?", "Bruno Reyes; Dinis Faria"),
        ("en", "How old is Farah Quinn?", "24 (Age)"),
    ],
)
def test_answers(language: str, question: str, answer: str) -> None:
    assert said(language, question) == ("select", answer)
