"""Owns how names and checks restrict rows: "customers from Lisbon", "orders of Ana in May"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from polyrag_cli.nl2sql.algebra import Condition
from polyrag_cli.nl2sql.related.finishing import finished
from polyrag_cli.nl2sql.related.parts import Check, Named, Noun
from polyrag_cli.nl2sql.related.rules import APART, TURNED, Combined, Rules
from polyrag_cli.nl2sql.related.things import Among, Each, Every, Holds, Kept, Test, Things, kept, table_of
from polyrag_cli.nl2sql.related.ways import REACHED, Ways
from polyrag_cli.nl2sql.ties import Path

# What speaks for a name beside the noun that it is one of.
_SAME = 0.15
# What it costs to restrict what has a name, and to leave a word of nearly the same meaning apart.
_NAME_KEPT = 0.15
_LOOSE = 0.25
# What it costs that a check whose column no word names is one of another table.
_FAR_GUESS = 0.4
# What it costs that a check stands before the noun, with words between them, and how many these may be.
_BEHIND = 0.2
_BETWEEN = 3
# What it costs that two checks stand side by side.
_BESIDE = 0.08


def related_tests(path: Path, noun: Noun, things: Things) -> tuple[Test, ...]:
    """Return what holds of rows from which a way leads to some things; to each of several names where all are meant."""
    if noun.both and any(not hop.up for hop in path):
        return (Each(tuple(Among(path, each) for each in noun.both)),)
    return (Among(path, things),)


# ---------------------------------------------------------------- nouns
def nouns(ways: Ways, left: Noun, right: Noun, gap: int) -> Combined:
    """Rows of which a second noun says which; a name beside the noun that it is one of."""
    if left.table == right.table:
        for one, other in ((left, right), (right, left)):
            if one.loose and one.kind == "all" and not one.waiting:
                yield 0.0, replace(other, loose="")
                return
        if left.kind == "all" and right.kind == "name":
            cost = -_SAME if gap == 0 else 0.0 if gap == 1 else APART
            yield cost, replace(right, waiting=(*left.waiting, *right.waiting))
            if left.waiting:
                return
        elif right.kind == "all" and left.kind == "name" and gap == 0:
            yield -_SAME, replace(left, waiting=(*left.waiting, *right.waiting))
            return
    yield from _restricted_by(ways, left, right, gap)
    if gap == 0 and left.kind == "name" and right.kind != "name":
        for more, path in ways.between(right.table, left.table):
            yield more + TURNED, right.kept(Among(path, left.things))


def _restricted_by(ways: Ways, left: Noun, right: Noun, gap: int) -> Combined:
    apart = _LOOSE * sum(n.loose == "near" and not ways.database.records(n.table) for n in (left, right))
    apart += _LOOSE * (right.loose == "asked")
    apart += _NAME_KEPT * (left.kind == "name" and gap > 0)
    for cost, things in finished(ways, right):
        for more, path in ways.between(left.table, right.table, left.roles):
            found = left.kept(*related_tests(path, right, things))
            if right.both and all(hop.up for hop in path):
                # Each of the names by itself, where rows further to the left are meant to be related to both.
                each = tuple(kept(left.things, Among(path, one)) for one in right.both)
                found = replace(found, both=each)
            yield cost + more + apart, found


# ---------------------------------------------------------------- names
def condition_of(noun: Noun) -> Condition | None:
    """The condition that a name states."""
    if noun.kind == "name" and isinstance(noun.things, Kept) and len(noun.things.tests) == 1:
        test = noun.things.tests[0]
        return test.condition if isinstance(test, Holds) else None
    return None


def joined_names(left: Noun, right: Noun, both: bool) -> Iterator[tuple[float, Noun]]:
    """Rows of any of the names that two nouns give; of each of them where `both`."""
    one, other = condition_of(left), condition_of(right)
    if one is None or other is None or one.column != other.column:
        return
    values = tuple(dict.fromkeys((*one.values, *other.values)))
    things = Kept(Every(left.table), (Holds(Condition(one.column, "in", values)),))
    each = (*(left.both or (left.things,)), *(right.both or (right.things,)))
    yield 0.0, Noun(things, "name", (*left.waiting, *right.waiting), each if both else ())


def _naming(ways: Ways, named: Named, noun: Noun, gap: int) -> Combined:
    if named.noun is None and noun.kind == "name":
        yield 0.0, Named(noun)


def _named(ways: Ways, noun: Noun, named: Named, gap: int) -> Combined:
    name = named.noun
    if name is not None and noun.table == name.table:
        tests = name.things.tests if isinstance(name.things, Kept) else ()
        yield 0.0, replace(noun.kept(*tests), kind="name" if noun.kind == "all" else "some")


# ---------------------------------------------------------------- checks
def checked(ways: Ways, noun: Noun, check: Check, gap: int) -> Combined:
    """Rows that a check restricts: their own columns, or those of rows that they are related to."""
    if noun.table == check.table:
        yield _NAME_KEPT * (noun.kind == "name" and gap > 0), noun.kept(*check.tests)
        return
    if any(isinstance(t, Among) and table_of(t.things) == noun.table for t in check.tests):
        return
    for cost, path in ways.between(noun.table, check.table):
        far = REACHED + _FAR_GUESS * check.guessed
        yield cost + far, noun.kept(Among(path, Kept(Every(check.table), check.tests)))


def _check_before(ways: Ways, check: Check, noun: Noun, gap: int) -> Combined:
    yield from _check_recorded(ways, check, noun)
    if gap <= _BETWEEN:
        for cost, part in checked(ways, noun, check, gap):
            yield cost + (_BEHIND if gap else TURNED), part


def _check_recorded(ways: Ways, check: Check, noun: Noun) -> Combined:
    """What restricts rows without a name goes on with what these refer to."""
    if not ways.database.group.named[check.table]:
        for cost, things in finished(ways, noun):
            for more, path in ways.between(check.table, noun.table):
                yield cost + more, Check(check.table, (*check.tests, Among(path, things)))


def _checks(ways: Ways, left: Check, right: Check, gap: int) -> Combined:
    if left.table == right.table and not _same_column(left, right):
        yield _BESIDE, Check(left.table, (*left.tests, *right.tests))


def _same_column(left: Check, right: Check) -> bool:
    columns = [{t.condition.column for t in c.tests if isinstance(t, Holds)} for c in (left, right)]
    return not columns[0].isdisjoint(columns[1])


RULES: Rules = {
    (Noun, Noun): nouns,
    (Named, Noun): _naming,
    (Noun, Named): _named,
    (Noun, Check): checked,
    (Check, Noun): _check_before,
    (Check, Check): _checks,
}
