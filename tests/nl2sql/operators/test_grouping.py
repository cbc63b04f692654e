"""Groups with more than so many rows."""

from __future__ import annotations

import pytest

from tests.nl2sql.operators.asked import answered
from tests.nl2sql.operators.staff import said


def test_a_bound_on_how_many_rows_a_group_has() -> None:
    assert answered("towers", "Which cities have more than one tower?") == ["Leeds", "Porto"]
    assert answered("games", "Which opponent was in at least 2 games?") == ["Alba"]


@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [
        (
            "en",
            "Average age by department",
            "Design: 31; Engineering: 38.67; Support: 38 (average of Age by Department)",
        ),
        (
            "pt",
            "Idade média por departamento",
            "Design: 31; Engineering: 38,67; Support: 38 (média de Age por Department)",
        ),
        ("en", "How many employees are in each office?", "Leeds: 5; Porto: 2 (rows counted by Office)"),
    ],
)
def test_answers(language: str, question: str, answer: str) -> None:
    assert said(language, question) == ("grouping", answer)
