"""From a routing decision to an answer: retrieval per clause, hand-over between stores, composing.

Owns the order in which stores are asked and what happens when one has nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from polyrag_cli.answering.citations import numbered
from polyrag_cli.answering.clause_answer import ClauseAnswer, likelier, probability_of
from polyrag_cli.answering.expected import interrogative
from polyrag_cli.answering.extractive import Extract, extract
from polyrag_cli.answering.lacking import lacking
from polyrag_cli.config.sections import (
    AnswerProbabilitySettings,
    AnswerSettings,
    RetrievalSettings,
    TableConfidenceSettings,
)
from polyrag_cli.errors import StoreError
from polyrag_cli.languages import UNDETERMINED
from polyrag_cli.nl2sql.indexes import TableIndexes
from polyrag_cli.providers.base import Embedder
from polyrag_cli.providers.sql_writer import SqlWriter
from polyrag_cli.registry import resolve
from polyrag_cli.scoring.fusion import weighted
from polyrag_cli.stores.backends import Stores
from polyrag_cli.stores.base import Snapshot
from polyrag_cli.stores.faults import StaleSnapshot
from polyrag_cli.strategies.base import Context, Query, Strategy
from polyrag_cli.strategies.distinct import with_versions
from polyrag_cli.strategies.passages import hit_of, read_chunks
from polyrag_cli.strategies.table_relations import TableRelations
from polyrag_cli.text.fold import fold
from polyrag_cli.text.stem import all_stems
from polyrag_cli.text.utterance import read
from polyrag_cli.text.words import content_words
from polyrag_cli.tracing import span
from polyrag_cli.types import (
    Answer,
    ClauseDecision,
    HeadScore,
    Hit,
    Retrieval,
    RouteDecision,
    RouteKind,
    TableAnswer,
)

# A clause for a table is handed to a text route whose final score is this near, and else only to quotes that answer
# with this probability.
HANDOVER_MARGIN = 0.2
SURE = 0.9
# Of the decided text route and of the second one, where a clause lies inside the margin.
FUSION_WEIGHTS = (0.6, 0.4)
# Passages among which quotes are chosen.
POOL = 20
_NO_DOCUMENT = "this corpus holds no document yet: `polyrag ingest PATH` reads a file or folder"


class Answerer:
    """Answers clauses from the stores that their decisions name.

    routes: route name → (kind, strategy) as configured; "auto" leaves the strategy to the router.
    limits: among them the longest extractive answer of a whole question. tables: the index that the router reads too;
    relations: how they are related. sql_writer: writes a second statement for what is asked of tables.
    answer_probability, table_confidence: the weights that say how likely quotes and figures answer.
    """

    def __init__(
        self,
        stores: Stores,
        embedder: Embedder,
        retrieval: RetrievalSettings,
        routes: Mapping[str, tuple[RouteKind, str]],
        limits: AnswerSettings,
        tables: TableIndexes,
        relations: TableRelations,
        answer_probability: AnswerProbabilitySettings,
        table_confidence: TableConfidenceSettings,
        sql_writer: SqlWriter | None = None,
    ) -> None:
        self._answer_probability = answer_probability
        self._table_confidence = table_confidence
        self._sql_writer = sql_writer
        self._stores = stores
        self._embedder = embedder
        self._retrieval = retrieval
        self._routes = routes
        self._limits = limits
        self._tables = tables
        self._relations = relations
        self._strategies: dict[str, Strategy] = {}

    def answer(self, asked: Query, decision: RouteDecision, snapshot: Snapshot) -> Answer:
        """Answers every clause of the whole question `asked` and puts the answers together, labelled if several.

        An answer that had to do without a store says so in `degraded`, and is none to keep.
        """
        forced = decision.forced_route is not None
        queries = [self._query(clause.text, asked) for clause in decision.clauses]
        parts = [
            self._clause(clause, query, snapshot, forced)
            for clause, query in zip(decision.clauses, queries, strict=True)
        ]
        return self._compose(asked, decision, parts, snapshot)

    def search(self, asked: Query, decision: RouteDecision, snapshot: Snapshot) -> tuple[Hit, ...]:
        """Passages for a whole query, whatever its clauses; tables give none.

        Raises StoreError when a store can't be read: no other one stands in for it.
        """
        clause = replace(decision.clauses[0], text=asked.text)
        if clause.strategy in ("text_to_sql", "direct"):
            clause = replace(clause, strategy="hybrid")
        context = self._context(snapshot)
        return with_versions(
            self._strategy(clause.strategy).retrieve(asked, clause, context).hits[: asked.top_k], context
        )

    # ------------------------------------------------------------ one clause
    def _query(self, text: str, asked: Query) -> Query:
        """A clause's query; the question itself isn't embedded again."""
        if text == asked.text:
            return asked
        own = read(text)
        own = own if own.language != UNDETERMINED else read(text, asked.language)
        return Query(own, self._embedder.embed_query(text), asked.top_k)

    def _clause(self, clause: ClauseDecision, query: Query, snapshot: Snapshot, forced: bool) -> ClauseAnswer:
        warnings: list[str] = []
        degraded, lack = "", "has nothing on this"
        likely: ClauseAnswer | None = None
        alternatives: tuple[TableAnswer, ...] = ()
        unexplained: tuple[str, ...] = ()
        for name, strategy, least in self._candidates(clause, forced):
            found = self._retrieve(strategy, query, clause, snapshot)
            if name == clause.route:
                found = self._fused(found, query, clause, snapshot)
                lack = "failed" if found.degraded else lack
                asking = interrogative(query.utterance)
                unexplained = tuple(word for word in found.unexplained if fold(word) not in asking)
                alternatives = found.alternatives
            stated = self._state(query, clause, found, snapshot)
            likely = likelier(likely, stated)
            degraded = degraded or stated.retrieval.degraded
            if stated.text is not None and name != clause.route:
                if not _says(stated, unexplained) or (stated.probability or 0.0) < least:
                    continue
                warnings.append(f"{clause.route} {lack}; answered from {name}")
            warnings += stated.retrieval.warnings
            if stated.text is not None:
                told = replace(stated.retrieval, warnings=tuple(warnings), degraded=degraded)
                return replace(stated, retrieval=told)
        nothing = Retrieval(warnings=tuple(warnings), degraded=degraded, alternatives=alternatives)
        if likely is None:
            return ClauseAnswer(clause, nothing, None)
        return ClauseAnswer(clause, nothing, None, probability=likely.probability, signs=likely.signs)

    def _candidates(self, clause: ClauseDecision, forced: bool) -> list[tuple[str, str, float]]:
        """Routes to ask, the decided one first, then by final score; each with its strategy, and the least probability
        that its quotes must answer with.

        What stands in rows is rarely said in words, and a quote about the same names would look like an answer: a
        clause for a table goes on to passages that were nearly chosen, or that answer surely.
        """
        first = (clause.route, clause.strategy, 0.0)
        if forced or clause.strategy == "direct":
            return [first]
        if not clause.answerable:
            return []
        best = max((s.final_score for s in clause.scores), default=0.0)
        has_rows = self._routes[clause.route][0].has_rows
        return [
            first,
            *(
                (s.route, self._strategy_of(s.route), SURE * (has_rows and best - s.final_score > HANDOVER_MARGIN))
                for s in clause.scores
                if s.route != clause.route
            ),
        ]

    def _fused(self, found: Retrieval, query: Query, clause: ClauseDecision, snapshot: Snapshot) -> Retrieval:
        """The passages found, fused with those of the other text route of a clause inside the margin."""
        other = next((name for name in clause.also if not self._routes[name][0].has_rows), None)
        if other is None or found.rows is not None or not (found.hits or found.answer):
            return found
        more = self._retrieve(self._strategy_of(other), query, clause, snapshot)
        hits = fuse_hits((found.hits, more.hits), FUSION_WEIGHTS)
        degraded = found.degraded or more.degraded
        return replace(found, hits=tuple(hits), quotable=(), warnings=found.warnings + more.warnings, degraded=degraded)

    def _strategy_of(self, route: str) -> str:
        strategy = self._routes[route][1]
        return "hybrid" if strategy == "auto" else strategy

    def _strategy(self, name: str) -> Strategy:
        if name not in self._strategies:
            self._strategies[name] = resolve("strategy", name)()
        return self._strategies[name]

    def _retrieve(self, strategy: str, query: Query, clause: ClauseDecision, snapshot: Snapshot) -> Retrieval:
        # An answer is chosen among more passages than are shown as its sources.
        wide = replace(query, top_k=max(query.top_k, POOL))
        try:
            return self._strategy(strategy).retrieve(wide, clause, self._context(snapshot))
        except StoreError as error:
            return _degraded(strategy, error)

    def _context(self, snapshot: Snapshot) -> Context:
        return Context(
            snapshot,
            self._stores,
            self._embedder,
            self._retrieval,
            self._limits,
            self._tables,
            self._relations,
            self._sql_writer,
            self._answer_probability,
            self._table_confidence,
        )

    def _state(self, query: Query, clause: ClauseDecision, found: Retrieval, snapshot: Snapshot) -> ClauseAnswer:
        if found.answer is not None or not found.hits:
            return ClauseAnswer(clause, found, found.answer)
        try:
            with span("answer.extractive", hits=len(found.hits)):
                limits = self._limits
                extracted: Extract | None = extract(
                    query,
                    found.quotable or found.hits,
                    self._context(snapshot),
                    limits.max_words,
                    limits.min_probability,
                )
        except StoreError as error:
            return ClauseAnswer(clause, _degraded("answer", error, found.warnings), None)
        if extracted is None or extracted.text is None:
            told = replace(found, hits=found.hits[: query.top_k])
            if extracted is None:
                return ClauseAnswer(clause, told, None)
            return ClauseAnswer(clause, told, None, probability=extracted.probability, signs=extracted.told)
        quoted = {source.chunk_id for source in extracted.sources}
        shown = {hit.chunk_id for hit in found.hits[: query.top_k]}
        kept = (
            *found.hits[: query.top_k],
            *(hit for hit in found.quotable or found.hits if hit.chunk_id in quoted - shown),
        )
        told = replace(found, hits=kept)
        return ClauseAnswer(
            clause, told, extracted.text, extracted.sources, extracted.probability, extracted.span, extracted.told
        )

    # ------------------------------------------------------------ the whole question
    def _compose(
        self, asked: Query, decision: RouteDecision, parts: Sequence[ClauseAnswer], snapshot: Snapshot
    ) -> Answer:
        text, sources = self._numbered(parts, snapshot)
        rows = next((p.retrieval.rows for p in parts if p.retrieval.rows is not None), None)
        statements = [p.retrieval.rows.sql for p in parts if p.retrieval.rows is not None]
        first = decision.clauses[0]
        likely = min((p for p in parts if p.probability is not None), key=probability_of, default=None)
        warnings = [warning for part in parts for warning in part.retrieval.warnings]
        warnings += [f"{name}: a sheet that its workbook hides" for name in _hidden(parts)]
        closest: Hit | None = None
        missing: tuple[str, ...] = ()
        if text is None:
            try:
                closest, missing = self._closest(asked, snapshot)
                if closest is None and not self._stores.catalog.documents(snapshot):
                    warnings.append(_NO_DOCUMENT)
            except StoreError as error:
                warnings += _degraded("closest passage", error).warnings
        return Answer(
            question=asked.text,
            answer=text,
            route=first.route,
            routes=tuple(dict.fromkeys(p.clause.route for p in parts)),
            strategy=first.strategy,
            cached=False,
            sql=";\n".join(statements) or None,
            columns=rows.columns if rows else (),
            rows=rows.rows if rows else (),
            sources=sources,
            decision=decision,
            warnings=tuple(dict.fromkeys(warnings)),
            path=tuple(name for p in parts for name in p.retrieval.path),
            closest=closest,
            lacking=missing,
            readings=tuple(p.retrieval.reading for p in parts if p.retrieval.reading is not None),
            alternatives=tuple(a for p in parts for a in p.retrieval.alternatives),
            second=tuple(p.retrieval.second for p in parts if p.retrieval.second is not None),
            degraded=tuple(dict.fromkeys(p.retrieval.degraded for p in parts if p.retrieval.degraded)),
            probability=None if likely is None else likely.probability,
            signs={} if likely is None else likely.signs,
            answer_span=parts[0].span if len(parts) == 1 else None,
        )

    def _numbered(self, parts: Sequence[ClauseAnswer], snapshot: Snapshot) -> tuple[str | None, tuple[Hit, ...]]:
        """The answer's text and sources; what says the same in other languages is cited behind what is quoted."""

        def read(document: str, start: int, end: int) -> str:
            return self._stores.catalog.document(snapshot, document).text[start:end]

        text, sources = numbered(parts, read)
        quoted = tuple(hit for hit in sources if hit.quotes)
        return text, (*with_versions(quoted, self._context(snapshot)), *sources[len(quoted) :])

    def _closest(self, asked: Query, snapshot: Snapshot) -> tuple[Hit | None, tuple[str, ...]]:
        """The nearest passage with its cosine (without vectors, the share of the question's words that it holds), and
        the question's words that it lacks.
        """
        if self._embedder.dimension:
            near = {hit.chunk_id: hit.score for hit in self._stores.vector.search(snapshot, asked.vector, 1)}
        else:
            near = {hit.chunk_id: hit.coverage for hit in self._stores.lexical.search(snapshot, asked.utterance, 1)}
        found = read_chunks(self._context(snapshot), near)
        if not found:
            return None, ()
        ((chunk_id, chunk),) = found.items()
        return hit_of(chunk, near[chunk_id], "", None, asked.utterance), lacking(asked.utterance, chunk)


def _says(stated: ClauseAnswer, asked: Sequence[str]) -> bool:
    """Whether the passages of an answer say what was asked of tables in vain: all figures, and most words.

    Passages about the same names would otherwise pass for an answer.
    """
    said = {found for text in (stated.text or "", *(hit.heading for hit in stated.quotes)) for found in _stems_of(text)}
    words = [word for word in asked if not word[:1].isdigit()]
    met = sum(bool(said.intersection(_stems_of(word))) for word in words)
    figures = all(said.intersection(_stems_of(word)) for word in asked if word[:1].isdigit())
    return figures and (not words or 2 * met > len(words))


def _stems_of(text: str) -> list[str]:
    return [found for word in content_words(text) for found in all_stems(word.folded)]


def _hidden(parts: Sequence[ClauseAnswer]) -> list[str]:
    """The tables behind answers that people don't see in their workbook."""
    tables = [part.retrieval.table for part in parts if part.text is not None]
    return [table.name for table in tables if table is not None and table.hidden]


def _degraded(what: str, error: StoreError, warnings: tuple[str, ...] = ()) -> Retrieval:
    """What stands in for the work of a store that can't be read; a snapshot that is out of date is read again."""
    if isinstance(error, StaleSnapshot):
        raise error
    return Retrieval(degraded=error.message, warnings=(*warnings, f"{what}: {error}"))


def fuse_hits(lists: Sequence[Sequence[Hit]], weights: Sequence[float]) -> list[Hit]:
    """Several ranked lists of passages as one, by weighted min-max fusion; the first list's span of a passage wins."""
    by_id: dict[str, Hit] = {}
    said: dict[str, dict[str, HeadScore]] = {}
    for hit in (h for hits in lists for h in hits):
        by_id.setdefault(hit.chunk_id, hit)
        of_hit = said.setdefault(hit.chunk_id, {})
        for head in hit.heads:
            of_hit.setdefault(head.head, head)
    heads = [{h.chunk_id: h.score for h in hits} for hits in lists]
    return [replace(by_id[i], score=score, heads=tuple(said[i].values())) for i, score in weighted(heads, weights)]
