"""Owns the rows that remain of a noun when the superlatives that wait are applied to what restricts it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from polyrag_cli.nl2sql.related.parts import Most, MostNoun, MostOf, Noun
from polyrag_cli.nl2sql.related.things import Every, Function, Ranked, Reach, Tally, Things, recorded
from polyrag_cli.nl2sql.related.ways import Ways

# What it costs that a word which says how rows are related says it of nothing.
SENSELESS = 0.4


def finished(ways: Ways, noun: Noun) -> Iterator[tuple[float, Things]]:
    """Yield the rows that remain when the superlatives that wait are applied, the last one first."""
    unmet = SENSELESS * len(noun.roles) + SENSELESS * (noun.loose == "near")
    if not noun.waiting:
        yield unmet, noun.things
        return
    *others, last = noun.waiting
    for cost, by, most in _figures(ways, noun, last):
        if most.last > most.first and ways.database.things[noun.table].repeated:
            continue
        ranked = Ranked(noun.things, by, most.descending, most.first, most.last)
        for more, things in finished(ways, replace(noun, things=ranked, waiting=tuple(others))):
            yield cost + more, things


def _figures(ways: Ways, noun: Noun, most: Most | MostOf | MostNoun) -> Iterator[tuple[float, Reach | Tally, Most]]:
    """Yield what a superlative may compare of each row."""
    table = noun.table
    if isinstance(most, MostOf):
        if most.function is None:
            for cost, reach in ways.reaches(table, most.attribute):
                yield cost, reach, most.most
        yield from _totals(ways, noun, most)
    elif isinstance(most, MostNoun):
        for cost, things in finished(ways, most.noun):
            for more, path in ways.between(table, most.noun.table, most.roles):
                yield cost + more, Tally(path, things), most.most
    else:
        for cost, reach in ways.measured(table, most.notions):
            yield cost, reach, most


def _totals(ways: Ways, noun: Noun, most: MostOf) -> Iterator[tuple[float, Tally, Most]]:
    """Figures over what rows that refer to one record: who "spent the most" spent the most in all."""
    function, table = _totalled_by(ways, most), most.attribute.table
    if function is None or noun.table == table:
        return
    for cost, path in ways.between(noun.table, table):
        if all(not hop.up for hop in path):
            # Of the same records that the rows are asked to have: "the most hours on Beacon".
            asked = recorded(noun.things, path[0]) if len(path) == 1 else None
            yield cost, Tally(path, asked or Every(table), function, most.attribute.column), most.most


def _totalled_by(ways: Ways, most: MostOf) -> Function | None:
    """The function that makes one figure of several records; None where none does."""
    entry = ways.entry(most.attribute)
    if entry.role != "measure" or not ways.records(most.attribute):
        return None
    summed = most.most.counts and entry.additive is not False
    return most.function or ("sum" if summed else None)
