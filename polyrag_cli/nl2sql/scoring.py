"""Owns how much speaks for a reading: what its words explain, how surely, and what is left unexplained."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

from polyrag_cli.nl2sql.algebra import Ranked
from polyrag_cli.nl2sql.asking import in_verb_place
from polyrag_cli.nl2sql.chart import Reading
from polyrag_cli.nl2sql.operators.aggregate import Aggregate
from polyrag_cli.nl2sql.operators.grouping import Grouped
from polyrag_cli.nl2sql.operators.select import Shown
from polyrag_cli.nl2sql.question import AskedWord, Question
from polyrag_cli.nl2sql.units import is_currency
from polyrag_cli.nl2sql.used_columns import computed_columns
from polyrag_cli.types import Rows

COVERAGE = 2.0
LINKS = 0.45
_FAIR_LINK = 0.7
# What words weigh that must be explained.
_CONTENT = 1.0
_NAME = 1.5
_VERB = 0.35
_FIGURE = 1.5
_OPERATION = 1.0
_TURNING = 1.5
_DEEP = 2.0
_HALF = 0.5
_FAIRLY = 0.75
_MEANT = 0.6
# What makes the best reading likely, as weights of a logistic regression (odds of e): how far its operator's prior
# falls short, the words explained and its lead; the weakest of its links, and what each further one costs; that
# nothing restricts the rows; how surely what is computed is named; several rows where one is expected; a count of
# none; figures and names left unexplained; the noun that is asked for left unexplained.
SURETY = {
    "prior": 1.3, "coverage": 2.6, "margin": 0.67, "weakest": 2.3, "links": -0.9, "unrestricted": -0.4,
    "measure": 0.4, "several": -2.9, "zero": -1.2, "bare": -0.2, "noun": -0.5,
}  # fmt: skip
_BIAS = -3.9
# What an operator's prior comes to where everything fits.
_FULL = {
    "count": 0.9, "count_distinct": 1.1, "sum": 1.15, "avg": 1.4, "median": 1.4, "max": 1.5, "min": 1.5,
    "select": 1.1, "listing_order": 1.4, "superlative": 1.5, "comparing": 1.5, "directing": 1.5, "sameness": 1.3,
    "against": 1.3, "grouping": 1.2, "sharing": 1.3, "growing": 1.4, "running": 1.1, "mode": 1.05,
    "spanning": 0.9, "existing": 0.9,
}  # fmt: skip
_FULL_PRIOR = 1.1
_NO_LINK = 1.0
# What a column of yes and no, or of a few states, says is as sure as a whole cell.
_STATED = 1.1
# What a word costs for whose sake nothing may be answered.
_NEEDED = 0.2
_NONE = 0.6
_NONE_SURE = 0.1
_SURE_LINK = 0.9
_ONE_OF_SEVERAL = 0.55
_OF_PLURAL = 0.15
# How many rows may share a rank by chance, and how far they contradict that one is expected.
_FEW_TIED = 3
_TIED = 0.25
_EACH_MORE = 0.05
# Operators that count rows, whatever these are.
_COUNTING = frozenset({"aggregate", "existing", "sharing", "comparing"})

# How far behind "both" what it joins begins.
_NEAR = 8

_TURNS = frozenset({"not", "except"})
_DEEPLY = frozenset(
    {"difference", "average", "median", "share", "growth", "same", "consecutive", "mode", "ratio", "rank"}
)
_LIGHT = frozenset(
    {
        "which",
        "list",
        "who",
        "when",
        "where",
        "object",
        "filler",
        "or",
        "distinct",
        "exists",
        "count",
        "how_much",
        "sum",
        "group",
    }
)
# Words without which another question is answered.
_BINDING = frozenset(
    {"above", "at_least", "below", "at_most", "equal", "after", "before", "since", "until", "between", "or_more",
     "or_less", "not", "except", "average", "median", "share", "difference", "growth", "versus", "single", "next",
     "previous", "consecutive", "same", "other", "none", "only", "both", "mode", "ratio", "rank", "more", "less",
     "than"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Score:
    """What speaks for a reading.

    total: links + coverage + prior. coverage: the share of the weight of words that is explained, 0–1.
    unexplained: positions of words explained by less than half. bare: of these, figures, names and words that change
    what is asked. needed: of these, all for whose sake nothing may be answered.
    """

    total: float
    coverage: float
    links: float
    unexplained: tuple[int, ...]
    bare: tuple[int, ...]
    needed: tuple[int, ...]
    weak: tuple[int, ...] = ()


def weights(question: Question) -> dict[int, float]:
    """Return what each word of a question weighs that must be explained."""
    found: dict[int, float] = {}
    for i in question.content():
        token = question.tokens[i]
        if token.date_part:
            continue
        name = token.capital and i > 0
        found[i] = _NAME if name else _VERB if in_verb_place(question, i) else _CONTENT
    for i in question.figures():
        found[i] = _FIGURE
    for i in asked_parts(question):
        found[i] = _CONTENT
    for mark in question.marks:
        kind = mark.operation.partition(":")[0]
        weight = _TURNING if kind in _TURNS else _DEEP if kind in _DEEPLY else 0.0 if kind in _LIGHT else _OPERATION
        if kind in ("sum", "group"):
            weight = _HALF
        for i in range(mark.first, mark.last + 1):
            if weight:
                found[i] = max(found.get(i, 0.0), weight)
    return found


def asked_parts(question: Question) -> list[int]:
    """Return the words for a month or a year by which figures are asked for ("per month", "which year")."""
    asking = question.find("group", "which", "count", "list")
    return [
        i
        for i, token in enumerate(question.tokens)
        if token.date_part and any(0 < i - mark.last <= 2 for mark in asking)
    ]


def _agents(reading: Reading) -> list[int]:
    """Return the words of grouping that only lead to a value ("published by Walker")."""
    starts = {r.tokens[0] for r in reading.scope.chosen}
    return [
        i
        for mark in reading.scope.question.find("group")
        if not starts.isdisjoint((mark.last + 1, mark.last + 2))
        for i in range(mark.first, mark.last + 1)
    ]


def _joined_by_both(reading: Reading) -> list[int]:
    """Return the words that say of conditions on different columns that both hold ("both chocolate and caramel")."""
    question = reading.scope.question
    return [
        i
        for mark in question.find("both")
        if len({r.position for r in reading.scope.chosen if 0 < r.tokens[0] - mark.last <= _NEAR}) > 1
        and not question.find("or", "not", "except")
        for i in range(mark.first, mark.last + 1)
    ]


def _paid(reading: Reading) -> list[int]:
    """Return the verbs of paying beside an amount of money, which is what one pays."""
    scope = reading.scope
    question = scope.question
    money = any(is_currency(column.unit) for column in computed_columns(reading.proposal.expression, scope.table))
    verbs = question.lexicon.tables.taking_part
    return [i for i, token in enumerate(question.tokens) if money and token.folded in verbs and _pays(token)]


def _pays(token: AskedWord) -> bool:
    """Whether a word says that money changes hands, and not which: what it cost is a column of costs."""
    return "amount" in token.notions and not token.notions & {"cost", "price", "fee"}


def scored(reading: Reading) -> Score:
    """Return what speaks for a reading."""
    question = reading.scope.question
    weight = weights(question)
    covered = dict(reading.scope.covered)
    for i, surety in reading.proposal.covered.items():
        covered[i] = max(covered.get(i, 0.0), surety)
    for i, surety in {
        **reading.scope.of_rows,
        **reading.scope.of_people,
        **dict.fromkeys(reading.scope.label, 1.0),
        **dict.fromkeys(reading.scope.meant, _MEANT),
    }.items():
        covered[i] = max(covered.get(i, 0.0), surety)
    for item in reading.scope.free:
        # "Advertised" says what a date is called after.
        if len(item.tokens) == 1 and item.lexical and in_verb_place(question, item.tokens[0]):
            covered[item.tokens[0]] = max(covered.get(item.tokens[0], 0.0), _HALF)
    for i in (*_agents(reading), *_joined_by_both(reading), *_paid(reading)):
        covered[i] = 1.0
    whole = sum(weight.values())
    explained = sum(w * min(1.0, covered.get(i, 0.0)) for i, w in weight.items())
    coverage = explained / whole if whole else 1.0
    links = LINKS * sum(r.worth - _FAIR_LINK for r in reading.scope.chosen)
    unexplained = tuple(i for i in sorted(weight) if covered.get(i, 0.0) < _HALF and weight[i] != _HALF)
    binding = {
        i
        for m in question.marks
        if m.operation in _BINDING or m.operation[:3] in ("max", "min")
        for i in range(m.first, m.last + 1)
    }
    figures = question.figures()
    bare = tuple(i for i in unexplained if i in binding or i in figures or (question.tokens[i].capital and i > 0))
    needed = tuple(i for i in unexplained if i in bare or _restricts(reading, i))
    weak = tuple(i for i in question.content() if covered.get(i, 0.0) < _FAIRLY)
    total = COVERAGE * coverage + links + reading.proposal.prior - _NEEDED * len(needed)
    return Score(round(total, 6), round(coverage, 6), round(links, 6), unexplained, bare, needed, weak)


def _restricts(reading: Reading, i: int) -> bool:
    """Tell an unexplained word that may restrict what is asked: a noun or an adjective; beside a count a verb as well,
    which may say in which state the rows are ("cancelled").
    """
    question = reading.scope.question
    token = question.tokens[i]
    if any(m.operation in ("group", "sum") and m.first <= i <= m.last for m in question.marks):
        # What they are said of must be explained, or not at all.
        return False
    table = reading.scope.table
    held = table.label_concepts.union(*(entry.concepts for entry in table.columns))
    foreign = bool(token.notions) and not token.notions & held
    if foreign and any(r.kind == "date" for r in reading.scope.chosen):
        # "Delivered after May", of a table that says nothing of deliveries.
        return True
    if token.folded in question.lexicon.tables.taking_part:
        bounded = any(r.kind == "bound" for r in reading.scope.chosen)
        counting = reading.proposal.operator in _COUNTING or reading.proposal.operator == "superlative"
        return foreign and not bounded and counting
    beside = any(m.operation[:3] in ("max", "min") and i in (m.first - 1, m.last + 1) for m in question.marks)
    if beside:
        # "Best-selling" says by what.
        return True
    unrestricted = reading.proposal.operator == "select" and not reading.scope.chosen
    return not in_verb_place(question, i) or unrestricted or reading.proposal.operator in _COUNTING


def confidence(reading: Reading, score: Score, rows: Rows, margin: float) -> float:
    """Return how likely the best reading is right, 0–1, by a logistic regression over what speaks for it.

    margin: by how much it leads a different answer, 0–1. Source: `SURETY`, fitted on questions of single tables.
    """
    chosen = reading.scope.chosen
    asking = reading.scope.ask.focus[:1]
    evidence = {
        "prior": reading.proposal.prior - _FULL.get(_kind(reading), _FULL_PRIOR),
        "coverage": score.coverage,
        "margin": margin,
        "weakest": min((max(r.worth, _STATED) if r.kind == "state" else r.worth for r in chosen), default=_NO_LINK),
        "links": sum(r.worth - _FAIR_LINK for r in chosen),
        "unrestricted": float(not chosen),
        "measure": _measure_link(reading),
        "several": _several(reading, rows),
        "zero": float(_counts_none(reading, rows)),
        "bare": float(len(score.bare)),
        "noun": float(not set(asking).isdisjoint(score.unexplained)),
    }
    odds = _BIAS + sum(SURETY[name] * value for name, value in evidence.items())
    return round(1 / (1 + exp(-odds)), 6)


def _kind(reading: Reading) -> str:
    """Return the function of a single figure, "mode" for what is in most rows, else the name of the operator."""
    expression = reading.proposal.expression
    if isinstance(expression, Grouped) and expression.descending is not None and expression.measure.column is None:
        return "mode"
    return expression.figure.measure.function if isinstance(expression, Aggregate) else reading.proposal.operator


def _several(reading: Reading, rows: Rows) -> float:
    """Return how far several rows contradict what is asked: half for people, whose number "who" leaves open, and for
    what shares a rank.
    """
    expression = reading.proposal.expression
    ranks = (expression.rows.last if isinstance(expression.rows, Ranked) else 1) if isinstance(expression, Shown) else 1
    if isinstance(expression, Grouped):
        ranks = expression.last if expression.descending is not None else len(rows.rows)
    if len(rows.rows) <= max(1, ranks) or _may_be_several(reading):
        return 0.0
    if _tied(reading, rows):
        return _TIED
    return 0.5 if reading.scope.ask.has("who") or reading.proposal.operator == "superlative" else 1.0


def _tied(reading: Reading, rows: Rows) -> bool:
    """Whether a few rows share the one rank by a quantity that is asked for: all are the answer. Of times and of
    numbers of rows, another order tells them apart as often.
    """
    expression = reading.proposal.expression
    by: str | None = None
    if isinstance(expression, Shown) and isinstance(expression.rows, Ranked):
        by = expression.rows.by
    elif isinstance(expression, Grouped):
        by = expression.measure.column
    measured = any(entry.column.name == by and entry.role == "measure" for entry in reading.scope.entries)
    return measured and reading.proposal.operator == "superlative" and 1 < len(rows.rows) <= _FEW_TIED


def _measure_link(reading: Reading) -> float:
    """Return how surely words name what is computed, ranked or compared; 1 where that is nothing."""
    scope = reading.scope
    places = {column.name for column in computed_columns(reading.proposal.expression, scope.table)}
    positions = [entry.position for entry in scope.entries if entry.column.name in places]
    found = [max((item.quality for item in scope.columns if item.position == p), default=0.0) for p in positions]
    return min(found, default=1.0)


def _may_be_several(reading: Reading) -> bool:
    ask = reading.scope.ask
    if ask.has("group", "list") or (ask.plural and not ask.counts):
        return True
    # "Who earns more than 6000" leaves open how many do.
    bounded = all(r.kind == "bound" and not r.single for r in reading.scope.chosen) and bool(reading.scope.chosen)
    return bounded and ask.has("who")


def _counts_none(reading: Reading, rows: Rows) -> bool:
    return reading.scope.ask.counts and len(rows.rows) == 1 and rows.rows[0][0] == 0


def spread(reading: Reading, rows: Rows) -> float:
    """Return what several rows cost an answer of which one is expected, and a count of none."""
    count = len(rows.rows)
    if _counts_none(reading, rows):
        sure = all(r.quality >= _SURE_LINK for r in reading.scope.chosen)
        return _NONE_SURE if sure else _NONE
    if not reading.proposal.single or count < 2 or reading.scope.ask.has("single", "only"):
        return 0.0
    return round(
        (_OF_PLURAL if _may_be_several(reading) or _tied(reading, rows) else _ONE_OF_SEVERAL)
        + _EACH_MORE * max(0, count - 3),
        6,
    )
