"""Owns which columns of a table the words of a question may name, and how surely."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from polyrag_cli.nl2sql.index import ColumnEntry, TableEntry
from polyrag_cli.nl2sql.items import ColumnItem
from polyrag_cli.nl2sql.lexicon import Lexicon, every_language
from polyrag_cli.nl2sql.notions import NOT_ADDITIVE
from polyrag_cli.nl2sql.polarity import polarity
from polyrag_cli.nl2sql.profile import profile
from polyrag_cli.nl2sql.question import AskedWord, Question
from polyrag_cli.nl2sql.similarity import Similar
from polyrag_cli.nl2sql.spelling import alike
from polyrag_cli.nl2sql.trades import traded_columns
from polyrag_cli.nl2sql.units import is_currency, units_of
from polyrag_cli.text.stem import all_stems

_LONGEST = 4
# Below this cosine a word and a label have nothing to do with each other; those nearly as near as the best stay.
_MIN_COSINE = 0.48
_NEARLY = 0.1
_SURE = 0.9
_NOTION = 0.8
# What the cells say behind their numbers ("3 acts").
_UNIT = 0.9


def column_items(question: Question, table: TableEntry, similar: Similar | None) -> list[ColumnItem]:
    """Return the columns that words of a question may name, by place, then column.

    Qualities: a whole label 1, a part of one .55 + .4 · share, a notion .8, a spelling .6–.8, a meaning .75 · cosine
    + .05, the part of the only date column .95.
    """
    figures = question.figures()
    found: dict[tuple[tuple[int, ...], int], ColumnItem] = {}
    for first in range(len(question.tokens)):
        for item in _starting_at(question, table, first, figures):
            key = (item.tokens, item.position)
            if key not in found or item.quality > found[key].quality:
                found[key] = item
    items = list(found.values())
    items += _date_parts(question, table)
    if similar is not None:
        items += _by_meaning(question, table, similar, items, figures)
    items = [item for item in items if not otherwise_traded(question, table, item)]
    return sorted(items, key=lambda item: (item.tokens, item.position, -item.quality))


def otherwise_traded(question: Question, table: TableEntry, item: ColumnItem) -> bool:
    """Tell a word for selling or buying that stands for rows, or for other columns than this one ("how many sales")."""
    found = [traded_columns(question, i, table) for i in item.tokens if question.tokens[i].trade]
    return any(meant is not None and all(e.position != item.position for e in meant) for meant in found)


def _starting_at(question: Question, table: TableEntry, first: int, figures: set[int]) -> Iterator[ColumnItem]:
    tokens = question.tokens
    if first in figures and not _is_label_figure(table, tokens[first].folded):
        return
    longest = min(_LONGEST, len(tokens) - first)
    month = profile(table).month(tokens[first].folded)
    for length in range(longest, 0, -1):
        span = tuple(range(first, first + length))
        words = [tokens[i] for i in span]
        if length > 1 and (words[0].empty or words[-1].empty) and not _whole_label(words, table):
            continue
        traded = traded_columns(question, first, table) if length == 1 else None
        for entry in profile(table).columns if traded is None else traded:
            quality = _quality(words, entry, question.lexicon)
            if length == 1 and entry is month:
                quality = 1.0
            if quality == _UNIT and first - 1 in figures and not _spells_unit(words[0], entry):
                # "80 metres" says what its own figure counts.
                continue
            if quality:
                yield ColumnItem(span, entry.position, quality)


def _is_label_figure(table: TableEntry, word: str) -> bool:
    known = profile(table)
    return known.month(word) is not None or any(word in entry.words for entry in known.columns)


def _whole_label(words: Sequence[AskedWord], table: TableEntry) -> bool:
    folded = tuple(word.folded for word in words)
    return any(folded == entry.words for entry in profile(table).columns)


def _quality(words: Sequence[AskedWord], entry: ColumnEntry, lexicon: Lexicon) -> float:
    matched: set[int] = set()
    for word in words:
        stems = frozenset(word.stems)
        hit = next((w for w, group in enumerate(entry.stems) if w not in matched and group & stems), None)
        if hit is None:
            return _alone(words[0], entry, lexicon) if len(words) == 1 else 0.0
        matched.add(hit)
    if len(matched) == len(entry.stems):
        return 1.0
    word = words[0]
    if (
        len(words) == 1
        and word.empty
        and not word.notions
        and (len(word.folded) < 4 or every_language().is_function_word(word.folded))
    ):
        return 0.0
    return round(entry.modified(matched) * (0.55 + 0.4 * len(matched) / len(entry.stems)), 6)


def _alone(word: AskedWord, entry: ColumnEntry, lexicon: Lexicon) -> float:
    """How surely one word names a column whose label doesn't hold it."""
    folded, notions, empty = word.folded, word.notions, word.empty
    if entry.role == "measure" and not empty and (_spells_unit(word, entry) or _names_unit(word, entry, lexicon)):
        return _UNIT
    if notions & entry.concepts:
        # A price of units is no number of them.
        priced = (
            entry.head >= 0 and entry.notions[entry.head] & NOT_ADDITIVE and not entry.notions[entry.head] & notions
        )
        quality = _NOTION * (entry.modified(()) if priced else 1.0)
        return quality if not empty or "amount" in notions else 0.0
    if empty or len(folded) < 4:
        return 0.0
    best = max((alike(folded, label) for label in entry.words), default=0.0)
    if best and any(polarity(folded, label) for label in entry.words):
        return 0.0
    return best if len(entry.words) == 1 else round(0.75 * best, 6)


def _spells_unit(word: AskedWord, entry: ColumnEntry) -> bool:
    unit = entry.column.unit.lower()
    return len(unit) > 2 and unit.isalpha() and not set(word.stems).isdisjoint(all_stems(unit))


def _names_unit(word: AskedWord, entry: ColumnEntry, lexicon: Lexicon) -> bool:
    """Tell a word that a column's unit is the sign of ("kilos", of a column in kg)."""
    unit = entry.column.unit.lower()
    return bool(unit) and unit in units_of(word.folded, lexicon) and not is_currency(unit)


def _date_parts(question: Question, table: TableEntry) -> list[ColumnItem]:
    """Link "month", "year", "day" and "date" to a table's only column of dates."""
    dated = [entry.position for entry in profile(table).columns if entry.role == "date"]
    if len(dated) != 1:
        return []
    # "The month of May" is told already, "which month of 2024" isn't.
    near = {
        i
        for date in question.dates
        for i in range(max(0, date.first - 2), date.last + 1)
        if (question.tokens[i].date_part, date.precision) != ("month", "year")
    }
    near -= {mark.last + 1 for mark in question.find("group")}
    return [
        ColumnItem(
            (i,), dated[0], 0.95, "month" if token.date_part == "month" else "year" if token.date_part == "year" else ""
        )
        for i, token in enumerate(question.tokens)
        if token.date_part and i not in near
    ]


def _by_meaning(
    question: Question, table: TableEntry, similar: Similar, items: Sequence[ColumnItem], figures: set[int]
) -> list[ColumnItem]:
    sure = {i for item in items if item.quality >= _SURE for i in item.tokens}
    named = {i for item in items if item.quality >= _NOTION for i in item.tokens}
    open_to = [i for i in question.content() if i not in sure and i not in figures and _may_mean(question, i)]
    if not open_to or not table.phrases:
        return []
    cosines = similar([question.tokens[i].folded for i in open_to], table.phrases)
    found: list[ColumnItem] = []
    for i, row in zip(open_to, cosines, strict=True):
        best = float(row.max())
        alike: list[ColumnItem] = []
        for entry in profile(table).columns:
            if not entry.phrase or all(word.isdigit() for word in entry.words):
                continue
            cosine = round(float(row[table.phrase_position[entry.phrase]]), 6)
            if cosine < max(_MIN_COSINE, best - _NEARLY) or i in named:
                continue
            if any(group.intersection(question.tokens[i].stems) for group in entry.stems):
                # What is part of a label by its spelling isn't more than that by its meaning.
                continue
            notions = question.tokens[i].notions
            # Two different notions (profit and revenue) stand side by side in meaning.
            if notions and entry.concepts and not notions & entry.concepts:
                continue
            alike.append(ColumnItem((i,), entry.position, round(0.75 * cosine + 0.05, 6), lexical=False))
        found += _in_total(table, alike)
    return found


def _in_total(table: TableEntry, alike: list[ColumnItem]) -> list[ColumnItem]:
    """Make a word that names no part of a total, but means one ("medals": gold, silver, bronze), mean the total."""
    total = profile(table).total
    if total is None:
        return alike
    parts = set(profile(table).parts(total))
    meant = [item for item in alike if item.position in parts]
    if not meant:
        return alike
    best = max(meant, key=lambda item: item.quality)
    whole = ColumnItem(best.tokens, total.position, round(min(0.9, best.quality + 0.1), 6), lexical=False)
    return [*(item for item in alike if item.position not in parts and item.position != total.position), whole]


def _may_mean(question: Question, i: int) -> bool:
    token = question.tokens[i]
    return token.folded.isalpha() and len(token.folded) > 2 and not (token.capital and i > 0)
