"""Owns plans that ask for the most or the least."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from polyrag_cli.nl2sql.candidates import Candidate, measures_of, plan_of, summing, targets_of
from polyrag_cli.nl2sql.index import ColumnEntry
from polyrag_cli.nl2sql.plans import Function, Measure
from polyrag_cli.nl2sql.question import Mark
from polyrag_cli.nl2sql.reading import Named, Reading

# What something costs: revenue and the like say nothing of its price.
_WORTH = frozenset({"amount", "cost", "fee", "charged", "rent", "freight"})
# Several prices may rank the rows alike.
_OPEN_ORDERS = 3
# A whole label that is spelled out; synonyms score less.
_SPELLED = 0.99
# Adjectives of extent measure time as well as space.
_EXTENTS = {
    "length": ("length", "duration", "wait", "minute", "hours", "distance"),
    "duration": ("duration", "wait", "minute", "hours"),
}
_ASKING = ("which", "list", "who", "when", "where", "how_much", "count")


def extremes(reading: Reading) -> Iterator[Candidate]:
    """Yield plans for what has the most or the least of something, or for that amount."""
    marks = reading.question.superlatives()
    if len(marks) != 1 or not _asks(reading, marks[0]):
        return
    mark = marks[0]
    down = mark.operation.startswith("max")
    concept = mark.operation.partition(":")[2]
    limit, counted_tokens = _rank_count(reading, mark)
    if concept:
        yield from _by_notion(reading, concept, down, limit, counted_tokens)
        return
    measures = measures_of(reading)
    targets = _extreme_targets(reading)
    if len(measures) == 1:
        if not targets and not targets_of(reading):
            yield from _extreme_of(reading, measures[0], None, (), down, limit, counted_tokens)
        for target, used in targets:
            yield from _extreme_of(reading, measures[0], target, used, down, limit, counted_tokens)
    elif not measures:
        yield from _most_frequent(reading, mark, down, limit, counted_tokens)


def _asks(reading: Reading, mark: Mark) -> bool:
    """Tell a question or a request ("top 5 …", "the largest …") from a superlative in passing."""
    return bool(reading.question.find(*_ASKING) or mark.first <= 2 or _rank_count(reading, mark)[1])


def _rank_count(reading: Reading, mark: Mark) -> tuple[int, tuple[int, ...]]:
    """Return how many are asked for ("the 3 largest"), 1 without a figure, with the figure's words."""
    taken = {i for f in reading.filters for i in f.tokens}
    for number in reading.question.numbers:
        free = number.first not in taken and number.value == int(number.value) and 1 <= number.value <= 100
        if free and (abs(number.first - mark.last) <= 2 or abs(mark.first - number.last) <= 4):
            return int(number.value), tuple(range(number.first, number.last + 1))
    return 1, ()


def _extreme_targets(reading: Reading) -> list[tuple[ColumnEntry, tuple[Named, ...]]]:
    targets = targets_of(reading)
    if len(targets) == 1:
        return [(targets[0].entry, (targets[0],))]
    if targets:
        return []
    implied = reading.implied()
    return [(implied, ())] if implied is not None else []


def _extreme_of(
    reading: Reading,
    measure: Named,
    target: ColumnEntry | None,
    used: tuple[Named, ...],
    down: bool,
    limit: int,
    tokens: tuple[int, ...],
) -> Iterator[Candidate]:
    name = measure.entry.column.name
    if target is None:
        # Without a question word it is open whether the amount is asked for or what has it.
        if limit == 1 and reading.question.find("which", "how_much", "list", "count"):
            function: Function = "max" if down else "min"
            yield Candidate(plan_of(reading, "aggregate", measure=Measure(function, name)), (measure,), 1.0, tokens)
        elif limit > 1:
            names = reading.table.name_column
            shown = [names.column.name] if names is not None else reading.identifying()
            select = tuple(dict.fromkeys((*shown, name)))
            plan = plan_of(reading, "extreme", select=select, order=name, descending=down, limit=limit)
            yield Candidate(plan, (measure,), 0.95, tokens)
        return
    if any(n in reading.grouped() for n in used):
        # "The highest price by category": one for each.
        function = "max" if down else "min"
        plan = plan_of(
            reading,
            "group",
            measure=Measure(function, name),
            group=target.column.name,
            group_part=next((n.part for n in used), ""),
        )
        if limit == 1:
            yield Candidate(plan, (measure, *used), 1.0, tokens)
        return
    averaged = bool(reading.question.find("average"))
    everyone = (measure, *used)
    part = next((n.part for n in used), "")
    # "The largest sale" is one row's amount, whoever made it.
    one_trade = reading.question.lexicon.tables.one_trade
    one = any(reading.question.tokens[i].folded in one_trade for i in measure.tokens) and not averaged
    rows = one or target.unique or target.names_rows
    if (rows and not part) or (measure.entry.additive is False and not averaged):
        plan = plan_of(reading, "extreme", select=(target.column.name, name), order=name, descending=down, limit=limit)
        yield Candidate(plan, everyone, 1.0, tokens)
        return
    summed = summing(reading, measure.entry)
    if summed is None:
        return
    function, fit = summed
    plan = plan_of(
        reading,
        "extreme",
        measure=Measure(function, name),
        group=target.column.name,
        group_part=part,
        descending=down,
        limit=limit,
    )
    yield Candidate(plan, everyone, fit, tokens)


def _by_notion(reading: Reading, concept: str, down: bool, limit: int, tokens: tuple[int, ...]) -> Iterator[Candidate]:
    """Superlatives that name their own measure: the cheapest, the oldest, the last."""
    listings = reading.question.lexicon.tables.listings
    if concept == "date" and any(token.folded in listings for token in reading.question.tokens):
        # "The first on the list" asks for the order in which the rows stand.
        return
    wanted: tuple[str, ...] = ("date", "year", "month") if concept == "date" else (concept,)
    named_rows = reading.named or reading.label
    if concept == "age" and named_rows and not any("age" in c.concepts for c in reading.table.columns):
        wanted, down = ("date", "year", "month"), not down
    wanted = _EXTENTS.get(concept, wanted)
    found = [c for c in reading.table.columns if c.concepts & set(wanted) and c.role not in ("text", "code", "boolean")]
    if not found and concept == "price":
        amounts = [c for c in reading.table.columns if c.numeric and c.concepts & _WORTH]
        found = amounts if len(amounts) == 1 else []
    explicit = [c for c in found if any(n.entry is c for n in reading.named)]
    found = explicit or found
    if concept != "price" and len(found) > 1:
        return
    if concept == "age" and any(n.entry.numeric and n.entry not in found for n in reading.named):
        # "The oldest of the enrolled" is none of the numbers of them.
        return
    for order in found[:_OPEN_ORDERS]:
        if order.role != "month" or order.column.type != "text":
            yield from _ordered_by(reading, order, down, limit, tokens)


def _ordered_by(
    reading: Reading, order: ColumnEntry, down: bool, limit: int, tokens: tuple[int, ...]
) -> Iterator[Candidate]:
    others = [n for n in reading.named if n.entry is not order and not n.optional]
    named = tuple(n for n in reading.named if n.entry is order)
    implied = reading.implied()
    if reading.question.find("average"):
        yield from _by_average(reading, order, others, named, down, limit, tokens)
        return
    if any(n.entry.numeric and n.quality < _SPELLED for n in others):
        # No quantity says which row is meant.
        return
    selected = [n.entry.column.name for n in others]
    asked = [n for n in named for m in reading.question.find("which") if 0 < n.tokens[0] - m.last <= 2]
    dated = bool(reading.question.find("when") or asked) and order.role in ("date", "year")
    if dated and all(n.entry is reading.table.key or n.entry.names_rows for n in others):
        # "When was the first order" shows the time alone.
        plan = plan_of(
            reading, "extreme", select=(order.column.name,), order=order.column.name, descending=down, limit=limit
        )
        yield Candidate(plan, (*others, *named), 1.0, tokens)
        return
    rows = [n for n in reading.named if n.rows and n.entry is not order]
    if not selected and rows and not reading.question.find("when") and all(n.vague for n in named):
        # "The first order of the year" is an order, not a day.
        selected = [rows[0].entry.column.name]
    if not selected and implied is not None and implied is not order:
        selected = [implied.column.name]
    labelled = not selected and bool(reading.label) and bool(reading.question.find("which", "list"))
    if labelled:
        selected = [name for name in reading.identifying() if name != order.column.name]
    if not selected and not named and not reading.question.find("when"):
        return
    select = tuple(dict.fromkeys((*selected, order.column.name)))
    plan = plan_of(reading, "extreme", select=select, order=order.column.name, descending=down, limit=limit)
    yield Candidate(plan, (*others, *named), 1.0 if labelled or len(selected) < 2 else 0.7, tokens)


def _by_average(
    reading: Reading,
    order: ColumnEntry,
    others: Sequence[Named],
    named: tuple[Named, ...],
    down: bool,
    limit: int,
    tokens: tuple[int, ...],
) -> Iterator[Candidate]:
    """ "The slowest service on average": the mean of each value of a column that repeats."""
    if len(others) != 1 or others[0].entry.unique or not order.numeric:
        return
    plan = plan_of(
        reading,
        "extreme",
        measure=Measure("avg", order.column.name),
        group=others[0].entry.column.name,
        group_part=others[0].part,
        descending=down,
        limit=limit,
    )
    yield Candidate(plan, (*others, *named), 1.0, tokens)


def _most_frequent(
    reading: Reading, mark: Mark, down: bool, limit: int, tokens: tuple[int, ...]
) -> Iterator[Candidate]:
    """What occurs in most rows: "which customer has the most orders"."""
    targets = targets_of(reading)
    noun = reading.row_noun()
    if reading.question.tokens[mark.last].folded not in reading.question.lexicon.grammar.counting:
        return
    if len(targets) == 2 and reading.after(mark, targets[1], 3) and not reading.after(mark, targets[0], 3):
        target, counted = targets
        if not (counted.entry is reading.table.key or counted.entry.names_rows) or counted.quality < 0.7:
            return
        measure = Measure("count")
        used: tuple[Named, ...] = (target, counted)
    elif len(targets) == 1 and noun is not None and noun > mark.last:
        target, measure, used = targets[0], Measure("count"), (targets[0],)
        tokens = (*tokens, noun)
    else:
        return
    if target.entry.unique and not target.part:
        return
    plan = plan_of(
        reading,
        "extreme",
        measure=measure,
        group=target.entry.column.name,
        group_part=target.part,
        descending=down,
        limit=limit,
    )
    yield Candidate(plan, used, 1.0, tokens)
