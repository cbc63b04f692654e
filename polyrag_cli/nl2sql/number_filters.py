"""Owns the restrictions that numbers state: which quantity they bound, and how."""

from __future__ import annotations

from polyrag_cli.nl2sql.index import ColumnEntry, TableEntry
from polyrag_cli.nl2sql.lexicon import Lexicon
from polyrag_cli.nl2sql.linking import Links
from polyrag_cli.nl2sql.plans import Condition, Operator
from polyrag_cli.nl2sql.question import NumberMention, Question
from polyrag_cli.nl2sql.restrictions import Filter, comparator_before
from polyrag_cli.nl2sql.units import counts, units_of


def number_filters(question: Question, table: TableEntry, links: Links, used: set[int]) -> list[list[Filter]]:
    """Return, for each bound on a number, its possible filters: one list a bound, one filter a column that fits."""
    found: list[list[Filter]] = []
    numbers = [n for n in question.numbers if not used & set(range(n.first, n.last + 1))]
    position = 0
    while position < len(numbers):
        number = numbers[position]
        following = numbers[position + 1] if position + 1 < len(numbers) else None
        pair = following is not None and _is_between(question, number, following)
        last = following if pair and following is not None else number
        compared = _comparison(question, number, last, pair)
        column = _restricted_column(question, table, links, number, last, compared)
        if column is not None:
            found.append([_number_filter(question, table, links, number, last, compared, column)])
        position += 2 if pair else 1
    return found


def _is_between(question: Question, first: NumberMention, second: NumberMention) -> bool:
    marks = [m for m in question.find("between") if m.last < first.first and first.first - m.last <= 2]
    joined = [question.tokens[i].folded for i in range(first.last + 1, second.first)]
    return bool(marks) and any(word in question.lexicon.grammar.joints for word in joined) and len(joined) <= 2


def _comparison(
    question: Question, number: NumberMention, last: NumberMention, pair: bool
) -> tuple[Operator, tuple[int, ...]] | None:
    if pair:
        mark = [m for m in question.find("between") if m.last < number.first][-1]
        return "between", tuple(range(mark.first, last.last + 1))
    compared = comparator_before(question, number.first)
    if compared is not None:
        return compared
    for mark in question.find("or_more", "or_less"):
        if 0 < mark.first - number.last <= 3:
            return ">=" if mark.operation == "or_more" else "<=", tuple(range(mark.first, mark.last + 1))
    return None


def _restricted_column(
    question: Question,
    table: TableEntry,
    links: Links,
    number: NumberMention,
    last: NumberMention,
    compared: tuple[Operator, tuple[int, ...]] | None,
) -> tuple[int, int, float] | None:
    """Return (mention, column, quality) of the quantity that a number bounds: the noun behind it, or before the
    comparison.
    """
    start = min((*compared[1], number.first)) if compared else number.first
    end = max((*compared[1], last.last)) if compared else last.last
    best: tuple[int, int, int, float] | None = None
    for index, mention in enumerate(links.columns):
        roles = ("measure", "year", "month", "code") if compared is None else ("measure", "year")
        options = [(p, q) for p, q in mention.options if table.columns[p].role in roles]
        if not options:
            continue
        behind = mention.tokens[0] - end
        before = start - mention.tokens[-1]
        distance = behind if behind > 0 else before + 1
        limit = (2 if behind > 0 else 4) if compared is None else 6
        if 0 < distance <= limit and (best is None or distance < best[0]):
            best = (distance, index, *options[0])
    if best is None:
        return _column_by_unit(question, table, last) if compared is not None else None
    if compared is None and question.superlatives():
        return None
    return best[1], best[2], best[3]


def _column_by_unit(question: Question, table: TableEntry, last: NumberMention) -> tuple[int, int, float] | None:
    """Return the only column of the unit that stands behind a number ("above 3000 euros")."""
    if last.last + 1 >= len(question.tokens):
        return None
    word = question.tokens[last.last + 1].folded
    found = [c.position for c in table.columns if _is_unit(word, c, question.lexicon)]
    return (-1, found[0], 0.8) if len(found) == 1 else None


def _is_unit(word: str, entry: ColumnEntry, lexicon: Lexicon) -> bool:
    unit = entry.column.unit.lower()
    if not unit:
        return entry.numeric and counts(word, entry.concepts, lexicon)
    return word == unit or unit in units_of(word, lexicon)


def _number_filter(
    question: Question,
    table: TableEntry,
    links: Links,
    number: NumberMention,
    last: NumberMention,
    compared: tuple[Operator, tuple[int, ...]] | None,
    column: tuple[int, int, float],
) -> Filter:
    index, position, quality = column
    operator: Operator = compared[0] if compared else "="
    values = (_plain(number.value), _plain(last.value)) if operator == "between" else (_plain(number.value),)
    tokens = {*range(number.first, number.last + 1), *range(last.first, last.last + 1)}
    if index >= 0:
        tokens.update(links.columns[index].tokens)
    if compared:
        tokens.update(compared[1])
    unit = last.last + 1
    behind = question.tokens[unit].folded if unit < len(question.tokens) else ""
    if behind and _is_unit(behind, table.columns[position], question.lexicon):
        tokens.add(unit)
    condition = Condition(table.columns[position].column.name, operator, values)
    return Filter(tuple(sorted(tokens)), position, (condition,), quality, (index,) if index >= 0 else ())


def _plain(value: float) -> float | int:
    return int(value) if value == int(value) else value
