"""Owns how a column is read as dates."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from polyrag_cli.tables.texts import Texts
from polyrag_cli.text.dates import parse_date

_SHARE = 0.7
TRIED = 200
"""So many cells, spread over a column, tell first whether it may hold dates."""
# Two separators between figures, or a month's name: no day is written without them.
_MARKS = re.compile(r"\d[/.-]\d{1,2}[/.-]\d|[^\W\d_]{3}")
_TIME = re.compile(r"\d{1,2}:\d{2}")
# ISO days that a time may follow, as RE2 knows it: no other reading of them is a date.
_ISO = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[ T][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?$"
_IMPOSSIBLE = (
    r"^0000|^[0-9]{4}-(?:00|1[3-9]|[2-9])|^[0-9]{7,}-|^.{8}(?:00|3[2-9]|[4-9])|^.{5}(?:02-(?:29|3)|(?:04|06|09|11)-31)"
)
_ISO_TIME = r"[ T][0-9]"
_ISO_MIDNIGHT = r"[ T]00:00(?::00(?:\.0+)?)?(?:[^0-9:]|$)"
_MIDNIGHT = re.compile(r"(?<!\d)0{1,2}:00(?::00(?:[.,]0+)?)?(?![\d:])")


TIMES_NOTE = "times of day are left out"


@dataclass(frozen=True, slots=True)
class ColumnDates:
    """By each different text of a column its day, None for one without.

    notes: what isn't sure or is lost; remarks: how its cells were read for sure.
    """

    days: Mapping[str, datetime.date | None]
    notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def column_dates(texts: Texts, nulls: Collection[str], month_first: bool) -> ColumnDates | None:
    """Return the column's days; None when fewer than .7 of its filled cells hold a day.

    The order of day and month is the one under which more cells are dates; where both fit, the language's.

    Args:
        nulls: lower-case texts that stand for nothing.
        month_first: whether the table's language writes the month before the day.
    """
    if not likely_dates([text for text in texts.spread(TRIED) if text.lower() not in nulls]):
        return None
    counts = texts.counts
    filled = {text: count for text, count in counts.items() if text.lower() not in nulls}
    ends = list(filled)[:1] + list(filled)[-1:]
    if not any(char.isdigit() for text in ends for char in text):
        return None
    if not _mostly_dates(filled):
        return None
    read = {text: _both_orders(text) for text in counts}
    total = sum(filled.values())
    count = [sum(filled[text] for text in filled if text in read and read[text][order] is not None) for order in (0, 1)]
    order = 0 if count[0] > count[1] or (count[0] == count[1] and not month_first) else 1
    if count[order] < _SHARE * total:
        return None
    days = {text: both[order] for text, both in read.items()}
    found = {text: read[text] for text in filled}
    name = ("day before month", "month before day")[order]
    swapped = [text for text, (first, second) in found.items() if first and second and first != second]
    proof = [text for text, both in found.items() if both[order] and not both[1 - order]]
    notes = [TIMES_NOTE] if any(map(_tells_time, filled)) else []
    if swapped and count[0] == count[1]:
        notes.append(f"{name}, as the language writes it: {swapped[0]} could be the other way round")
    return ColumnDates(days, tuple(notes), (f"{name}, as {proof[0]} shows",) if swapped and proof else ())


def whole_dates(shares: Callable[[Sequence[str]], tuple[int, tuple[int, ...]]]) -> tuple[str, ...] | None:
    """Return what is to be said of a column of which every filled cell is a day in ISO form; None for any other.

    It says what `column_dates` does of such a column. Days that not every year or month has are left to it.

    Args:
        shares: tells how many cells are filled, and in how many of them each RE2 pattern is found.
    """
    filled, (iso, impossible, timed, midnight) = shares((_ISO, _IMPOSSIBLE, _ISO_TIME, _ISO_MIDNIGHT))
    if not filled or iso < filled or impossible:
        return None
    return (TIMES_NOTE,) if timed > midnight else ()


def _tells_time(text: str) -> bool:
    return _TIME.search(text) is not None and not _MIDNIGHT.search(text)


def _mostly_dates(filled: Mapping[str, int]) -> bool:
    """Tell early that a column holds too few texts with the marks of a date."""
    allowed = (1 - _SHARE) * sum(filled.values()) + 1e-9
    for text, count in filled.items():
        if not _MARKS.search(text):
            allowed -= count
            if allowed < 0:
                return False
    return True


def likely_dates(tried: Sequence[str]) -> bool:
    """Tell from some cells, spread over a column, whether it may hold dates: names end in figures as well."""
    return len(tried) < TRIED // 2 or sum(any(_both_orders(text)) for text in tried) > _SHARE / 2 * len(tried)


def _both_orders(text: str) -> tuple[datetime.date | None, datetime.date | None]:
    if not _MARKS.search(text) or not any(char.isdigit() for char in text):
        return None, None
    first, second = (parse_date(text, dayfirst) for dayfirst in (True, False))
    day = None if first is None else datetime.date.fromisoformat(first)
    return day, day if first == second else None if second is None else datetime.date.fromisoformat(second)
