"""Owns how the most and the least combine with what they compare: "the largest city", "the most orders"."""

from __future__ import annotations

from dataclasses import replace

from polyrag_cli.nl2sql.related.finishing import finished
from polyrag_cli.nl2sql.related.holding import recorded_of
from polyrag_cli.nl2sql.related.parts import Attribute, By, Figure, Held, Most, MostNoun, MostOf, Noun
from polyrag_cli.nl2sql.related.rules import APART, Combined, Rules, swapped
from polyrag_cli.nl2sql.related.things import Function
from polyrag_cli.nl2sql.related.ways import Ways

# What it costs that a superlative stands behind its noun without saying what it compares.
_UNNAMED = 0.1


# ---------------------------------------------------------------- of a column
def _most_attribute(ways: Ways, most: Most, attribute: Attribute, gap: int) -> Combined:
    role = ways.entry(attribute).role
    # "The most" speaks of no time.
    if role == "measure" or (role in ("year", "date") and not most.counts):
        yield 0.0, MostOf(most, attribute)


def _attribute_most(ways: Ways, attribute: Attribute, most: Most, gap: int) -> Combined:
    for cost, part in _most_attribute(ways, most, attribute, gap):
        yield cost + APART, part


def _most_of_noun(ways: Ways, most: MostOf, noun: Noun, gap: int) -> Combined:
    """Rows of the most of a column; that most itself, where words stand between: "the highest price of lamps"."""
    if most.function is not None:
        return
    if gap == 0:
        if noun.kind != "name":
            yield 0.0, replace(noun, waiting=(most, *noun.waiting))
        return
    if not most.most.first == most.most.last == 1:
        return
    function: Function = "max" if most.most.descending else "min"
    for cost, held in recorded_of(ways, most.attribute, noun):
        yield cost, replace(held, function=function)
    for cost, things in finished(ways, noun):
        for more, reach in ways.reaches(noun.table, most.attribute):
            yield cost + more, Held(Noun(things, noun.kind), reach, most.attribute, function)


# ---------------------------------------------------------------- of a figure
def _figure_of(ways: Ways, attribute: Attribute, figure: Figure, gap: int) -> Combined:
    entry = ways.entry(attribute)
    adds = figure.function != "sum" or entry.additive is not False
    if figure.attribute is None and gap <= 1 and entry.role == "measure" and adds:
        yield 0.0, Figure(figure.function, attribute)


def _most_figure(ways: Ways, most: Most, figure: Figure, gap: int) -> Combined:
    if figure.attribute is not None:
        yield 0.0, MostOf(most, figure.attribute, figure.function)


# ---------------------------------------------------------------- of rows
def _most_noun(ways: Ways, most: Most, noun: Noun, gap: int) -> Combined:
    if noun.kind == "name":
        return
    if most.counts:
        yield 0.0, MostNoun(most, noun)
    if most.notions:
        yield 0.0, replace(noun, waiting=(most, *noun.waiting))


def _waiting(ways: Ways, noun: Noun, most: Most | MostOf | MostNoun, gap: int) -> Combined:
    if isinstance(most, Most) and not most.notions:
        return
    if noun.kind != "name":
        yield _UNNAMED * isinstance(most, Most), replace(noun, waiting=(*noun.waiting, most))


def _by_attribute(ways: Ways, by: By, attribute: Attribute, gap: int) -> Combined:
    if by.attribute is None and ways.entry(attribute).role == "measure":
        yield 0.0, By(attribute)


def _by(ways: Ways, noun: Noun, by: By, gap: int) -> Combined:
    """What the superlative compares is said behind it."""
    if by.attribute is not None and noun.waiting and isinstance(noun.waiting[-1], Most):
        most = MostOf(noun.waiting[-1], by.attribute)
        yield 0.0, replace(noun, waiting=(*noun.waiting[:-1], most))


RULES: Rules = {
    (Most, Attribute): _most_attribute,
    (Attribute, Most): _attribute_most,
    (MostOf, Noun): _most_of_noun,
    (Attribute, Figure): _figure_of,
    (Figure, Attribute): swapped(_figure_of),
    (Most, Figure): _most_figure,
    (Most, Noun): _most_noun,
    (Noun, Most): _waiting,
    (Noun, MostOf): _waiting,
    (Noun, MostNoun): _waiting,
    (By, Attribute): _by_attribute,
    (Noun, By): _by,
}
