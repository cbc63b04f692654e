"""Owns how a column and the rows that hold it combine: "the prices of lamps", "the marks of a pupil", "how long"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from polyrag_cli.nl2sql.related.finishing import finished
from polyrag_cli.nl2sql.related.parts import Attribute, Check, Held, How, Most, MostOf, Noun, every
from polyrag_cli.nl2sql.related.restricting import checked, nouns
from polyrag_cli.nl2sql.related.rules import TURNED, Combined, Rules, swapped
from polyrag_cli.nl2sql.related.things import Among, Holds, Ranked, Reach
from polyrag_cli.nl2sql.related.ways import GUESSED, Ways

# What it costs that a figure is one of all rows that refer to one.
_OF_ALL = 0.15
# What it costs that a check is one of another table than what is held.
_HELD_CHECKED = 0.1
# What it costs that a column stands for what it refers to, or names an extreme of another.
_FOR_ANOTHER = 0.05
# What it costs that the first of two columns beside each other is meant.
_FIRST_OF_TWO = 0.15
# What speaks for rows by each of at most so many others that refer to them.
_REFERRED = 0.04
_MOST_REFERRED = 5
# So many words between a noun and what it is asked to hold as well.
_GO_ON = 2


# ---------------------------------------------------------------- columns of rows
def _attribute_of(ways: Ways, attribute: Attribute, noun: Noun, gap: int) -> Combined:
    yield from _held_by(ways, attribute, noun)
    yield from recorded_of(ways, attribute, noun)
    for hop in ways.roles_of(attribute):
        if noun.kind == "all" and noun.table == hop.other and gap == 0 and not noun.waiting:
            yield 0.0, attribute
        if noun.table == attribute.table:
            for cost, things in finished(ways, noun):
                yield cost + _FOR_ANOTHER, every(hop.other).kept(Among((hop.back,), things))


def _held_by(ways: Ways, attribute: Attribute, noun: Noun) -> Iterator[tuple[float, Held]]:
    """What rows hold in a column; of one that names an extreme ("highest point") what the extreme row holds."""
    reference = ways.database.references.get((attribute.table, attribute.column))
    for cost, reach in ways.reaches(noun.table, attribute):
        if reach.path and reference is not None and reference.other == noun.table:
            # It would only lead back to the rows themselves.
            continue
        sibling = ways.ranking(attribute)
        if sibling is None or noun.kind == "name":
            yield cost, Held(noun, reach, attribute)
            continue
        descending, column = sibling
        for more, things in finished(ways, noun):
            top = Ranked(things, Reach(reach.path, column), descending)
            yield cost + more, Held(Noun(top, "some"), reach, attribute)


def recorded_of(ways: Ways, attribute: Attribute, noun: Noun) -> Iterator[tuple[float, Held]]:
    """What is recorded of rows, by others that refer to them: the marks of a pupil."""
    records = ways.records(attribute)
    if noun.table == attribute.table or not (records or ways.entry(attribute).role == "measure"):
        return
    for cost, things in finished(ways, noun):
        for more, path in ways.between(attribute.table, noun.table):
            if all(hop.up and not hop.single for hop in path):
                record = every(attribute.table).kept(Among(path, things))
                held = Held(record, Reach((), attribute.column), attribute, summed=not records)
                yield cost + more + (0.0 if records else _OF_ALL), held


def held_by_all(ways: Ways, attribute: Attribute) -> Iterator[tuple[float, Held]]:
    """Yield what all rows hold in a column, where nothing says of which."""
    owners = [hop.other for hop in ways.database.hops(attribute.table) if hop.single and hop.up]
    noun = every(owners[0] if owners else attribute.table)
    referred = sum(1 for hop in ways.database.hops(noun.table) if not hop.up)
    for cost, part in _attribute_of(ways, attribute, noun, 1):
        if isinstance(part, Held):
            yield cost + GUESSED - _REFERRED * min(_MOST_REFERRED, referred), part


def _attribute_behind(ways: Ways, noun: Noun, attribute: Attribute, gap: int) -> Combined:
    sibling = ways.ranking(attribute)
    if sibling is not None and noun.kind != "name":
        descending, column = sibling
        most = MostOf(Most(descending), Attribute(attribute.table, column))
        yield _FOR_ANOTHER, replace(noun, waiting=(*noun.waiting, most))
    if gap and noun.kind != "name":
        return
    for cost, part in _attribute_of(ways, attribute, noun, gap):
        yield cost + TURNED, part


def _attribute_checked(ways: Ways, attribute: Attribute, check: Check, gap: int) -> Combined:
    """The column of what a check restricts, named beside it."""
    test = check.tests[0]
    if check.table == attribute.table and isinstance(test, Holds) and test.condition.column == attribute.column:
        yield 0.0, check


def _compound(ways: Ways, left: Attribute, right: Attribute, gap: int) -> Combined:
    if gap == 0:
        yield 0.0, right
        yield _FIRST_OF_TWO, left


# ---------------------------------------------------------------- what rows hold, and more of which rows
def _held_more(ways: Ways, held: Held, noun: Noun, gap: int) -> Combined:
    if held.function is None and held.noun.kind == "some" and held.noun.table == held.column.table:
        for cost, part in nouns(ways, held.noun, noun, _GO_ON):
            if isinstance(part, Noun) and part.table == held.noun.table:
                yield cost, replace(held, noun=part)


def _held_checked(ways: Ways, held: Held, check: Check, gap: int) -> Combined:
    if held.function is None and held.noun.table in (held.column.table, check.table):
        for cost, part in checked(ways, held.noun, check, gap):
            if isinstance(part, Noun):
                yield cost + _HELD_CHECKED * (held.noun.table != check.table), replace(held, noun=part)


# ---------------------------------------------------------------- what adjectives measure
def _how(ways: Ways, how: How, noun: Noun, gap: int) -> Combined:
    for cost, reach in ways.measured(noun.table, how.notions):
        table = reach.path[-1].other if reach.path else noun.table
        yield cost, Held(noun, reach, Attribute(table, reach.column))


def _how_held(ways: Ways, how: How, held: Held, gap: int) -> Iterator[tuple[float, Held]]:
    sibling = ways.ranking(held.column)
    if sibling is not None:
        column = Attribute(held.column.table, sibling[1])
        yield 0.0, replace(held, reach=replace(held.reach, column=sibling[1]), column=column)


def _attribute_held(ways: Ways, attribute: Attribute, held: Held, gap: int) -> Combined:
    """The figure by which what is held is an extreme: "the elevation of the highest point"."""
    entry = ways.entry(attribute)
    for _, part in _how_held(ways, How(()), held, gap):
        meant = ways.entry(part.column)
        if meant is entry or meant.concepts & entry.concepts:
            yield 0.0, part


RULES: Rules = {
    (Attribute, Noun): _attribute_of,
    (Noun, Attribute): _attribute_behind,
    (Attribute, Check): _attribute_checked,
    (Check, Attribute): swapped(_attribute_checked),
    (Attribute, Attribute): _compound,
    (Attribute, Held): _attribute_held,
    (Held, Noun): _held_more,
    (Held, Check): _held_checked,
    (How, Noun): _how,
    (How, Held): _how_held,
}
