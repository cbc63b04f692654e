"""Where questions would go under other settings, beside where they go now.

Owns the comparison of decisions by route. Writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from polyrag_cli.types import ClauseDecision, EvalItem, QuestionMove, RouteDecision
from polyrag_cli.types.impact import NOTHING


def destinations(decision: RouteDecision) -> tuple[str, ...]:
    """The route of each clause, "nothing" where no store's evidence suffices."""
    return tuple(clause.route if clause.answerable else NOTHING for clause in decision.clauses)


def routed(item: EvalItem, clauses: Sequence[ClauseDecision]) -> bool:
    """Whether clauses go to exactly the labelled routes."""
    return {clause.route for clause in clauses} == set(item.routes)


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


def unlabelled(questions: Iterable[str]) -> list[EvalItem]:
    """Questions as items without labels."""
    return [EvalItem(question) for question in questions]


def changed(moves: Sequence[QuestionMove]) -> tuple[QuestionMove, ...]:
    """Those that go elsewhere."""
    return tuple(move for move in moves if move.old != move.new)
