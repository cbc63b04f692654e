"""Rows as a series: which are one, and bars and blocks by hand."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

import pytest

from polyrag_cli.display.series import MOST_BARS, Series, bar_rows, extremes, is_line, series_of, sparkline
from polyrag_cli.display.series_svg import MOST_BARS as MOST_SVG_BARS
from polyrag_cli.display.series_svg import WIDTH, series_svg
from polyrag_cli.types import Cell

SVG = "{http://www.w3.org/2000/svg}"


def figure(value: float) -> str:
    return f"{value:g}"


def _series(rows: Sequence[Sequence[Cell]]) -> Series:
    series = series_of(("label", "n"), rows)
    assert isinstance(series, Series)
    return series


@pytest.mark.parametrize(
    ("columns", "rows", "points", "is_time"),
    [
        (("a", "n"), [("x", 1), ("y", 2.5)], (("x", 1.0), ("y", 2.5)), False),
        (("n", "a"), [(1, "x"), (2, "y")], (("x", 1.0), ("y", 2.0)), False),
        (("a", "n"), [("x", None), (None, 2)], (("x", None), ("·", 2.0)), False),
        (("a", "n"), [(True, 1), (False, 2)], (("True", 1.0), ("False", 2.0)), False),
        (("year", "n"), [(2024, 1), (2023, 2)], (("2023", 2.0), ("2024", 1.0)), True),
        (("month", "n"), [("2024-02", 1), ("2024-01", 2)], (("2024-01", 2.0), ("2024-02", 1.0)), True),
        (("day", "n"), [("2024-02-03", 1), ("2024-02-01", 2)], (("2024-02-01", 2.0), ("2024-02-03", 1.0)), True),
        (("a", "n"), [("2024", 1), ("2024-01", 2)], (("2024", 1.0), ("2024-01", 2.0)), False),
    ],
)
def test_labels_and_numbers_are_a_series(
    columns: Sequence[str], rows: Sequence[Sequence[Cell]], points: object, is_time: bool
) -> None:
    series = series_of(columns, rows)
    assert isinstance(series, Series)
    assert (series.points, series.is_time) == (points, is_time)
    assert {series.name, series.label} == set(columns)
    assert series.name == "n"


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([], "two rows or more, the answer 0 rows"),
        ([("x", 1)], "two rows or more, the answer 1 row"),
        ([("x",), ("y",)], "the answer 1 column, 0 of them of numbers"),
        ([("x", "1"), ("y", "2")], "2 columns, 0 of them"),
        ([(10, 1), (20, 2)], "2 columns, 2 of them"),
        ([(2023, 1), (2023, 2)], "2 columns, 2 of them"),
        ([("x", 1, 2), ("y", 2, 3)], "3 columns, 2 of them"),
        ([("x", None), ("y", None)], "2 columns, 0 of them"),
        ([("x", True), ("y", False)], "2 columns, 0 of them"),
    ],
)
def test_other_rows_are_none_and_it_says_why(rows: Sequence[Sequence[Cell]], why: str) -> None:
    columns = tuple("abc"[: len(rows[0]) if rows else 2])
    series = series_of(columns, rows)
    assert isinstance(series, str)
    assert why in series


def test_bars_begin_at_zero_and_the_longest_fills_its_room() -> None:
    rows = bar_rows(_series([("north", 8), ("s", 4), ("west", 0), ("e", None)]), 24, figure)
    # 24 columns less five of labels, one of figures and four between: fourteen, of which half are seven.
    assert [(row.label, row.bar, row.figure) for row in rows] == [
        ("north", "█" * 14, "8"),
        ("s    ", "█" * 7 + " " * 7, "4"),
        ("west ", " " * 14, "0"),
        ("e    ", " " * 14, "·"),
    ]


def test_eighths_are_drawn_and_the_least_number_is_seen() -> None:
    rows = bar_rows(_series([("a", 1000), ("b", 435), ("c", 0.001)]), 23, figure)
    assert [row.bar for row in rows] == ["█" * 13, "█████▋       ", "▏            "]


def test_numbers_below_zero_go_to_the_left() -> None:
    rows = bar_rows(_series([("a", 3), ("b", -1), ("c", -0.001)]), 17, figure)
    # Two of eight columns lie below zero.
    assert [row.bar for row in rows] == ["  ██████", "██      ", " █      "]
    only = bar_rows(_series([("a", -4), ("b", -1)]), 15, figure)
    assert [row.bar for row in only] == ["████████", "      ██"]


def test_all_lines_are_of_one_width_and_long_labels_are_cut() -> None:
    rows = bar_rows(_series([("x" * 90, 12345.5), ("y\nz", -3), ("w", 7)]), 60, figure)
    assert {len(row.label) for row in rows} == {20}
    assert len({len(row.label + row.bar + row.figure) for row in rows}) == 1
    # Two spaces stand on both sides of a bar.
    assert len(rows[0].label + rows[0].bar + rows[0].figure) == 56
    assert rows[1].label.startswith("y z")


def test_only_the_first_bars_are_drawn() -> None:
    assert len(bar_rows(_series([(str(n), n) for n in range(99)]), 80, figure)) == MOST_BARS


def test_a_line_of_blocks_goes_from_the_least_to_the_greatest() -> None:
    days = [(f"2024-01-{day:02}", float(day)) for day in range(1, 9)]
    assert sparkline(_series(days), 80) == ("▁▂▃▄▅▆▇█", 1)
    assert sparkline(_series([(day, 5.0) for day, _ in days]), 80) == ("▄" * 8, 1)
    # Two points a block: means of 1.5, 3.5, 5.5 and 7.5.
    assert sparkline(_series(days), 4) == ("▁▃▆█", 2)
    gaps = [("2024-01-01", 1.0), ("2024-01-02", None), ("2024-01-03", 3.0)]
    assert sparkline(_series(gaps), 9) == ("▁ █", 1)
    assert extremes(_series(gaps), figure) == "2024-01-01 … 2024-01-03   min 1 (2024-01-01)   max 3 (2024-01-03)"


def test_many_points_in_time_are_a_line() -> None:
    days = [(f"2024-{month:02}-{day:02}", day) for month in (1, 2) for day in range(1, 14)]
    assert is_line(_series(days))
    assert not is_line(_series(days[:24]))
    assert not is_line(_series([(f"x{day}", n) for day, n in days]))


# ---------------------------------------------------------------- SVG
def _texts(picture: str) -> list[str]:
    return [node.text or "" for node in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def test_a_picture_of_bars_has_lengths_by_hand() -> None:
    picture = series_svg(_series([("a", 4), ("b", -4), ("c", None)]), "Question?", figure)
    bars = [node for node in ElementTree.fromstring(picture).iter(f"{SVG}rect") if node.get("fill") != "#ffffff"]
    # Labels take 240 pixels and figures 130 of 930; zero stands in the middle of the other 560.
    assert [(bar.get("x"), bar.get("width")) for bar in bars] == [("520.0", "280.0"), ("240.0", "280.0")]
    assert _texts(picture) == ["Question?", "n · label", "a", "4", "b", "-4", "c", "·"]


def test_points_in_time_are_a_line_with_gaps_and_round_ticks() -> None:
    rows = [("2020", 110), ("2021", 150), ("2022", None), ("2023", 190), ("2024", 205)]
    picture = series_svg(_series(rows), "By year", figure)
    root = ElementTree.fromstring(picture)
    assert len([node for node in root.iter(f"{SVG}path") if node.get("fill") == "none"]) == 2
    assert len(list(root.iter(f"{SVG}circle"))) == 4
    assert _texts(picture)[2:] == ["100", "120", "140", "160", "180", "200", "220", *(year for year, _ in rows)]


def test_text_in_a_picture_is_text() -> None:
    evil = "<script>alert(1)</script>&\x1b[31m\x00\"'"
    series = Series(evil, evil, ((evil, 1.0), ("</text><image href='http://x'/>", 2.0)), False)
    picture = series_svg(series, evil, lambda value: f"<b>{value}</b>")
    root = ElementTree.fromstring(picture)
    assert {node.tag.removeprefix(SVG) for node in root.iter()} == {"svg", "title", "rect", "text", "path"}
    assert "\x1b" not in picture and "\x00" not in picture
    assert "http" not in picture.replace("http://www.w3.org/2000/svg", "").replace("href='http://x'", "")


@pytest.mark.parametrize("count", [2, MOST_SVG_BARS + 5])
def test_a_picture_is_as_high_as_its_bars(count: int) -> None:
    root = ElementTree.fromstring(series_svg(_series([(f"x{n}", n) for n in range(count)]), "?", figure))
    assert root.get("width") == str(WIDTH)
    heights = [float(node.get("y", 0)) for node in root.iter(f"{SVG}text")]
    assert max(heights) < float(root.get("height", 0))
    assert ("… 5 more rows" in _texts(series_svg(_series([(f"x{n}", n) for n in range(count)]), "?", figure))) is (
        count > MOST_SVG_BARS
    )


@pytest.mark.parametrize("values", [(5, 5, 5), (-3, -2, -1), (0, 0, 0), (1e-9, 2e-9, 3e-9), (1e15, 2e15, 9e15)])
def test_any_numbers_have_ticks_around_them(values: Sequence[float]) -> None:
    rows = [(str(2020 + n), value) for n, value in enumerate(values)]
    root = ElementTree.fromstring(series_svg(_series(rows), "?", figure))
    ys = [float(node.get("cy", 0)) for node in root.iter(f"{SVG}circle")]
    assert len(ys) == 3
    assert all(64 <= y <= 64 + 420 for y in ys)
