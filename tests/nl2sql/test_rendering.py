"""Predicates, rows and figures as SQL, and what it gives; every row is worked out by hand."""

from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.algebra import (
    Against,
    Alike,
    Condition,
    Either,
    Figure,
    Measure,
    Predicate,
    Ranked,
    Rows,
    Scan,
    Where,
)
from polyrag_cli.nl2sql.operators.select import Shown
from polyrag_cli.nl2sql.rendering import Renderer, rank
from tests.nl2sql.operators.staff import STORE, entry, rows_of

ALL = Scan("staff")
LEEDS = Condition("office", "=", ("Leeds",))
AVERAGE = Figure(ALL, Measure("avg", "salary"))


def names(rows: Rows) -> list[object]:
    return [row[0] for row in rows_of(Shown(rows, ("name",)), "staff")]


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        (Condition("hired", "year", (2019, 2023)), ["Ada Moss", "Farah Quinn"]),
        (Either((Condition("age", "<", (25,)), Condition("age", ">", (50,)))), ["Elena Stone", "Farah Quinn"]),
        # The mean is 4242.86.
        (Against("salary", ">", AVERAGE), ["Ada Moss", "Bruno Reyes", "Goran Vale"]),
        (
            Alike("department", Where(ALL, (Condition("name", "=", ("Clara Dunn",)),))),
            ["Dinis Faria"],
        ),
    ],
)
def test_predicates(predicate: Predicate, expected: list[str]) -> None:
    assert names(Where(ALL, (predicate,))) == expected


def test_ranks_are_taken_among_the_rows_they_stand_over() -> None:
    assert names(Ranked(Where(ALL, (LEEDS,)), "age", False)) == ["Farah Quinn"]
    assert names(Where(Ranked(ALL, "age", False, 1, 2), (LEEDS,))) == ["Farah Quinn"]
    assert names(Ranked(ALL, "salary", True, 2, 3)) == ["Ada Moss", "Bruno Reyes"]
    assert names(Ranked(ALL, "", True)) == ["Goran Vale"]


def test_equal_values_share_a_rank() -> None:
    tied = Ranked(Scan("club"), "goals", True, 2, 2)
    assert rows_of(Shown(tied, ("season",)), "club") == ((2020,), (2021,))
    assert rank("x", True, 1, 3) == "RANK() OVER (ORDER BY x DESC) <= 3"
    assert rank("x", False, 2, 2) == "DENSE_RANK() OVER (ORDER BY x ASC) BETWEEN 2 AND 2"


def test_figures_and_the_rows_that_they_come_from() -> None:
    renderer = Renderer(entry("staff"))
    figure = Figure(Where(ALL, (LEEDS,)), Measure("median", "salary"))
    assert renderer.figure(figure) == "SELECT MEDIAN(salary) FROM staff WHERE office = 'Leeds'"
    assert STORE.execute(None, renderer.figure(figure)).rows == ((4100.0,),)
    assert STORE.execute(None, renderer.matched(figure)).rows == ((5,),)
    both = renderer.figures("one - two AS apart", one=figure, two=Figure(ALL, Measure("count")))
    assert STORE.execute(None, both).rows == ((4093.0,),)
