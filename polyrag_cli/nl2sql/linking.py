"""Owns the links of a question's words to one table's columns and values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from polyrag_cli.nl2sql.column_mentions import ColumnMention, column_mentions, date_parts
from polyrag_cli.nl2sql.index import TableEntry
from polyrag_cli.nl2sql.meanings import near_meanings, widened
from polyrag_cli.nl2sql.named_words import names_table, no_column_words
from polyrag_cli.nl2sql.opposites import denied_columns
from polyrag_cli.nl2sql.question import Question
from polyrag_cli.nl2sql.similarity import Similar
from polyrag_cli.nl2sql.value_mentions import ValueMention, value_mentions


@dataclass(frozen=True, slots=True)
class Links:
    """A question's links to one table; `label` are words that name the table itself."""

    columns: tuple[ColumnMention, ...]
    values: tuple[ValueMention, ...]
    label: tuple[int, ...]


def link(question: Question, table: TableEntry, similar: Similar | None = None) -> Links:
    """Return the links of a question to a table; no word belongs to two mentions.

    Qualities: a whole cell 1, its inflection .9, a part of one .75; a column's whole label 1, a part of it .55 + .4
    · share, an opposite by a prefix .9, a synonym .8, a near spelling .8, an abbreviation .7, a near meaning
    cosine + .15.
    """
    links = _by_words(question, table)
    return links if similar is None or links == Links((), (), ()) else _with_meanings(question, table, links, similar)


def _by_words(question: Question, table: TableEntry) -> Links:
    values = value_mentions(question, table)
    taken = _tokens(values)
    open_to = [i for i in question.content() if i not in taken and i not in no_column_words(question)]
    denied = [ColumnMention((i,), ((p, 0.9),), denied=True) for i, p in denied_columns(question, open_to, table)]
    taken |= _tokens(denied)
    columns = denied + column_mentions(question, table, taken)
    taken |= _tokens(columns)
    parts = [mention for mention in date_parts(question, table) if not taken.intersection(mention.tokens)]
    taken |= _tokens(parts)
    label = tuple(i for i in question.content() if i not in taken and names_table(question, i, table))
    return _links([*columns, *parts], values, label)


def _with_meanings(question: Question, table: TableEntry, links: Links, similar: Similar) -> Links:
    """Add what the words that are left mean nearly."""
    taken = _tokens([*links.columns, *links.values]).union(links.label)
    units = {n.last + 1 for n in question.numbers}
    taking_part = question.lexicon.tables.taking_part
    rest = [
        i
        for i in question.content()
        if i not in taken and i not in units and question.tokens[i].folded not in taking_part
    ]
    wider = widened(question, [(m.tokens, m.options[0][0]) for m in links.columns], rest, table, similar)
    columns = [
        replace(m, tokens=tuple(sorted({*m.tokens, *wider.get(which, ())}))) for which, m in enumerate(links.columns)
    ]
    rest = [i for i in rest if not any(i in words for words in wider.values())]
    linked = frozenset(m.options[0][0] for m in columns if not m.optional)
    near = near_meanings(question, rest, linked, table, similar)
    columns += [ColumnMention(m.tokens, m.columns, denied=m.denied) for m in near if m.columns]
    values = [*links.values, *(ValueMention(m.tokens, m.values) for m in near if m.values)]
    return _links(columns, values, (*links.label, *(i for m in near if m.table for i in m.tokens)))


def _tokens(mentions: Iterable[ColumnMention | ValueMention]) -> set[int]:
    return {i for mention in mentions for i in mention.tokens}


def _links(columns: Sequence[ColumnMention], values: Sequence[ValueMention], label: Sequence[int]) -> Links:
    return Links(
        tuple(sorted(columns, key=lambda m: m.tokens)),
        tuple(sorted(values, key=lambda m: m.tokens)),
        tuple(sorted(label)),
    )
