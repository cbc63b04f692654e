"""Owns which words of a question stand for a column of a related table, and which only say of what table it is."""

from __future__ import annotations

from collections.abc import Sequence

from polyrag_cli.nl2sql.asking import in_verb_place
from polyrag_cli.nl2sql.index import ColumnEntry
from polyrag_cli.nl2sql.items import ColumnItem
from polyrag_cli.nl2sql.profile import number_of, profile
from polyrag_cli.nl2sql.question import Question
from polyrag_cli.nl2sql.related.database import Database, Thing
from polyrag_cli.nl2sql.related.linked_words import SURE, WEAK, are_small
from polyrag_cli.nl2sql.related.parts import Attribute, Nothing, every
from polyrag_cli.nl2sql.related.spans import FoundSpans

# How near a word must be to a column's label: by its form, and by its meaning alone.
_FAIR = 0.55
_MEANING = 0.47
# What a link by meaning, and one to a part of what a column is about, are weaker by.
_BY_MEANING = 0.15
_PARTLY = 0.5
# What words of a column that holds one value cost as such that say nothing, and what speaks for it.
_SAME_COST = 0.1
_SAME = 0.7
# How much less a column of names stands for its rows than a title does.
_FOR_ROWS = 0.9


def link_columns(
    question: Question, database: Database, thing: Thing, columns: Sequence[ColumnItem], spans: FoundSpans
) -> None:
    """Note which words may stand for the columns of a table. columns: what its words are linked to by themselves."""
    for item in columns:
        entry = profile(thing.entry).columns[item.position]
        first, last = item.tokens[0], item.tokens[-1]
        if number_of(entry.column.name) or item.quality < (_FAIR if item.lexical else _MEANING):
            continue
        if item.part:
            # "Which month" asks for a part of dates, which nothing here shows.
            continue
        if entry.column.distinct < 2:
            if item.lexical and not _name_only(question, item):
                spans.add(first, last, Nothing(), _SAME_COST, _SAME)
            continue
        if not _is_meant(question, thing, item, entry):
            continue
        if entry is thing.name:
            # What rows are called stands for them, where it isn't only called a name.
            if item.lexical and not _name_only(question, item):
                spans.add(first, last, every(thing.table), WEAK * (1 - item.quality), item.quality * _FOR_ROWS)
        elif not _only_refers(database, thing, entry):
            quality = _quality(question, item, entry)
            spans.add(first, last, Attribute(thing.table, entry.column.name), WEAK * (1 - quality), quality)


def _is_meant(question: Question, thing: Thing, item: ColumnItem, entry: ColumnEntry) -> bool:
    """Whether words mean a column, rather than how its rows are related, of what table it is, or when something was."""
    several = len(entry.words) > 1
    if _name_only(question, item) and several:
        return False
    if item.quality < SURE and any(_takes_part(question, i) for i in item.tokens):
        return False
    if len(entry.words) > len(item.tokens) and _only_nouns(question, item, thing):
        return False
    if not item.lexical and any(in_verb_place(question, i) for i in item.tokens):
        return False
    if entry.role in ("date", "year") and not any(_tells_time(question, i, entry) for i in item.tokens):
        return False
    if entry.role == "code" and entry.unique and not any(_identifies(question, i) for i in item.tokens):
        return False
    return not are_small(question, range(item.tokens[0], item.tokens[-1] + 1))


def _only_refers(database: Database, thing: Thing, entry: ColumnEntry) -> bool:
    """Whether a column says no more than which rows of another table are meant."""
    reference = database.references.get((thing.table, entry.column.name))
    return reference is not None and (not reference.role or database.connects(thing.table))


def _quality(question: Question, item: ColumnItem, entry: ColumnEntry) -> float:
    quality = item.quality - (0.0 if item.lexical else _BY_MEANING)
    if len(entry.words) > 1 and len(item.tokens) == 1 and not _says(question, item.tokens[0], entry):
        # Only a part of what the column is about: "price" for "shipping cost".
        quality -= _PARTLY
    return quality


def _only_nouns(question: Question, item: ColumnItem, thing: Thing) -> bool:
    """Whether words only say of what table a column is ("order" of "order date")."""
    tokens = question.tokens
    return all(any(group.intersection(tokens[i].stems) for group in thing.nouns) for i in item.tokens)


def _tells_time(question: Question, i: int, entry: ColumnEntry) -> bool:
    """Whether a word may stand for a column of dates: a publisher isn't when something was published."""
    token = question.tokens[i]
    return (
        token.folded in entry.words
        or bool(token.date_part)
        or in_verb_place(question, i)
        or bool(token.notions & entry.concepts)
    )


def _says(question: Question, i: int, entry: ColumnEntry) -> bool:
    """Whether a word stands in a column's label itself."""
    stems = frozenset(question.tokens[i].stems)
    return any(group & stems for group in entry.stems)


def _takes_part(question: Question, i: int) -> bool:
    return question.tokens[i].folded in question.lexicon.tables.taking_part


def _identifies(question: Question, i: int) -> bool:
    return question.lexicon.identifies(question.tokens[i].folded)


def _name_only(question: Question, item: ColumnItem) -> bool:
    """Whether words only call what they stand for a name."""
    return all("name" in question.tokens[i].notions for i in item.tokens)
