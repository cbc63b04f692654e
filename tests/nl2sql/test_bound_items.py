"""Bounds on ranks and quantities, and quantities that are denied."""

from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.algebra import Condition
from polyrag_cli.nl2sql.bound_items import date_items, lack_items, number_items
from polyrag_cli.nl2sql.column_items import column_items
from tests.nl2sql.operators.asked import answered
from tests.nl2sql.operators.staff import entry, parsed


@pytest.mark.parametrize(
    ("table", "question", "expected"),
    [
        ("medals", "How many nations finished above 3rd place?", [2]),
        ("medals", "How many nations were in the top 3?", [3]),
        ("medals", "Which nation finished in second place?", ["Sudland"]),
        ("medals", "How many nations took the first place?", [1]),
        ("medals", "How many nations won no gold?", [2]),
        ("medals", "How many nations did not win a silver medal?", [2]),
        ("medals", "How many nations had a gold of 5 or more?", [2]),
        ("towers", "How many towers are no higher than 212 m?", [3]),
        ("towers", "How many towers are under the height of 200 m?", [2]),
        ("towers", "Which towers opened between the years 1990 and 2005?", ["Alder Spire", "Birch House"]),
        ("races", "Which drivers raced from 2002-2004?", ["Ada Moss", "Bruno Reyes", "Clara Dunn"]),
    ],
)
def test_bounds(table: str, question: str, expected: list[object]) -> None:
    assert answered(table, question) == expected


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Quantas torres têm altura não superior a 212 m?", "pt"),
        ("¿Cuántas torres tienen una altura no superior a 212 m?", "es"),
    ],
)
def test_bounds_that_deny_the_opposite_in_other_languages(question: str, language: str) -> None:
    from tests.nl2sql.operators.asked import TABLES

    translated = {"pt": "Torre,Cidade,Altura,Aberta", "es": "Torre,Ciudad,Altura,Abierta"}
    name = f"torres_{language}"
    TABLES.setdefault(name, "\n".join([translated[language], *TABLES["towers"].splitlines()[1:]]))
    assert answered(name, question, language) == [3]


STAFF = entry("staff")


def bounds(question: str, language: str = "en") -> list[tuple[Condition, ...]]:
    taken = parsed(question, language)
    return [best.conditions for best, *_ in number_items(taken, STAFF, column_items(taken, STAFF, None), set())]


@pytest.mark.parametrize(
    ("language", "question", "condition"),
    [
        ("en", "Who earns a salary above 4000?", Condition("salary", ">", (4000,))),
        ("pt", "Quem tem salário acima de 4000?", Condition("salary", ">", (4000,))),
        ("en", "Who has an age of at least 50?", Condition("age", ">=", (50,))),
        ("en", "Who is under the age of 30?", Condition("age", "<", (30,))),
        ("en", "Which employees have a salary between 3000 and 4000?", Condition("salary", "between", (3000, 4000))),
    ],
)
def test_a_figure_bounds_the_quantity_that_is_named_beside_it(
    language: str, question: str, condition: Condition
) -> None:
    assert bounds(question, language) == [(condition,)]


def test_a_figure_beside_no_quantity_bounds_none() -> None:
    assert bounds("Who wrote 12 letters?") == []


def test_dates_restrict_columns_of_dates() -> None:
    (options,) = date_items(parsed("Who was hired in March 2019?"), STAFF, set())
    assert set(options[0].conditions) == {Condition("hired", "year", (2019,)), Condition("hired", "month", (3,))}
    assert date_items(parsed("Who was hired in March 2019?"), STAFF, {4, 5}) == []


def test_what_is_denied_of_a_quantity_is_none_of_it() -> None:
    taken, club = parsed("Which champions have no goals?"), entry("club")
    (group,) = lack_items(taken, column_items(taken, club, None), club, set())
    assert group[0].conditions == (Condition("goals", "=", (0,)),)
