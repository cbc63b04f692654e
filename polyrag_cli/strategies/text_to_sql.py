"""Owns the relational strategy: question to plan, plan to SQL, SQL to a stated figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from threading import Lock

from polyrag_cli.errors import PolyRAGError
from polyrag_cli.nl2sql.guard import check_plan
from polyrag_cli.nl2sql.plans import Plan, PlanOutcome
from polyrag_cli.nl2sql.ranking import plan_question
from polyrag_cli.nl2sql.similarity import WordSimilarity
from polyrag_cli.nl2sql.sql import render, render_matched
from polyrag_cli.nl2sql.stating import state_rows
from polyrag_cli.providers.base import Embedder
from polyrag_cli.stores.faults import StaleSnapshot
from polyrag_cli.strategies.base import Context, Query
from polyrag_cli.tracing import span
from polyrag_cli.types import ClauseDecision, Retrieval, Rows, TableSchema


class TextToSQLStrategy:
    """Answers a clause with one SELECT over one table, or says why none may."""

    name = "text_to_sql"

    def __init__(self) -> None:
        self._lock = Lock()
        self._similarity: tuple[Embedder, WordSimilarity] | None = None

    def retrieve(self, query: Query, decision: ClauseDecision, context: Context) -> Retrieval:
        """Return the rows with their statement, their table and the stated answer; empty with a warning when it
        declines.
        """
        with span("rag.relational.generate_sql") as traced:
            schemas = context.stores.relational.schemas(context.snapshot)
            traced.set_attribute("tables", len(schemas))
            index = context.tables.of(schemas)
            outcome = plan_question(query.utterance, index, self._similar(context))
            if outcome.contested:
                outcome = self._settled(outcome, schemas, context)
            plan = outcome.plan
            if plan is None:
                traced.set_attribute("declined", outcome.reason)
                return Retrieval(warnings=_declined(outcome), unexplained=outcome.unexplained)
            table = next(schema for schema in schemas if schema.name == plan.table)
            sql = render(plan, table)
            checked = check_plan(plan, table)
            traced.set_attribute("score", outcome.score)
            traced.set_attribute("margin", outcome.margin)
        warnings = [f"no {u.column} “{u.value}”; nearest: {', '.join(u.nearest) or 'none'}" for u in checked.unknown]
        try:
            rows, matched = self._run(plan, table, sql, context)
        except StaleSnapshot:
            raise
        except PolyRAGError as error:
            return Retrieval(degraded=error.message, warnings=(*warnings, f"SQL failed: {error}"))
        if _says_nothing(rows):
            return Retrieval(table=table, warnings=(*warnings, f"no row of {table.name} matches"))
        if plan.single and len(rows.rows) > 1:
            return Retrieval(table=table, warnings=(*warnings, f"no SQL: {len(rows.rows)} answers where one is asked"))
        other = self._contradicting(outcome, rows, schemas, context)
        if other:
            return Retrieval(warnings=(*warnings, f"no SQL: {table.name} and {other} answer differently; name one"))
        answer = state_rows(query.text, rows, table, plan, query.language, matched)
        found = Retrieval(rows=rows, table=table, answer=answer, warnings=(*warnings, *_ties(outcome)))
        if context.sql_writer is None:
            return found
        from polyrag_cli.strategies.second_writer import compared

        named = {table.name, *(other.plan.table for other in outcome.alternatives)}
        return compared(found, query, [schema for schema in schemas if schema.name in named], context)

    def _run(self, plan: Plan, table: TableSchema, sql: str, context: Context) -> tuple[Rows, int | None]:
        with span("rag.relational.execute") as traced:
            store, snapshot = context.stores.relational, context.snapshot
            rows = store.execute(snapshot, sql, (table.name,), context.answer.max_rows, trusted=True)
            traced.set_attribute("rows", len(rows.rows))
            matched: int | None = None
            if plan.operation == "aggregate":
                counting = render_matched(plan, table)
                counted = store.execute(snapshot, counting, (table.name,), 1, trusted=True).rows[0][0]
                matched = counted if isinstance(counted, int) else None
        return (rows if rows.sql else replace(rows, sql=sql)), matched

    def _settled(self, outcome: PlanOutcome, schemas: tuple[TableSchema, ...], context: Context) -> PlanOutcome:
        """Return the outcome with the best of its contested plans when all of them give the same answer."""
        by_name = {schema.name: schema for schema in schemas}
        answers = set()
        for plan in outcome.contested:
            table = by_name[plan.table]
            try:
                rows, _ = self._run(plan, table, render(plan, table), context)
            except StaleSnapshot:
                raise
            except PolyRAGError:
                return outcome
            # What ranks is shown beside what is asked for.
            shown = 1 if plan.operation == "extreme" else None
            answers.add(tuple(row[:shown] for row in rows.rows))
        return replace(outcome, plan=outcome.contested[0]) if len(answers) == 1 else outcome

    def _contradicting(
        self, outcome: PlanOutcome, rows: Rows, schemas: tuple[TableSchema, ...], context: Context
    ) -> str:
        """Return the table whose equally good plan gives other rows, "" when there is none."""
        by_name = {schema.name: schema for schema in schemas}
        for tied in _tied(outcome):
            table = by_name[tied.table]
            try:
                found, _ = self._run(tied, table, render(tied, table), context)
            except StaleSnapshot:
                raise
            except PolyRAGError:
                continue
            if not _says_nothing(found) and found.rows != rows.rows:
                return table.name
        return ""

    def _similar(self, context: Context) -> WordSimilarity | None:
        embedder, labels = context.embedder, context.stores.labels
        if embedder.dimension == 0:
            return None
        with self._lock:
            if self._similarity is None or self._similarity[0] is not embedder:
                kept = labels.of(embedder.name, embedder.dimension) if labels is not None else None
                self._similarity = (embedder, WordSimilarity(embedder.embed, kept))
            return self._similarity[1]


def _declined(outcome: PlanOutcome) -> tuple[str, ...]:
    nearest = f"; nearest values: {', '.join(outcome.nearest)}" if outcome.nearest else ""
    return (f"no SQL: {outcome.reason}{nearest}",) if outcome.reason else ()


def _tied(outcome: PlanOutcome) -> list[Plan]:
    """Return the best plan of each other table that does as well, by name."""
    tied: dict[str, Plan] = {}
    for other in outcome.alternatives:
        as_well = outcome.plan is not None and other.plan.table != outcome.plan.table
        if as_well and other.score >= outcome.score and not other.unexplained:
            tied.setdefault(other.plan.table, other.plan)
    return [tied[name] for name in sorted(tied)]


def _ties(outcome: PlanOutcome) -> tuple[str, ...]:
    """Name the tables that would have answered alike."""
    tables: Sequence[str] = [plan.table for plan in _tied(outcome)]
    return (f"answered by {', '.join(tables)} as well",) if tables else ()


def _says_nothing(rows: Rows) -> bool:
    """Whether a result holds no row, or a single one without any value."""
    return not rows.rows or (len(rows.rows) == 1 and all(cell is None for cell in rows.rows[0]))
