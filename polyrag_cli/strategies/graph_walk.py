"""Passages along chains of names, fused with what hybrid search finds: for questions whose answer no single passage
holds.
"""

from __future__ import annotations

from polyrag_cli.graph.base import GraphWalk
from polyrag_cli.scoring.fusion import min_max
from polyrag_cli.strategies.base import Context, Query
from polyrag_cli.strategies.heads import Found, found_hits, hybrid_ranking
from polyrag_cli.tracing import span
from polyrag_cli.types import ClauseDecision, Retrieval, Window

# Chunks whose windows are compared with the question; the sentences of all others count as unlike it.
NEAREST = 100
# The walk's weight beside hybrid search: the least where the best path gains at most the first of these over the best
# sentence, all where it gains at least the second. Which sentence answers is another question than where a chain leads:
# quotes are chosen as if it had the least.
LEAST_WEIGHT = 0.4
_GAINS = (-0.15, -0.05)


class GraphWalkStrategy:
    """A beam over sentence paths with Personalized PageRank as its finish; works without an embedder.

    That a question names something makes no chain of it: where no path through several passages says more of it than
    one sentence does, the walk counts little beside hybrid search.
    """

    name = "graph_walk"

    def retrieve(self, query: Query, decision: ClauseDecision, context: Context) -> Retrieval:
        """The best passages, each with the sentence that speaks for it; the names along the best path.

        Nothing where the graph holds nothing of the question.
        """
        with span("rag.graph.seeds") as seeding:
            near = near_windows(query, context)
            seeding.set_attribute("windows", len(near))
        damping = context.settings.damping
        k = max(context.settings.candidates, query.top_k)
        with span("rag.graph.pagerank", damping=damping) as ranking:
            walk = context.stores.graph.walk(context.snapshot, query.utterance, near, damping, k)
            ranking.set_attribute("names", walk.names)
            ranking.set_attribute("terms", walk.terms)
            ranking.set_attribute("passages", len(walk.passages))
        if not walk.passages:
            return Retrieval()
        weight = walk_weight(walk.gain)
        with span("rag.graph.fuse", hops=walk.hops, gain=walk.gain, weight=weight):
            other = hybrid_ranking(query, context, decision.route)
            hits = found_hits(fused_walk(walk, other, weight), query, context)
            if weight == LEAST_WEIGHT:
                return Retrieval(hits=hits, path=walk.path)
            quotable = found_hits(fused_walk(walk, other, LEAST_WEIGHT), query, context)
            return Retrieval(hits=hits, path=walk.path, quotable=quotable)


def walk_weight(gain: float) -> float:
    """What the walk counts for in the fusion, in [0.4, 1], by what its best path gains over the best sentence."""
    low, high = _GAINS
    return round(LEAST_WEIGHT + (1.0 - LEAST_WEIGHT) * min(1.0, max(0.0, (gain - low) / (high - low))), 6)


def fused_walk(walk: GraphWalk, other: Found, weight: float) -> Found:
    """The walk's passages, min-max scaled and times `weight`, and the other ranking's, as shares of its ceiling and
    times 1 - `weight`, added up."""
    walked = {passage.chunk_id: passage.score for passage in walk.passages}
    parts = {i: weight * value for i, value in min_max(walked).items()}
    beside = (1.0 - weight) / other.ceiling
    scores = {i: beside * score for i, score in other.ranked}
    for i, part in parts.items():
        scores[i] = scores.get(i, 0.0) + part
    ranked = sorted(((i, round(score, 6)) for i, score in scores.items()), key=lambda item: (-item[1], item[0]))
    names = {i: "+".join(filter(None, ("graph" * (i in walked), other.sources.get(i, "")))) for i in scores}
    steps = {passage.chunk_id: (passage.start, passage.end) for passage in walk.passages if passage.end}
    heads = {head: (own, {i: beside * part for i, part in added.items()}) for head, (own, added) in other.heads.items()}
    return Found(
        tuple(ranked), names, {**other.spans, **steps}, other.cosines, 1.0, {"graph": (walked, parts), **heads}
    )


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
