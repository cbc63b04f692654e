"""Owns the readings of a question over related tables: its parts composed into what is asked, as their types allow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from polyrag_cli.nl2sql.asking import Ask, asked
from polyrag_cli.nl2sql.combining import Combiner
from polyrag_cli.nl2sql.index import SchemaIndex, TableEntry
from polyrag_cli.nl2sql.notions import MONEY
from polyrag_cli.nl2sql.parts import Attribute, Check, Groups, Held, Nothing, Noun, Part
from polyrag_cli.nl2sql.question import Question
from polyrag_cli.nl2sql.related import (
    Asked,
    Counted,
    Every,
    Function,
    Grouped,
    Holds,
    Kept,
    Listed,
    Ranked,
    Reach,
    RelatedRenderer,
    Spread,
    Tally,
    Things,
    Totalled,
    Whether,
    shown_table,
    state,
)
from polyrag_cli.nl2sql.relating import Database, Thing
from polyrag_cli.nl2sql.scoring import COVERAGE, Score, weights
from polyrag_cli.nl2sql.similarity import Similar
from polyrag_cli.nl2sql.spans import Span, Spans, segmentations
from polyrag_cli.nl2sql.stating import Speaker
from polyrag_cli.nl2sql.table_search import sharing
from polyrag_cli.nl2sql.ties import Ties
from polyrag_cli.nl2sql.trades import untold
from polyrag_cli.types import Rows as Result

_KEPT = 6
# So many groups of tables are looked at for one question.
_GROUPS = 2
_MOST_COST = 1.6
PRIOR = 0.75
_HIGH = 0.06
# A yes or a no is asked of what has a name.
_SUBJECT = 0.3
_HALF = 0.5
_FIGURES: tuple[tuple[str, Function], ...] = (("average", "avg"), ("median", "median"), ("sum", "sum"))
_BINDING = frozenset(
    {"above", "at_least", "below", "at_most", "equal", "after", "before", "since", "until", "between", "or_more",
     "or_less", "not", "except", "average", "median", "share", "difference", "growth", "versus", "single", "next",
     "previous", "consecutive", "same", "other", "none", "only", "both", "mode", "ratio", "rank", "more", "less",
     "than", "group", "or", "sum"}
)  # fmt: skip

_ASKING = frozenset({"who", "when", "where"})

Entry = tuple[float, Part]


@dataclass(frozen=True)
class RelatedReading:
    """A way to read a question over related tables.

    covered: the words that it accounts for, with how surely, 0–1. cost: what speaks against how they combine.
    unmet: words that say more than it does.
    """

    ask: Ask
    database: Database
    asked: Asked
    covered: dict[int, float]
    cost: float
    unmet: tuple[int, ...] = ()

    @property
    def question(self) -> Question:
        return self.ask.question

    @property
    def table(self) -> TableEntry:
        """The table that holds what is shown."""
        return shown_table(self.asked, self.database)

    def render(self) -> tuple[str, tuple[str, ...]]:
        """The SELECT that answers it, and the tables that it reads."""
        renderer = RelatedRenderer(self.database)
        statement = renderer.asked(self.asked)
        return statement, tuple(sorted(renderer.tables))

    def state(self, speaker: Speaker, result: Result) -> str:
        """The answer's first line; speaker: of `table`."""
        return state(self.asked, speaker, result)

    @property
    def score(self) -> Score:
        """What speaks for it, comparable with readings of single tables."""
        return _scored(self)


def related_readings(
    question: Question, index: SchemaIndex, ties: Ties, similar: Similar | None
) -> Iterator[RelatedReading]:
    """Yield what a question may ask of tables that hang together; none where none do."""
    places = {name: place for place, name in enumerate(index.names)}

    def entry(name: str) -> TableEntry:
        return index.tables[places[name]]

    for names in _asked_about(question, ties.groups, index):
        yield from _readings(question, Database(names, ties, entry), index, similar)


def _asked_about(question: Question, found: Sequence[tuple[str, ...]], index: SchemaIndex) -> Sequence[tuple[str, ...]]:
    """Return the groups of tables, by name, that share the most words with a question."""
    if len(found) <= _GROUPS:
        return found
    group_of = {name: i for i, names in enumerate(found) for name in names}
    shared = [0] * len(found)
    for word in (question.tokens[i] for i in question.content()):
        holding = {group_of.get(index.names[position], -1) for position in sharing(word, index.postings)}
        for i in holding - {-1}:
            shared[i] += 1
    order = sorted((i for i in range(len(found)) if shared[i]), key=lambda i: (-shared[i], i))
    return [found[i] for i in order[:_GROUPS]]


def _readings(
    question: Question, database: Database, index: SchemaIndex, similar: Similar | None
) -> Iterator[RelatedReading]:
    ask = asked(question)
    spans = Spans(question, database, index, similar).found()
    combiner = Combiner(database)
    best: dict[Asked, RelatedReading] = {}
    for chosen in segmentations(spans):
        covered = {i: 1.0 for span in chosen for i in range(span.first, span.last + 1)}
        unmet = (*_unexpressed(question, chosen), *_untold(question, chosen, database))
        for cost, part in _parsed(chosen, combiner):
            for more, found, also in _answers(ask, combiner, part):
                words = {**dict.fromkeys(also, 1.0), **covered}
                spent = _spent(question) if isinstance(found, Listed | Counted) and _by_number(found.things) else ()
                reading = RelatedReading(ask, database, found, words, round(cost + more, 6), (*unmet, *spent))
                kept = best.get(found)
                if kept is None or reading.score.total > kept.score.total:
                    best[found] = reading
    yield from sorted(best.values(), key=lambda r: (-r.score.total, repr(r.asked)))


def _unexpressed(question: Question, chosen: Sequence[Span]) -> tuple[int, ...]:
    """The words that say what no reading expresses: that something holds of every one of some rows ("ordered all"), or
    that what belongs to each is shown with it ("with their authors").
    """
    owning = tuple(i for i, t in enumerate(question.tokens) if t.folded in question.lexicon.tables.relating.owning)
    if owning:
        return owning
    nouns = [s.first for s in chosen if any(isinstance(o.part, (Noun, Check)) for o in s.options)]
    every = question.lexicon.tables.relating.every
    found = [i for i, token in enumerate(question.tokens) if token.folded in every]
    marked = {i for mark in question.find("group", "list") for i in range(mark.first, mark.last + 1)}
    return tuple(i for i in found if i not in marked and any(n < i for n in nouns) and any(n > i for n in nouns))


def _untold(question: Question, chosen: Sequence[Span], database: Database) -> tuple[int, ...]:
    """Verbs of trading where no table that words name tells of sales: nothing says which of its rows were sold."""
    parts = [option.part for span in chosen for option in span.options]
    named = {part.table for part in parts if isinstance(part, Noun)}
    named = named or {table for part in parts if (table := getattr(part, "table", ""))}
    return untold(question, [database.things[table].entry for table in sorted(named)]) if named else ()


def _spent(question: Question) -> tuple[int, ...]:
    """Verbs of money before a superlative of how many: "spent the most" asks for a sum, not for a number of rows."""
    verbs = question.lexicon.tables.taking_part
    return tuple(i for i, t in enumerate(question.tokens) if t.folded in verbs and t.notions & MONEY)


def _by_number(things: Things) -> bool:
    """Whether rows are those of the most or the fewest others."""
    while not isinstance(things, Every):
        if isinstance(things, Ranked) and isinstance(things.by, Tally) and things.by.function is None:
            return True
        things = things.things
    return False


# ---------------------------------------------------------------- the chart
def _parsed(chosen: Sequence[Span], combiner: Combiner) -> list[Entry]:
    """Return what all spans make together, the cheapest first."""
    length = len(chosen)
    if not length:
        return []
    chart: dict[tuple[int, int], list[Entry]] = {}
    for i, span in enumerate(chosen):
        chart[i, i + 1] = _cheapest([(option.cost, option.part) for option in span.options], combiner)
    for size in range(2, length + 1):
        for start in range(length - size + 1):
            end = start + size
            made: list[Entry] = []
            for middle in range(start + 1, end):
                gap = _gap(chosen[middle - 1], chosen[middle])
                high = _HIGH * (middle - start > 1)
                made += _pairs(chart[start, middle], chart[middle, end], gap, high, combiner)
            made += _joined(chart, start, end, combiner)
            chart[start, end] = _cheapest(made, combiner)
    return chart[0, length]


def _gap(left: Span, right: Span) -> int:
    """How many words stand between two spans; one that may say nothing stands between what is beside it."""
    silent = any(isinstance(option.part, Nothing) for option in (*left.options, *right.options))
    return right.first - left.last - 1 + silent


def _pairs(left: Sequence[Entry], right: Sequence[Entry], gap: int, high: float, combiner: Combiner) -> Iterator[Entry]:
    """high: what it costs to restrict a noun that stands further to the left than the last."""
    for cost, part in left:
        for more, other in right:
            for extra, made in combiner.combine(part, other, gap):
                extra += high if isinstance(part, Noun) and isinstance(made, Noun) else 0.0
                if cost + more + extra <= _MOST_COST:
                    yield round(cost + more + extra, 6), made


def _joined(chart: dict[tuple[int, int], list[Entry]], start: int, end: int, combiner: Combiner) -> Iterator[Entry]:
    for middle in range(start + 1, end - 1):
        for cost, joint in chart[middle, middle + 1]:
            for more, left in chart[start, middle]:
                for extra, right in chart[middle + 1, end]:
                    for last, made in combiner.combine_three(left, joint, right):
                        yield round(cost + more + extra + last, 6), made


def _cheapest(entries: Sequence[Entry], combiner: Combiner) -> list[Entry]:
    every = [*entries]
    for cost, part in entries:
        every += [(round(cost + more, 6), noun) for more, noun in combiner.noun_of(part)]
    best: dict[Part, float] = {}
    for cost, part in every:
        if part not in best or cost < best[part]:
            best[part] = cost
    ordered = sorted(((cost, part) for part, cost in best.items()), key=lambda e: (e[0], repr(e[1])))
    kinds: dict[tuple[type, str], int] = {}
    kept: list[Entry] = []
    for cost, part in ordered:
        kind = (type(part), getattr(part, "table", ""))
        kinds[kind] = kinds.get(kind, 0) + 1
        if kinds[kind] <= _KEPT:
            kept.append((cost, part))
    return kept[: 4 * _KEPT]


# ---------------------------------------------------------------- what is asked
def _answers(ask: Ask, combiner: Combiner, part: Part) -> Iterator[tuple[float, Asked, set[int]]]:
    """Yield what may be asked of a part, with its cost and the words of asking that it accounts for."""
    if isinstance(part, Check):
        return
    if isinstance(part, Noun):
        for cost, things in combiner.finished(part):
            yield from _of_rows(ask, combiner.database, part, things, cost)
    elif isinstance(part, Attribute):
        for cost, held in combiner.held_by_all(part):
            for more, found, also in _answers(ask, combiner, held):
                yield cost + more, found, also
    elif isinstance(part, Groups):
        for cost, things in combiner.finished(part.noun):
            yield from _of_groups(ask, combiner, part, things, cost)
    elif isinstance(part, Held):
        for cost, things in combiner.finished(part.noun):
            yield from _of_column(ask, combiner.database, part, things, cost)


def _of_rows(
    ask: Ask, database: Database, noun: Noun, things: Things, cost: float
) -> Iterator[tuple[float, Asked, set[int]]]:
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
        return
    if thing.name is None:
        return
    if ask.has("how_much", "object"):
        return
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


def _of_column(
    ask: Ask, database: Database, held: Held, things: Things, cost: float
) -> Iterator[tuple[float, Asked, set[int]]]:
    entry = database.column(held.column.table, held.column.column)
    numeric = entry.role == "measure"
    asking = ("which", "list", "count", "how_much", "object")
    if ask.yes_no or (ask.has("who") and numeric):
        return
    if held.function is not None:
        if ask.has("sum", "average", "median"):
            return
        yield cost, Totalled(things, held.reach, held.function), _marked(ask, *asking)
        return
    for name, function in _FIGURES:
        if ask.has(name):
            if numeric and (function != "sum" or entry.additive is not False):
                yield cost, Totalled(things, held.reach, function), _marked(ask, name, *asking)
            return
    if held.summed or (ask.counts and not numeric):
        return
    single = held.noun.kind == "name" or bool(held.noun.waiting)
    if ask.has("count", "how_much") and not single:
        if entry.additive is not False and not database.things[held.noun.table].repeated:
            yield cost, Totalled(things, held.reach, "sum"), _marked(ask, *asking)
        return
    distinct = not numeric or database.things[held.noun.table].repeated
    yield cost, Listed(things, held.reach, distinct), _marked(ask, *asking, "distinct")


def _of_groups(
    ask: Ask, combiner: Combiner, groups: Groups, things: Things, cost: float
) -> Iterator[tuple[float, Asked, set[int]]]:
    """Yield counts of groups where how many is asked, sums and means of a column where these are."""
    database = combiner.database
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
        for more, reach in combiner.reaches(groups.noun.table, groups.of):
            descending = groups.most.descending if groups.most else None
            if groups.most is None or groups.most.first == groups.most.last == 1:
                yield cost + more, Grouped(things, reach, function, groups.held, descending), marked
        return
    thing = database.things[groups.of.table]
    if thing.name is None or thing.repeated or (groups.held is not None and groups.held.path):
        return
    # "The average price per order" may be one of all orders as well as one of each.
    if function == "avg" and database.records(groups.of.table):
        return
    column = groups.held.column if groups.held is not None else ""
    for more, path in combiner.ways(groups.of.table, groups.noun.table):
        tally = Tally(path, things, function, column)
        yield cost + more, Spread(groups.of.things, Reach((), thing.name.column.name), tally), marked


def _marked(ask: Ask, *operations: str) -> set[int]:
    return {i for mark in ask.question.find(*operations) for i in range(mark.first, mark.last + 1)}


# ---------------------------------------------------------------- what speaks for it
def _scored(reading: RelatedReading) -> Score:
    question = reading.question
    relating = question.lexicon.tables.relating.verbs
    weight = {i: w for i, w in weights(question).items() if question.tokens[i].folded not in relating}
    covered = reading.covered
    whole = sum(weight.values())
    explained = sum(w * min(1.0, covered.get(i, 0.0)) for i, w in weight.items())
    coverage = explained / whole if whole else 1.0
    unexplained = tuple(i for i in sorted(weight) if covered.get(i, 0.0) < _HALF)
    marked = {
        i
        for mark in question.marks
        if mark.operation in _BINDING | _ASKING or mark.operation[:3] in ("max", "min")
        for i in range(mark.first, mark.last + 1)
    }
    figures = question.figures()
    loose = {i for i in marked | figures | _blocking(question) if covered.get(i, 0.0) < _HALF}
    loose.update(reading.unmet)
    bare = tuple(sorted(loose | {i for i in unexplained if question.tokens[i].capital and i > 0}))
    total = COVERAGE * coverage + PRIOR - reading.cost
    return Score(round(total, 6), round(coverage, 6), round(-reading.cost, 6), unexplained, bare, unexplained)


def _blocking(question: Question) -> set[int]:
    """The words that change what is asked in a way that nothing here expresses."""
    blockers = question.lexicon.blockers
    words = [token.folded for token in question.tokens]
    marked = {i for mark in question.marks for i in range(mark.first, mark.last + 1)}
    return {
        i + step
        for i, word in enumerate(words)
        for phrase in blockers.get(word, ())
        if i not in marked and tuple(words[i : i + len(phrase)]) == phrase
        for step in range(len(phrase))
    }
