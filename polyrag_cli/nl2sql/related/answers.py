"""Owns what may be asked of a part of a question over several tables, by how the question asks."""

from __future__ import annotations

from collections.abc import Iterator

from polyrag_cli.nl2sql.asking import Ask
from polyrag_cli.nl2sql.related.asked import Asked, Counted, Grouped, Listed, Spread, Whether
from polyrag_cli.nl2sql.related.database import Database, Thing
from polyrag_cli.nl2sql.related.finishing import finished
from polyrag_cli.nl2sql.related.holding import held_by_all
from polyrag_cli.nl2sql.related.parts import Attribute, Groups, Held, Noun, Part
from polyrag_cli.nl2sql.related.things import Every, Function, Holds, Kept, Reach, Tally, Things, Totalled
from polyrag_cli.nl2sql.related.ways import Ways

# A yes or a no is asked of what has a name.
_SUBJECT = 0.3
_FIGURES: tuple[tuple[str, Function], ...] = (("average", "avg"), ("median", "median"), ("sum", "sum"))

Found = Iterator[tuple[float, Asked, set[int]]]
"""What may be asked, with its cost and the words of asking that it accounts for."""


def answers(ask: Ask, ways: Ways, part: Part) -> Found:
    """Yield what may be asked of a part; nothing of one that no question asks for."""
    if isinstance(part, Noun):
        for cost, things in finished(ways, part):
            yield from _of_rows(ask, ways.database, part, things, cost)
    elif isinstance(part, Attribute):
        for cost, held in held_by_all(ways, part):
            for more, found, also in answers(ask, ways, held):
                yield cost + more, found, also
    elif isinstance(part, Groups):
        for cost, things in finished(ways, part.noun):
            yield from _of_groups(ask, ways, part, things, cost)
    elif isinstance(part, Held):
        for cost, things in finished(ways, part.noun):
            yield from _of_column(ask, ways.database, part, things, cost)


# ---------------------------------------------------------------- rows
def _of_rows(ask: Ask, database: Database, noun: Noun, things: Things, cost: float) -> Found:
    thing = database.things[noun.table]
    if ask.yes_no:
        if noun.kind == "some":
            yield max(0.0, cost - _SUBJECT), Whether(things), _marked(ask, "exists")
        return
    if noun.kind == "name" or _is_named(things, thing) or (noun.both and ask.has("both")):
        return
    if ask.counts:
        name = thing.name.column.name if thing.repeated and thing.name is not None else ""
        yield cost, Counted(things, name), _marked(ask, "count", "which", "list")
    elif thing.name is not None and not ask.has("how_much", "object"):
        reach = Reach((), thing.name.column.name)
        yield cost, Listed(things, reach, thing.repeated), _marked(ask, "which", "list", "distinct", "object")


def _is_named(things: Things, thing: Thing) -> bool:
    """Whether rows are of a name that the question gives, which is no answer."""
    while not isinstance(things, Every):
        for test in things.tests if isinstance(things, Kept) else ():
            if not isinstance(test, Holds) or thing.name is None or test.condition.operator not in ("=", "in"):
                continue
            if test.condition.column == thing.name.column.name:
                return True
        things = things.things
    return False


# ---------------------------------------------------------------- what rows hold
def _of_column(ask: Ask, database: Database, held: Held, things: Things, cost: float) -> Found:
    entry = database.column(held.column.table, held.column.column)
    numeric = entry.role == "measure"
    asking = ("which", "list", "count", "how_much", "object")
    if ask.yes_no or (ask.has("who") and numeric):
        return
    if held.function is not None:
        if not ask.has("sum", "average", "median"):
            yield cost, Totalled(things, held.reach, held.function), _marked(ask, *asking)
        return
    for name, function in _FIGURES:
        if ask.has(name):
            if numeric and (function != "sum" or entry.additive is not False):
                yield cost, Totalled(things, held.reach, function), _marked(ask, name, *asking)
            return
    if held.summed or (ask.counts and not numeric):
        return
    repeated = database.things[held.noun.table].repeated
    single = held.noun.kind == "name" or bool(held.noun.waiting)
    if ask.has("count", "how_much") and not single:
        if numeric and entry.additive is not False and not repeated:
            yield cost, Totalled(things, held.reach, "sum"), _marked(ask, *asking)
        return
    yield cost, Listed(things, held.reach, not numeric or repeated), _marked(ask, *asking, "distinct")


# ---------------------------------------------------------------- groups
def _of_groups(ask: Ask, ways: Ways, groups: Groups, things: Things, cost: float) -> Found:
    """Yield counts of groups where how many is asked, sums and means of a column where these are."""
    database = ways.database
    function: Function | None = None
    if groups.held is not None:
        asked_for = [(n, f) for n, f in _FIGURES if ask.has(n)]
        if len(asked_for) != 1:
            return
        function = asked_for[0][1]
    elif not (ask.counts or groups.most) or database.things[groups.noun.table].repeated:
        return
    marked = _marked(ask, "which", "list", "count", "group", *(n for n, f in _FIGURES if f == function))
    if isinstance(groups.of, Attribute):
        found = _grouped(ways, groups, groups.of, things, function)
    else:
        found = _spread(ways, groups, groups.of, things, function)
    for more, asked in found:
        yield cost + more, asked, marked


def _grouped(
    ways: Ways, groups: Groups, of: Attribute, things: Things, function: Function | None
) -> Iterator[tuple[float, Asked]]:
    """What there is for each of what a column holds."""
    descending = groups.most.descending if groups.most else None
    if groups.most is None or groups.most.first == groups.most.last == 1:
        for cost, reach in ways.reaches(groups.noun.table, of):
            yield cost, Grouped(things, reach, function, groups.held, descending)


def _spread(
    ways: Ways, groups: Groups, of: Noun, things: Things, function: Function | None
) -> Iterator[tuple[float, Asked]]:
    """What there is for each of some rows."""
    thing = ways.database.things[of.table]
    if thing.name is None or thing.repeated or (groups.held is not None and groups.held.path):
        return
    # "The average price per order" may be one of all orders as well as one of each.
    if function == "avg" and ways.database.records(of.table):
        return
    column = groups.held.column if groups.held is not None else ""
    for cost, path in ways.between(of.table, groups.noun.table):
        yield cost, Spread(of.things, Reach((), thing.name.column.name), Tally(path, things, function, column))


def _marked(ask: Ask, *operations: str) -> set[int]:
    return {i for mark in ask.question.find(*operations) for i in range(mark.first, mark.last + 1)}
