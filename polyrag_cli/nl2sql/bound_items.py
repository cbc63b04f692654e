"""Owns the restrictions that figures, dates and words for a lack state."""

from __future__ import annotations

from collections.abc import Sequence

from polyrag_cli.nl2sql.algebra import Comparison, Condition
from polyrag_cli.nl2sql.date_filters import date_filters
from polyrag_cli.nl2sql.index import ColumnEntry, TableEntry
from polyrag_cli.nl2sql.items import ColumnItem, Restriction
from polyrag_cli.nl2sql.profile import profile
from polyrag_cli.nl2sql.question import Mark, NumberMention, Question
from polyrag_cli.nl2sql.restrictions import BOUNDS, comparator_before
from polyrag_cli.nl2sql.units import counts, units_of
from polyrag_cli.types import Cell

_KEPT = 3
# What a column's name loses by each word that stands between it and the figure.
_BY_DISTANCE = 0.08
_BEFORE = 0.02
_COUNTED = 0.1
# A column that is named beside a figure is meant, whatever other columns have its unit.
_BY_NAME = 0.85
_UNIT = 0.85
# The only quantity there is, though nothing names it.
_ONLY = 0.45
# Words behind a negation among which it denies a quantity, and how surely these must name it.
_DENYING = 5
# Words of a quantity's name between a comparison and its figure.
_NAMING = 4
_NOTED = 0.8
# How surely an ordinal beside a word for ranks means one.
_PLACED = 0.9
# Comparisons of amounts, which no word of time states.
_AMOUNTS = ("above", "at_least", "below", "at_most")
_TURNED: dict[Comparison, Comparison] = {">": "<", ">=": "<=", "<": ">", "<=": ">="}


def date_items(question: Question, table: TableEntry, taken: set[int]) -> list[list[Restriction]]:
    """Return, for each date of the question, its restrictions: one for each column that fits."""
    found: list[list[Restriction]] = []
    for options in date_filters(question, table, taken, profile(table).columns):
        restrictions = [
            Restriction(f.tokens, f.position, f.conditions, 1.2 if len(f.tokens) > 1 else 0.95, "date") for f in options
        ]
        if restrictions:
            found.append(restrictions[:_KEPT])
    return found


def amounts_like_years(question: Question, table: TableEntry, columns: Sequence[ColumnItem]) -> list[NumberMention]:
    """Return the years of the question that are figures, since they bound a quantity: "a profit of at most 2055".

    The quantity stands right before the comparison, with a small word between; "profit until 2055" is a time.
    """
    entries = profile(table).columns
    named = {
        max(item.tokens)
        for item in columns
        if item.tokens and item.quality >= _NOTED and entries[item.position].role == "measure"
    }
    found: list[NumberMention] = []
    for year in (date for date in question.dates if date.precision == "year" and date.year is not None):
        for mark in question.find(*_AMOUNTS):
            if mark.last >= year.first or not all(question.tokens[i].empty for i in range(mark.last + 1, year.first)):
                continue
            before = mark.first - 1
            while before >= 0 and before not in named and question.tokens[before].empty:
                before -= 1
            if before in named and before < mark.first - 1:
                found.append(NumberMention(year.first, year.last, float(year.year or 0), year_like=True, percent=False))
                break
    return found


def number_items(
    question: Question,
    table: TableEntry,
    columns: Sequence[ColumnItem],
    taken: set[int],
    amounts: Sequence[NumberMention] = (),
) -> list[list[Restriction]]:
    """Return, for each bound on a figure, its restrictions, best first: one for each quantity that fits.

    amounts: figures that look like years.
    """
    found: list[list[Restriction]] = []
    every = sorted((*question.numbers, *amounts), key=lambda number: number.first)
    numbers = [n for n in every if taken.isdisjoint(range(n.first, n.last + 1))]
    position = 0
    while position < len(numbers):
        number = numbers[position]
        following = numbers[position + 1] if position + 1 < len(numbers) else None
        pair = following is not None and _is_between(question, number, following)
        last = following if pair and following is not None else number
        compared = _comparison(question, number, pair) or _of_column(question, table, columns, number)
        options = _options(question, table, columns, number, last, compared)
        if options:
            found.append(options)
        position += 2 if pair else 1
    return found


def _is_between(question: Question, first: NumberMention, second: NumberMention) -> bool:
    marks = [m for m in question.find("between") if m.last < first.first and first.first - m.last <= 2]
    joined = [question.tokens[i].folded for i in range(first.last + 1, second.first)]
    return bool(marks) and any(word in question.lexicon.grammar.joints for word in joined) and len(joined) <= 2


def _comparison(question: Question, number: NumberMention, pair: bool) -> tuple[Comparison, tuple[int, ...]] | None:
    if pair:
        mark = [m for m in question.find("between") if m.last < number.first][-1]
        return "between", tuple(range(mark.first, number.last + 2))
    compared = comparator_before(question, number.first)
    if compared is not None:
        return compared
    top = _top(question, number)
    if top is not None:
        return "<=", (top.first,)
    for mark in question.find("or_more", "or_less"):
        if 0 < mark.first - number.last <= 3:
            return ">=" if mark.operation == "or_more" else "<=", tuple(range(mark.first, mark.last + 1))
    return None


def _of_column(
    question: Question, table: TableEntry, columns: Sequence[ColumnItem], number: NumberMention
) -> tuple[Comparison, tuple[int, ...]] | None:
    """Return a comparison that only the name of a quantity parts from the figure ("under the age of 30")."""
    entries = profile(table).columns
    naming = {
        i
        for item in columns
        if item.quality >= _NOTED and entries[item.position].role == "measure"
        for i in item.tokens
    }
    for mark in question.marks:
        between = range(mark.last + 1, number.first)
        if mark.operation not in BOUNDS or not 0 < len(between) <= _NAMING:
            continue
        if naming.intersection(between) and all(i in naming or question.tokens[i].empty for i in between):
            return BOUNDS[mark.operation], tuple(range(mark.first, mark.last + 1))
    return None


def _top(question: Question, number: NumberMention) -> Mark | None:
    """Return the superlative right before a whole number ("the top 3")."""
    before = [m for m in question.superlatives() if m.last == number.first - 1 and ":" not in m.operation]
    whole = number.value == int(number.value) and number.value >= 1
    return before[-1] if before and whole and before[-1].operation == "max" else None


def _options(
    question: Question,
    table: TableEntry,
    columns: Sequence[ColumnItem],
    number: NumberMention,
    last: NumberMention,
    compared: tuple[Comparison, tuple[int, ...]] | None,
) -> list[Restriction]:
    operator: Comparison = compared[0] if compared else "="
    ranking = profile(table).ranking
    if _top(question, number) is not None:
        return _best(table, number, compared[1] if compared else ())
    figures = tuple(range(number.first, last.last + 1))
    tokens = tuple(sorted({*figures, *(compared[1] if compared else ())}))
    unit = last.last + 1
    behind = question.tokens[unit].folded if unit < len(question.tokens) else ""
    columns_of = profile(table).columns
    quantities = [e for e in columns_of if e.role in ("measure", "year") or e.position in ranking]
    only = [e for e in quantities if e.role == "measure" and e.position not in ranking]
    found: list[tuple[float, Restriction]] = []
    for entry in quantities:
        named = _nearest(columns, entry.position, tokens)
        quality, context = (named[0], named[1].tokens) if named else (0.0, ())
        if named and entry.additive is False and named[1].tokens[0] > tokens[-1]:
            # What is counted isn't its price.
            quality -= _COUNTED
        of_unit = _is_unit(question, behind, entry.column.unit, entry.concepts)
        if of_unit:
            quality, context = max(quality, _UNIT), (*context, unit)
        elif entry.column.unit == "%" and number.percent:
            quality = max(quality, _UNIT)
        elif not quality and compared and only == [entry]:
            quality = _ONLY
        if (not compared and entry.role == "code") or (entry.role == "year" and not number.year_like):
            # Numbers that name rows are found among the values.
            continue
        if quality and (compared or named is not None or of_unit):
            turned = _better(question, tokens, operator) if entry.position in ranking else operator
            values = _scaled(number, last, operator, getattr(entry.column, "scale", 1))
            condition = Condition(entry.column.name, turned, values)
            restriction = Restriction(
                tokens, entry.position, (condition,), round(quality, 6), "bound", context=tuple(context)
            )
            found.append((quality, restriction))
    named_ones = [pair for pair in found if pair[1].context and pair[0] >= _BY_NAME and pair[1].context != (unit,)]
    found = named_ones or found
    found.sort(key=lambda scored: (-scored[0], scored[1].position))
    return [restriction for _, restriction in found[:_KEPT]]


def _best(table: TableEntry, number: NumberMention, marked: tuple[int, ...]) -> list[Restriction]:
    """Return the first so many ranks, for each column of ranks."""
    tokens = tuple(sorted({*marked, *range(number.first, number.last + 1)}))
    found = profile(table)
    return [
        Restriction(tokens, e.position, (Condition(e.column.name, "<=", (int(number.value),)),), 0.8, "bound")
        for e in found.columns
        if e.position in found.ranking
    ][:_KEPT]


def place_items(question: Question, table: TableEntry) -> list[list[Restriction]]:
    """Return, for each ordinal beside a word for ranks ("first place", "ranked second"), the rows of that rank."""
    found = profile(table)
    ranks = [entry for entry in found.columns if entry.position in found.ranking]
    tokens = question.tokens
    restrictions: list[list[Restriction]] = []
    for i, token in enumerate(tokens if ranks else ()):
        place = None if token.folded.isdigit() else question.lexicon.ordinals.get(token.folded)
        beside = [k for k in (i + 1, i - 1) if 0 <= k < len(tokens) and "rank" in tokens[k].notions]
        if place is None or not beside:
            continue
        # "The first" is one mark, and all of it is meant.
        first = next((m.first for m in question.marks if m.last == i), i)
        restrictions.append(
            [
                Restriction(
                    tuple(range(first, i + 1)),
                    entry.position,
                    (Condition(entry.column.name, "=", (place,)),),
                    _PLACED,
                    "bound",
                    context=(beside[0],),
                )
                for entry in ranks[:_KEPT]
            ]
        )
    return restrictions


def _better(question: Question, tokens: Sequence[int], operator: Comparison) -> Comparison:
    """Turn a bound on ranks round where the better is the higher ("above 10th place")."""
    marks = [m for m in question.find("above", "below", "or_more", "or_less") if m.first in tokens]
    words = {question.tokens[i].folded for m in marks for i in range(m.first, m.last + 1)}
    known = question.lexicon.dimensions
    ordinal = any(
        question.tokens[i].folded in question.lexicon.ordinals and not question.tokens[i].folded.isdigit()
        for i in tokens
    )
    least = ordinal and any(m.first in tokens for m in question.find("at_least", "at_most"))
    better = any("rank" in known.get(word, ()) for word in words)
    return _TURNED.get(operator, operator) if better or least else operator


def lack_items(
    question: Question, columns: Sequence[ColumnItem], table: TableEntry, taken: set[int]
) -> list[list[Restriction]]:
    """Return, for each column that is denied ("have no rating", "did not score a goal"), that it holds nothing."""
    found: list[list[Restriction]] = []
    entries = profile(table).columns
    for first, last, reach in _denials(question):
        near = range(last + 1, last + 1 + reach)
        if not taken.isdisjoint(near):
            continue
        options = [
            Restriction(tuple(range(first, last + 1)) + item.tokens, item.position, (condition,), quality, "bound")
            for item in columns
            if item.lexical and item.quality >= _NOTED and item.tokens[0] in near and item.tokens[-1] in near
            if (condition := _nothing(entries[item.position])) is not None
            if (quality := round(0.9 * item.quality, 6))
        ]
        if options:
            found.append([max(options, key=lambda r: (r.quality, r.tokens))])
    return found


def _nothing(entry: ColumnEntry) -> Condition | None:
    """Return that a column holds nothing, where some of its cells are empty, or that a quantity is 0; else None."""
    if entry.column.nulls:
        return Condition(entry.column.name, "is null", ())
    return Condition(entry.column.name, "=", (0,)) if entry.role == "measure" else None


def _denials(question: Question) -> list[tuple[int, int, int]]:
    """Return where negations stand, first and last word, and how many words behind one it may deny ("won no gold")."""
    marks = [(mark.first, mark.last, _DENYING) for mark in question.find("not", "none")]
    marked = {i for mark in question.marks for i in range(mark.first, mark.last + 1)}
    words = question.lexicon.negation.words
    return marks + [(i, i, 1) for i, t in enumerate(question.tokens) if t.folded in words and i not in marked]


def _scaled(number: NumberMention, last: NumberMention, operator: Comparison, scale: float) -> tuple[Cell, ...]:
    values = (number.value, last.value) if operator == "between" else (number.value,)
    return tuple(int(v) if v == int(v) else v for v in (value / scale for value in values))


def _nearest(columns: Sequence[ColumnItem], position: int, tokens: Sequence[int]) -> tuple[float, ColumnItem] | None:
    best: tuple[float, ColumnItem] | None = None
    for item in columns:
        if item.position != position or not set(item.tokens).isdisjoint(tokens):
            continue
        gap = item.tokens[0] - tokens[-1] if item.tokens[0] > tokens[-1] else tokens[0] - item.tokens[-1]
        quality = item.quality * (1 - _BY_DISTANCE * min(max(0, gap - 1), 8))
        # "More than 5000 bags": the noun behind a figure says what it counts.
        quality -= 0.0 if item.tokens[0] > tokens[-1] else _BEFORE
        if best is None or quality > best[0]:
            best = (quality, item)
    return best


def _is_unit(question: Question, word: str, unit: str, concepts: frozenset[str]) -> bool:
    if not word:
        return False
    if not unit:
        return counts(word, concepts, question.lexicon)
    return word == unit.lower() or unit.lower() in units_of(word, question.lexicon)
