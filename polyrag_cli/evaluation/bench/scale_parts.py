"""What one question costs in an engine, part by part: routing, each head, graph walk, SQL linking, cache."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from copy import copy
from functools import partial
from pathlib import Path
from statistics import median

from polyrag_cli import tracing
from polyrag_cli.answering.cache import AnswerCache
from polyrag_cli.config.sections import CacheSettings
from polyrag_cli.engine import Engine
from polyrag_cli.evaluation.bench.synthetic import scale_questions, word_question
from polyrag_cli.registry import resolve
from polyrag_cli.stores.activity import Activity, CacheEntry
from polyrag_cli.stores.base import Snapshot
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.strategies.base import Context, Query, Strategy
from polyrag_cli.strategies.heads import dense_head, lexical_head
from polyrag_cli.strategies.soft import soft_head
from polyrag_cli.text.utterance import Utterance, read
from polyrag_cli.types import ClauseDecision

# Passages that each head is asked for.
TOP_K = 50
ROUNDS = 5
# Rounds of a slow part stop after this many seconds.
_PATIENCE_S = 5.0
_LINKING = "rag.relational.generate_sql"


def question_costs(engine: Engine) -> dict[str, float]:
    """Milliseconds by part: the first question of an engine, and medians once everything is in memory."""
    asked = scale_questions()
    started = time.perf_counter()
    engine.ask(asked.graph[0], use_cache=False)
    costs = {"first question": (time.perf_counter() - started) * 1000.0}
    costs["routing decision"] = median_ms([partial(engine.route, text) for text in asked.all])
    queries = {text: _query(engine, text) for text in asked.all}
    walk: Strategy = resolve("strategy", "graph_walk")()
    decision = engine.route(asked.graph[0]).clauses[0]
    with engine.snapshot() as snapshot:

        def fresh() -> Context:
            """A context of a question of its own: within one question nothing is searched twice."""
            return Context(copy(snapshot), engine.stores, engine.embedder)

        def asking(head: Callable[..., object], query: Query | Utterance) -> Callable[[], object]:
            return lambda: head(query, fresh(), TOP_K)

        costs["vector head"] = median_ms([asking(dense_head, query) for query in queries.values()])
        costs["lexical head"] = median_ms([asking(lexical_head, query) for query in queries.values()])
        costs["soft head"] = median_ms([asking(soft_head, query.utterance) for query in queries.values()])

        def walking(text: str) -> Callable[[], object]:
            return lambda: walk.retrieve(queries[text], decision, fresh())

        costs["graph walk"] = median_ms([walking(text) for text in asked.graph])
        costs["SQL linking"] = _linking_ms([queries[text] for text in asked.table], decision, fresh)
    costs["whole question"] = median_ms([partial(engine.ask, text, use_cache=False) for text in asked.all])
    return costs


def cache_cost(engine: Engine, snapshot: Snapshot, folder: Path, entries: int) -> float:
    """Milliseconds of looking up a question that isn't among so many cached ones, kept in a folder of their own."""
    activity = Activity(DataPaths(folder), max_entries=entries)
    cache = AnswerCache(activity, engine.embedder, CacheSettings(), lambda: engine.stores)
    config_hash = engine.router.config_hash
    try:
        for number in range(entries):
            question = word_question(number)
            vector = engine.embedder.embed_query(question)
            entry = CacheEntry(f"{number:016x}", question, vector, "{}", "{}", {}, config_hash, snapshot.generation)
            activity.put_entry(entry)
        asked = [_query(engine, text) for text in scale_questions().all]
        return median_ms([partial(cache.lookup, q.text, q.vector, config_hash, snapshot) for q in asked])
    finally:
        activity.close()


def median_ms(calls: Sequence[Callable[[], object]]) -> float:
    """Median milliseconds of some calls, made in turn for up to five rounds after one that doesn't count."""
    for call in calls:
        call()
    times: list[float] = []
    begun = time.perf_counter()
    for _ in range(ROUNDS):
        for call in calls:
            started = time.perf_counter()
            call()
            times.append((time.perf_counter() - started) * 1000.0)
        if time.perf_counter() - begun > _PATIENCE_S:
            break
    return median(times)


def _query(engine: Engine, text: str) -> Query:
    return Query(read(text), engine.embedder.embed_query(text))


def _linking_ms(queries: Sequence[Query], decision: ClauseDecision, fresh: Callable[[], Context]) -> float:
    """Milliseconds from a question to its SQL: the span of generating it, without running it."""
    strategy: Strategy = resolve("strategy", "text_to_sql")()
    times: list[float] = []

    def once(query: Query) -> None:
        with tracing.trace("bench") as trace:
            strategy.retrieve(query, decision, fresh())
        times.append(sum(record.ms for record in trace.records() if record.name == _LINKING))

    median_ms([partial(once, query) for query in queries])
    # The first time of each question builds the index.
    return median(times[len(queries) :])
