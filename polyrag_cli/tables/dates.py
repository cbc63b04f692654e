"""Owns how a column is read as dates. Must never import anything of the package but `text`."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Sequence

from polyrag_cli.text.dates import parse_date

_SHARE = 0.7


def column_dates(texts: Sequence[str], nulls: Collection[str], language: str) -> list[datetime.date | None] | None:
    """Return the column's days, None for cells without one; None when fewer than .7 of its filled cells hold a day.

    The order of day and month is the one under which more cells are dates; where both fit, the language's.

    Args:
        nulls: lower-case texts that stand for nothing.
        language: "en" writes the month first.
    """
    filled = [text for text in texts if text.lower() not in nulls]
    if not filled or not any(char.isdigit() for char in filled[0] + filled[-1]):
        return None
    read = {dayfirst: [parse_date(text, dayfirst) for text in texts] for dayfirst in (True, False)}
    count = {dayfirst: sum(day is not None for day in days) for dayfirst, days in read.items()}
    dayfirst = count[True] > count[False] or (count[True] == count[False] and language != "en")
    if count[dayfirst] < _SHARE * len(filled):
        return None
    return [None if day is None else datetime.date.fromisoformat(day) for day in read[dayfirst]]
