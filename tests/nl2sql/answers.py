"""What a question of a few small tables comes to: its outcome, and the line that states the answer."""

from __future__ import annotations

from polyrag_cli.nl2sql.deciding import Candidate
from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.nl2sql.operators.aggregate import Aggregate
from polyrag_cli.nl2sql.outcomes import Outcome, answer_question
from polyrag_cli.nl2sql.rendering import Renderer
from polyrag_cli.nl2sql.similarity import Similar
from polyrag_cli.nl2sql.stating import Speaker
from polyrag_cli.text.utterance import read
from polyrag_cli.types import Rows
from tests.nl2sql.tables import MemoryStore


def outcome_of(
    language: str, question: str, index: SchemaIndex, store: MemoryStore, similar: Similar | None = None
) -> Outcome:
    """What a question comes to, with all readings run in the store."""

    def run(sql: str, table: str) -> Rows:
        return store.execute(None, sql, (table,))

    return answer_question(read(question, language), index, similar, run)


def answered(
    language: str, question: str, index: SchemaIndex, store: MemoryStore, similar: Similar | None = None
) -> Candidate:
    """The reading that answers a question; fails with the reason where none may."""
    outcome = outcome_of(language, question, index, store, similar)
    assert outcome.chosen is not None, outcome.reason
    return outcome.chosen


def line_of(
    language: str, question: str, index: SchemaIndex, store: MemoryStore, similar: Similar | None = None
) -> str:
    """The line that states the answer; fails with the reason where nothing may answer."""
    return stated(answered(language, question, index, store, similar), language, store)


def stated(chosen: Candidate, language: str, store: MemoryStore) -> str:
    """A reading's answer in words, with the number of rows that a single figure comes from."""
    expression, matched = chosen.reading.proposal.expression, None
    if isinstance(expression, Aggregate):
        matched = store.execute(None, Renderer(chosen.table).matched(expression.figure)).rows[0][0]
    assert matched is None or isinstance(matched, int)
    return expression.state(Speaker(chosen.table.schema, language, matched), chosen.rows)


def same(one: Outcome, other: Outcome) -> bool:
    """Whether two outcomes say the same with the same statements, by whichever index they were found."""
    return _plain(one) == _plain(other)


def _plain(outcome: Outcome) -> tuple[object, ...]:
    candidates = [*([outcome.chosen] if outcome.chosen else []), *outcome.alternatives]
    said = outcome.reason, outcome.unexplained, outcome.nearest, outcome.also, outcome.margin, outcome.confidence
    return (*said, [(c.table.schema.name, c.sql, c.rows, c.total) for c in candidates], outcome.warnings)
