"""Owns all restrictions of a question together: their readings, what a negation turns round, and their union."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from polyrag_cli.nl2sql.date_filters import date_filters
from polyrag_cli.nl2sql.index import TableEntry
from polyrag_cli.nl2sql.linking import ColumnMention, Links
from polyrag_cli.nl2sql.number_filters import number_filters
from polyrag_cli.nl2sql.plans import Condition, Operator
from polyrag_cli.nl2sql.question import Mark, Question
from polyrag_cli.nl2sql.restrictions import Filter, equal
from polyrag_cli.types import Cell

_OPPOSITE: dict[str, Operator] = {
    "=": "!=", "!=": "=", ">": "<=", ">=": "<", "<": ">=", "<=": ">", "in": "not in", "not in": "in",
}  # fmt: skip


def filter_options(question: Question, table: TableEntry, links: Links) -> list[list[Filter]]:
    """Return, for each restriction met in the question, its possible readings, best first."""
    found = [
        [
            Filter(mention.tokens, position, (equal(table.columns[position], values),), quality)
            for position, values, quality in mention.options
        ]
        for mention in links.values
    ]
    used = {i for mention in links.values for i in mention.tokens}
    found += date_filters(question, table, used)
    found += number_filters(question, table, links, used)
    found += _boolean_filters(table, links)
    found += _lacking_filters(question, table, links)
    return sorted((options for options in found if options), key=lambda options: options[0].tokens)


def _boolean_filters(table: TableEntry, links: Links) -> list[list[Filter]]:
    found: list[list[Filter]] = []
    for index, mention in enumerate(links.columns):
        position, quality = mention.options[0]
        entry = table.columns[position]
        if entry.role == "boolean" or mention.denied:
            values: tuple[Cell, ...] = (mention.denied == entry.denies,) if entry.role == "boolean" else entry.denials
            condition = Condition(entry.column.name, "=", values)
            found.append([Filter(mention.tokens, position, (condition,), quality, (index,))])
    return found


def _lacking_filters(question: Question, table: TableEntry, links: Links) -> list[list[Filter]]:
    """Return the restrictions of words for a lack ("open": not resolved), on a column of yes and no."""
    taken = {i for mention in links.columns for i in mention.tokens}
    taken.update(i for mention in links.values for i in mention.tokens)
    found: list[list[Filter]] = []
    rows = [table.columns[p] for mention in links.columns for p, _ in mention.options]
    if not links.label and not any(entry is table.key or entry.names_rows for entry in rows):
        # What is open may be anything, unless the question speaks of the rows.
        return found
    for i in question.content():
        notion = question.lexicon.lacking.get(question.tokens[i].folded)
        columns = [c for c in table.columns if notion in c.concepts and c.yes_no]
        if notion is None or i in taken or len(columns) != 1:
            continue
        entry = columns[0]
        values: tuple[Cell, ...] = (entry.denies,) if entry.role == "boolean" else entry.denials
        found.append([Filter((i,), entry.position, (Condition(entry.column.name, "=", values),), 0.9)])
    return found


def negate(question: Question, filters: Sequence[Filter], columns: Sequence[ColumnMention]) -> list[Filter] | None:
    """Turn round the restrictions that a negation governs; None when a negation governs nothing that can be
    turned round.
    """
    result = list(filters)
    named = {i for restriction in filters for i in restriction.tokens}
    done: set[int] = set()
    for mark in question.find("not", "except"):
        if mark.first in named:
            continue
        governed = _governed(question, mark, result, columns)
        if governed is None:
            return None
        if governed in done:
            # "Nor" repeats the negation that holds for what it joins.
            tokens = {*result[governed].tokens, *range(mark.first, mark.last + 1)}
            result[governed] = replace(result[governed], tokens=tuple(sorted(tokens)))
            continue
        for index in _coordinated(question, governed, result):
            turned = _turned(result[index], range(mark.first, mark.last + 1))
            if turned is None:
                return None
            result[index] = turned
            done.add(index)
    return result


def _turned(restriction: Filter, mark: range) -> Filter | None:
    condition = restriction.conditions[0]
    if len(restriction.conditions) != 1 or condition.operator not in _OPPOSITE:
        return None
    turned = replace(condition, operator=_OPPOSITE[condition.operator])
    if condition.values in ((True,), (False,)):
        turned = replace(condition, values=(not condition.values[0],))
    return replace(restriction, conditions=(turned,), tokens=tuple(sorted({*restriction.tokens, *mark})))


def _coordinated(question: Question, governed: int, filters: Sequence[Filter]) -> list[int]:
    """Return a negated restriction and those of its column that are joined to it by "and" or "or"."""
    joined = [governed]
    for index, restriction in enumerate(filters):
        last = filters[joined[-1]].tokens[-1]
        between = [question.tokens[i].folded for i in range(last + 1, restriction.tokens[0])]
        same = restriction.position == filters[governed].position
        if restriction.tokens[0] > last and same and set(between) <= question.lexicon.grammar.joining:
            joined.append(index)
    return joined


def _governed(
    question: Question, mark: Mark, filters: Sequence[Filter], columns: Sequence[ColumnMention]
) -> int | None:
    """Return the restriction that a negation stands at; None where it stands at something else, such as a verb ("not
    sold in Leeds" isn't "sold elsewhere").
    """
    named = {i: {p for p, _ in mention.options} for mention in columns for i in mention.tokens}
    passed: list[int] = []
    for position in range(mark.last + 1, len(question.tokens)):
        for index, restriction in enumerate(filters):
            if position in restriction.tokens:
                return index if _stands_at(question, mark, passed, restriction, named) else None
        if not question.tokens[position].empty and position not in named:
            return None
        passed.append(position)
    return None


def _stands_at(
    question: Question, mark: Mark, passed: Sequence[int], restriction: Filter, named: dict[int, set[int]]
) -> bool:
    """Tell whether the words between a negation and a restriction leave it the restriction's."""
    bounds = any(condition.operator not in ("=", "!=", "in", "not in") for condition in restriction.conditions)
    if bounds or mark.operation == "except":
        return True
    # A verb in between is what is denied.
    stating = question.lexicon.negation.stating
    return all(question.tokens[i].folded in stating or restriction.position in named.get(i, ()) for i in passed)


def merged(filters: Sequence[Filter]) -> tuple[Condition, ...] | None:
    """Return all conditions with several values of one column as one; None when two of one column contradict each
    other.
    """
    by_key: dict[tuple[str, str], list[Condition]] = {}
    for restriction in filters:
        for condition in restriction.conditions:
            kind = {"=": "in", "!=": "not in"}.get(condition.operator, condition.operator)
            by_key.setdefault((condition.column, kind), []).append(condition)
    result: list[Condition] = []
    for (column, kind), conditions in by_key.items():
        values = tuple(dict.fromkeys(value for condition in conditions for value in condition.values))
        if len(conditions) == 1 or len(values) == len(conditions[0].values):
            result.append(conditions[0])
        elif kind in ("in", "not in", "month", "year"):
            result.append(Condition(column, kind, values))  # type: ignore[arg-type]
        else:
            return None
    positive = [c.column for c in result if c.operator in ("=", "in")]
    return None if len(positive) != len(set(positive)) else tuple(result)
