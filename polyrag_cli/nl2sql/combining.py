"""Owns how two neighbouring parts of a question over several tables become one, and what that costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from polyrag_cli.nl2sql.algebra import Condition
from polyrag_cli.nl2sql.index import ColumnEntry
from polyrag_cli.nl2sql.parts import (
    Attribute,
    Bound,
    BoundNoun,
    BoundOf,
    By,
    Check,
    Figure,
    Groups,
    Held,
    How,
    Joint,
    Most,
    MostNoun,
    MostOf,
    Named,
    Not,
    Nothing,
    Noun,
    Part,
    Per,
    Role,
    every,
)
from polyrag_cli.nl2sql.related import (
    Among,
    Bounded,
    Each,
    Either,
    Every,
    Holds,
    Kept,
    Ranked,
    Reach,
    Tally,
    Test,
    Things,
    Totalled,
    kept,
    recorded,
    table_of,
)
from polyrag_cli.nl2sql.relating import Database, Hop, Path
from polyrag_cli.nl2sql.scope import opposite

Combined = Iterator[tuple[float, Part]]

# The columns that an adjective of extent may speak of, the likeliest first, by notion.
EXTENTS = {
    "area": ("size", "area", "population", "capacity", "length", "height", "seat"),
    "height": ("height",),
    "length": ("length", "distance", "duration", "minute", "hours"),
    "duration": ("duration", "minute", "hours", "wait", "length"),
    "date": ("date", "year"),
}
# What a way costs by each place where another would do as well, or where a word should say it.
_UNSAID_ONLY = 0.1
_UNSAID = 0.4
_SELF = 0.6
_HOP = 0.04
_TURNED = 0.05
_APART = 0.3
_GUESSED = 0.3
_REACHED = 0.08
_BESIDE = 0.08
# What speaks for a name beside the noun that it is one of.
_SAME = 0.15
# What it costs to restrict what has a name, and to leave a word of nearly the same meaning apart.
_NAME_KEPT = 0.15
_LOOSE = 0.25
_FAR_GUESS = 0.4
# What it costs that a figure is one of all rows that refer to one.
_OF_ALL = 0.15
_BEHIND = 0.2
_BETWEEN = 3
_SENSELESS = 0.4
_HELD_CHECKED = 0.1


class Combiner:
    """Combines parts over one database."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._rules: dict[tuple[type, type], Callable[..., Combined]] = {
            (Noun, Noun): self._nouns,
            (Noun, Check): self._checked,
            (Check, Noun): self._check_before,
            (Check, Check): self._checks,
            (Noun, Role): self._role_behind,
            (Role, Noun): self._role_before,
            (Attribute, Noun): self._attribute_of,
            (Noun, Attribute): self._attribute_behind,
            (Attribute, Check): self._attribute_checked,
            (Check, Attribute): lambda left, right, gap: self._attribute_checked(right, left, gap),
            (Attribute, Attribute): self._compound,
            (Per, Noun): self._per,
            (Per, Attribute): self._per,
            (Noun, Per): self._grouped,
            (Held, Per): self._held_grouped,
            (Attribute, Per): self._attribute_grouped,
            (Figure, Attribute): lambda left, right, gap: self._figure_of(right, left, gap),
            (Attribute, Figure): self._figure_of,
            (Most, Figure): self._most_figure,
            (Attribute, MostNoun): self._most_grouped,
            (Named, Noun): self._naming,
            (By, Attribute): self._by_attribute,
            (Noun, By): self._by,
            (Noun, Named): self._named,
            (Most, Noun): self._most_noun,
            (Most, Attribute): self._most_attribute,
            (Attribute, Most): self._attribute_most,
            (Attribute, Held): self._attribute_held,
            (Noun, Most): self._waiting,
            (Noun, MostOf): self._waiting,
            (Noun, MostNoun): self._waiting,
            (MostOf, Noun): self._most_of_noun,
            (Role, MostNoun): self._role_most,
            (MostNoun, Role): lambda left, right, gap: self._role_most(right, left, gap),
            (Not, Noun): self._not_noun,
            (Not, Check): self._not_check,
            (Noun, Not): self._without,
            (Role, Not): self._role_not,
            (Bound, Attribute): lambda left, right, gap: self._bound_attribute(right, left, gap),
            (Attribute, Bound): self._bound_attribute,
            (Bound, Noun): self._bound_noun,
            (Role, BoundNoun): self._role_bound,
            (Noun, Bound): self._bound_default,
            (Noun, BoundOf): self._bounded,
            (BoundOf, Noun): lambda left, right, gap: self._versus(left, right, gap),
            (Noun, BoundNoun): self._numbered,
            (How, Noun): self._how,
            (How, Held): self._how_held,
            (Held, Noun): self._held_more,
            (Held, Check): self._held_checked,
        }

    def combine(self, left: Part, right: Part, gap: int) -> Combined:
        """Yield what two parts make together, with what it costs.

        gap: how many words stand between them.
        """
        if isinstance(left, Nothing) or isinstance(right, Nothing):
            yield 0.0, right if isinstance(left, Nothing) else left
            return
        rule = self._rules.get((type(left), type(right)))
        if rule is not None:
            yield from rule(left, right, gap)

    def combine_three(self, left: Part, middle: Part, right: Part) -> Combined:
        """Yield what two parts make that are joined by "and" or "or"."""
        if not isinstance(middle, Joint):
            return
        if isinstance(left, Noun) and isinstance(right, Noun) and left.table == right.table:
            if left.kind == right.kind == "name":
                yield from self._names(left, right, middle.both)
        elif isinstance(left, Check) and isinstance(right, Check) and left.table == right.table:
            tests = (
                (Each((*left.tests, *right.tests)),) if middle.both else (Either((*left.tests[:1], *right.tests[:1])),)
            )
            if middle.both or len(left.tests) == len(right.tests) == 1:
                yield 0.0, Check(left.table, tests)
        elif isinstance(left, Not) and isinstance(right, Not) and left.noun and right.noun and middle.both:
            for _, noun in self._names(left.noun, right.noun, False):
                if isinstance(noun, Noun):
                    yield 0.0, Not(noun)

    def noun_of(self, part: Part) -> Combined:
        """Yield the rows that a part means by itself."""
        if isinstance(part, Check):
            yield _SENSELESS, every(part.table).kept(*part.tests)
        elif isinstance(part, MostOf) and self._records(part.attribute) and not (part.function or part.most.counts):
            yield 0.05, replace(every(part.attribute.table), waiting=(part,))
        elif isinstance(part, Attribute):
            for hop in self._roles_of(part):
                yield 0.05, every(hop.other).kept(Among((hop.back,), Every(part.table)))

    # ------------------------------------------------------------ rows
    def finished(self, noun: Noun) -> Iterator[tuple[float, Things]]:
        """Yield the rows that remain when the superlatives that wait are applied, the last one first."""
        unmet = _SENSELESS * len(noun.roles) + _SENSELESS * (noun.loose == "near")
        if not noun.waiting:
            yield unmet, noun.things
            return
        *others, last = noun.waiting
        for cost, by, most in self._figures(noun, last):
            if most.last > most.first and self.database.things[noun.table].repeated:
                continue
            ranked = Ranked(noun.things, by, most.descending, most.first, most.last)
            for more, things in self.finished(replace(noun, things=ranked, waiting=tuple(others))):
                yield cost + more, things

    def _figures(self, noun: Noun, most: Most | MostOf | MostNoun) -> Iterator[tuple[float, Reach | Tally, Most]]:
        table = noun.table
        if isinstance(most, MostOf):
            if most.function is None:
                for cost, reach in self.reaches(table, most.attribute):
                    yield cost, reach, most.most
            yield from self._totals(noun, most)
        elif isinstance(most, MostNoun):
            for cost, things in self.finished(most.noun):
                for more, path in self.ways(table, most.noun.table, most.roles):
                    yield cost + more, Tally(path, things), most.most
        else:
            for cost, reach in self.measured(table, most.notions):
                yield cost, reach, most

    def _totals(self, noun: Noun, most: MostOf) -> Iterator[tuple[float, Tally, Most]]:
        """Figures over what rows that refer to one record: who "spent the most" spent the most in all."""
        entry = self.database.column(most.attribute.table, most.attribute.column)
        summed = most.most.counts and entry.additive is not False
        function = most.function or ("sum" if summed else None)
        table = most.attribute.table
        if function is None or entry.role != "measure" or noun.table == table or not self._records(most.attribute):
            return
        for cost, path in self.ways(noun.table, table):
            if all(not hop.up for hop in path):
                # Of the same records that the rows are asked to have: "the most hours on Beacon".
                asked = recorded(noun.things, path[0]) if len(path) == 1 else None
                yield cost, Tally(path, asked or Every(table), function, most.attribute.column), most.most

    def measured(self, table: str, notions: tuple[str, ...]) -> Iterator[tuple[float, Reach]]:
        """Yield the figures of a row that notions may mean; where none fits, the only one there is."""
        found = [(entry, path) for path, entry in self._figures_of(table)]
        wanted = tuple(n for notion in notions for n in EXTENTS.get(notion, (notion,)))
        for place, notion in enumerate(wanted):
            fitting = [(e, p) for e, p in found if notion in e.concepts]
            if fitting:
                for entry, path in fitting:
                    yield 0.05 * bool(place) + _REACHED * len(path), Reach(path, entry.column.name)
                return
        own = [(e, p) for e, p in found if not p and e.role == "measure"]
        if len(own) == 1 and "area" in notions:
            yield _GUESSED, Reach((), own[0][0].column.name)

    def _figures_of(self, table: str) -> Iterator[tuple[Path, ColumnEntry]]:
        ways: list[tuple[Path, str]] = [((), table)]
        ways += [((hop,), hop.other) for hop in self.database.hops(table) if hop.single]
        for path, other in ways:
            for entry in self.database.things[other].entry.columns:
                if (
                    entry.role in ("measure", "year", "date")
                    and (other, entry.column.name) not in self.database.references
                ):
                    yield path, entry

    def ways(self, table: str, other: str, roles: tuple[tuple[str, str], ...] = ()) -> Iterator[tuple[float, Path]]:
        """Yield the ways from rows of one table to another, each with its cost; roles are those that are said."""
        paths = self.database.paths(table, other)
        shortest = min((len(path) for path in paths), default=0)
        for path in paths:
            if roles and not all(self.database.plays(path, role) for role in roles):
                continue
            cost = _HOP * (len(path) - shortest)
            unsaid = self.database.unsaid(path)
            if unsaid and not roles:
                cost += _SELF if table == other else _UNSAID_ONLY if len(paths) == 1 else _UNSAID * unsaid
            elif table == other and not roles:
                cost += _SELF
            yield cost, path

    def reaches(self, table: str, attribute: Attribute) -> Iterator[tuple[float, Reach]]:
        """Yield the ways from a row to the one value of a column."""
        for path in self.database.reaches(table, attribute.column, attribute.table):
            far = sum(1 for hop in path if not hop.single)
            unsaid = sum(1 for hop in path if hop.role)
            yield _REACHED * far + 0.02 * (len(path) - far) + _UNSAID * unsaid, Reach(path, attribute.column)

    def _tests(self, path: Path, noun: Noun, things: Things) -> tuple[Test, ...]:
        if noun.both and any(not hop.up for hop in path):
            return (Each(tuple(Among(path, each) for each in noun.both)),)
        return (Among(path, things),)

    def _nouns(self, left: Noun, right: Noun, gap: int) -> Combined:
        if left.table == right.table:
            for one, other in ((left, right), (right, left)):
                if one.loose and one.kind == "all" and not one.waiting:
                    yield 0.0, replace(other, loose="")
                    return
            if left.kind == "all" and right.kind == "name":
                yield (
                    (-_SAME if gap == 0 else 0.0 if gap == 1 else _APART),
                    replace(right, waiting=(*left.waiting, *right.waiting)),
                )
                if left.waiting:
                    return
            elif right.kind == "all" and left.kind == "name" and gap == 0:
                yield -_SAME, replace(left, waiting=(*left.waiting, *right.waiting))
                return
        apart = _LOOSE * sum(n.loose == "near" and not self.database.records(n.table) for n in (left, right))
        apart += _LOOSE * (right.loose == "asked")
        apart += _NAME_KEPT * (left.kind == "name" and gap > 0)
        for cost, things in self.finished(right):
            for more, path in self.ways(left.table, right.table, left.roles):
                found = left.kept(*self._tests(path, right, things))
                if right.both and all(hop.up for hop in path):
                    # Each of the names by itself, where rows further to the left are meant to be related to both.
                    each = tuple(kept(left.things, Among(path, one)) for one in right.both)
                    found = replace(found, both=each)
                yield cost + more + apart, found
        if gap == 0 and left.kind == "name" and right.kind != "name":
            for more, path in self.ways(right.table, left.table):
                yield more + _TURNED, right.kept(Among(path, left.things))

    def _names(self, left: Noun, right: Noun, both: bool) -> Combined:
        one, other = _condition(left), _condition(right)
        if one is None or other is None or one.column != other.column:
            return
        values = tuple(dict.fromkeys((*one.values, *other.values)))
        things = Kept(Every(left.table), (Holds(Condition(one.column, "in", values)),))
        each = (*(left.both or (left.things,)), *(right.both or (right.things,)))
        yield 0.0, Noun(things, "name", (*left.waiting, *right.waiting), each if both else ())

    def _checked(self, noun: Noun, check: Check, gap: int) -> Combined:
        if noun.table == check.table:
            yield _NAME_KEPT * (noun.kind == "name" and gap > 0), noun.kept(*check.tests)
            return
        if any(isinstance(t, Among) and table_of(t.things) == noun.table for t in check.tests):
            return
        for cost, path in self.ways(noun.table, check.table):
            far = _REACHED + _FAR_GUESS * check.guessed
            yield cost + far, noun.kept(Among(path, Kept(Every(check.table), check.tests)))

    def _check_before(self, check: Check, noun: Noun, gap: int) -> Combined:
        yield from self._check_recorded(check, noun)
        if gap <= _BETWEEN:
            for cost, part in self._checked(noun, check, gap):
                yield cost + (_BEHIND if gap else _TURNED), part

    def _check_recorded(self, check: Check, noun: Noun) -> Combined:
        if not self.database.group.named[check.table]:
            for cost, things in self.finished(noun):
                for more, path in self.ways(check.table, noun.table):
                    yield cost + more, Check(check.table, (*check.tests, Among(path, things)))

    def _checks(self, left: Check, right: Check, gap: int) -> Combined:
        if left.table == right.table and not _same_column(left, right):
            yield _BESIDE, Check(left.table, (*left.tests, *right.tests))

    def _by_attribute(self, by: By, attribute: Attribute, gap: int) -> Combined:
        if by.attribute is None and self.database.column(attribute.table, attribute.column).role == "measure":
            yield 0.0, By(attribute)

    def _by(self, noun: Noun, by: By, gap: int) -> Combined:
        """What the superlative compares is said behind it."""
        if by.attribute is not None and noun.waiting and isinstance(noun.waiting[-1], Most):
            most = MostOf(noun.waiting[-1], by.attribute)
            yield 0.0, replace(noun, waiting=(*noun.waiting[:-1], most))

    # ------------------------------------------------------------ groups
    def _per(self, per: Per, of: Noun | Attribute, gap: int) -> Combined:
        if per.of is None and (isinstance(of, Attribute) or of.kind == "all") and self._sorts(of):
            yield 0.0, Per(of)

    def _sorts(self, of: Noun | Attribute) -> bool:
        """Whether rows, or what a column holds, may be grouped by."""
        if isinstance(of, Noun):
            return not of.waiting and self.database.group.named[of.table]
        return self.database.column(of.table, of.column).role in ("text", "code", "month", "year", "boolean")

    def _grouped(self, noun: Noun, per: Per, gap: int) -> Combined:
        if per.of is None or noun.waiting or noun.kind == "name":
            return
        if isinstance(per.of, Noun) and per.of.table == noun.table:
            return
        yield 0.0, Groups(noun, per.of)

    def _held_grouped(self, held: Held, per: Per, gap: int) -> Combined:
        if per.of is not None and held.function is None and not held.noun.waiting and held.noun.kind != "name":
            yield 0.0, Groups(held.noun, per.of, held.reach)

    def _attribute_grouped(self, attribute: Attribute, per: Per, gap: int) -> Combined:
        if per.of is not None and self.database.column(attribute.table, attribute.column).role == "measure":
            yield 0.0, Groups(every(attribute.table), per.of, Reach((), attribute.column))

    def _figure_of(self, attribute: Attribute, figure: Figure, gap: int) -> Combined:
        entry = self.database.column(attribute.table, attribute.column)
        adds = figure.function != "sum" or entry.additive is not False
        if figure.attribute is None and gap <= 1 and entry.role == "measure" and adds:
            yield 0.0, Figure(figure.function, attribute)

    def _most_figure(self, most: Most, figure: Figure, gap: int) -> Combined:
        if figure.attribute is not None:
            yield 0.0, MostOf(most, figure.attribute, figure.function)

    def _most_grouped(self, attribute: Attribute, most: MostNoun, gap: int) -> Combined:
        """The country of the most customers."""
        if self._sorts(attribute) and not most.noun.waiting and not most.roles:
            yield _TURNED, Groups(most.noun, attribute, None, most.most)

    def _naming(self, named: Named, noun: Noun, gap: int) -> Combined:
        if named.noun is None and noun.kind == "name":
            yield 0.0, Named(noun)

    def _named(self, noun: Noun, named: Named, gap: int) -> Combined:
        name = named.noun
        if name is not None and noun.table == name.table:
            tests = name.things.tests if isinstance(name.things, Kept) else ()
            yield 0.0, replace(noun.kept(*tests), kind="name" if noun.kind == "all" else "some")

    def _compound(self, left: Attribute, right: Attribute, gap: int) -> Combined:
        if gap == 0:
            yield 0.0, right
            yield 0.15, left

    # ------------------------------------------------------------ roles
    def _related(self, role: tuple[str, str], noun: Noun) -> Iterator[tuple[float, Check]]:
        for table in self.database.sources(noun.table):
            for cost, things in self.finished(noun):
                for more, path in self.ways(table, noun.table, (role,)):
                    yield cost + more, Check(table, self._tests(path, noun, things))

    def _role_before(self, role: Role, noun: Noun, gap: int) -> Combined:
        if gap == 0 and noun.kind == "all" and not noun.roles:
            yield _TURNED, replace(noun, roles=((role.table, role.column),))
        yield from self._related((role.table, role.column), noun)

    def _role_behind(self, noun: Noun, role: Role, gap: int) -> Combined:
        if noun.kind != "all" or noun.waiting:
            for cost, check in self._related((role.table, role.column), noun):
                yield cost + _TURNED, check

    def _role_most(self, role: Role, most: MostNoun, gap: int) -> Combined:
        yield 0.0, replace(most, roles=(*most.roles, (role.table, role.column)))

    def _role_bound(self, role: Role, bound: BoundNoun, gap: int) -> Combined:
        yield 0.0, replace(bound, roles=(*bound.roles, (role.table, role.column)))

    # ------------------------------------------------------------ columns
    def _roles_of(self, attribute: Attribute) -> list[Hop]:
        hop = self.database.references.get((attribute.table, attribute.column))
        return [hop] if hop is not None and hop.role else []

    def _attribute_of(self, attribute: Attribute, noun: Noun, gap: int) -> Combined:
        reference = self.database.references.get((attribute.table, attribute.column))
        for cost, reach in self.reaches(noun.table, attribute):
            if reach.path and reference is not None and reference.other == noun.table:
                # It would only lead back to the rows themselves.
                continue
            sibling = self.ranking(attribute)
            if sibling is not None and noun.kind != "name":
                most, ranked = sibling
                by = Reach(reach.path, ranked)
                for more, things in self.finished(noun):
                    top = Ranked(things, by, most)
                    yield cost + more, Held(Noun(top, "some"), reach, attribute)
                continue
            yield cost, Held(noun, reach, attribute)
        yield from self._recorded(attribute, noun)
        for hop in self._roles_of(attribute):
            if noun.kind == "all" and noun.table == hop.other and gap == 0 and not noun.waiting:
                yield 0.0, attribute
            for cost, things in self.finished(noun):
                if noun.table == attribute.table:
                    yield cost + 0.05, every(hop.other).kept(Among((hop.back,), things))

    def _recorded(self, attribute: Attribute, noun: Noun) -> Combined:
        """What is recorded of rows, by others that refer to them: the marks of a pupil."""
        measure = self.database.column(attribute.table, attribute.column).role == "measure"
        records = self._records(attribute)
        if noun.table == attribute.table or not (records or measure):
            return
        for cost, things in self.finished(noun):
            for more, path in self.ways(attribute.table, noun.table):
                if all(hop.up and not hop.single for hop in path):
                    record = every(attribute.table).kept(Among(path, things))
                    held = Held(record, Reach((), attribute.column), attribute, summed=not records)
                    yield cost + more + (0.0 if records else _OF_ALL), held

    def _records(self, attribute: Attribute) -> bool:
        """Whether a column is one of rows that refer to others, and have no name."""
        thing = self.database.things[attribute.table]
        own = thing.name is None or thing.name.role == "code"
        return own and any(hop.up and not hop.single for hop in self.database.hops(attribute.table))

    def _held_more(self, held: Held, noun: Noun, gap: int) -> Combined:
        if held.function is None and held.noun.kind == "some" and held.noun.table == held.column.table:
            for cost, part in self._nouns(held.noun, noun, 2):
                if isinstance(part, Noun) and part.table == held.noun.table:
                    yield cost, replace(held, noun=part)

    def _held_checked(self, held: Held, check: Check, gap: int) -> Combined:
        if held.function is None and held.noun.table in (held.column.table, check.table):
            for cost, part in self._checked(held.noun, check, gap):
                if isinstance(part, Noun):
                    yield cost + _HELD_CHECKED * (held.noun.table != check.table), replace(held, noun=part)

    def _attribute_behind(self, noun: Noun, attribute: Attribute, gap: int) -> Combined:
        sibling = self.ranking(attribute)
        if sibling is not None and noun.kind != "name":
            descending, column = sibling
            most = MostOf(Most(descending), Attribute(attribute.table, column))
            yield 0.05, replace(noun, waiting=(*noun.waiting, most))
        if gap and noun.kind != "name":
            return
        for cost, part in self._attribute_of(attribute, noun, gap):
            yield cost + _TURNED, part

    def _attribute_checked(self, attribute: Attribute, check: Check, gap: int) -> Combined:
        test = check.tests[0]
        if check.table == attribute.table and isinstance(test, Holds) and test.condition.column == attribute.column:
            yield 0.0, check

    def ranking(self, attribute: Attribute) -> tuple[bool, str] | None:
        """Return which way and by which figure of its table a column names an extreme ("highest point"), if it does."""
        entry = self.database.column(attribute.table, attribute.column)
        lexicon = self.database.things[attribute.table].entry.lexicon
        for word in entry.words:
            for phrase, operation in lexicon.operations.get(word, ()):
                if phrase == (word,) and operation[:3] in ("max", "min"):
                    if entry.role == "measure":
                        return operation.startswith("max"), attribute.column
                    columns = self.database.things[attribute.table].entry.columns
                    alike = [c for c in columns if word in c.words and c.role == "measure"]
                    return (operation.startswith("max"), alike[0].column.name) if len(alike) == 1 else None
        return None

    def _most_attribute(self, most: Most, attribute: Attribute, gap: int) -> Combined:
        entry = self.database.column(attribute.table, attribute.column)
        if entry.role in ("measure", "year", "date"):
            yield 0.0, MostOf(most, attribute)

    def _attribute_most(self, attribute: Attribute, most: Most, gap: int) -> Combined:
        for cost, part in self._most_attribute(most, attribute, gap):
            yield cost + _APART, part

    def _attribute_held(self, attribute: Attribute, held: Held, gap: int) -> Combined:
        entry = self.database.column(attribute.table, attribute.column)
        for _, part in self._how_held(How(()), held, gap):
            if isinstance(part, Held):
                meant = self.database.column(part.column.table, part.column.column)
                if meant is entry or meant.concepts & entry.concepts:
                    yield 0.0, part

    def _most_noun(self, most: Most, noun: Noun, gap: int) -> Combined:
        if noun.kind == "name":
            return
        if most.counts:
            yield 0.0, MostNoun(most, noun)
        if most.notions:
            yield 0.0, replace(noun, waiting=(most, *noun.waiting))

    def _waiting(self, noun: Noun, most: Most | MostOf | MostNoun, gap: int) -> Combined:
        if isinstance(most, Most) and not most.notions:
            return
        if noun.kind != "name":
            yield 0.1 * isinstance(most, Most), replace(noun, waiting=(*noun.waiting, most))

    def _most_of_noun(self, most: MostOf, noun: Noun, gap: int) -> Combined:
        if most.function is not None:
            return
        if gap == 0:
            if noun.kind != "name":
                yield 0.0, replace(noun, waiting=(most, *noun.waiting))
            return
        if most.most.first == most.most.last == 1:
            for cost, part in self._recorded(most.attribute, noun):
                if isinstance(part, Held):
                    yield cost, replace(part, function="max" if most.most.descending else "min")
        for cost, things in self.finished(noun):
            for more, reach in self.reaches(noun.table, most.attribute):
                if most.most.first == most.most.last == 1:
                    held = Noun(things, noun.kind)
                    yield cost + more, Held(held, reach, most.attribute, "max" if most.most.descending else "min")

    # ------------------------------------------------------------ negation
    def _not_noun(self, no: Not, noun: Noun, gap: int) -> Combined:
        if no.noun is None:
            yield 0.0, Not(noun)

    def _not_check(self, no: Not, check: Check, gap: int) -> Combined:
        if no.noun is None and len(check.tests) == 1:
            turned = _turned(check.tests[0])
            if turned is not None:
                yield 0.0, Check(check.table, (turned,))

    def _without(self, noun: Noun, no: Not, gap: int) -> Combined:
        if no.noun is None:
            return
        condition = _condition(no.noun)
        if noun.kind == no.noun.kind == "name":
            return
        if noun.table == no.noun.table and condition is not None:
            yield 0.0, noun.kept(Holds(opposite(condition)))
            return
        for cost, things in self.finished(no.noun):
            for more, path in self.ways(noun.table, no.noun.table):
                yield cost + more, noun.kept(Among(path, things, True))

    def _role_not(self, role: Role, no: Not, gap: int) -> Combined:
        if no.noun is not None:
            for cost, check in self._related((role.table, role.column), no.noun):
                turned = _turned(check.tests[0])
                if turned is not None:
                    yield cost, Check(check.table, (turned,))

    # ------------------------------------------------------------ bounds
    def _bound_attribute(self, attribute: Attribute, bound: Bound, gap: int) -> Combined:
        if self.database.column(attribute.table, attribute.column).role in ("measure", "year"):
            yield 0.0, BoundOf(attribute, bound)

    def _bound_noun(self, bound: Bound, noun: Noun, gap: int) -> Combined:
        if bound.value is None:
            return
        if noun.kind != "name" and isinstance(bound.value, int) and not bound.notions:
            yield 0.0, BoundNoun(bound, noun)

    def _numbered(self, noun: Noun, bound: BoundNoun, gap: int) -> Combined:
        for cost, things in self.finished(bound.noun):
            for more, path in self.ways(noun.table, bound.noun.table, bound.roles):
                tally = Tally(path, things)
                yield cost + more, noun.kept(Bounded(tally, bound.bound.operator, bound.bound.value))

    def _bounded(self, noun: Noun, bound: BoundOf, gap: int) -> Combined:
        if bound.bound.value is None:
            return
        for cost, reach in self.reaches(noun.table, bound.attribute):
            yield cost, noun.kept(Bounded(reach, bound.bound.operator, bound.bound.value))

    def _bound_default(self, noun: Noun, bound: Bound, gap: int) -> Combined:
        if bound.value is not None and bound.notions:
            for cost, reach in self.measured(noun.table, bound.notions):
                yield cost, noun.kept(Bounded(reach, bound.operator, bound.value))

    def _versus(self, bound: BoundOf, noun: Noun, gap: int) -> Combined:
        if bound.bound.value is not None or noun.kind != "name":
            return
        for cost, reach in self.reaches(noun.table, bound.attribute):
            figure = Totalled(noun.things, reach, "max")
            yield cost, Check(noun.table, (Bounded(reach, bound.bound.operator, figure),))

    def held_by_all(self, attribute: Attribute) -> Combined:
        """Yield what all rows hold in a column, where nothing says of which."""
        owners = [hop.other for hop in self.database.hops(attribute.table) if hop.single and hop.up]
        noun = every(owners[0] if owners else attribute.table)
        referred = sum(1 for hop in self.database.hops(noun.table) if not hop.up)
        for cost, part in self._attribute_of(attribute, noun, 1):
            if isinstance(part, Held):
                yield cost + _GUESSED - 0.04 * min(5, referred), part

    # ------------------------------------------------------------ measures
    def _how(self, how: How, noun: Noun, gap: int) -> Combined:
        for cost, reach in self.measured(noun.table, how.notions):
            table = reach.path[-1].other if reach.path else noun.table
            yield cost, Held(noun, reach, Attribute(table, reach.column))

    def _how_held(self, how: How, held: Held, gap: int) -> Combined:
        sibling = self.ranking(held.column)
        if sibling is not None:
            column = Attribute(held.column.table, sibling[1])
            yield 0.0, replace(held, reach=replace(held.reach, column=sibling[1]), column=column)


def _condition(noun: Noun) -> Condition | None:
    """The condition that a name states."""
    if noun.kind == "name" and isinstance(noun.things, Kept) and len(noun.things.tests) == 1:
        test = noun.things.tests[0]
        return test.condition if isinstance(test, Holds) else None
    return None


def _same_column(left: Check, right: Check) -> bool:
    columns = [{t.condition.column for t in c.tests if isinstance(t, Holds)} for c in (left, right)]
    return not columns[0].isdisjoint(columns[1])


def _turned(test: Test) -> Test | None:
    """What holds where a test doesn't."""
    match test:
        case Among():
            return replace(test, negated=not test.negated)
        case Holds(condition) if condition.operator in ("=", "!=", "in", "not in", ">", ">=", "<", "<="):
            return Holds(opposite(condition))
        case _:
            return None
