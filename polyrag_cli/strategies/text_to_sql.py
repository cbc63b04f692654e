"""Owns the relational strategy: question to readings, readings to SQL, SQL to a stated figure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING

from polyrag_cli.errors import PolyRAGError
from polyrag_cli.nl2sql.deciding import Candidate, Run, denotation, unreadable
from polyrag_cli.nl2sql.operators.aggregate import Aggregate
from polyrag_cli.nl2sql.outcomes import Outcome, answer_question
from polyrag_cli.nl2sql.question import take_apart
from polyrag_cli.nl2sql.rendering import Renderer
from polyrag_cli.nl2sql.similarity import WordSimilarity
from polyrag_cli.nl2sql.stating import Speaker
from polyrag_cli.providers.base import Embedder
from polyrag_cli.stores.faults import StaleSnapshot
from polyrag_cli.strategies.base import Context, Query
from polyrag_cli.strategies.table_reading import answers_of, reading_of
from polyrag_cli.tracing import span
from polyrag_cli.types import ClauseDecision, Retrieval, Rows

if TYPE_CHECKING:
    from polyrag_cli.nl2sql.index import SchemaIndex
    from polyrag_cli.nl2sql.related.deciding import RelatedCandidate

# Below this confidence in one table, related ones are right nine times of ten where they say something else.
_SURE = 0.7
_CONFLICT = "one table and its related ones answer differently"


class TextToSQLStrategy:
    """Answers a clause with one SELECT, or says why none may."""

    name = "text_to_sql"

    def __init__(self) -> None:
        self._lock = Lock()
        self._similarity: tuple[Embedder, WordSimilarity] | None = None

    def retrieve(self, query: Query, decision: ClauseDecision, context: Context) -> Retrieval:
        """Return the rows with their statement, their table and the stated answer; empty with a warning when it
        declines.
        """

        over = _runner(context)

        def run(sql: str, table: str) -> Rows:
            return over(sql, (table,))

        try:
            with span("rag.relational.generate_sql") as traced:
                index = context.tables.of(context.stores, context.snapshot)
                traced.set_attribute("tables", len(context.stores.relational.refs(context.snapshot)))
                outcome = answer_question(
                    query.utterance,
                    index,
                    self._similar(context),
                    run,
                    min_confidence=context.answer.min_confidence,
                    weights=context.table_confidence,
                )
                traced.set_attribute("confidence", outcome.confidence)
                traced.set_attribute("margin", outcome.margin)
                related = self._related(query, context, index)
                if related is not None and _counts(related, outcome):
                    traced.set_attribute("related_tables", len(related.tables))
                    return _told(related, query)
                if outcome.chosen is None:
                    traced.set_attribute("declined", outcome.reason)
                    return _declined(outcome)
                named, names = self._named(outcome.chosen, context, index)
                if related is not None and _contradicts(related, outcome.chosen) and _contradicts(related, named):
                    traced.set_attribute("declined", _CONFLICT)
                    return _declined(replace(outcome, chosen=None, reason=_CONFLICT))
            with span("rag.relational.execute") as traced:
                rows = named.rows
                traced.set_attribute("rows", len(rows.rows))
                matched = _matched(outcome.chosen, run)
        except StaleSnapshot:
            raise
        except PolyRAGError as error:
            return Retrieval(degraded=error.message, warnings=(f"SQL failed: {error}",))
        chosen = named
        speaker = Speaker(chosen.table.schema, query.language, matched)
        found = Retrieval(
            rows=rows if rows.sql else replace(rows, sql=chosen.sql),
            table=chosen.table.schema,
            answer=chosen.reading.proposal.expression.state(speaker, rows),
            warnings=(*outcome.warnings, *_read_from((chosen.table.schema.name, *names))),
            reading=reading_of(outcome, chosen),
        )
        if context.sql_writer is None:
            return found
        from polyrag_cli.strategies.second_writer import compared

        read = {chosen.table.schema.name, *(other.table.schema.name for other in outcome.alternatives)}
        return compared(found, query, context.stores.relational.schemas(context.snapshot, read), context)

    def _named(self, chosen: Candidate, context: Context, index: SchemaIndex) -> tuple[Candidate, tuple[str, ...]]:
        """Return a candidate with names for codes, and the table that has them."""
        if len(index.names) < 2:
            return chosen, ()
        relations = context.relations.leading(context.stores, context.snapshot, chosen.table.schema.name)
        if not relations:
            return chosen, ()
        from polyrag_cli.nl2sql.named_codes import with_names

        named, table = with_names(chosen, index, relations, _runner(context))
        return named, (table,) if table else ()

    def _related(self, query: Query, context: Context, index: SchemaIndex) -> RelatedCandidate | None:
        """Return what several related tables answer together; None where none are related, or none may answer."""
        question = take_apart(query.utterance)
        if len(index.names) < 2 or unreadable(question):
            return None
        ties = context.relations.ties(context.stores, context.snapshot, index)
        if not ties.groups:
            return None
        from polyrag_cli.nl2sql.related.deciding import decide_related

        return decide_related(question, index, ties, self._similar(context), _runner(context)).answer

    def _similar(self, context: Context) -> WordSimilarity | None:
        embedder, labels = context.embedder, context.stores.labels
        if embedder.dimension == 0:
            return None
        with self._lock:
            if self._similarity is None or self._similarity[0] is not embedder:
                kept = labels.of(embedder.name, embedder.dimension) if labels is not None else None
                self._similarity = (embedder, WordSimilarity(embedder.embed, kept))
            return self._similarity[1]


def _matched(chosen: Candidate, run: Run) -> int | None:
    """Return how many rows a single figure comes from; None for anything else."""
    expression = chosen.reading.proposal.expression
    if not isinstance(expression, Aggregate):
        return None
    counted = run(Renderer(chosen.table).matched(expression.figure), chosen.table.schema.name).rows[0][0]
    return counted if isinstance(counted, int) else None


def _counts(related: RelatedCandidate, outcome: Outcome) -> bool:
    """Whether related tables answer where one alone doesn't, or hardly does."""
    return outcome.chosen is None or (len(related.tables) > 1 and outcome.confidence < _SURE)


def _contradicts(related: RelatedCandidate, alone: Candidate) -> bool:
    """Whether several tables say something else than one; a single one is read as well without relations."""
    return len(related.tables) > 1 and denotation(related.rows) != denotation(alone.rows)


def _told(found: RelatedCandidate, query: Query) -> Retrieval:
    """Return what related tables answer, with the names of those that were read."""
    table = found.reading.table.schema
    stated = found.reading.state(Speaker(table, query.language), found.rows)
    rows = found.rows if found.rows.sql else replace(found.rows, sql=found.sql)
    return Retrieval(rows=rows, table=table, answer=stated, warnings=_read_from(found.tables))


def _runner(context: Context) -> Callable[[str, Sequence[str]], Rows]:
    """Return what runs a SELECT of the planner over some tables."""

    def run(sql: str, tables: Sequence[str]) -> Rows:
        return context.stores.relational.execute(context.snapshot, sql, tables, context.answer.max_rows, trusted=True)

    return run


def _read_from(tables: Sequence[str]) -> tuple[str, ...]:
    """Return what says which tables were read, of several."""
    return (f"read from {', '.join(tables)}, which are related",) if len(tables) > 1 else ()


def _declined(outcome: Outcome) -> Retrieval:
    if outcome.empty is not None:
        return Retrieval(table=outcome.empty.schema, warnings=(outcome.reason,))
    nearest = f"; nearest values: {', '.join(outcome.nearest)}" if outcome.nearest else ""
    warning = f"no SQL: {outcome.reason}{nearest}"
    # What leaves no word unexplained was left open between answers.
    open_to = () if outcome.unexplained else answers_of(outcome.alternatives)
    return Retrieval(warnings=(warning,), unexplained=outcome.unexplained, alternatives=open_to)
