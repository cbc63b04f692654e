"""Owns plans that count, sum up, group or show rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from polyrag_cli.nl2sql.candidates import Candidate, Counted, counted_by, measures_of, plan_of, summing, targets_of
from polyrag_cli.nl2sql.index import ColumnEntry
from polyrag_cli.nl2sql.notions import ADDITIVE, MONEY
from polyrag_cli.nl2sql.plans import Measure
from polyrag_cli.nl2sql.question import Mark
from polyrag_cli.nl2sql.reading import Named, Reading

# "What does it cost" asks for an amount, "what did they buy" for a thing.
_STATE_OF_ROWS = 0.7
_PRICED = frozenset({"price", "cost", "salary", "weight"})


def groups(reading: Reading) -> Iterator[Candidate]:
    """Yield plans that give one figure for each value of a column."""
    grouped = reading.grouped()
    if len(grouped) != 1 or grouped[0].entry.numeric:
        return
    group = grouped[0]
    measures = [n for n in measures_of(reading) if n is not group]
    others = [n for n in targets_of(reading) if n is not group and not n.optional]
    counts = reading.question.find("count")
    name = group.entry.column.name
    if len(measures) == 1 and not others and _averages_rows(reading, group):
        plan = plan_of(reading, "aggregate", measure=Measure("avg", measures[0].entry.column.name))
        yield Candidate(plan, (group, measures[0]))
    elif len(measures) == 1 and not others:
        summed = summing(reading, measures[0].entry)
        if summed is None and group.entry.unique and not group.part:
            select = (name, measures[0].entry.column.name)
            yield Candidate(plan_of(reading, "project", select=select), (group, measures[0]))
        elif summed is not None:
            measure = Measure(summed[0], measures[0].entry.column.name)
            yield Candidate(
                plan_of(reading, "group", measure=measure, group=name, group_part=group.part),
                (group, measures[0]),
                summed[1],
            )
    elif not measures and counts:
        for counted in counted_by(reading, counts[0]):
            if group not in counted.used:
                plan = plan_of(reading, "group", measure=counted.measure, group=name, group_part=group.part)
                yield Candidate(plan, (group, *counted.used), 1.0, counted.tokens)


def _averages_rows(reading: Reading, group: Named) -> bool:
    """Tell "the average price per house" where each row is a house: one figure, unless each is asked for."""
    marks = [reading.question.tokens[m.last].folded for m in reading.question.find("group")]
    per = reading.question.lexicon.grammar.per
    named = group.entry.names_rows or group.entry.unique
    return named and not group.part and bool(reading.question.find("average")) and per.issuperset(marks)


def counts(reading: Reading) -> Iterator[Candidate]:
    """Yield plans that answer "how many"."""
    mark = reading.question.find("count")[0]
    measures = [n for n in measures_of(reading) if reading.directly(mark, n) or _behind_restrictions(reading, mark, n)]
    if measures:
        measure = measures[0]
        summed = summing(reading, measure.entry)
        # Numbers of an unknown kind may be marks of something; with a restriction they are more surely amounts.
        if summed is not None and (measure.entry.additive or (reading.filters and measure.quality >= 0.9)):
            plan = plan_of(reading, "aggregate", measure=Measure(summed[0], measure.entry.column.name))
            yield Candidate(plan, (measure,), summed[1])
        return
    for counted in counted_by(reading, mark):
        fit = _STATE_OF_ROWS if counted.measure.column is not None and _states_rows(reading) else 1.0
        yield Candidate(plan_of(reading, "count", measure=counted.measure), counted.used, fit, counted.tokens)


def _behind_restrictions(reading: Reading, mark: Mark, named: Named) -> bool:
    """Tell the noun of an English phrase from the restrictions before it ("how many urgent orders")."""
    between = set(range(mark.last + 1, named.tokens[0]))
    restricting = {i for f in reading.filters for i in f.tokens}
    others = {i for n in reading.named if not n.entry.numeric for i in n.tokens}
    noun = not named.optional and not reading.question.tokens[named.tokens[0]].empty
    plain = reading.question.lexicon.grammar.noun_last and noun and named.quality >= _STATE_OF_ROWS
    return plain and bool(between & restricting) and between <= restricting | others


def _states_rows(reading: Reading) -> bool:
    """Tell a restriction on the state of the rows: "how many insurers were cancelled" doesn't ask about rows."""
    restricted = [reading.table.columns[f.position] for f in reading.filters]
    return reading.row_noun() is None and any("status" in entry.concepts for entry in restricted)


def existences(reading: Reading) -> Iterator[Candidate]:
    """Yield plans that tell whether any row satisfies the restrictions."""
    if not reading.filters:
        return
    found = counted_by(reading, None)
    if not found and len(reading.filters) > 1 and not any(not n.optional for n in reading.named):
        # "Does A teach in B": two restrictions meet in a row, or they don't.
        found = [Counted(Measure("count"), ())]
    for counted in found:
        plan = plan_of(reading, "exists", measure=Measure("count"), yes_no=True)
        yield Candidate(plan, counted.used, 1.0, counted.tokens)


def _totals_of_rows(reading: Reading) -> Iterator[Candidate]:
    """ "The total of orders": how many rows there are, when no quantity is named."""
    for mark in reading.question.find("sum")[:1]:
        for counted in counted_by(reading, mark):
            if counted.measure.function == "count":
                plan = plan_of(reading, "count", measure=counted.measure)
                yield Candidate(plan, counted.used, 0.95, counted.tokens)


def aggregates(reading: Reading) -> Iterator[Candidate]:
    """Yield plans for one figure: a sum or an average, or the count of rows."""
    measures = measures_of(reading)
    if not measures:
        yield from _totals_of_rows(reading)
    if len(measures) != 1 or any(not n.optional for n in reading.named if n is not measures[0]):
        return
    question = reading.question
    if any(mark.operation.startswith("ask:") for mark in question.marks):
        return
    if question.find("list", "who", "when", "where") and not question.find("sum", "average", "how_much"):
        return
    measure = measures[0]
    if question.find("object") and not _PRICED & set().union(*(question.tokens[i].notions for i in measure.tokens)):
        return
    summed = summing(reading, measure.entry)
    if summed is None or (_asks_for_cost(reading) and not _is_money(measure.entry)):
        return
    plan = plan_of(reading, "aggregate", measure=Measure(summed[0], measure.entry.column.name))
    yield Candidate(plan, (measure,), summed[1])


def _asks_for_cost(reading: Reading) -> bool:
    """Tell "how much does a ticket cost", which no number of tickets answers."""
    taking_part = reading.question.lexicon.tables.taking_part
    costs = any("price" in token.notions for token in reading.question.tokens if token.folded in taking_part)
    return costs and bool(reading.question.find("how_much"))


def _is_money(entry: ColumnEntry) -> bool:
    return bool(entry.concepts & (MONEY | {"amount"}) or (entry.column.unit and not entry.concepts & ADDITIVE))


def projections(reading: Reading) -> Iterator[Candidate]:
    """Yield plans that show columns of the rows which satisfy the restrictions."""
    question = reading.question
    if question.find("average", "sum") and measures_of(reading):
        return
    targets = [n for n in reading.named if not n.optional or question.find("list")] or list(reading.named)
    # "In the year" restricts nothing and shows nothing.
    targets = [n for n in targets if not (n.part and n.vague)]
    asks = any(mark.operation.startswith("ask:") for mark in question.marks)
    asked = question.find("which", "list", "who", "when", "where", "how_much") or asks
    asked = asked or _opens_with_rows(reading)
    if not asked or len(targets) > 4 or any(n.part for n in targets):
        return
    shown = [n for n in targets if not _of_rows(reading, n)] if len(targets) > 1 else targets
    select = [n.entry.column.name for n in shown]
    implied = reading.implied()
    if not select and implied is not None and reading.filters:
        select = [implied.column.name]
    if not select and question.find("which", "list") and reading.label and reading.table.key is not None:
        select = [reading.table.key.column.name]
    if not select and reading.label and (_asks_rows(reading) or _opens_with_rows(reading)):
        bounded_by = [c.column for c in reading.conditions or () if _is_quantity(reading, c.column)]
        money = [c.column.name for c in reading.table.money]
        bounded_by = bounded_by or (money if len(money) == 1 else [])
        select = list(dict.fromkeys(reading.identifying() + bounded_by))
    if not select or (len(targets) > 1 and not question.find("list")):
        return
    lists = bool(question.find("list"))
    if not reading.filters and not (lists and targets and not targets[0].entry.numeric):
        return
    if any(n.entry.numeric and n.entry.additive for n in targets) and not lists:
        return
    bounded = _group_bound(reading, targets)
    if bounded is not None:
        yield bounded
        return
    fit = 1.0 if len(targets) == 1 or lists else 0.95 if not targets else 0.8
    single = bool(question.find("single"))
    yield Candidate(plan_of(reading, "project", select=tuple(select), single=single), tuple(targets), fit)


def _of_rows(reading: Reading, named: Named) -> bool:
    """Tell "the kinds of incident", which asks for no incidents."""
    before = reading.question.tokens[named.tokens[0] - 1].folded if named.tokens[0] else ""
    return named.entry is reading.table.key and before in reading.question.lexicon.grammar.of


def _opens_with_rows(reading: Reading) -> bool:
    """Tell a request that only names rows and restricts them: "orders above 100 euros"."""
    content = reading.question.content()
    if not content or not reading.filters or reading.question.text.rstrip().endswith("?"):
        return False
    rows = [n for n in reading.named if n.entry is reading.table.key or n.entry.names_rows]
    return any(n.tokens[0] == content[0] for n in rows) or content[0] in reading.label


def _asks_rows(reading: Reading) -> bool:
    """Tell whether the word for the rows is what is asked for ("list the sales above …")."""
    return any(0 < i - m.last <= 3 for m in reading.question.find("which", "list") for i in reading.label)


def _is_quantity(reading: Reading, column: str) -> bool:
    return any(c.numeric and c.column.name == column for c in reading.table.columns)


def _names_row(entry: ColumnEntry) -> bool:
    return entry.unique or entry.names_rows or entry.numeric


def _group_bound(reading: Reading, targets: Sequence[Named]) -> Candidate | None:
    """A bound on a quantity that adds up restricts the sums of what repeats: "which regions sold more than 100"."""
    if len(targets) != 1 or _names_row(targets[0].entry):
        return None
    additive = {c.column.name for c in reading.table.columns if c.numeric and c.additive is not False}
    bounds = [c for c in reading.conditions or () if c.column in additive]
    if len(bounds) != 1:
        return None
    rest = tuple(c for c in reading.conditions or () if c is not bounds[0])
    plan = plan_of(
        reading,
        "group",
        measure=Measure("sum", bounds[0].column),
        group=targets[0].entry.column.name,
        having=bounds[0],
        conditions=rest,
    )
    return Candidate(plan, tuple(targets))
