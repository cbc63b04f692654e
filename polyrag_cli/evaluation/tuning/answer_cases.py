"""Labelled questions with what the engine computes the probability of an answer from.

Owns which questions say something of it. Writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from polyrag_cli.engine import Engine
from polyrag_cli.scoring.metrics import contains_fact
from polyrag_cli.types import Answer, EvalItem


@dataclass(frozen=True, slots=True)
class AnswerCase:
    """One question of one folder, asked with no least probability.

    answerable: whether something there answers it. right: whether the answer holds its facts, None where none are
    labelled. signs: what the probability is computed from, by the names of its weights; {} where it is declined before.
    declined: whether it is, whatever the probability. tags: as labelled.
    """

    folder: str
    question: str
    answerable: bool
    right: bool | None
    signs: Mapping[str, float]
    declined: bool
    tags: tuple[str, ...] = ()


def ask_for_signs(
    engine: Engine, folder: str, items: Sequence[EvalItem], on_item: Callable[[int, int], None] = lambda done, of: None
) -> tuple[list[AnswerCase], dict[str, int]]:
    """Asks a folder's questions; returns its cases, and how many of the questions are none, by the reason.

    engine: over the folder, with answer.min_probability = 0, so that each answer is told with its probability.
    on_item: told how many are done, of how many.
    """
    tables = frozenset(route.name for route in engine.settings.routes if route.kind.has_rows)
    cases: list[AnswerCase] = []
    left_out: dict[str, int] = {}
    for number, item in enumerate(items, 1):
        reason = "labelled as one for tables" if item.routes and tables.issuperset(item.routes) else ""
        if not reason:
            answer = engine.ask(item.question, use_cache=False)
            reason = _unfit(answer)
        if reason:
            left_out[reason] = left_out.get(reason, 0) + 1
        else:
            cases.append(_case(folder, item, answer))
        on_item(number, len(items))
    return cases, left_out


def _unfit(answer: Answer) -> str:
    """Why a question says nothing of the probability; "" where it does."""
    if len(answer.decision.clauses) > 1:
        return "of several clauses"
    if answer.answer is not None and answer.probability is None:
        return "answered without a quote"
    return ""


def _case(folder: str, item: EvalItem, answer: Answer) -> AnswerCase:
    text = answer.answer or ""
    wanted = (*item.facts, *item.values)
    right = all(contains_fact(text, fact) for fact in wanted) if wanted else None
    return AnswerCase(
        folder, item.question, not item.declines, right, answer.signs, answer.answer is None, tuple(item.tags)
    )
