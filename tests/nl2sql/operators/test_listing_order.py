"""Rows by the order in which the source lists them."""

from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.algebra import Beside, Condition, Scan, Where
from polyrag_cli.nl2sql.operators.select import Shown
from tests.nl2sql.operators.asked import answered
from tests.nl2sql.operators.staff import rows_of, said


@pytest.mark.parametrize(
    ("table", "question", "expected"),
    [
        ("medals", "Which nation is listed after Sudland?", ["Osterland"]),
        ("medals", "Which nation is listed right before Sudland?", ["Norland"]),
        ("medals", "Which nation is listed at the top of the table?", ["Norland"]),
        ("towers", "What is the next highest tower after Cedar Point?", ["Dogwood Hall"]),
        ("towers", "What is the next lowest tower after Elm Court?", ["Birch House"]),
        ("towers", "Which opened first, Alder Spire or Dogwood Hall?", ["Dogwood Hall"]),
    ],
)
def test_beside_another(table: str, question: str, expected: list[object]) -> None:
    assert answered(table, question) == expected


@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [
        ("en", "Who is listed after Clara Dunn?", "Dinis Faria"),
        ("en", "Who was the champion after Amieira?", "Foz"),
        ("en", "Which champion came right before Lapa?", "Foz"),
    ],
)
def test_answers(language: str, question: str, answer: str) -> None:
    assert said(language, question) == ("listing_order", answer)


def test_the_row_so_many_places_behind() -> None:
    anchor = Where(Scan("staff"), (Condition("name", "=", ("Clara Dunn",)),))
    assert rows_of(Shown(Beside(Scan("staff"), anchor, 2), ("name",)), "staff") == (("Elena Stone",),)
    assert rows_of(Shown(Beside(Scan("staff"), anchor, -1), ("name",)), "staff") == (("Bruno Reyes",),)
