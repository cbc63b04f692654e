"""Owns what is told of how a question was read on a table: linked words, what the score is made of, other answers."""

from __future__ import annotations

from collections.abc import Sequence

from polyrag_cli.nl2sql.deciding import Candidate
from polyrag_cli.nl2sql.items import ColumnItem, Restriction
from polyrag_cli.nl2sql.outcomes import Outcome
from polyrag_cli.nl2sql.question import Question
from polyrag_cli.nl2sql.scope import Scope
from polyrag_cli.types import LinkedSpan, TableAnswer, TableReading

# Cells that are shown of another answer, and values of a link.
_SHOWN = 3
_VALUES = 5


def reading_of(outcome: Outcome, chosen: Candidate) -> TableReading:
    """Return how the question was read by the candidate that answers it."""
    score, scope = chosen.score, chosen.reading.scope
    return TableReading(
        operator=chosen.reading.proposal.operator,
        spans=tuple(_spans(scope)),
        coverage=score.coverage,
        links=score.links,
        prior=round(chosen.reading.proposal.prior, 6),
        score=chosen.total,
        confidence=outcome.confidence,
        margin=outcome.margin,
        others=answers_of(outcome.alternatives),
        evidence=outcome.evidence,
    )


def answers_of(candidates: Sequence[Candidate]) -> tuple[TableAnswer, ...]:
    """Return what candidates answer, by their statements and the first cells of their rows."""
    return tuple(TableAnswer(c.sql, tuple(row[0] for row in c.rows.rows[:_SHOWN]), c.total) for c in candidates)


def _spans(scope: Scope) -> list[LinkedSpan]:
    question = scope.question
    restricting = [_restricting(question, scope, restriction) for restriction in scope.chosen]
    naming: list[LinkedSpan] = []
    told: list[set[int]] = []
    for item in sorted(scope.free, key=lambda item: -len(item.tokens)):
        if not any(told_by.issuperset(item.tokens) for told_by in told):
            told.append(set(item.tokens))
            naming.append(_naming(question, scope, item))
    return restricting + naming


def _restricting(question: Question, scope: Scope, restriction: Restriction) -> LinkedSpan:
    values = [str(value) for condition in restriction.conditions for value in condition.values][:_VALUES]
    column = scope.entry(restriction).column.label
    return LinkedSpan(
        _words(question, restriction.tokens), restriction.kind, column, restriction.quality, tuple(values)
    )


def _naming(question: Question, scope: Scope, item: ColumnItem) -> LinkedSpan:
    return LinkedSpan(_words(question, item.tokens), "column", scope.entry(item).column.label, item.quality)


def _words(question: Question, tokens: Sequence[int]) -> str:
    return " ".join(question.tokens[i].text for i in tokens)
