"""The longest run of rows."""

from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.algebra import Condition, Scan, Where
from polyrag_cli.nl2sql.operators.running import Run
from tests.nl2sql.operators.asked import answered
from tests.nl2sql.operators.staff import rows_of, said


def test_the_longest_run_of_what_is_restricted() -> None:
    assert answered("games", "How many consecutive games were wins?") == [2]
    assert answered("games", "How many consecutive games were losses?") == [1]
    assert answered("races", "How many consecutive seasons had team Heron?") == [3]


@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [
        ("en", "How many times in a row was Foz champion?", "3 (3 of 7 rows)"),
    ],
)
def test_answers(language: str, question: str, answer: str) -> None:
    assert said(language, question) == ("running", answer)


def test_a_run_is_counted_among_all_rows() -> None:
    won = Where(Scan("club"), (Condition("champion", "=", ("Foz",)),))
    assert rows_of(Run(won, Scan("club")), "club") == ((3,),)
    nobody = Where(Scan("club"), (Condition("champion", "=", ("Nobody",)),))
    assert rows_of(Run(nobody, Scan("club")), "club") == ((0,),)
