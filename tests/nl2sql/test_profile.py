"""What a table's columns are to a reader."""

from __future__ import annotations

from polyrag_cli.nl2sql.profile import is_feet_of, is_time_of, is_year_of, number_of, profile
from tests.nl2sql.operators import staff as staff_tables
from tests.nl2sql.operators.asked import answered, entry


def names(table: str) -> dict[int, str]:
    return {column.position: column.column.name for column in profile(entry(table)).columns}


def test_ranks_are_known_by_their_ordinals() -> None:
    assert {names("medals")[p] for p in profile(entry("medals")).ranking} == {"number of place"}


def test_the_total_of_what_stands_before_it() -> None:
    found = profile(entry("medals"))
    assert found.total is not None
    assert found.total.column.name == "total"
    assert [names("medals")[p] for p in found.parts(found.total)] == ["gold", "silver", "bronze"]
    assert profile(entry("towers")).total is None


def test_years_clock_times_and_feet_are_read_out_of_text() -> None:
    assert set(names("races").values()) >= {"year of season", "time of time", "feet of height"}


def test_outcomes_are_cells_that_begin_with_the_letter_of_one() -> None:
    outcomes = profile(entry("games")).outcomes
    assert outcomes == {3: {"win": ("W 21–10", "W 28–3", "W 14–13", "W 17–16"), "defeat": ("L 7–14", "L 0–35")}}
    assert answered("games", "How many wins at Harbour Park?") == [4]
    assert answered("games", "How many losses?") == [2]


def test_the_order_of_rows_in_time() -> None:
    assert not profile(entry("games")).backwards
    assert not profile(entry("races")).backwards


def test_what_a_table_is_about_and_where_people_places_and_times_stand() -> None:
    staff = profile(staff_tables.entry("staff"))
    assert staff.subject.column.name == "name"
    assert [column.column.name for column in staff.people] == ["name"]
    assert [column.column.name for column in staff.places] == ["office"]
    assert [column.column.name for column in staff.times] == ["hired"]


def test_numbers_in_cells_of_text_are_columns_of_their_own() -> None:
    found = {number_of(name): name for name in names("races").values()}
    assert is_time_of(found["time"]) and is_feet_of(found["height"]) and is_year_of(found["season"])
    assert number_of("time") == ""


def test_values_that_rows_have_of_their_own() -> None:
    staff = profile(staff_tables.entry("staff"))
    by_name = {column.column.name: column for column in staff.columns}
    assert staff.distinct(by_name["name"]) == 1.0 > staff.distinct(by_name["office"])
