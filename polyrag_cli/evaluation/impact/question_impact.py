"""Where questions would go under other settings, beside where they go now.

Owns the comparison of decisions by route. Writes nothing; must never print.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from polyrag_cli.engine import Engine
from polyrag_cli.errors import StoreError, UsageError
from polyrag_cli.evaluation.tuning.kept_questions import routed
from polyrag_cli.routing.replay import decision_from_json
from polyrag_cli.types import EvalItem, RouteDecision

MAX_QUESTIONS = 200
NOTHING = "nothing"
"""Where a clause goes that no store's evidence supports."""


@dataclass(frozen=True, slots=True)
class QuestionMove:
    """A question's routes, one per clause, and the smallest final margin of its clauses, now and then.

    A clause that no evidence supports goes to "nothing". right_before, right_after: whether the labels ask for this;
    None without a label. lost: a question that should be answered was, and no clause of it would be any more.
    """

    question: str
    old: tuple[str, ...]
    new: tuple[str, ...]
    old_margin: float
    new_margin: float
    expected: tuple[str, ...] = ()
    right_before: bool | None = None
    right_after: bool | None = None
    lost: bool = False


def destinations(decision: RouteDecision) -> tuple[str, ...]:
    """The route of each clause, "nothing" where no store's evidence suffices."""
    return tuple(clause.route if clause.answerable else NOTHING for clause in decision.clauses)


def is_right(item: EvalItem, decision: RouteDecision) -> bool | None:
    """Whether a decision is what the item's labels ask for, and answers what should be answered; None without labels.

    False is what an evaluation counts as a miss of `router`, `coverage` or `declined`, as far as the decision says: an
    answerable clause can still be declined by its store.
    """
    answered = _answered(decision)
    if item.declines:
        return not answered
    if item.routes:
        return answered and routed(item, decision.clauses)
    return answered if item.facts or item.values or item.relevant or item.gold else None


def _answered(decision: RouteDecision) -> bool:
    return any(clause.answerable for clause in decision.clauses)


def question_move(item: EvalItem, old: RouteDecision, new: RouteDecision) -> QuestionMove:
    """How a question's decision changes."""
    right_after = is_right(item, new)
    asks_answer = right_after is not None and not item.declines
    return QuestionMove(
        item.question,
        destinations(old),
        destinations(new),
        _margin(old),
        _margin(new),
        (NOTHING,) if item.declines else item.routes,
        is_right(item, old),
        right_after,
        asks_answer and _answered(old) and not _answered(new),
    )


def _margin(decision: RouteDecision) -> float:
    return min((clause.final_margin for clause in decision.clauses if clause.scores), default=0.0)


def asked_before(engine: Engine) -> Mapping[str, RouteDecision]:
    """The newest stored questions with the decisions that they got, newest first, each once, at most 200; answers
    from the cache and forced routes are left out."""
    found: dict[str, RouteDecision] = {}
    for record in engine.activity.list_traces(limit=5 * MAX_QUESTIONS, cached=False):
        if record.question not in found and len(found) < MAX_QUESTIONS:
            decision = _stored(engine, record.trace_id)
            if decision is not None and all(clause.stage for clause in decision.clauses):
                found[record.question] = decision
    return found


def questions_asked(engine: Engine, n: int) -> list[str]:
    """The n newest stored questions at most, newest first, each once; answers from the cache are left out."""
    records = engine.activity.list_traces(limit=5 * n, cached=False)
    asked = (record.question for record in records if any(c.isalnum() for c in record.question))
    return list(dict.fromkeys(asked))[:n]


def _stored(engine: Engine, trace_id: str) -> RouteDecision | None:
    """The decision in a trace; None when it can't be read, as that of another version, or is kept no longer."""
    try:
        return decision_from_json(engine.stored_trace(trace_id)["decision"])
    except (StoreError, UsageError):
        return None


def unlabelled(questions: Iterable[str]) -> list[EvalItem]:
    """Questions as items without labels."""
    return [EvalItem(question) for question in questions]


def changed(moves: Sequence[QuestionMove]) -> tuple[QuestionMove, ...]:
    """Those that go elsewhere."""
    return tuple(move for move in moves if move.old != move.new)
