"""Passages along chains of names: for questions whose answer no single passage holds."""

from __future__ import annotations

from polyrag_cli.graph.base import WalkedPassage
from polyrag_cli.strategies.base import Context, Query
from polyrag_cli.strategies.passages import hits
from polyrag_cli.tracing import span
from polyrag_cli.types import ClauseDecision, HeadScore, Hit, Retrieval, Window

# Chunks whose windows are compared with the question; the sentences of all others count as unlike it.
NEAREST = 100


class GraphWalkStrategy:
    """A beam over sentence paths with Personalized PageRank as its finish; works without an embedder."""

    name = "graph_walk"

    def retrieve(self, query: Query, decision: ClauseDecision, context: Context) -> Retrieval:
        """The passages of the best paths, each with the sentence that speaks for it; the names along the best path."""
        with span("rag.graph.seeds") as seeding:
            near = near_windows(query, context)
            seeding.set_attribute("windows", len(near))
        damping = context.settings.damping
        with span("rag.graph.pagerank", damping=damping) as ranking:
            graph = context.stores.graph
            walk = graph.walk(context.snapshot, query.utterance, near, damping, query.top_k)
            ranking.set_attribute("names", walk.names)
            ranking.set_attribute("terms", walk.terms)
            ranking.set_attribute("passages", len(walk.passages))
        with span("rag.graph.fuse", hops=walk.hops):
            return Retrieval(hits=_hits(query, context, walk.passages), path=walk.path)


def near_windows(query: Query, context: Context) -> list[tuple[Window, float]]:
    """The windows of the chunks nearest to the question, each with its cosine; none without an embedder."""
    if context.embedder.dimension == 0 or not query.vector.any():
        return []
    import numpy as np

    nearest = context.stores.vector.search(context.snapshot, query.vector, NEAREST)
    found = context.stores.vector.windows(context.snapshot, [hit.chunk_id for hit in nearest])
    if not found:
        return []
    vectors = np.concatenate([vectors for _, vectors in found.values()]).astype(np.float64)
    # A sum along each row by itself: a matrix product's bits would depend on the rows beside it.
    cosines = (vectors * query.vector).sum(axis=1).tolist()
    return list(zip((window for own, _ in found.values() for window in own), cosines, strict=True))


def _hits(query: Query, context: Context, passages: tuple[WalkedPassage, ...]) -> tuple[Hit, ...]:
    spans = {found.chunk_id: (found.start, found.end) for found in passages if found.end}
    scored = [(found.chunk_id, round(found.score, 6)) for found in passages]
    heads = {chunk_id: (HeadScore("graph", score, rank, score),) for rank, (chunk_id, score) in enumerate(scored, 1)}
    ranked = [(found.chunk_id, found.score) for found in passages]
    return hits(context, ranked, dict.fromkeys(heads, "graph"), spans, query.utterance, heads)
