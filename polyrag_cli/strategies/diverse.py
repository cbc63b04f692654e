"""Passages that are relevant and unlike each other, for questions about variety."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.scoring.fusion import min_max
from polyrag_cli.scoring.mmr import mmr
from polyrag_cli.scoring.similarity import normalize
from polyrag_cli.strategies.base import Context, Query
from polyrag_cli.strategies.heads import Found, found_hits, hybrid_ranking
from polyrag_cli.strategies.passages import read_chunks, word_stems
from polyrag_cli.tracing import span
from polyrag_cli.types import ClauseDecision, Retrieval

# Candidates per passage asked for: enough to choose from, few enough to compare all with all.
_POOL_FACTOR = 4


class DiverseStrategy:
    """Maximal Marginal Relevance over the best hybrid candidates."""

    name = "diverse"

    def retrieve(self, query: Query, decision: ClauseDecision, context: Context) -> Retrieval:
        """The chunks in the order MMR chooses them; their scores stay the fused ones."""
        found = hybrid_ranking(query, context, decision.route)
        pool = found.ranked[: _POOL_FACTOR * query.top_k]
        ids = [chunk_id for chunk_id, _ in pool]
        with span("rag.diverse.mmr", passages=len(ids)):
            vectors = _chunk_vectors(context, ids)
            similarity = _word_overlap(context, ids) if vectors is None else np.clip(vectors @ vectors.T, -1.0, 1.0)
            scaled = min_max(dict(pool))
            relevance = np.array([scaled[i] for i in ids], dtype=np.float64)
            order = mmr(relevance, similarity, query.top_k, context.settings.mmr_lambda)
        chosen: Found = replace(found, ranked=tuple(pool[i] for i in order))
        return Retrieval(hits=found_hits(chosen, query, context))


def _chunk_vectors(context: Context, ids: list[str]) -> NDArray[np.float32] | None:
    """Unit mean of each chunk's window vectors, (n, d); None without an embedder."""
    if context.embedder.dimension == 0 or not ids:
        return None
    stored = context.stores.vector.windows(context.snapshot, ids)
    zero = np.zeros(context.embedder.dimension, dtype=np.float32)
    means = [stored[i][1].mean(axis=0) if i in stored and len(stored[i][1]) else zero for i in ids]
    return normalize(np.stack(means))


def _word_overlap(context: Context, ids: list[str]) -> NDArray[np.float64]:
    """Jaccard index of the chunks' stems, (n, n): what stands for similarity when nothing is embedded."""
    chunks = read_chunks(context, ids)
    sets = [word_stems(chunks[i].text, chunks[i].language) if i in chunks else frozenset() for i in ids]
    return np.array([[len(a & b) / max(1, len(a | b)) for b in sets] for a in sets], dtype=np.float64).reshape(
        len(ids), len(ids)
    )
