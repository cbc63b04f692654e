"""Owns which plan answers a question, and when none may."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from polyrag_cli.nl2sql.candidates import Candidate
from polyrag_cli.nl2sql.implied import implied_words, outside
from polyrag_cli.nl2sql.index import SchemaIndex, TableEntry
from polyrag_cli.nl2sql.linking import Links, link
from polyrag_cli.nl2sql.notions import PEOPLE
from polyrag_cli.nl2sql.open_dates import open_date
from polyrag_cli.nl2sql.operations import candidates
from polyrag_cli.nl2sql.plans import Plan, PlanOutcome, ScoredPlan
from polyrag_cli.nl2sql.question import Question, take_apart
from polyrag_cli.nl2sql.reading import Reading, readings
from polyrag_cli.nl2sql.similarity import Similar
from polyrag_cli.nl2sql.table_search import reached
from polyrag_cli.text.utterance import Utterance
from polyrag_cli.types import TableSchema

MIN_SCORE = 0.78
MIN_MARGIN = 0.03
_LABEL_BONUS = 0.02
_MOST_LABELS = 3
_ROUNDING = 1e-6
_KEPT = 5


def plan_question(
    question: Utterance,
    schemas: SchemaIndex | Sequence[TableSchema],
    similar: Similar | None = None,
    min_score: float = MIN_SCORE,
    min_margin: float = MIN_MARGIN,
) -> PlanOutcome:
    """Return the plan that answers a question from one table, or none with the reason.

    A plan must account for every word that restricts what is asked, score at least `min_score` and lead the best
    plan that asks something else of its table by `min_margin`. Tables that do equally well are taken by name, and the
    others stand among the alternatives, as does what else may be asked of the chosen one.

    Args:
        schemas: an index built once a generation, or the schemas themselves.
        similar: cosines of words to column labels, for words that nothing else explains.
    """
    index = schemas if isinstance(schemas, SchemaIndex) else SchemaIndex(schemas)
    asked = take_apart(question)
    if not index.tables:
        return PlanOutcome(None, reason="there are no tables")
    if asked.truncated:
        return PlanOutcome(None, reason="the question is too long for one table operation")
    if asked.blocker:
        return PlanOutcome(None, reason=f"“{asked.blocker}” asks for more than one table operation")
    if left_open := open_date(asked):
        return PlanOutcome(None, reason=f"“{left_open}” leaves open which date is meant: name it with its year")
    scored, beyond = _all_plans(asked, index, similar)
    elsewhere = min((s for s in beyond if not s.unexplained), key=lambda s: (-s.score, s.plan.table), default=None)
    if elsewhere is not None and (not scored or scored[0].unexplained):
        return PlanOutcome(None, reason=f"{elsewhere.plan.table} holds nothing of that time")
    if not scored:
        return _nothing(asked, index, similar)
    return _decided(scored, index, min_score, min_margin)


def _all_plans(
    question: Question, index: SchemaIndex, similar: Similar | None
) -> tuple[list[ScoredPlan], list[ScoredPlan]]:
    """Return the plans of the tables that the question shares something with, best first, and apart from them those
    for a time in which their table holds nothing.

    Tables are read by how many of the question's names they lack; once the best plan so far scores more than a plan
    without those names can, the rest are left unread.
    """
    scored: list[ScoredPlan] = []
    beyond: list[ScoredPlan] = []
    best = 0.0
    for lacking, position in reached(question, index.postings):
        if lacking and _most_without(question, lacking) < best:
            break
        table = index.tables[position]
        for plan in _table_plans(question, table, link(question, table, similar)):
            if outside(plan.plan, table):
                beyond.append(plan)
            else:
                scored.append(plan)
                best = max(best, plan.score)
    return sorted(scored, key=lambda s: (-s.score, s.plan.table, repr(s.plan))), beyond


def _most_without(question: Question, lacking: int) -> float:
    """Return a bound on the score of plans that leave so many of the question's names unexplained."""
    said = {i for mark in question.marks for i in range(mark.first, mark.last + 1)} | question.figures()
    needed = len(said.union(question.content()))
    return 1.0 - lacking / needed + _LABEL_BONUS * _MOST_LABELS + _ROUNDING


def _table_plans(question: Question, table: TableEntry, links: Links) -> list[ScoredPlan]:
    if not links.columns and not links.values and not links.label:
        return []
    best: dict[str, ScoredPlan] = {}
    question = _without_names(question, links)
    for reading in readings(question, table, links):
        for candidate in candidates(reading):
            scored = _scored(question, reading, candidate)
            key = repr(scored.plan)
            if key not in best or scored.score > best[key].score:
                best[key] = scored
    return sorted(best.values(), key=lambda s: (-s.score, repr(s.plan)))[:_KEPT]


def _without_names(question: Question, links: Links) -> Question:
    """Leave out the operation phrases that are part of a value's name."""
    named = {i for value in links.values for i in value.tokens}
    marks = tuple(mark for mark in question.marks if not named.issuperset(range(mark.first, mark.last + 1)))
    return question if len(marks) == len(question.marks) else replace(question, marks=marks)


def _scored(question: Question, reading: Reading, candidate: Candidate) -> ScoredPlan:
    """Score = coverage · (.5 + .2 · mean link quality + .3 · weakest link) · fit, plus a little when the table
    is named.
    """
    explained = {*reading.context, *reading.label, *candidate.tokens}
    for restriction in reading.filters:
        explained.update(restriction.tokens)
    for named in candidate.used:
        explained.update(named.tokens)
    for named in reading.named:
        if named.optional:
            explained.update(named.tokens)
    explained |= _expressed(question, candidate.plan)
    needed = set(question.content()) | question.figures() | _operators(question)
    explained |= implied_words(question, reading, candidate, needed - explained)
    missing = sorted(needed - explained)
    coverage = 1.0 - len(missing) / max(1, len(needed))
    qualities = [f.quality for f in reading.filters] + [n.quality for n in candidate.used]
    alone = 0.6 if reading.label else 0.5
    mean = sum(qualities) / len(qualities) if qualities else alone
    weakest = min(qualities, default=alone)
    fit = candidate.fit if _answers_kind(question, reading, candidate.plan) else 0.0
    score = fit * coverage * (0.5 + 0.2 * min(1.0, mean) + 0.3 * min(1.0, weakest))
    score += _LABEL_BONUS * min(_MOST_LABELS, len(reading.label)) if reading.label else 0.0
    return ScoredPlan(
        plan=candidate.plan,
        score=round(min(1.0, score), 6),
        coverage=round(coverage, 6),
        explained=tuple(question.tokens[i].folded for i in sorted(explained & needed)),
        unexplained=tuple(question.tokens[i].text for i in missing),
    )


# Operations that change the figure: a plan that leaves one out answers another question.
_BINDING = frozenset(
    {"above", "at_least", "below", "at_most", "equal", "after", "before", "since", "until", "between", "or_more",
     "or_less", "not", "except", "average", "share", "difference", "object", "count", "more", "less", "versus",
     "distinct", "single"}
)  # fmt: skip


def _operators(question: Question) -> set[int]:
    marks = [m for m in question.marks if m.operation in _BINDING or m.operation[:3] in ("max", "min")]
    return {i for mark in marks for i in range(mark.first, mark.last + 1)}


def _expressed(question: Question, plan: Plan) -> set[int]:
    """Return the positions of the operation phrases that a plan's own operation accounts for."""
    function = plan.measure.function if plan.measure is not None else ""
    done: set[str] = {plan.operation, *(("object",) if plan.operation in ("aggregate", "project") else ())}
    if function == "avg":
        done.add("average")
    if function or plan.operation in ("count", "exists"):
        done.add("count")
    if function == "count_distinct" or plan.operation in ("project", "group", "count"):
        done.add("distinct")
    if plan.single:
        done.add("single")
    superlative = plan.operation in ("extreme", "compare") or function in ("max", "min")
    marks = [m for m in question.marks if m.operation in done or (superlative and m.operation[:3] in ("max", "min"))]
    return {i for mark in marks for i in range(mark.first, mark.last + 1)}


def _answers_kind(question: Question, reading: Reading, plan: Plan) -> bool:
    """Tell whether what a plan shows can be a time for "when", a name for "who", and isn't what the question
    already says.
    """
    shown = {name for name in (*plan.select[:1], plan.group) if name is not None}
    entries = [entry for entry in reading.table.columns if entry.column.name in shown]
    if question.find("when") and not any(entry.role in ("date", "year", "month") for entry in entries):
        return bool(plan.pair)
    if question.find("who", "where") and not any(entry.role == "text" for entry in entries):
        return bool(plan.pair)
    # "Who weighs the most on the team" asks for no team.
    if question.find("who") and any(
        n.entry.column.name in shown and not n.entry.concepts & PEOPLE and _behind_preposition(question, n.tokens[0])
        for n in reading.named
    ):
        return False
    # "Who won after 2007" asks for the next one, not for all that followed.
    one = question.lexicon.grammar.singular_verbs
    single = question.find("after", "before") and any(t.folded in one for t in question.tokens)
    named = any(n.entry.column.name in shown for n in reading.named)
    if plan.operation == "project" and single and named and not question.find("list"):
        return False
    if plan.operation == "project" and question.find("sum", "average", "count"):
        return False
    fixed = {c.column for c in plan.conditions if c.operator == "="}
    return plan.operation not in ("project", "extreme") or not fixed & shown


def _behind_preposition(question: Question, first: int) -> bool:
    prepositions = question.lexicon.grammar.prepositions
    return any(question.tokens[i].folded in prepositions for i in range(max(0, first - 2), first))


def _decided(scored: Sequence[ScoredPlan], index: SchemaIndex, min_score: float, min_margin: float) -> PlanOutcome:
    best = scored[0]
    rivals = [s for s in scored[1:] if s.plan.table == best.plan.table]
    margin = round(best.score - (rivals[0].score if rivals else 0.0), 6)
    outcome = PlanOutcome(
        plan=best.plan,
        score=best.score,
        margin=margin,
        coverage=best.coverage,
        alternatives=tuple(s for s in scored[1:] if s.plan.table == best.plan.table or not s.unexplained)[:_KEPT],
        explained=best.explained,
        unexplained=best.unexplained,
    )
    if best.unexplained:
        words = ", ".join(f"“{word}”" for word in best.unexplained)
        nearest = _nearest_values(best.unexplained, index)
        return replace(outcome, plan=None, reason=f"no column or value explains {words}", nearest=nearest)
    if best.score < min_score:
        return replace(outcome, plan=None, reason=f"the best plan scores {best.score:.2f}, below {min_score:.2f}")
    if margin < min_margin:
        alike = [best, *(s for s in rivals if best.score - s.score < min_margin)]
        contested = (
            tuple(s.plan for s in alike) if len(alike) <= _KEPT and not any(s.unexplained for s in alike) else ()
        )
        reason = f"two plans fit alike (margin {margin:.3f}){_differing(alike, index)}"
        return replace(outcome, plan=None, reason=reason, contested=contested)
    return outcome


def _differing(alike: Sequence[ScoredPlan], index: SchemaIndex) -> str:
    """Name the columns between which plans that fit alike leave it open."""
    names = dict.fromkeys(s.plan.measure.column if s.plan.measure else s.plan.order for s in alike)
    table = index.by_name[alike[0].plan.table]
    labels = {c.column.name: c.column.label for c in table.columns}
    shown = [labels.get(name or "", "") for name in names]
    return f": {' or '.join(f'“{label}”' for label in shown)}" if len(shown) > 1 and all(shown) else ""


def _nothing(question: Question, index: SchemaIndex, similar: Similar | None) -> PlanOutcome:
    """Say which words no table knows, or that the operation isn't clear."""
    known: set[int] = set()
    for _, position in reached(question, index.postings):
        links = link(question, index.tables[position], similar)
        known.update(i for named in links.columns for i in named.tokens)
        known.update(i for value in links.values for i in value.tokens)
        known.update(links.label)
    missing = [question.tokens[i].text for i in question.content() if i not in known]
    if missing:
        words = ", ".join(f"“{word}”" for word in missing)
        nearest = _nearest_values(missing, index)
        reason = f"no column or value explains {words}"
        return PlanOutcome(None, reason=reason, unexplained=tuple(missing), nearest=nearest)
    for mark in question.find("not", "except"):
        denying = " ".join(token.text for token in question.tokens[mark.first : mark.last + 1])
        return PlanOutcome(None, reason=f"“{denying}” denies nothing that a column or value can leave out")
    return PlanOutcome(None, reason="no single table operation fits the question")


def _nearest_values(words: Sequence[str], index: SchemaIndex) -> tuple[str, ...]:
    """Return the values that are spelled most like words that name none, best first, at most 3."""
    near = [name for word in words for name in index.spellings.nearest(word)]
    return tuple(dict.fromkeys(value for name in near for value in index.values_by_word[name]))[:3]
