"""Rows become a table: preamble off, header found, ragged rows repaired."""

import pytest

from polyrag_cli.loaders.grid import as_grid, is_value


@pytest.mark.parametrize(
    "cell", ["12", "-3,5", "1.234,56", "R$ 10,00", "€5", "12%", "(40)", "2026-01-05", "05/01/2026", "10:30"]
)
def test_values(cell: str) -> None:
    assert is_value(cell)


@pytest.mark.parametrize("cell", ["", "Region", "Q1", "A-12", "12 Main Street"])
def test_no_values(cell: str) -> None:
    assert not is_value(cell)


def test_rows_without_content_are_no_table() -> None:
    assert as_grid([["", " "], []]) is None


def test_preamble_is_left_out_and_named() -> None:
    grid = as_grid([["Report 2026", "", ""], ["", "", ""], ["a", "b", "c"], ["1", "2", "3"], ["4", "5", "6"]])
    assert grid is not None
    assert grid.rows == (("a", "b", "c"), ("1", "2", "3"), ("4", "5", "6"))
    assert grid.notes == ("above the table: Report 2026",)
    assert grid.warnings == ()


def test_ragged_rows_are_repaired_and_counted() -> None:
    grid = as_grid([["a", "b"], ["1"], ["1", "2", "3"], ["1", "2"], ["3", "4"], ["5"]], ",")
    assert grid is not None
    assert grid.rows == (("a", "b"), ("1", ""), ("1", "2,3"), ("1", "2"), ("3", "4"), ("5", ""))
    assert grid.warnings == (
        "2 rows with too few cells filled up to 2.",
        "1 row with more than 2 cells: the surplus joined to the last.",
    )


def test_trailing_empty_cells_are_no_surplus() -> None:
    grid = as_grid([["a", "b", ""], ["1", "2", ""], ["3", "4", ""]])
    assert grid is not None
    assert grid.rows == (("a", "b"), ("1", "2"), ("3", "4"))
    assert grid.warnings == ()


def test_duplicate_and_empty_headers_stay_and_are_named() -> None:
    grid = as_grid([["id", "value", "value", ""], ["1", "2", "3", "4"]])
    assert grid is not None
    assert grid.has_header
    assert grid.rows[0] == ("id", "value", "value", "")
    assert grid.warnings == ("Duplicate column names: value.", "1 column without a name.")


@pytest.mark.parametrize(
    ("rows", "header"),
    [
        ([["28/01/2018", "x", "2"], ["29/01/2018", "y", "3"]], False),
        ([["name", "amount"], ["x", "2"], ["y", "3"]], True),
        ([["name", "2024", "2025"], ["x", "10", "20"], ["y", "30", "40"]], True),
        ([["x", "y"], ["x", "z"], ["x", "y"]], False),
        ([["color", "shape"], ["red", "round"], ["blue", "square"]], True),
        ([["a", "b"]], True),
    ],
)
def test_header_detection(rows: list[list[str]], header: bool) -> None:
    grid = as_grid(rows)
    assert grid is not None
    assert grid.has_header is header
