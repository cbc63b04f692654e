"""Bars, durations and texts on one line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # `polyrag --help` needs a few of these functions, and no type.
    from polyrag_cli.types import Cell

# What a terminal would act on: a file's name or a cell may hold an escape sequence. Or turn round what stands beside
# it: embeddings, overrides and isolates make a name look like another one, and letters have a direction without them.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u206f]")
# Beside letters of their own direction these marks say where a full stop belongs; elsewhere they only turn figures.
_DIRECTION_MARK = re.compile("[\u061c\u200e\u200f]")
_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)


def printable(text: str) -> str:
    """The text without control characters and what turns its direction round; line breaks and tabs stay.

    Marks of direction stay in a text of Hebrew, Arabic or another script that is written from the right.
    """
    kept = _CONTROL.sub("", text)
    if kept.isascii() or _RIGHT_TO_LEFT.search(kept):
        return kept
    return _DIRECTION_MARK.sub("", kept)


def clip(text: str, width: int) -> str:
    """A text on one line of at most `width` characters, with an ellipsis where it was cut."""
    line = " ".join(printable(text).split())
    return line if len(line) <= width else (line[: max(0, width - 1)].rstrip() + "…")[: max(0, width)]


def bar(value: float, width: int = 16) -> str:
    """A bar of eighth blocks for a value in [0, 1]."""
    eighths = round(max(0.0, min(1.0, value)) * width * 8)
    return "█" * (eighths // 8) + (" ▏▎▍▌▋▊▉"[eighths % 8].strip())


def milliseconds(ms: float) -> str:
    """A duration: 1.9 ms below ten, 21 ms below a second, 1.2 s from there."""
    # The bounds are those of what is shown: neither 10.0 ms nor 1000 ms is written.
    if ms >= 999.5:
        return f"{ms / 1000:.1f} s"
    return f"{ms:.1f} ms" if ms < 9.95 else f"{ms:.0f} ms"


def cell_text(cell: Cell) -> str:
    """A cell of a table: a middle dot where it is empty."""
    if isinstance(cell, float):
        # Fifteen digits are what a double holds for sure; the sixteenth shows how it was added up.
        return f"{cell:.15g}"
    return "·" if cell is None else str(cell)


def brief_cell(cell: Cell) -> str:
    """A cell within a sentence: what sums of decimals leave behind the twelfth digit is no figure of the table's."""
    return f"{cell:.12g}" if isinstance(cell, float) else str(cell)


def number_change(before: float, now: float) -> str:
    """A number's way to another one, with as many decimals, from two to six, as tell them apart."""
    places = next((n for n in range(2, 6) if f"{before:.{n}f}" != f"{now:.{n}f}"), 6)
    return f"{before:.{places}f} → {now:.{places}f}"


def counted(n: int, noun: str) -> str:
    """A number with its noun, in the plural where it isn't one."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"
