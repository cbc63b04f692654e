"""Owns which two dates of a question are the ends of a range, and the year that the first end has from the second."""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from polyrag_cli.nl2sql.lexicon import Lexicon

if TYPE_CHECKING:
    from polyrag_cli.nl2sql.question import DateMention

_DAY = re.compile(r"(\d{1,2})(\D{0,2})")


def is_range(words: Sequence[str], first: DateMention, second: DateMention, known: Lexicon) -> bool:
    """Tell whether two dates that follow each other are the ends of a range ("between May and July").

    words: the question's, folded. known: what is known of its language.
    """
    grammar = known.grammar
    between = words_between(words, first, second, known)
    opening = opening_of(words, first, known)
    before = words[opening] if opening >= 0 else ""
    joined = [word for word in between if word in grammar.range_joints]
    if len(between) > 2 or len(joined) != 1 or first.precision != second.precision:
        return False
    if first.last_month is not None or second.last_month is not None:
        return False
    return before in known.between or (joined[0] not in grammar.joints and before in grammar.range_starts)


def words_between(words: Sequence[str], first: DateMention, second: DateMention, known: Lexicon) -> list[str]:
    """Return the words between two dates without the articles of the second ("entre el 1 y *el* 30 de junio")."""
    articles = known.articles - known.grammar.range_joints
    return [word for word in words[first.last + 1 : second.first] if word not in articles]


def opening_of(words: Sequence[str], date: DateMention, known: Lexicon) -> int:
    """Return the position of the word before a date, its article and its kind ("the years"); -1 without one."""
    position = date.first - 1
    while position > 0 and (words[position] in known.articles or words[position] in known.date_parts):
        position -= 1
    return position


def with_first_days(words: Sequence[str], dates: Sequence[DateMention], known: Lexicon) -> tuple[DateMention, ...]:
    """Return the dates, with a month's name and the figure beside it made the first day of a range where that day has
    its year from the last one ("between 3 January and 5 February 2024").
    """
    found = list(dates)
    for i, following in enumerate(dates[1:]):
        day = _first_day(words, found[i], following, known)
        if day is not None and is_range(words, day, following, known):
            found[i] = day
    return tuple(found)


def _first_day(words: Sequence[str], month: DateMention, last: DateMention, known: Lexicon) -> DateMention | None:
    if month.year is not None or month.month is None or last.day is None or last.year is None:
        return None
    before = month.first - 1
    if before > 0 and words[before] in known.dates.month_joints:
        before -= 1
    days = calendar.monthrange(last.year, month.month)[1]
    for place in (before, month.last + 1) if known.dates.month_first else (before,):
        figure = _DAY.fullmatch(words[place]) if place >= 0 else None
        if figure and 1 <= int(figure[1]) <= days and (not figure[2] or figure[2] in known.dates.day_marks):
            first, end = min(place, month.first), max(place, month.last)
            return replace(month, first=first, last=end, year=last.year, day=int(figure[1]), precision="day")
    return None
