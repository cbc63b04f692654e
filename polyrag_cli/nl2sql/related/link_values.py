"""Owns which words of a question stand for values in related tables: names of rows, and what restricts them."""

from __future__ import annotations

from collections.abc import Sequence

from polyrag_cli.nl2sql.bound_items import date_items, number_items
from polyrag_cli.nl2sql.items import ColumnItem, Restriction
from polyrag_cli.nl2sql.profile import number_of, profile
from polyrag_cli.nl2sql.question import Question
from polyrag_cli.nl2sql.related.database import Database, Thing
from polyrag_cli.nl2sql.related.linked_words import WEAK
from polyrag_cli.nl2sql.related.parts import Check, Nothing, Noun
from polyrag_cli.nl2sql.related.spans import FoundSpans
from polyrag_cli.nl2sql.related.things import Every, Holds, Kept
from polyrag_cli.nl2sql.value_items import value_items

# What a value costs, whatever it is one of.
_NAMED = 0.1
_INFLECTED = 0.2
# Below this, a part of a value or a near spelling is weak.
_SURELY = 0.85
# A long name speaks for itself up to this.
_STRONGEST = 1.15
# A check speaks so much less for taking words together than a name does.
_OF_CHECK = 0.98
# What speaks for a name by each of at most so many tables that refer to its table.
_CENTRAL = 0.02
_MOST_REFERRED = 5


# ---------------------------------------------------------------- values
def link_values(question: Question, database: Database, thing: Thing, spans: FoundSpans) -> None:
    """Note which words may be values of a table, or dates that restrict it."""
    groups = value_items(question, thing.entry, profile(thing.entry).values)
    for group in [*groups, *date_items(question, thing.entry, set())]:
        for restriction in group:
            _link_value(question, database, thing, restriction, spans)


def _link_value(
    question: Question, database: Database, thing: Thing, restriction: Restriction, spans: FoundSpans
) -> None:
    first, last = min(restriction.tokens), max(restriction.tokens)
    if restriction.kind == "inflected":
        first, last = _trimmed(question, first, last)
    if _is_doubtful(question, restriction, first):
        return
    column = profile(thing.entry).columns[restriction.position].column
    if column.distinct == 1 and not column.nulls:
        if restriction.kind == "whole":
            spans.add(first, last, Nothing(), 0.0, 0.9)
        return
    part = _part(database, thing, restriction)
    if part is None:
        return
    cost = WEAK * max(0.0, 1.0 - min(1.0, restriction.quality)) + _INFLECTED * (restriction.kind == "inflected")
    strength = min(_STRONGEST, restriction.quality)
    if isinstance(part, Noun):
        referring = sum(1 for hop in database.hops(thing.table) if not hop.up)
        central = _CENTRAL * min(_MOST_REFERRED, referring)
        spans.add(first, last, part, cost + _NAMED - central, strength)
    else:
        spans.add(first, last, part, cost + _NAMED, strength * _OF_CHECK)


def _part(database: Database, thing: Thing, restriction: Restriction) -> Noun | Check | None:
    """Return the rows that a value names, or what it restricts; None where it is a code of rows of another table."""
    entry = profile(thing.entry).columns[restriction.position]
    tests = tuple(Holds(condition) for condition in restriction.conditions)
    if entry is thing.name:
        return Noun(Kept(Every(thing.table), tests), "name")
    reference = database.references.get((thing.table, entry.column.name))
    if reference is None or not database.column(reference.other, reference.other_column).unique:
        return Check(thing.table, tests)
    return None


def _is_doubtful(question: Question, restriction: Restriction, first: int) -> bool:
    """Whether words are too little of a value, or too little like it, to be taken for it."""
    if restriction.kind not in ("part", "spelled", "number") or restriction.quality >= _SURELY:
        return False
    token = question.tokens[first]
    several = len(restriction.conditions[0].values) > 1
    return (
        several or restriction.kind == "spelled" or (restriction.kind == "part" and not (token.capital and first > 0))
    )


def _trimmed(question: Question, first: int, last: int) -> tuple[int, int]:
    """Leave out small words at either end, which name nothing."""
    tokens = question.tokens
    while first < last and tokens[first].empty and not (tokens[first].capital and first):
        first += 1
    while first < last and tokens[last].empty and not tokens[last].capital:
        last -= 1
    return first, last


# ---------------------------------------------------------------- bounds
def link_bounds(question: Question, thing: Thing, columns: Sequence[ColumnItem], spans: FoundSpans) -> None:
    """Note which words may be figures that restrict a table, with the words that name their columns."""
    dated = {i for date in question.dates for i in range(date.first, date.last + 1)}
    for group in number_items(question, thing.entry, columns, dated):
        for restriction in group:
            if not number_of(profile(thing.entry).columns[restriction.position].column.name):
                _link_bound(question, thing, columns, restriction, spans)


def _link_bound(
    question: Question, thing: Thing, columns: Sequence[ColumnItem], restriction: Restriction, spans: FoundSpans
) -> None:
    places = sorted({*restriction.tokens, *restriction.context})
    between = set(range(places[0], places[-1] + 1)) - set(places)
    if any(not question.tokens[i].empty for i in between):
        return
    tests = tuple(Holds(condition) for condition in restriction.conditions)
    cost = WEAK * max(0.0, 1.0 - restriction.quality)
    named = any(
        item.position == restriction.position and item.lexical and set(item.tokens) <= set(places) for item in columns
    )
    spans.add(places[0], places[-1], Check(thing.table, tests, guessed=not named), cost, restriction.quality)
