"""Owns which tables a question shares anything with, so that no other is read for it.

Every table that could be linked is found: those left out have no link at all, or lack a name without which none of
their readings can win.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from polyrag_cli.nl2sql.cells import stems_asked
from polyrag_cli.nl2sql.lexicon import every_language
from polyrag_cli.nl2sql.named_words import no_column_words
from polyrag_cli.nl2sql.polarity import bases
from polyrag_cli.nl2sql.postings import Postings
from polyrag_cli.nl2sql.question import AskedWord, Question
from polyrag_cli.nl2sql.trades import may_trade
from polyrag_cli.text.stem import all_stems

# Shorter words name no column by a spelling that only resembles theirs.
_SPELLED = 4


def reached(question: Question, postings: Postings) -> list[tuple[int, int]]:
    """Return (number of names of the question that the table lacks, its position), ascending, for each table that
    any word may link to.

    A name is a capital word inside the question: nothing but a column, a cell or the table's own name explains it.
    """
    marked = {i for mark in question.marks for i in range(mark.first, mark.last + 1)}
    blocked = no_column_words(question)
    found: set[int] = set()
    for i, token in enumerate(question.tokens):
        for tables in _linked(token, postings, column=i not in blocked, value=i not in marked):
            found.update(tables)
    for _, _, cells in whole_names(question, postings):
        found.update(cells)
    names = [_holding(question.tokens[i], postings) for i in _names(question)]
    return sorted((sum(position not in holding for holding in names), position) for position in found)


def whole_names(question: Question, postings: Postings) -> Iterator[tuple[int, int, Mapping[int, str]]]:
    """Yield (first token, length, cells by table) of the words that are a cell's whole name somewhere, per first token
    the longest first.
    """
    folded = tuple(token.folded for token in question.tokens)
    for first, word in enumerate(folded):
        for length in range(min(postings.longest(word), len(folded) - first), 0, -1):
            tables = postings.whole(folded[first : first + length])
            if tables:
                yield first, length, tables


def explaining(token: AskedWord, dated: bool, postings: Postings) -> list[int]:
    """Return the tables of which a column, a cell or the name may explain a word, ascending.

    dated: whether the word names a month.
    """
    found = {position for stem in token.stems for position in postings.column_stems.get(stem)}
    found.update(*(postings.concepts.get(notion) for notion in token.notions))
    found.update(*_of_cells(token, postings), *_trading(token, postings))
    found.update(
        postings.roles.get("dated") if dated else (), postings.roles.get("with_date") if token.date_part else ()
    )
    return sorted(found)


def sharing(token: AskedWord, postings: Postings) -> set[int]:
    """Return the tables in whose names, columns or values a word stands."""
    named = {position for stem in token.stems for position in postings.name_stems.get(stem)}
    named.update(position for stem in token.stems for position in postings.column_stems.get(stem))
    return named.union(postings.holding(token.folded))


def _linked(token: AskedWord, postings: Postings, column: bool, value: bool) -> Iterator[Sequence[int]]:
    """Yield lists of the tables that a word may link to by itself, as part of a column's name or of a cell's."""
    notions = token.notions
    if column:
        yield from (postings.column_stems.get(stem) for stem in token.stems)
        yield from _trading(token, postings)
        if not token.empty or "amount" in notions:
            yield from (postings.concepts.get(notion) for notion in notions)
        if not token.empty and len(token.folded) >= _SPELLED:
            yield postings.spelled_like(token.folded)
            yield from _opposed(token, postings)
    if value and not token.empty:
        yield from _of_cells(token, postings)
    if token.date_part in ("month", "year"):
        yield postings.roles.get("one_date")


def _opposed(token: AskedWord, postings: Postings) -> Iterator[Sequence[int]]:
    """Yield lists of the tables of which a column is named by the word's opposite."""
    yield from (postings.opposed.get(stem) for stem in token.stems)
    for base, negates in bases(token.folded):
        if negates:
            yield from (postings.column_stems.get(stem) for stem in all_stems(base))
            yield from (postings.concepts.get(notion) for notion in every_language().notions(base))
            yield postings.spelled_like(base)


def _of_cells(token: AskedWord, postings: Postings) -> Iterator[Sequence[int]]:
    yield postings.words(token.folded)
    for stem in stems_asked(token.folded, token.stems):
        yield postings.stems.get(stem)


def _trading(token: AskedWord, postings: Postings) -> Iterator[Sequence[int]]:
    if may_trade(token):
        yield postings.roles.get("money")
    if token.trade:
        yield from (postings.names.get(noun) for noun in sorted(every_language().tables.trades))


def _names(question: Question) -> list[int]:
    """Return the positions of the words that only a link can explain: capitals inside the question, apart from words
    that mean something beside a figure or for themselves.
    """
    figures = question.figures()
    beside = range(min(figures), max(figures) + 2) if figures else range(0)
    return [
        i
        for i in question.content()
        if i > 0 and question.tokens[i].capital and i not in beside and not _stands_alone(question, i)
    ]


def _stands_alone(question: Question, i: int) -> bool:
    token, words_of = question.tokens[i], question.lexicon
    return bool(token.date_part) or token.folded in words_of.tables.rows or token.folded in words_of.lacking


def _holding(token: AskedWord, postings: Postings) -> set[int]:
    return set(chain.from_iterable(_linked(token, postings, column=True, value=True)))
