"""Owns how much speaks for a reading: what its words explain, how surely, and what is left unexplained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log

from polyrag_cli.config.sections import TableConfidenceSettings
from polyrag_cli.nl2sql.algebra import Ranked
from polyrag_cli.nl2sql.asking import in_verb_place
from polyrag_cli.nl2sql.chart import Reading
from polyrag_cli.nl2sql.operators.grouping import Grouped
from polyrag_cli.nl2sql.operators.select import Shown
from polyrag_cli.nl2sql.polarity import polarity
from polyrag_cli.nl2sql.prices import PRICES
from polyrag_cli.nl2sql.question import Question
from polyrag_cli.nl2sql.trades import pays, says_paid, tells_trades, untold
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
# From this worth on, a link is as sure as any; where there is none, none is weak.
_SURELY_LINKED = 1.1
# So many rows are as many as any.
_MANY = 3
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
# So many prices may a named thing have.
_PRICES = 6
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
    """Return the words of grouping that only lead to a value ("published by Walker"), or to what the table is of
    ("killed by police", of police killings).
    """
    columns = {i for item in reading.scope.columns if item.lexical for i in item.tokens}
    starts = {r.tokens[0] for r in reading.scope.chosen}.union(set(reading.scope.label) - columns)
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
    return [i for i, token in enumerate(question.tokens) if money and token.folded in verbs and pays(token)]


def _unpaid(reading: Reading) -> list[int]:
    """Return the verbs that say that rows were paid, where how many is asked and nothing tells of it, whatever amounts
    there are ("how many bookings were paid?").
    """
    scope = reading.scope
    tokens, verbs = scope.question.tokens, scope.question.lexicon.tables.taking_part
    if (
        not scope.ask.counts
        or reading.proposal.operator not in _COUNTING
        or any(r.kind == "bound" for r in scope.chosen)
    ):
        return []
    own = scope.table.label_concepts
    said = [i for i, t in enumerate(tokens) if t.folded in verbs and says_paid(t) and not t.notions & own]
    return [i for i in said if i not in scope.restricting]


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
        opposite = any(polarity(question.tokens[item.tokens[0]].folded, w) for w in reading.scope.entry(item).words)
        if len(item.tokens) == 1 and item.lexical and not opposite and in_verb_place(question, item.tokens[0]):
            covered[item.tokens[0]] = max(covered.get(item.tokens[0], 0.0), _HALF)
    for i in (*_agents(reading), *_joined_by_both(reading), *_paid(reading)):
        covered[i] = 1.0
    if reading.scope.ask.counts:
        # Of what may be worth money, nothing says that it was sold.
        unsaid = set(untold(question, [reading.scope.table])) - reading.scope.restricting
        covered.update(dict.fromkeys((*unsaid, *_unpaid(reading)), 0.0))
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
        if reading.scope.ask.counts and not tells_trades(token, table):
            return True
        if i in _unpaid(reading):
            return True
        return foreign and not bounded and counting
    beside = any(m.operation[:3] in ("max", "min") and i in (m.first - 1, m.last + 1) for m in question.marks)
    if beside:
        # "Best-selling" says by what.
        return True
    unrestricted = reading.proposal.operator == "select" and not reading.scope.chosen
    return not in_verb_place(question, i) or unrestricted or reading.proposal.operator in _COUNTING


def evidence(reading: Reading, score: Score, rows: Rows, margin: float) -> dict[str, float]:
    """Return what makes the best reading likely, by the names of the weights.

    Its operator's prior, the words explained and its lead; the weakest of its links and how many they are; that nothing
    restricts the rows; several rows where one is expected, and more than one at all; a count of none by unsure links;
    words of operations left unexplained, by weight. margin: by how much it leads a different answer, 0–1.
    """
    chosen = reading.scope.chosen
    # What a column of yes and no, or of a few states, says is as sure as a whole cell.
    worths = [_SURELY_LINKED if r.kind == "state" else min(_SURELY_LINKED, r.worth) for r in chosen]
    listed = isinstance(reading.proposal.expression, Grouped) or reading.scope.ask.has("group")
    listed = listed or (_shows_prices(reading) and len(rows.rows) <= _PRICES)
    found = {
        "prior": reading.proposal.prior,
        "coverage": score.coverage,
        "margin": margin,
        "weakest": min(worths, default=_SURELY_LINKED),
        "links": float(len(chosen)),
        "unrestricted": float(not chosen),
        "several": _several(reading, rows),
        "rows": 0.0 if listed else log(min(_MANY, len(rows.rows))),
        "zero": float(_counts_none(reading, rows) and not _surely_linked(reading)),
        "operations": _operations(reading.scope.question, score.unexplained),
    }
    return {name: round(value, 6) for name, value in found.items()}


def confidence(evidence: Mapping[str, float], weights: TableConfidenceSettings) -> float:
    """Return how likely the best reading is right, 0–1, by a logistic regression over what speaks for it."""
    odds = weights.bias + sum(getattr(weights, name) * value for name, value in evidence.items())
    return round(1 / (1 + exp(-odds)), 6)


def _operations(question: Question, unexplained: Sequence[int]) -> float:
    """Return the weight of the words of operations among unexplained ones."""
    others = {*question.content(), *question.figures()}
    weight = weights(question)
    return sum(weight[i] for i in unexplained if i not in others)


def _several(reading: Reading, rows: Rows) -> float:
    """Return how far several rows contradict what is asked: half for people, whose number "who" leaves open, and for
    what shares a rank.
    """
    expression = reading.proposal.expression
    ranks = (expression.rows.last if isinstance(expression.rows, Ranked) else 1) if isinstance(expression, Shown) else 1
    if isinstance(expression, Grouped):
        ranks = expression.last if expression.descending is not None else len(rows.rows)
    if len(rows.rows) <= max(1, ranks):
        return 0.0
    if _shows_prices(reading) and len(rows.rows) > _PRICES:
        # So many aren't sizes or seasons of one thing.
        return 1.0
    if _may_be_several(reading):
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


def _shows_prices(reading: Reading) -> bool:
    """Whether what is shown is what a named thing costs, of which "how much" asks."""
    expression, scope = reading.proposal.expression, reading.scope
    if not isinstance(expression, Shown) or isinstance(expression.rows, Ranked) or not scope.ask.has("how_much"):
        return False
    name = expression.columns[0]
    return bool(scope.chosen) and any(e.column.name == name and e.concepts & PRICES for e in scope.entries)


def _may_be_several(reading: Reading) -> bool:
    ask = reading.scope.ask
    if ask.has("group", "list") or (ask.plural and not ask.counts):
        return True
    if _shows_prices(reading):
        # What a thing costs may depend on a size or a season: the rows say which is which.
        return True
    ended = reading.scope.profile.outcomes
    shared = any(r.kind == "member" and r.position not in ended for r in reading.scope.chosen)
    if ask.has("who") and shared:
        # Where cells list several values ("English, Spanish"), rows share them: "who" leaves open how many do.
        return True
    # "Who earns more than 6000" leaves open how many do.
    bounded = all(r.kind == "bound" and not r.single for r in reading.scope.chosen) and bool(reading.scope.chosen)
    return bounded and ask.has("who")


def _counts_none(reading: Reading, rows: Rows) -> bool:
    return reading.scope.ask.counts and len(rows.rows) == 1 and rows.rows[0][0] == 0


def _surely_linked(reading: Reading) -> bool:
    return all(r.quality >= _SURE_LINK for r in reading.scope.chosen)


def spread(reading: Reading, rows: Rows) -> float:
    """Return what several rows cost an answer of which one is expected, and a count of none."""
    count = len(rows.rows)
    if _counts_none(reading, rows):
        return _NONE_SURE if _surely_linked(reading) else _NONE
    if not reading.proposal.single or count < 2 or reading.scope.ask.has("single", "only"):
        return 0.0
    return round(
        (_OF_PLURAL if _may_be_several(reading) or _tied(reading, rows) else _ONE_OF_SEVERAL)
        + _EACH_MORE * max(0, count - 3),
        6,
    )
