"""Loads what the first question needs, for front doors that stay open."""

from __future__ import annotations

from polyrag_cli.engine.parts import Parts
from polyrag_cli.routing.forcing import force
from polyrag_cli.strategies.base import Query
from polyrag_cli.text.utterance import read
from polyrag_cli.tracing import trace

_QUESTION = "Which one was the first, and how many are there?"


def warm_up(parts: Parts) -> None:
    """Loads models, stores, every route's strategy, and a database, which takes longer to open than to ask; leaves no
    trace and no cache entry.

    Raises StoreError without a corpus.
    """
    strategies = {route.name: route.strategy for route in parts.settings.routes}
    with trace("warm", keep=False), parts.snapshot() as snapshot:
        asked = Query(read(_QUESTION), parts.embedder.embed_query(_QUESTION))
        decision = parts.router.decide(asked.utterance, snapshot, parts.stores, parts.catalog, asked.vector)
        parts.cache.lookup(_QUESTION, asked.vector, decision.config_hash, snapshot)
        for name in strategies:
            parts.answerer.answer(asked, force(decision, name, None, strategies), snapshot)
        for table in parts.stores.relational.refs(snapshot)[:1]:
            counting = f'SELECT COUNT(*) FROM "{table.name}"'
            parts.stores.relational.execute(snapshot, counting, [table.name], 1, trusted=True)
