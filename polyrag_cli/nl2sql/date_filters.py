"""Owns the restrictions that dates state: days, months, years, ranges and bounds, by the kind of column."""

from __future__ import annotations

import calendar
from collections.abc import Sequence
from dataclasses import replace

from polyrag_cli.nl2sql.algebra import Comparison, Condition
from polyrag_cli.nl2sql.date_ranges import is_range, opening_of, words_between
from polyrag_cli.nl2sql.index import ColumnEntry, TableEntry
from polyrag_cli.nl2sql.question import DateMention, Question, word_parts
from polyrag_cli.nl2sql.restrictions import Filter, comparator_before, equal
from polyrag_cli.text.dates import months

_DASHES = ("-", "–", "—")


def date_filters(
    question: Question, table: TableEntry, used: set[int], columns: Sequence[ColumnEntry] | None = None
) -> list[list[Filter]]:
    """Return, for each date, month or year of the question, its possible filters: one for each column that fits.

    columns: of the table where None.
    """
    columns = table.columns if columns is None else columns
    found: list[list[Filter]] = []
    dates = [d for d in question.dates if not used & set(range(d.first, d.last + 1))]
    dates = _with_years(question, dates)
    words = [token.folded for token in question.tokens]
    skip = False
    for i, date in enumerate(dates):
        if skip:
            skip = False
            continue
        following = dates[i + 1] if i + 1 < len(dates) else None
        if following is not None and _dashed(question, date, following):
            found.append(
                [f for e in columns if (f := _range_filter(e, table, date, following, date.first)) is not None]
            )
            skip = True
        elif following is not None and is_range(words, date, following, question.lexicon):
            opening = opening_of(words, date, question.lexicon)
            found.append([f for e in columns if (f := _range_filter(e, table, date, following, opening)) is not None])
            skip = True
        else:
            compared = comparator_before(question, date.first)
            found.append([f for e in columns if (f := _date_filter(e, table, date, compared)) is not None])
    return found


def _dashed(question: Question, first: DateMention, second: DateMention) -> bool:
    """Tell two years with a dash between them ("1941–1949")."""
    if first.precision != "year" or second.precision != "year" or second.first != first.last + 1:
        return False
    between = question.text[question.tokens[first.last].word.end : question.tokens[second.first].word.start]
    return between.strip() in _DASHES and (first.year or 0) < (second.year or 0)


def _with_years(question: Question, dates: Sequence[DateMention]) -> list[DateMention]:
    """Give a month without a year the year of the date that it is joined to ("in January and February 2024")."""
    result = list(dates)
    words = [token.folded for token in question.tokens]
    joints = question.lexicon.grammar.range_joints | question.lexicon.dates.month_joints
    for i in range(len(result) - 2, -1, -1):
        this, following = result[i], result[i + 1]
        between = words_between(words, this, following, question.lexicon)
        if this.year is None and following.month is not None and len(between) <= 2 and set(between) <= joints:
            result[i] = replace(this, year=following.year)
    return result


def _ends(date: DateMention) -> tuple[str, str] | None:
    """Return the first and last day of a date with a year."""
    if date.year is None:
        return None
    if date.month is None:
        return f"{date.year:04d}-01-01", f"{date.year:04d}-12-31"
    last = calendar.monthrange(date.year, date.month)[1]
    first_day, last_day = (date.day, date.day) if date.day is not None else (1, last)
    return f"{date.year:04d}-{date.month:02d}-{first_day:02d}", f"{date.year:04d}-{date.month:02d}-{last_day:02d}"


def _months(entry: ColumnEntry, numbers: Sequence[int]) -> Condition | None:
    """Return the condition that a month column names one of these months; None where it names none of them."""
    if entry.column.type == "integer":
        return Condition(entry.column.name, "=" if len(numbers) == 1 else "in", tuple(numbers))
    values = [v for v in entry.column.values if months().get(_month_word(v)) in numbers]
    return equal(entry, values) if values else None


def _month_numbers(date: DateMention) -> range:
    """Return the months that a date without days spans, 1–12; none without a month."""
    return range(date.month or 1, (date.last_month or date.month or 0) + 1)


def _month_word(value: str) -> str:
    parts = word_parts(value)
    return parts[0] if len(parts) == 1 else ""


def _year_of(table: TableEntry, year: int) -> tuple[Condition, ...] | None:
    """Return how a table without dates restricts the year: by a year column, or by its own name."""
    columns = [entry for entry in table.columns if entry.role == "year"]
    if len(columns) == 1:
        return (Condition(columns[0].column.name, "=", (year,)),)
    return () if not columns and str(year) in table.label_words else None


def _date_filter(
    entry: ColumnEntry, table: TableEntry, date: DateMention, compared: tuple[Comparison, tuple[int, ...]] | None
) -> Filter | None:
    tokens = tuple(range(date.first, date.last + 1)) + (compared[1] if compared else ())
    name = entry.column.name
    bound = compared[0] if compared else "="
    if entry.role == "year" and date.month is None and date.year is not None:
        return Filter(tokens, entry.position, (Condition(name, bound, (date.year,)),), 1.0)
    if date.last_month is not None and bound != "=":
        return None
    if entry.role == "month" and date.month is not None and date.day is None and bound == "=":
        year = _year_of(table, date.year) if date.year is not None else ()
        months = _months(entry, _month_numbers(date))
        if months is None or year is None:
            return None
        return Filter(tokens, entry.position, (months, *year), 1.0)
    if entry.role != "date":
        return None
    ends = _ends(date)
    if bound != "=":
        if ends is None:
            return None
        end = ends[1] if bound in (">", "<=") else ends[0]
        return Filter(tokens, entry.position, (Condition(name, bound, (end,)),), 1.0)
    if date.day is not None and ends is not None:
        return Filter(tokens, entry.position, (Condition(name, "=", (ends[0],)),), 1.0)
    parts: list[Condition] = []
    if date.year is not None:
        parts.append(Condition(name, "year", (date.year,)))
    if date.month is not None:
        parts.append(Condition(name, "month", tuple(_month_numbers(date))))
    return Filter(tokens, entry.position, tuple(parts), 1.0)


def _range_filter(
    entry: ColumnEntry, table: TableEntry, first: DateMention, second: DateMention, opening: int
) -> Filter | None:
    """Return a column's filter by a range that the word at `opening` begins."""
    tokens = tuple(range(opening, second.last + 1))
    name = entry.column.name
    starts, ends = _ends(first), _ends(second)
    if entry.role == "year" and first.month is None and first.year is not None:
        return Filter(tokens, entry.position, (Condition(name, "between", (first.year, second.year)),), 1.0)
    if entry.role == "date" and starts is not None and ends is not None:
        return Filter(tokens, entry.position, (Condition(name, "between", (starts[0], ends[1])),), 1.0)
    if first.month is None or second.month is None or first.month > second.month or first.year != second.year:
        return None
    numbers = tuple(range(first.month, second.month + 1))
    if entry.role == "date" and first.year is None:
        return Filter(tokens, entry.position, (Condition(name, "month", numbers),), 1.0)
    if entry.role == "month" and first.day is None:
        months = _months(entry, numbers)
        year = _year_of(table, first.year) if first.year is not None else ()
        if months is not None and year is not None:
            return Filter(tokens, entry.position, (months, *year), 1.0)
    return None
