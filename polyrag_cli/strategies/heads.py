"""The retrieval heads, and their weighted fusion.

Owns how the vector and the lexical store are asked and how their scores meet. Must never import config or the engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from polyrag_cli.scoring.fusion import min_max, weighted
from polyrag_cli.stores.base import LexicalHit, WindowHit
from polyrag_cli.strategies.base import Context
from polyrag_cli.strategies.passages import hits, read_homes
from polyrag_cli.strategies.soft import soft_head
from polyrag_cli.tracing import span
from polyrag_cli.types import Hit, Query


@dataclass(frozen=True, slots=True)
class Found:
    """A ranking of chunks with what each head said about them; `spans` holds the best windows' document offsets.

    ceiling: what a score divided by becomes at most 1; above 0.
    """

    ranked: tuple[tuple[str, float], ...]
    sources: Mapping[str, str]
    spans: Mapping[str, tuple[int, int]]
    cosines: Mapping[str, float] = field(default_factory=dict)
    ceiling: float = 1.0


def dense_head(query: Query, context: Context, k: int) -> list[WindowHit]:
    """The k nearest chunks by their best window's cosine; none without an embedder or for an empty vector."""
    if context.embedder.dimension == 0 or not query.vector.any():
        return []
    return context.stores.vector.search(context.snapshot, query.vector, k)


def lexical_head(query: Query, context: Context, k: int) -> list[LexicalHit]:
    """The k chunks with the highest BM25; none when no word of the question is indexed."""
    return context.stores.lexical.search(context.snapshot, query.text, k)


def dense_ranking(query: Query, context: Context, route: str) -> Found:
    """The dense head alone: its cosines after min-max scaling, and `home_bonus` for chunks at home in `route`."""
    settings = context.settings
    k = max(settings.candidates, query.top_k)
    with span("rag.vectorial.search", k=k, strategy="dense") as traced:
        near = dense_head(query, context, k)
        cosines = {hit.chunk_id: hit.score for hit in near}
        scaled = {i: settings.dense_weight * value for i, value in min_max(cosines).items()}
        ranked = _with_home_bonus(scaled, context, route)
        traced.set_attribute("found", len(near))
    spans = {hit.chunk_id: (hit.start, hit.end) for hit in near}
    ceiling = (settings.dense_weight + settings.home_bonus) or 1.0
    return Found(ranked, dict.fromkeys(cosines, "dense"), spans, cosines, ceiling)


def _with_home_bonus(scores: Mapping[str, float], context: Context, route: str) -> tuple[tuple[str, float], ...]:
    bonus = context.settings.home_bonus
    homes = read_homes(context.snapshot, scores) if bonus and scores else {}
    raised = [(i, round(score + bonus * (route in homes.get(i, ())), 6)) for i, score in scores.items()]
    return tuple(sorted(raised, key=lambda item: (-item[1], item[0])))


def lexical_ranking(query: Query, context: Context, k: int) -> Found:
    """The lexical head alone; as a share of its ceiling, the best score is that chunk's coverage of the question."""
    with span("rag.vectorial.search", k=k, strategy="lexical") as traced:
        matching = lexical_head(query, context, k)
        traced.set_attribute("found", len(matching))
    # BM25 has no upper bound of its own, and no order may change: all scores are divided by one number.
    best = max(matching, key=lambda hit: hit.score, default=None)
    ceiling = best.score / min(1.0, best.coverage) if best is not None and best.coverage > 0.0 else 1.0
    return Found(
        tuple((hit.chunk_id, hit.score) for hit in matching),
        {hit.chunk_id: "lexical" for hit in matching},
        {},
        ceiling=ceiling or 1.0,
    )


def hybrid_ranking(query: Query, context: Context, route: str) -> Found:
    """All heads by weighted min-max fusion, then `home_bonus` for chunks that are at home in `route`.

    BM25's weight falls with the share of the question, by idf, that any passage holds. A head that finds nothing (no
    embedder; a question in another language than the passages) leaves the others alone.
    """
    settings = context.settings
    k = max(settings.candidates, query.top_k)
    with span("rag.vectorial.search", k=k, strategy="hybrid") as traced:
        near = dense_head(query, context, k)
        matching = lexical_head(query, context, k)
        alike = soft_head(query.text, context, k)
        others = dict.fromkeys(hit.chunk_id for hit in (*matching, *alike))
        near += _nearest_windows(query, context, list(others), {h.chunk_id for h in near})
        heads = {
            "dense": {hit.chunk_id: hit.score for hit in near},
            "lexical": {hit.chunk_id: hit.score for hit in matching},
            "soft": {hit.chunk_id: hit.score for hit in alike},
        }
        # Words that no passage holds, as in a question in another language, leave the decision to the meaning.
        held = max((hit.coverage for hit in matching), default=0.0) if near else 1.0
        # Where no words have vectors the other heads share that weight, so that the home bonus keeps its proportion.
        others_weight = settings.dense_weight + settings.lexical_weight
        share = 1.0 if alike or not others_weight else 1.0 + settings.soft_weight / others_weight
        weights = (settings.dense_weight * share, settings.lexical_weight * share * held, settings.soft_weight)
        fused = dict(weighted(list(heads.values()), weights))
        ranked = _with_home_bonus(fused, context, route)
        for name, scores in heads.items():
            traced.set_attribute(name, len(scores))
    names = {i: "+".join(name for name, scores in heads.items() if i in scores) for i in fused}
    spans = {hit.chunk_id: (hit.start, hit.end) for hit in near}
    most = settings.dense_weight + settings.lexical_weight + settings.soft_weight + settings.home_bonus
    return Found(ranked, names, spans, heads["dense"], most or 1.0)


def _nearest_windows(query: Query, context: Context, chunk_ids: list[str], known: set[str]) -> list[WindowHit]:
    """The best windows of chunks that the dense head left out, so that each candidate of fusion has both scores."""
    missing = [chunk_id for chunk_id in chunk_ids if chunk_id not in known]
    if not missing or not known:
        return []
    found = []
    for chunk_id, (windows, vectors) in context.stores.vector.windows(context.snapshot, missing).items():
        # A sum along each row by itself: a matrix product's bits would depend on the rows beside it.
        values = np.round((vectors.astype(np.float64) * query.vector).sum(axis=1), 6)
        best = int(np.argmax(values))
        window = windows[best]
        found.append(WindowHit(chunk_id, window.ordinal, window.start, window.end, float(values[best])))
    return found


def found_hits(found: Found, query: Query, context: Context) -> tuple[Hit, ...]:
    """The first `query.top_k` chunks of a ranking as hits, their scores in [0, 1]."""
    ranked = [(i, min(1.0, max(0.0, score / found.ceiling))) for i, score in found.ranked[: query.top_k]]
    return hits(context.snapshot, ranked, found.sources, found.spans, query.text)
