"""Owns dates: month names, finding dates in running text, reading them from cells."""

import datetime
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Literal

from polyrag_cli.languages import UNDETERMINED, language
from polyrag_cli.text.fold import fold_word

Precision = Literal["day", "month", "year"]


@dataclass(frozen=True, slots=True)
class DateSpan:
    """A date in a text from `start` to `end`; `iso` is YYYY-MM-DD, YYYY-MM or YYYY by `precision`."""

    start: int
    end: int
    iso: str
    precision: Precision


_MONTH = r"(?P<month_name>[^\W\d_]{3,9})"
_YEAR = r"(?P<year>(?:1[5-9]|20)\d\d)"


@cache
def months() -> Mapping[str, int]:
    """The number of each month's name and abbreviation, folded, in every language."""
    names = language(UNDETERMINED).dates.months
    return MappingProxyType({name: number for number, forms in enumerate(names, start=1) for name in sorted(forms)})


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """What dates look like, in every language; longest first: a month's year isn't to be found as one of its own."""
    words = language(UNDETERMINED).dates
    mark = rf"(?:{_any(words.day_marks)})?"
    joint = "".join(rf"\s+{re.escape(word)}\s+|" for word in sorted(words.month_joints))
    return tuple(
        re.compile(rf"(?<![\w/.,-])(?:{pattern})(?!\w|[/-]\d|[.,]\d)", re.IGNORECASE)
        for pattern in (
            r"(?P<year>\d{4})(?P<sep>[/.-])(?P<month>\d{1,2})(?P=sep)(?P<day>\d{1,2})(?:T[\d:.]+Z?)?",
            r"(?P<first>\d{1,2})(?P<sep>[/.-])(?P<second>\d{1,2})(?P=sep)(?P<year>\d{4}|\d{2})",
            rf"(?P<day>\d{{1,2}}){mark}(?:{joint}[\s/-]+){_MONTH}\.?(?:{joint},?\s+|[/-]){_YEAR}",
            rf"{_MONTH}\.?\s+(?P<day>\d{{1,2}}){mark}(?:,\s*|\s+){_YEAR}",
            rf"{_MONTH}\.?(?:{joint},?\s+|[/-]){_YEAR}",
            rf"{_MONTH}\.?[/-](?P<year>\d{{2}})",
            rf"{_YEAR}[/-](?P<month>0[1-9]|1[0-2])",
            rf"(?P<month>0?[1-9]|1[0-2])/{_YEAR}",
        )
    )


def _any(words: frozenset[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=lambda word: (-len(word), word)))


_DIGIT = re.compile(r"\d")
_BARE_YEAR = re.compile(
    rf"(?:(?<=\d{{4}}[-–])|(?<![\w/.,$€£%–-]))(?<![$€£]\s){_YEAR}(?!\w|[.,/]\d|-\d{{1,2}}(?!\d)|\s?%)"
)
_TIME = re.compile(r"[T\s]+\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\s*(?:Z|[+-]\d{2}:?\d{2})?$", re.IGNORECASE)


def find_dates(text: str, code: str | None = None) -> list[DateSpan]:
    """Return the dates of `text` that have a year, in order of place, without overlaps.

    Args:
        code: of the text's language, which says whether 03/12/2025 is March 12 or, as where it isn't known, 3 December;
            an impossible reading falls back to the other order.
    """
    if _DIGIT.search(text) is None:
        return []
    found: list[DateSpan] = []
    taken = bytearray(len(text))
    dayfirst = not language(code or UNDETERMINED).dates.month_first
    for pattern in (*_patterns(), _BARE_YEAR):
        for match in pattern.finditer(text):
            if any(taken[match.start() : match.end()]):
                continue
            iso = _iso(match, dayfirst=dayfirst)
            if iso is None:
                continue
            precision: Precision = "day" if len(iso) == 10 else "month" if len(iso) == 7 else "year"
            found.append(DateSpan(match.start(), match.end(), iso, precision))
            taken[match.start() : match.end()] = b"\x01" * (match.end() - match.start())
    return sorted(found, key=lambda span: span.start)


def parse_date(cell: str, dayfirst: bool) -> str | None:
    """Return the day that a whole cell holds as YYYY-MM-DD (a time of day is left out), or None.

    Args:
        dayfirst: how the column writes 03/12/2025; an impossible date under it is None.
    """
    text = _TIME.sub("", cell.strip())
    for pattern in _patterns()[:4]:
        match = pattern.fullmatch(text)
        if match is not None:
            return _iso(match, dayfirst=dayfirst, strict=True)
    return None


def _iso(match: re.Match[str], *, dayfirst: bool, strict: bool = False) -> str | None:
    parts = match.groupdict()
    year = int(parts["year"])
    if len(parts["year"]) == 2:
        year += 2000 if year < 70 else 1900
    if parts.get("first") is not None:
        first, second = int(parts["first"]), int(parts["second"])
        day, month = (first, second) if dayfirst else (second, first)
        iso = _day(year, month, day)
        return iso if iso is not None or strict else _day(year, day, month)
    named = parts.get("month_name")
    month_number = months().get(fold_word(named)) if named else int(parts["month"]) if parts.get("month") else None
    if month_number is None:
        return None if named else f"{year:04d}"
    return _day(year, month_number, int(parts["day"])) if parts.get("day") else f"{year:04d}-{month_number:02d}"


def _day(year: int, month: int, day: int) -> str | None:
    try:
        return datetime.date(year, month, day).isoformat()
    except ValueError:
        return None
