"""Rows that sum up other rows are found by their names and by their figures."""

from __future__ import annotations

import pytest

from polyrag_cli.tables.audit import named_totals, total_rows


def totals(*lines: str) -> tuple[int, ...]:
    """Positions of total rows; every cell of digits belongs to a column of numbers."""
    rows = [line.split(",") for line in lines]
    numbers = [[float(row[i]) if row[i].lstrip("-").isdigit() else None for row in rows] for i in range(len(rows[0]))]
    return total_rows(rows, named_totals(rows), [column for column in numbers if any(v is not None for v in column)])


def test_a_name_that_says_nothing_else_needs_no_proof() -> None:
    assert totals("Norte,1", "Subtotal,1", "Sul,2", "Leste,3", "Oeste,4", ",9", "Total geral,10")[-1] == 6
    assert totals("Oak,3", "Elm,8", "Summe:,12") == (2,)


def test_a_name_that_only_contains_the_word_is_no_total() -> None:
    assert totals("Total Energies,1", "Other,2", "Third,4") == ()
    assert totals("A,1", "Totality Ltd,1", "B,7") == ()
    assert totals("A,4", "B,5", "Grand Total Hotel,6", "C,7") == ()


@pytest.mark.parametrize("name", ["East total", "Total East", "Total: East", "Subtotal - East", "Total of East"])
def test_a_total_of_a_group_is_proved_by_the_group(name: str) -> None:
    rates = ("East,T1,4", "East,T2,8", f"{name},,6", "West,T3,5", "West,T4,9")
    assert totals(*rates) == (2,)


def test_a_total_of_a_group_is_proved_by_its_figures() -> None:
    assert totals("Quay 1,30", "Quay 2,12", "Total at sea,42", "Shed,5", "Barn,7", "Total on land,12", "Total,54") == (
        2,
        5,
        6,
    )


def test_a_total_may_be_named_in_the_second_column() -> None:
    assert totals("East,T1,30", "East,T2,12", "East,Subtotal,42", "West,T3,5", "West,T4,9", "West,Subtotal,14") == (
        2,
        5,
    )
    assert totals("2023,men,30", "2023,women,31", "2023,total,61", "2024,men,32", "2024,women,34", "2024,total,66") == (
        2,
        5,
    )


def test_a_category_called_total_is_no_total() -> None:
    assert totals("total,1", "total,2", "parcial,3") == ()
    assert totals("2023,men,30", "2023,total,31", "2024,men,32", "2024,total,34") == ()


def test_many_totals_are_totals_where_their_figures_say_so() -> None:
    lines = ("A1,3", "A2,4", "Subtotal,7", "B1,5", "B2,6", "Subtotal,11", "Total,18")
    assert totals(*lines) == (2, 5, 6)


def test_a_row_without_a_name_is_a_total_where_every_figure_is_the_sum() -> None:
    assert totals("A,30,7", "B,12,5", "C,18,9", "All sites,60,21") == (3,)
    assert totals("All sites,60,21", "A,30,7", "B,12,5", "C,18,9") == (0,)
    assert totals("A,30,7", "B,12,5", "C,18,9", "D,60,20") == ()
    assert totals("A,310", "B,120", "C,180", "D,90", ",700") == (4,)


def test_a_row_that_lacks_one_name_is_no_total() -> None:
    assert totals("2024-01-01,oak,3", "2024-01-02,elm,4", ",elm,7", "2024-01-04,ash,9") == ()


def test_chance_is_no_proof() -> None:
    assert totals("A,1", "B,2", "C,3") == ()
    assert totals("A,1,x", "B,2,y", "C,3,z", "D,6,w") == ()


def test_a_word_in_a_list_of_words_is_no_total() -> None:
    assert totals("tonic,60,8", "tooth,12,31", "total,9,3", "totem,5,1", "tower,40,2") == ()
    assert totals("tonic,60,8", "tooth,12,31", "total,72,39", "totem,5,1", "tower,40,2") == (2,)
