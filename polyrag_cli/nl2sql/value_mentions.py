"""Owns which words of a question name cells of a table: whole, inflected, in part, or as a noun that several share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from polyrag_cli.nl2sql.cells import ValueRef
from polyrag_cli.nl2sql.index import ColumnEntry, TableEntry
from polyrag_cli.nl2sql.named_words import names_column, names_table, with_negation
from polyrag_cli.nl2sql.notions import PEOPLE
from polyrag_cli.nl2sql.question import Question


@dataclass(frozen=True, slots=True)
class ValueMention:
    """Words that name cells: `options` are (column position, values, quality 0–1), best first."""

    tokens: tuple[int, ...]
    options: tuple[tuple[int, tuple[str, ...], float], ...]


def value_mentions(question: Question, table: TableEntry) -> list[ValueMention]:
    """Return the mentions of cells, from left to right; of those that begin with one word the longest."""
    marked = {i for mark in question.marks for i in range(mark.first, mark.last + 1)}
    found: list[ValueMention] = []
    position = 0
    while position < len(question.tokens):
        mention = _longest_value(question, table, position, marked)
        if mention is None:
            position += 1
            continue
        found.append(mention)
        position = mention.tokens[-1] + 1
    return found


def _longest_value(question: Question, table: TableEntry, first: int, marked: set[int]) -> ValueMention | None:
    tokens = question.tokens
    for length in range(min(table.cells.starts.get(tokens[first].folded, 0), len(tokens) - first), 0, -1):
        span = tuple(range(first, first + length))
        if not _may_be_value(question, table, span, marked):
            continue
        refs = table.cells.whole.get(tuple(tokens[i].folded for i in span))
        if refs:
            return ValueMention(span, _options(refs, 1.0))
    if tokens[first].empty or first in marked:
        return None
    return (
        _inflected_value(question, table, first, marked)
        or _part_of_value(question, table, first, marked)
        or _common_noun(question, table, first)
    )


def _common_noun(question: Question, table: TableEntry, first: int) -> ValueMention | None:
    """Link a noun that several values of one column share, or that "how many" asks for."""
    token = question.tokens[first]
    if names_column(question, first, table) or names_table(question, first, table) or token.notions:
        return None
    if token.capital and first > 0:
        return None
    alike = table.named_alike(token.stems)
    counted = any(mark.last + 1 == first for mark in question.find("count"))
    return ValueMention((first,), _options(alike, 0.75)) if len(alike) > 1 or (alike and counted) else None


def _may_be_value(question: Question, table: TableEntry, span: tuple[int, ...], marked: set[int]) -> bool:
    words = [question.tokens[i] for i in span]
    if words[0].empty and not words[0].capital and len(span) == 1:
        return False
    if all(word.folded.isdigit() for word in words):
        # A bare figure is a cell only beside the name of its column.
        return any(names_column(question, j, table) for j in (span[0] - 1, span[0] - 2) if j >= 0)
    if len(span) > 1:
        return not all(i in marked for i in span)
    word = words[0]
    if span[0] in marked and _of_named_column(question, table, span[0]):
        return True
    if span[0] in marked or (word.empty and (span[0] == 0 or len(word.folded) < 2)):
        return False
    return not (names_column(question, span[0], table) and not word.capital)


def _of_named_column(question: Question, table: TableEntry, i: int) -> bool:
    """Tell a cell from an operation written alike: it stands right behind its column's name ("gravidade média")."""
    refs = table.cells.whole.get((question.tokens[i].folded,), ())
    before = question.tokens[i - 1].stems if i else ()
    return any(ref.position in table.by_stem.get(stem, ()) for ref in refs for stem in before)


def _options(refs: Sequence[ValueRef], quality: float) -> tuple[tuple[int, tuple[str, ...], float], ...]:
    grouped: dict[int, list[str]] = {}
    for ref in refs:
        grouped.setdefault(ref.position, []).append(ref.value)
    return tuple((position, tuple(sorted(values)), quality) for position, values in sorted(grouped.items()))[:3]


def _content_run(question: Question, first: int, marked: set[int]) -> Iterator[tuple[int, ...]]:
    """Yield runs of content words from `first` on (function words between them skipped), longest first."""
    run = [first]
    for i in range(first + 1, min(first + 8, len(question.tokens))):
        if i in marked:
            break
        if not question.tokens[i].empty:
            run.append(i)
        elif i - run[-1] > 1:
            break
    for length in range(len(run), 0, -1):
        yield tuple(run[:length])


def _inflected_value(question: Question, table: TableEntry, first: int, marked: set[int]) -> ValueMention | None:
    span, held = with_negation(question, table, first)
    if held:
        return ValueMention(span, _options(held, 0.9))
    for run in _content_run(question, first, marked):
        if len(run) == 1 and names_column(question, first, table):
            return None
        refs = table.cells.inflected([(question.tokens[i].folded, question.tokens[i].stems) for i in run])
        if refs:
            return ValueMention(tuple(range(run[0], run[-1] + 1)), _options(refs, 0.9))
    return None


def _part_of_value(question: Question, table: TableEntry, first: int, marked: set[int]) -> ValueMention | None:
    if names_column(question, first, table) or question.tokens[first].folded.isdigit():
        return None
    for run in _content_run(question, first, marked):
        words = [question.tokens[i].folded for i in run]
        if any(word not in table.cells.parts for word in words):
            continue
        shared = [ref for ref in table.cells.parts[words[0]] if _ordered(words, table.cells.words[ref])]
        if len(shared) == 1 and (len(run) > 1 or _like_a_name(question, first, table.columns[shared[0].position])):
            return ValueMention(tuple(range(run[0], run[-1] + 1)), _options(shared, 0.75))
    return None


def _like_a_name(question: Question, i: int, entry: ColumnEntry) -> bool:
    """Tell whether one word may stand for a longer name: by its capital, or as a person's in a question without
    capitals.
    """
    if question.tokens[i].capital and i > 0:
        return True
    plain = not any(token.capital for token in question.tokens[1:])
    return plain and i > 0 and bool(entry.concepts & PEOPLE) and question.tokens[i - 1].empty


def _ordered(words: Sequence[str], cell: Sequence[str]) -> bool:
    position = -1
    for word in words:
        try:
            position = cell.index(word, position + 1)
        except ValueError:
            return False
    return True
