"""Rows become a table: preamble off, header found, ragged rows repaired."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyrag_cli.loaders.cell_kinds import is_value
from polyrag_cli.loaders.grid import Grid, split_tables


def as_grid(rows: list[list[str]], delimiter: str = " ") -> Grid | None:
    """The first table that rows hold; None when no cell has content."""
    return next(iter(split_tables(rows, delimiter)), None)


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
        "1 row with more than 2 cells: the surplus joined to a neighbour.",
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
        ([["0", "1", "2"], ["7.5", "8", "1"], ["6", "9", "4"]], True),
        ([["plot", "1", "2", "3"], ["A", "8", "1", "5"], ["B", "9", "4", "5"]], True),
        ([["1", "2", "3"], ["2", "3", "4"], ["3", "4", "5"]], True),
        ([["1", "2", "3"], ["1", "2", "3"], ["4", "1", "2"]], False),
        ([["0", "1", "2", "kind"], ["7.5", "8", "1", "x"], ["6", "9", "4", "y"]], True),
        ([["0"], *[["oak"], ["elm"]] * 10], True),
        ([["0"], *[["oak"], ["elm"]] * 2], False),
        ([["2", "3", "4"], ["3", "4", "5"]], False),
    ],
)
def test_header_detection(rows: list[list[str]], header: bool) -> None:
    grid = as_grid(rows)
    assert grid is not None
    assert grid.has_header is header


def tables(text: str) -> list[Grid]:
    return split_tables([line.split(",") if line else [] for line in text.strip().split("\n")], ",")


def test_tables_below_each_other_are_parted_and_called_after_the_line_above_them() -> None:
    first, second = tables("Boats,Crew\nGull,4\nTern,6\n\nHarbours\nPort,Depth,Berths\nEast,9,40\nWest,7,22")
    assert first.rows == (("Boats", "Crew"), ("Gull", "4"), ("Tern", "6"))
    assert (first.title, first.notes, first.start) == ("", (), 0)
    assert second.rows == (("Port", "Depth", "Berths"), ("East", "9", "40"), ("West", "7", "22"))
    assert (second.title, second.notes, second.start) == ("Harbours", ("above the table: Harbours",), 4)


def test_a_table_of_other_columns_needs_no_empty_row_before_it() -> None:
    text = "day,site,mm\n1,A,3\n2,B,5\n3,C,1\nsite,owner,height,built\nA,Ann,12,1990\nB,Bo,15,1991\nC,Cy,9,1980"
    first, second = tables(text)
    assert len(first.rows) == 4
    assert second.rows[0] == ("site", "owner", "height", "built")


def test_empty_rows_inside_a_table_do_not_end_it() -> None:
    (grid,) = tables("day,mm\n1,3\n\n2,5\n3,1\n\n4,2")
    assert [row[0] for row in grid.rows] == ["day", "1", "2", "3", "4"]


def test_a_header_said_once_more_is_left_out_and_counted() -> None:
    (grid,) = tables("day,mm\n1,3\nday,mm\n2,5\n\nDay,mm\n3,1")
    assert [row[0] for row in grid.rows] == ["day", "1", "2", "3"]
    assert grid.notes == ("2 repeated header rows left out",)


def test_equal_headers_under_titles_are_tables_of_their_own() -> None:
    north, south = tables("North\nday,mm\n1,3\n2,4\n\nSouth\nday,mm\n1,9\n2,8")
    assert north.notes == ("above the table: North",)
    assert (south.title, south.rows) == ("South", (("day", "mm"), ("1", "9"), ("2", "8")))


def test_lines_below_a_table_are_no_rows() -> None:
    (grid,) = tables("site,mm,cm\nA,3,1\nB,5,2\nSource: own counts,,\n\nChecked in May")
    assert len(grid.rows) == 3
    assert grid.notes == ("below the table: Source: own counts", "below the table: Checked in May")


def test_lines_among_the_rows_stay() -> None:
    (grid,) = tables("site,mm,cm\nNorth,,\nA,3,1\nSouth,,\nB,5,2\nIslands,,")
    assert [row[0] for row in grid.rows] == ["site", "North", "A", "South", "B", "Islands"]


def test_two_header_rows_are_joined_and_groups_named_for_each_column() -> None:
    (grid,) = tables("Crop,2023,,2024,\n,Plan,Actual,Plan,Actual\nOats,10,9,12,14\nRye,8,11,9,7")
    assert grid.rows[0] == ("Crop", "2023 Plan", "Actual", "2024 Plan", "Actual")
    assert grid.labels == ("Crop", "2023 Plan", "2023 Actual", "2024 Plan", "2024 Actual")
    assert grid.notes == ("2 header rows joined",)
    assert grid.rows[1] == ("Oats", "10", "9", "12", "14")


def test_a_row_of_units_belongs_to_the_header() -> None:
    (grid,) = tables("site,depth,flow\n,(m),(l/s)\nA,3,1\nB,5,2")
    assert grid.rows[0] == ("site", "depth (m)", "flow (l/s)")


def test_a_row_with_words_in_place_of_figures_is_no_second_header() -> None:
    (grid,) = tables("runner,time,points\nAda,DNF,retired\nBea,61,8\nCleo,64,7\nDot,70,5")
    assert len(grid.rows) == 5


@pytest.mark.parametrize(
    ("row", "kept"),
    [
        ("1,2026-01-03,,oak,4.5", ("1", "2026-01-03", "oak", "4.5")),
        ("1,2026-01-03,oak,4.5,", ("1", "2026-01-03", "oak", "4.5")),
        ("1,2026-01-03,oak, tall,4.5", ("1", "2026-01-03", "oak, tall", "4.5")),
    ],
)
def test_a_surplus_cell_goes_where_the_row_then_fits_its_columns(row: str, kept: tuple[str, ...]) -> None:
    rows = "\n".join(f"{number},2026-01-0{number},elm,{number}.25" for number in range(2, 8))
    (grid,) = tables(f"no,day,tree,height\n{row}\n{rows}")
    assert grid.rows[1] == kept


def test_a_header_with_an_empty_cell_too_many_is_repaired() -> None:
    (grid,) = tables("no,,day,tree\n1,Mon,oak\n2,Tue,elm\n3,Wed,ash")
    assert grid.rows[0] == ("no", "day", "tree")


def test_a_header_that_names_more_than_the_rows_hold_keeps_its_names() -> None:
    (grid,) = tables("no,day,tree,note\n1,Mon,oak\n2,Tue,elm\n3,Wed,ash")
    assert grid.rows[:2] == (("no", "day", "tree", "note"), ("1", "Mon", "oak", ""))


def test_names_and_values_above_a_table_are_no_table() -> None:
    text = "Made by,the office\nState,final\n\nsite,mm,cm\nA,3,1\nB,5,2\nC,4,4"
    (grid,) = tables(text)
    assert grid.rows[0] == ("site", "mm", "cm")
    assert grid.notes == ("above the table: Made by the office", "above the table: State final")


def test_names_and_explanations_below_a_table_are_no_rows() -> None:
    (grid,) = tables("site,mm,cm\nA,3,1\nB,5,2\n\nmm:,millimetres\ncm:,centimetres")
    assert len(grid.rows) == 3
    assert grid.notes[0] == "below the table: mm: millimetres"


def test_comments_above_a_table_are_no_header_unless_they_name_its_columns() -> None:
    (grid,) = tables("# made by A, B, C\n# in May\nsite,mm,cm\nA,3,1\nB,5,2")
    assert grid.rows[0] == ("site", "mm", "cm")
    (grid,) = tables("#site,mm,cm\nA,3,1\nB,5,2")
    assert grid.rows[0] == ("#site", "mm", "cm")


def test_names_that_only_a_group_tells_apart_are_no_duplicates() -> None:
    (grid,) = tables("Crop,2023,,2024,\n,Plan,Actual,Plan,Actual\nOats,10,9,12,14\nRye,8,11,9,7")
    assert grid.warnings == ()


def test_a_narrow_table_with_a_title_above_a_wider_one_is_a_table() -> None:
    first, second = tables("1: fruit\nfruit,kg\napple,5\npear,8\n\n2: animals\nanimal,legs,name\ncow,4,Ada\nhen,2,Bea")
    assert first.rows[0] == ("fruit", "kg") and second.rows[0] == ("animal", "legs", "name")


def test_a_header_without_a_name_for_the_rows_names_is_moved() -> None:
    (grid,) = tables("mm,site\n1,3,east\n2,5,west\n3,4,east")
    assert grid.rows[:2] == (("", "mm", "site"), ("1", "3", "east"))
    (grid,) = tables("no,mm,site\n1,3,east,\n2,5,west,\n3,4,east,")
    assert grid.rows[:2] == (("no", "mm", "site"), ("1", "3", "east"))


_texts = st.sampled_from(["", " ", "a", "b", "site", "Total", "#", "12", "1,5", "2024", "3", "0", "1", "(m)", "x y"])


@given(st.lists(st.lists(_texts, max_size=5), max_size=12), st.booleans())
def test_any_rows_become_tables_whose_rows_are_equally_long(rows: list[list[str]], keep_empty: bool) -> None:
    grids = split_tables(rows, ",", keep_empty)
    assert bool(grids) == any(cell.strip() for row in rows for cell in row)
    for grid in grids:
        assert len({len(row) for row in grid.rows}) == 1
        assert not grid.labels or len(grid.labels) == len(grid.rows[0])
    assert [grid.start for grid in grids] == sorted({grid.start for grid in grids})
