"""Owns what the links of a question and the router's evidence ask of its words: which may name a column, which name the
table, and which name a value that holds a negation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from polyrag_cli.nl2sql.trades import names_trades

if TYPE_CHECKING:
    from polyrag_cli.nl2sql.cells import ValueRef
    from polyrag_cli.nl2sql.index import TableEntry
    from polyrag_cli.nl2sql.question import Question

# A word may be a column's name although it also is an operation ("quantidade", "total").
_SOFT_MARKS = frozenset({"count", "sum", "average", "how_much", "share", "list"})


def no_column_words(question: Question) -> set[int]:
    """Return the positions of words that name no column: of figures, and of operations that are nothing else."""
    hard = [mark for mark in question.marks if mark.operation not in _SOFT_MARKS]
    return {i for mark in hard for i in range(mark.first, mark.last + 1)} | question.figures()


def with_negation(question: Question, table: TableEntry, first: int) -> tuple[tuple[int, ...], list[ValueRef]]:
    """Return the values that hold a negation and are named from a word on ("salas sem janela"), with their tokens.

    All words of such a value have to be there, inflected or not.
    """
    for last in negated_ends(question, first):
        span = tuple(range(first, last + 1))
        refs = table.cells.inflected([(question.tokens[i].folded, question.tokens[i].stems) for i in span])
        if refs:
            return span, refs
    return (), []


def negated_ends(question: Question, first: int) -> Iterator[int]:
    """Yield with which words a value may end that holds a negation and is named from a word on, the last first."""
    for mark in question.find("not", "except"):
        if first < mark.first <= first + 3:
            yield from range(min(mark.last + 4, len(question.tokens) - 1), mark.last, -1)


def names_column(question: Question, i: int, table: TableEntry) -> bool:
    """Whether a word stands in a column's label."""
    return any(stem in table.by_stem for stem in question.tokens[i].stems)


def names_table(question: Question, i: int, table: TableEntry) -> bool:
    """Whether a word names the table itself."""
    token = question.tokens[i]
    notions = table.label_concepts & token.notions
    return bool(notions or table.label_stems.intersection(token.stems)) or names_trades(token, table)
