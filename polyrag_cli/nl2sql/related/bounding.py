"""Owns how comparisons combine with what they bound: "more than 3 orders", "taller than Ana", "a price above 10"."""

from __future__ import annotations

from polyrag_cli.nl2sql.related.finishing import finished
from polyrag_cli.nl2sql.related.parts import Attribute, Bound, BoundNoun, BoundOf, Check, Noun
from polyrag_cli.nl2sql.related.rules import Combined, Rules, swapped
from polyrag_cli.nl2sql.related.things import Bounded, Tally, Totalled
from polyrag_cli.nl2sql.related.ways import Ways


def _bound_attribute(ways: Ways, attribute: Attribute, bound: Bound, gap: int) -> Combined:
    if ways.entry(attribute).role in ("measure", "year"):
        yield 0.0, BoundOf(attribute, bound)


def _bounded(ways: Ways, noun: Noun, bound: BoundOf, gap: int) -> Combined:
    if bound.bound.value is None:
        return
    for cost, reach in ways.reaches(noun.table, bound.attribute):
        yield cost, noun.kept(Bounded(reach, bound.bound.operator, bound.bound.value))


def _bounded_by_name(ways: Ways, bound: BoundOf, noun: Noun, gap: int) -> Combined:
    """Rows that hold more, or less, than the one of a name does."""
    if bound.bound.value is not None or noun.kind != "name":
        return
    for cost, reach in ways.reaches(noun.table, bound.attribute):
        figure = Totalled(noun.things, reach, "max")
        yield cost, Check(noun.table, (Bounded(reach, bound.bound.operator, figure),))


def _bounded_extent(ways: Ways, noun: Noun, bound: Bound, gap: int) -> Combined:
    """What an adjective measures is compared: "longer than 100"."""
    if bound.value is not None and bound.notions:
        for cost, reach in ways.measured(noun.table, bound.notions):
            yield cost, noun.kept(Bounded(reach, bound.operator, bound.value))


def _bound_noun(ways: Ways, bound: Bound, noun: Noun, gap: int) -> Combined:
    if noun.kind != "name" and isinstance(bound.value, int) and not bound.notions:
        yield 0.0, BoundNoun(bound, noun)


def _numbered(ways: Ways, noun: Noun, bound: BoundNoun, gap: int) -> Combined:
    """Rows that are related to so many others."""
    for cost, things in finished(ways, bound.noun):
        for more, path in ways.between(noun.table, bound.noun.table, bound.roles):
            tally = Tally(path, things)
            yield cost + more, noun.kept(Bounded(tally, bound.bound.operator, bound.bound.value))


RULES: Rules = {
    (Attribute, Bound): _bound_attribute,
    (Bound, Attribute): swapped(_bound_attribute),
    (Noun, BoundOf): _bounded,
    (BoundOf, Noun): _bounded_by_name,
    (Noun, Bound): _bounded_extent,
    (Bound, Noun): _bound_noun,
    (Noun, BoundNoun): _numbered,
}
