"""Owns plans that set figures against each other: which of two, by how much, what share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from polyrag_cli.nl2sql.candidates import Candidate, Counted, counted_by, measures_of, plan_of, summing
from polyrag_cli.nl2sql.plans import Condition, Measure
from polyrag_cli.nl2sql.reading import Reading
from polyrag_cli.nl2sql.restrictions import Filter

_COMPARING = ("max", "min", "above", "below", "more", "less", "versus")


def compared_pair(reading: Reading) -> tuple[Filter, Filter] | None:
    """Return two single values of one column that the question sets against each other."""
    single = [
        f for f in reading.filters if len(f.conditions) == 1 and f.conditions[0].operator in ("=", "month", "year")
    ]
    single = [f for f in single if len(f.conditions[0].values) == 1 and f.conditions[0].values != (True,)]
    columns = [f.position for f in single]
    pairs = [f for f in single if columns.count(f.position) == 2]
    return (pairs[0], pairs[1]) if len(pairs) == 2 else None


def compares(reading: Reading) -> bool:
    """Tell whether a word sets two things against each other, beside those that restrict."""
    question = reading.question
    restricted = {i for f in reading.filters for i in f.tokens}
    marks = [m for m in question.marks if m.operation in _COMPARING and m.first not in restricted]
    # "Higher or lower" asks for a direction.
    return bool(marks) and not (question.find("more") and question.find("less"))


def _rest(reading: Reading, pair: Sequence[Filter]) -> tuple[Condition, ...]:
    left = {c for f in pair for c in f.conditions}
    columns = {c.column for c in left}
    return tuple(c for c in reading.conditions or () if c.column not in columns)


def comparisons(reading: Reading, pair: tuple[Filter, Filter]) -> Iterator[Candidate]:
    """Yield plans that say which of two values has more, or whether the first has."""
    group = reading.table.columns[pair[0].position]
    marks = [m for m in reading.question.marks if m.operation in _COMPARING]
    down = marks[0].operation in ("max", "above", "more", "versus")
    asks_which = any(
        m.operation in ("which", "who", "where", "when") for m in reading.question.marks if m.first < marks[0].first
    )
    asks_which = asks_which or bool(reading.question.find("or", "versus"))
    target = [n for n in reading.named if n.entry is group]
    words = [i for m in reading.question.find(*_COMPARING, "than") for i in range(m.first, m.last + 1)]
    for counted in _compared_measure(reading):
        plan = plan_of(
            reading,
            "compare",
            measure=counted.measure,
            group=group.column.name,
            conditions=_rest(reading, pair),
            pair=tuple(f.conditions[0] for f in pair),
            descending=down,
            yes_no=not asks_which,
        )
        yield Candidate(plan, (*counted.used, *target), counted.fit, (*counted.tokens, *words))


def _compared_measure(reading: Reading) -> list[Counted]:
    measures = measures_of(reading)
    if len(measures) == 1:
        # Prices don't add up: what is compared is their mean, which is the price where each value has one row.
        function = summing(reading, measures[0].entry) or ("avg", 0.8)
        return [Counted(Measure(function[0], measures[0].entry.column.name), (measures[0],), (), function[1])]
    rows = [n for n in reading.named if n.entry.names_rows or n.entry is reading.table.key]
    explicit = reading.question.find("count") or rows or reading.row_noun() is not None
    return counted_by(reading, None) if not measures and explicit else []


def differences(reading: Reading) -> Iterator[Candidate]:
    """Yield plans that subtract one value's figure from another's."""
    pair = compared_pair(reading)
    if pair is None:
        return
    group = reading.table.columns[pair[0].position]
    between = [i for m in reading.question.find("between", "than", *_COMPARING) for i in range(m.first, m.last + 1)]
    target = [n for n in reading.named if n.entry is group]
    for counted in _compared_measure(reading):
        plan = plan_of(
            reading,
            "difference",
            measure=counted.measure,
            group=group.column.name,
            conditions=_rest(reading, pair),
            pair=tuple(f.conditions[0] for f in pair),
        )
        yield Candidate(plan, (*counted.used, *target), counted.fit, (*counted.tokens, *between))


def shares(reading: Reading) -> Iterator[Candidate]:
    """Yield plans for a part of a whole; the one restriction makes the part: with several it is open what the
    whole is.
    """
    if len(reading.filters) != 1:
        return
    measures = measures_of(reading)
    if len(measures) == 1 and measures[0].entry.additive is not False:
        found = [Counted(Measure("sum", measures[0].entry.column.name), (measures[0],))]
    else:
        found = counted_by(reading, None) if not measures else []
    for counted in found:
        plan = plan_of(reading, "share", measure=counted.measure, conditions=(), part=reading.conditions)
        yield Candidate(plan, counted.used, 1.0, counted.tokens)
