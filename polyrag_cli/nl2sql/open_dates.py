"""Owns the times that a question leaves open: those told from today ("last month") and days without a year
("10 March")."""

from __future__ import annotations

from polyrag_cli.nl2sql.question import DateMention, Question

_DAYS_OF_A_MONTH = 31


def open_date(question: Question) -> str:
    """Return the question's first words for a time that no table can be asked for; "" without any."""
    spans = [*_told_from_today(question), *_days_without_a_year(question)]
    if not spans:
        return ""
    first, last = min(spans)
    return " ".join(token.text for token in question.tokens[first : last + 1])


def _told_from_today(question: Question) -> list[tuple[int, int]]:
    """Return the spans of "today", "this month", "mês passado", "last 3 years"."""
    lexicon = question.lexicon
    words = [token.folded for token in question.tokens]
    figures = {number.first for number in question.numbers}
    # What a word for a coming day says is as often a part of the day ("mañana"), and tables hold what has been.
    spans = [(i, i) for i, word in enumerate(words) if lexicon.dates.days.get(word, 1) <= 0]
    for i, word in enumerate(words):
        beside = i + 2 if i + 1 in figures else i + 1
        if beside < len(words) and word in lexicon.nearness and words[beside] in lexicon.periods:
            spans.append((i, beside))
        if i + 1 < len(words) and word in lexicon.periods and words[i + 1] in lexicon.nearness:
            spans.append((i, i + 1))
    return spans


def _days_without_a_year(question: Question) -> list[tuple[int, int]]:
    """Return the spans of a month's name and the day beside it where no year stands with them."""
    days = {n.first: n.last for n in question.numbers if 1 <= n.value <= _DAYS_OF_A_MONTH and n.value == int(n.value)}
    joints = question.lexicon.dates.month_joints
    spans: list[tuple[int, int]] = []
    for date in question.dates:
        if not _is_bare_month(date):
            continue
        before = date.first - 1
        before -= before > 0 and question.tokens[before].folded in joints
        if before in days:
            spans.append((before, date.last))
        elif question.lexicon.dates.month_first and date.last + 1 in days:
            spans.append((date.first, days[date.last + 1]))
    return spans


def _is_bare_month(date: DateMention) -> bool:
    return date.month is not None and date.last_month is None and date.year is None and date.day is None
