"""Bars, durations and counted nouns."""

from __future__ import annotations

from polyrag_cli.display.text import bar, clip, counted, milliseconds


def test_bars_and_durations() -> None:
    assert [bar(0, 4), bar(0.5, 4), bar(1, 4), bar(7, 4)] == ["", "██", "████", "████"]
    assert bar(1 / 32, 4) == "▏"
    assert [milliseconds(ms) for ms in (1.94, 21.4, 1234)] == ["1.9 ms", "21 ms", "1.2 s"]


def test_a_clipped_text_is_one_line_of_that_width() -> None:
    assert clip("one\n two  three", 20) == "one two three"
    assert clip("one two three", 5) == "one…"


def test_a_number_has_its_noun_in_the_plural_where_it_is_not_one() -> None:
    assert [counted(n, "chunk") for n in (0, 1, 1200)] == ["0 chunks", "1 chunk", "1,200 chunks"]
