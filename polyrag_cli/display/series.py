"""Rows as a series, where they are one, and the series as bars or as a line of blocks in a terminal."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from polyrag_cli.display.text import cell_text, clip, counted
from polyrag_cli.types import Cell

Figures = Callable[[float], str]
"""How a number is written."""

MOST_BARS = 40
# From this many points in time on, a line of blocks says more than a page of bars.
_MANY_TIMES = 25
_BLOCKS = "▁▂▃▄▅▆▇█"
_TIME = re.compile(r"\d{4}(-\d\d(-\d\d([ T]\d\d:\d\d(:\d\d)?)?)?)?")


@dataclass(frozen=True, slots=True)
class Series:
    """Labels with a number each, None where there is none.

    name: of what the numbers are; label: of what the labels are. is_time: whether the labels are years, months or days,
    which then are in order.
    """

    name: str
    label: str
    points: tuple[tuple[str, float | None], ...]
    is_time: bool

    @property
    def values(self) -> list[float]:
        """The numbers that there are."""
        return [value for _, value in self.points if value is not None]


@dataclass(frozen=True, slots=True)
class BarRow:
    """One bar: all labels of a chart are equally wide, and so are all bars."""

    label: str
    bar: str
    figure: str


def series_of(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> Series | str:
    """The series that rows are: one column of labels and one of numbers, or of years and numbers.

    Else why they are none, as the end of a sentence that begins with "no chart:".
    """
    if len(rows) < 2:
        return f"a series has two rows or more, the answer {counted(len(rows), 'row')}"
    numeric = [place for place in range(len(columns)) if _is_numeric(rows, place)]
    if len(columns) == 2 and numeric == [0, 1] and _are_years(rows):
        numeric = [1]
    if len(columns) != 2 or len(numeric) != 1:
        return (
            "a series has one column of labels and one of numbers, the answer"
            f" {counted(len(columns), 'column')}, {len(numeric)} of them of numbers"
        )
    value, label = numeric[0], 1 - numeric[0]
    points = tuple((cell_text(row[label]), _number(row[value])) for row in rows)
    is_time = all(_TIME.fullmatch(name) for name, _ in points) and len({len(name) for name, _ in points}) == 1
    if is_time:
        points = tuple(sorted(points, key=lambda point: point[0]))
    return Series(columns[value], columns[label], points, is_time)


def _is_numeric(rows: Sequence[Sequence[Cell]], place: int) -> bool:
    cells = [row[place] for row in rows if row[place] is not None]
    return bool(cells) and all(isinstance(cell, (int, float)) and not isinstance(cell, bool) for cell in cells)


def _are_years(rows: Sequence[Sequence[Cell]]) -> bool:
    cells = [row[0] for row in rows]
    return all(isinstance(cell, int) and 1000 <= cell < 3000 for cell in cells) and len(set(cells)) == len(cells)


def _number(cell: Cell) -> float | None:
    number = float(cell) if isinstance(cell, (int, float)) else None
    return number if number is not None and math.isfinite(number) else None


# ---------------------------------------------------------------- in a terminal
def bar_rows(series: Series, width: int, figures: Figures) -> list[BarRow]:
    """The first 40 points as bars from a common zero, in at most `width` columns; bars below zero go to the left."""
    points = series.points[:MOST_BARS]
    written = ["·" if value is None else figures(value) for _, value in points]
    longest = max(map(len, written))
    labels = [clip(name, max(8, width // 3)) for name, _ in points]
    wide = max(map(len, labels))
    room = max(8, width - wide - longest - 4)
    low, high = min(0.0, *series.values), max(0.0, *series.values)
    left = round(room * -low / (high - low)) if high > low else 0
    # However short, a bar is seen.
    left = min(max(left, low < 0), room - (high > 0))
    return [
        BarRow(f"{label:<{wide}}", _bar(value, low, high, left, room - left), f"{figure:>{longest}}")
        for label, (_, value), figure in zip(labels, points, written, strict=True)
    ]


def _bar(value: float | None, low: float, high: float, left: int, right: int) -> str:
    """A bar around a zero that stands `left` columns from its left end, filled up to its whole width."""
    if value is None or value == 0:
        return " " * (left + right)
    if value < 0:
        return ("█" * max(1, round(left * value / low))).rjust(left) + " " * right
    eighths = max(1, round(8 * right * value / high))
    return " " * left + ("█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()).ljust(right)


def sparkline(series: Series, width: int) -> tuple[str, int]:
    """A line of blocks from the least to the greatest number, and how many points each block is the mean of; a gap
    where no number is."""
    each = math.ceil(len(series.points) / max(1, width))
    groups = [series.points[start : start + each] for start in range(0, len(series.points), each)]
    means = [_mean([value for _, value in group if value is not None]) for group in groups]
    known = [mean for mean in means if mean is not None]
    low, span = min(known), max(known) - min(known)
    top = len(_BLOCKS) - 1
    blocks = (
        " " if mean is None else _BLOCKS[round((mean - low) / span * top) if span else top // 2] for mean in means
    )
    return "".join(blocks), each


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None


def is_line(series: Series) -> bool:
    """Whether a series is better drawn as a line than as bars."""
    return series.is_time and len(series.points) >= _MANY_TIMES


def extremes(series: Series, figures: Figures) -> str:
    """The span of a line in words: where it begins and ends, and its least and greatest number."""
    (first, _), (last, _) = series.points[0], series.points[-1]
    known = [(value, name) for name, value in series.points if value is not None]
    low, high = min(known), max(known, key=lambda point: point[0])
    return f"{first} … {last}   min {figures(low[0])} ({low[1]})   max {figures(high[0])} ({high[1]})"
