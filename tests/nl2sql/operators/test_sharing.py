"""What per cent of all a part is. Every figure is worked out by hand."""

from __future__ import annotations

import pytest

from tests.nl2sql.answers import outcome_of
from tests.nl2sql.operators.staff import INDEX, STORE, said


@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [
        ("en", "What share of the employees works in Porto?", "28.57% (2 of 7, rows counted)"),
        ("pt", "Que percentual dos funcionários trabalha em Porto?", "28,57% (2 de 7, linhas contadas)"),
        # Behind the verb stands the part, before it the whole.
        ("en", "What percentage of the employees in Design were in Porto?", "50% (1 of 2, rows counted)"),
        ("en", "What percentage of the employees in Porto were in Design?", "50% (1 of 2, rows counted)"),
        ("en", "What percentage of the employees in Leeds are in Design?", "20% (1 of 5, rows counted)"),
        ("en", "Of the employees in Leeds, what share is in Support?", "40% (2 of 5, rows counted)"),
        ("pt", "Que percentual dos funcionários de Leeds são de Support?", "40% (2 de 5, linhas contadas)"),
        ("de", "Welcher Anteil der Employees in Leeds war in Design?", "20% (1 von 5, gezählte Zeilen)"),
    ],
)
def test_answers(language: str, question: str, answer: str) -> None:
    assert said(language, question) == ("sharing", answer)


@pytest.mark.parametrize("question", ["What percentage of the employees in Leeds in Design?"])
def test_nothing_is_said_where_it_is_not_told_which_is_the_part(question: str) -> None:
    assert outcome_of("en", question, INDEX, STORE).chosen is None
