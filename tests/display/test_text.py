"""Bars, durations and counted nouns."""

from __future__ import annotations

from polyrag_cli.display.text import bar, cell_text, clip, counted, milliseconds, number_change, printable


def test_bars_and_durations() -> None:
    assert [bar(0, 4), bar(0.5, 4), bar(1, 4), bar(7, 4)] == ["", "██", "████", "████"]
    assert bar(1 / 32, 4) == "▏"
    assert [milliseconds(ms) for ms in (1.94, 21.4, 1234)] == ["1.9 ms", "21 ms", "1.2 s"]
    assert [milliseconds(ms) for ms in (9.94, 9.96, 999.4, 999.7)] == ["9.9 ms", "10 ms", "999 ms", "1.0 s"]


def test_a_clipped_text_is_one_line_of_that_width() -> None:
    assert clip("one\n two  three", 20) == "one two three"
    assert clip("one two three", 5) == "one…"
    assert [clip("one", width) for width in (2, 1, 0, -1)] == ["o…", "…", "", ""]


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


def test_nothing_turns_the_direction_of_a_text_round() -> None:
    # Shown as fatura-exe.pdf by a terminal that obeys the override.
    assert printable("fatura-\u202efdp.exe") == clip("fatura-\u202efdp.exe", 40) == "fatura-fdp.exe"
    around = "".join(f"a{chr(code)}" for code in (*range(0x202A, 0x202F), *range(0x2066, 0x2070)))
    assert set(printable(around)) == {"a"}
    assert printable("12\u200f-\u200e34\u061c5") == "12-345"


def test_scripts_that_are_written_from_the_right_keep_their_text() -> None:
    for text in (
        "שלום עולם",
        "דו״ח 2024.xlsx",
        "مرحبا بالعالم",
        "تقرير ٢٠٢٤",
        "C++\u200e הוא שפה",
        "نص\u200f!",
        "السعر\u061c 12",
    ):
        assert printable(text) == text
    assert printable("שלום \u202eexe\u202c עולם") == "שלום exe עולם"
    # Joiners have no direction: Persian words and emoji need them.
    assert printable("می\u200cخواهم 👩\u200d🌾") == "می\u200cخواهم 👩\u200d🌾"
