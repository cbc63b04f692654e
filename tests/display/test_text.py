"""Bars, durations and counted nouns."""

from __future__ import annotations

from polyrag_cli.display.text import bar, cell_text, clip, counted, milliseconds, number_change


def test_bars_and_durations() -> None:
    assert [bar(0, 4), bar(0.5, 4), bar(1, 4), bar(7, 4)] == ["", "██", "████", "████"]
    assert bar(1 / 32, 4) == "▏"
    assert [milliseconds(ms) for ms in (1.94, 21.4, 1234)] == ["1.9 ms", "21 ms", "1.2 s"]


def test_a_clipped_text_is_one_line_of_that_width() -> None:
    assert clip("one\n two  three", 20) == "one two three"
    assert clip("one two three", 5) == "one…"


def test_a_number_has_its_noun_in_the_plural_where_it_is_not_one() -> None:
    assert [counted(n, "chunk") for n in (0, 1, 1200)] == ["0 chunks", "1 chunk", "1,200 chunks"]


def test_a_change_has_as_many_decimals_as_show_it() -> None:
    changes = ((0.2, 0.31), (0.2, 0.204), (0.2, 0.200_01), (0.2, 0.200_000_9), (0.2, 0.2))
    assert [number_change(*change) for change in changes] == [
        "0.20 → 0.31",
        "0.200 → 0.204",
        "0.20000 → 0.20001",
        "0.200000 → 0.200001",
        "0.200000 → 0.200000",
    ]


def test_cells_hide_the_rounding_of_sums_and_show_where_nothing_is() -> None:
    assert [cell_text(cell) for cell in (0.1 + 0.2, 3.0, 7, True, "a", None)] == ["0.3", "3", "7", "True", "a", "·"]
