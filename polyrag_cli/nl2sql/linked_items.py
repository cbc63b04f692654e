"""Owns the items that follow from what columns mean: states of yes and no, opposites, lacks, near meanings."""

from __future__ import annotations

from collections.abc import Iterator

from polyrag_cli.nl2sql.algebra import Condition
from polyrag_cli.nl2sql.date_filters import date_filters
from polyrag_cli.nl2sql.index import ColumnEntry, TableEntry
from polyrag_cli.nl2sql.items import ColumnItem, Restriction
from polyrag_cli.nl2sql.linking import Links, link
from polyrag_cli.nl2sql.question import Question
from polyrag_cli.nl2sql.restrictions import Filter, comparator_before, equal
from polyrag_cli.nl2sql.similarity import Similar
from polyrag_cli.types import Cell

_LACKING = 0.9
# Words from a column's name to the figure behind it.
_NUMBERED = 4
# What bounds and dates say is read by `bound_items`; of dates only the names of months in cells of text are states.
_BOUNDED = frozenset({">", ">=", "<", "<=", "between", "year", "month"})


def _spelled(question: Question, tokens: tuple[int, ...], entry: ColumnEntry) -> bool:
    """Tell a link by words or notions from one by meaning alone."""
    words = [question.tokens[i] for i in tokens]
    return any(word.notions & entry.concepts or any(g.intersection(word.stems) for g in entry.stems) for word in words)


def linked_items(
    question: Question, table: TableEntry, similar: Similar | None
) -> tuple[list[ColumnItem], list[list[Restriction]], tuple[int, ...]]:
    """Return columns, restrictions (one list a span) and the words that name the table."""
    links = link(question, table, similar)
    columns = [
        ColumnItem(
            mention.tokens, position, quality, mention.part, _spelled(question, mention.tokens, table.columns[position])
        )
        for mention in links.columns
        if not mention.denied
        for position, quality in mention.options
        if table.columns[position].role != "boolean"
    ]
    found = [*_values(table, links), *_dates(question, table, links), *_states(table, links)]
    found += _numbered(question, table, links)
    found += _lacks(question, table, links)
    spans = sorted((options for options in found if options), key=lambda options: options[0].tokens)
    return columns, [kept for options in spans if (kept := _restrictions(options))], links.label


def _restrictions(options: list[Filter]) -> list[Restriction]:
    return [
        Restriction(option.tokens, option.position, option.conditions, option.quality, "state")
        for option in options
        if not any(condition.operator in _BOUNDED for condition in option.conditions)
    ]


def _values(table: TableEntry, links: Links) -> Iterator[list[Filter]]:
    for mention in links.values:
        yield [
            Filter(mention.tokens, position, (equal(table.columns[position], values),), quality)
            for position, values, quality in mention.options
        ]


def _dates(question: Question, table: TableEntry, links: Links) -> list[list[Filter]]:
    return date_filters(question, table, {i for mention in links.values for i in mention.tokens})


def _numbered(question: Question, table: TableEntry, links: Links) -> Iterator[list[Filter]]:
    """Yield the figures behind the name of a column that numbers rows ("order 9999"), also those that none has."""
    values = {i for mention in links.values for i in mention.tokens}
    for number in question.numbers:
        figures = range(number.first, number.last + 1)
        if values.intersection(figures) or question.superlatives() or comparator_before(question, number.first):
            continue
        behind = [m for m in links.columns if 0 < number.first - m.tokens[-1] <= _NUMBERED]
        for mention in behind[-1:]:
            for position, quality in mention.options[:1]:
                entry = table.columns[position]
                if entry.role == "code" and number.value == int(number.value):
                    condition = Condition(entry.column.name, "=", (int(number.value),))
                    yield [Filter((*mention.tokens, *figures), position, (condition,), quality)]


def _states(table: TableEntry, links: Links) -> Iterator[list[Filter]]:
    """Yield what the names of columns of yes and no, and names that are denied, say of rows."""
    for mention in links.columns:
        position, quality = mention.options[0]
        entry = table.columns[position]
        if entry.role == "boolean":
            condition = Condition(entry.column.name, "=", (mention.denied == entry.denies,))
        elif mention.denied:
            condition = Condition(entry.column.name, "=", entry.denials)
        else:
            continue
        yield [Filter(mention.tokens, position, (condition,), quality)]


def _lacks(question: Question, table: TableEntry, links: Links) -> Iterator[list[Filter]]:
    """Yield the restrictions of words for a lack ("open": not resolved), on a column of yes and no."""
    rows = [table.columns[position] for mention in links.columns for position, _ in mention.options]
    if not links.label and not any(entry is table.key or entry.names_rows for entry in rows):
        # What is open may be anything, unless the question speaks of the rows.
        return
    taken = {i for mention in links.columns for i in mention.tokens}
    taken |= {i for mention in links.values for i in mention.tokens}
    for i in question.content():
        notion = question.lexicon.lacking.get(question.tokens[i].folded)
        if notion is None or i in taken:
            continue
        columns = [entry for entry in table.columns if notion in entry.concepts and entry.yes_no]
        if len(columns) == 1:
            yield [Filter((i,), columns[0].position, (_lack(columns[0]),), _LACKING)]


def _lack(entry: ColumnEntry) -> Condition:
    values: tuple[Cell, ...] = (entry.denies,) if entry.role == "boolean" else entry.denials
    return Condition(entry.column.name, "=", values)
