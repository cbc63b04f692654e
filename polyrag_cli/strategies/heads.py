"""The retrieval heads, and their weighted fusion.

Owns how the vector and the lexical store are asked and how their scores meet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from polyrag_cli.config.sections import RetrievalSettings
from polyrag_cli.scoring.fusion import min_max, weighted
from polyrag_cli.stores.records import LexicalHit, WindowHit
from polyrag_cli.strategies.base import Context, Query
from polyrag_cli.strategies.distinct import one_of_each
from polyrag_cli.strategies.passages import hit_of
from polyrag_cli.strategies.soft import soft_head
from polyrag_cli.strategies.weighing import weighed
from polyrag_cli.tracing import span
from polyrag_cli.types import HeadScore, Hit


@dataclass(frozen=True, slots=True)
class Found:
    """A ranking of chunks with what each head said about them; `spans` holds the best windows' document offsets.

    ceiling: what a score divided by becomes at most 1; above 0. heads: head → its own scores by chunk
    id, and what they add to `ranked`'s.
    """

    ranked: tuple[tuple[str, float], ...]
    sources: Mapping[str, str]
    spans: Mapping[str, tuple[int, int]]
    cosines: Mapping[str, float] = field(default_factory=dict)
    ceiling: float = 1.0
    heads: Mapping[str, tuple[Mapping[str, float], Mapping[str, float]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HeadScores:
    """What each head of hybrid search says about its candidates, before any weight.

    held: the largest share of the question, by idf, that any passage's words hold, in [0, 1].
    """

    dense: Mapping[str, float]
    lexical: Mapping[str, float]
    soft: Mapping[str, float]
    held: float
    spans: Mapping[str, tuple[int, int]]


def dense_head(query: Query, context: Context, k: int) -> list[WindowHit]:
    """The k nearest chunks by their best window's cosine; none without an embedder or for an empty vector."""
    if context.embedder.dimension == 0 or not query.vector.any():
        return []
    return context.stores.vector.search(context.snapshot, query.vector, k)


def lexical_head(query: Query, context: Context, k: int) -> list[LexicalHit]:
    """The k chunks with the highest BM25; none when no word of the question is indexed."""
    return context.stores.lexical.search(context.snapshot, query.utterance, k)


def dense_ranking(query: Query, context: Context, route: str) -> Found:
    """The dense head alone: its cosines after min-max scaling, and `home_bonus` for chunks at home in `route`."""
    settings = context.settings
    k = max(settings.candidates, query.top_k)
    with span("rag.vectorial.search", k=k, strategy="dense") as traced:
        near = dense_head(query, context, k)
        cosines = {hit.chunk_id: hit.score for hit in near}
        scaled = {i: settings.dense_weight * value for i, value in min_max(cosines).items()}
        ranked = with_home_bonus(scaled, _homes(scaled, context), route, settings.home_bonus)
        ranked, weights = weighed(ranked, context, query.top_k)
        traced.set_attribute("found", len(near))
    spans = {hit.chunk_id: (hit.start, hit.end) for hit in near}
    ceiling = (settings.dense_weight + settings.home_bonus) or 1.0
    said = _lowered({"dense": (cosines, scaled)}, weights)
    return Found(ranked, dict.fromkeys(cosines, "dense"), spans, cosines, ceiling, said)


def _homes(scores: Mapping[str, float], context: Context) -> Mapping[str, tuple[str, ...]]:
    if not context.settings.home_bonus or not scores:
        return {}
    return context.stores.catalog.homes(context.snapshot, scores)


def with_home_bonus(
    scores: Mapping[str, float], homes: Mapping[str, tuple[str, ...]], route: str, bonus: float
) -> tuple[tuple[str, float], ...]:
    """(chunk id, score) by falling score, ties by id, with `bonus` added to the chunks that are at home in `route`."""
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
    scores = {hit.chunk_id: hit.score for hit in matching}
    ranked, weights = weighed(tuple(scores.items()), context, query.top_k)
    sources, heads = dict.fromkeys(scores, "lexical"), _lowered({"lexical": (scores, scores)}, weights)
    return Found(ranked, sources, {}, ceiling=ceiling or 1.0, heads=heads)


def hybrid_ranking(query: Query, context: Context, route: str) -> Found:
    """All heads by weighted min-max fusion, then `home_bonus` for chunks that are at home in `route`.

    BM25's weight falls with the share of the question, by idf, that any passage holds. A head that finds nothing (no
    embedder; a question in another language than the passages) leaves the others alone.
    """
    settings = context.settings
    k = max(settings.candidates, query.top_k)
    with span("rag.vectorial.search", k=k, strategy="hybrid") as traced:
        heads = read_heads(query, context, k)
        scores = fused(heads, settings)
        ranked = with_home_bonus(scores, _homes(scores, context), route, settings.home_bonus)
        ranked, weights = weighed(ranked, context, query.top_k)
        by_head = {"dense": heads.dense, "lexical": heads.lexical, "soft": heads.soft}
        for name, found in by_head.items():
            traced.set_attribute(name, len(found))
    names = {i: "+".join(name for name, found in by_head.items() if i in found) for i in scores}
    most = settings.dense_weight + settings.lexical_weight + settings.soft_weight + settings.home_bonus
    said = {
        name: (found, {i: weight * value for i, value in min_max(found).items()})
        for (name, found), weight in zip(by_head.items(), head_weights(heads, settings), strict=True)
    }
    return Found(ranked, names, heads.spans, heads.dense, most or 1.0, _lowered(said, weights))


def _lowered(
    heads: Mapping[str, tuple[Mapping[str, float], Mapping[str, float]]], weights: Mapping[str, float]
) -> Mapping[str, tuple[Mapping[str, float], Mapping[str, float]]]:
    """What heads say, with what they add to the score times each passage's weight."""
    if not weights:
        return heads
    return {
        head: (own, {i: part * weights.get(i, 1.0) for i, part in parts.items()})
        for head, (own, parts) in heads.items()
    }


def read_heads(query: Query, context: Context, k: int) -> HeadScores:
    """Asks every head for k chunks; each candidate of another head gets its cosine too."""
    near = dense_head(query, context, k)
    matching = lexical_head(query, context, k)
    alike = soft_head(query.utterance, context, k)
    others = dict.fromkeys(hit.chunk_id for hit in (*matching, *alike))
    near += _nearest_windows(query, context, list(others), {h.chunk_id for h in near})
    # Words that no passage holds, as in a question in another language, leave the decision to the meaning.
    held = max((hit.coverage for hit in matching), default=0.0) if near else 1.0
    return HeadScores(
        {hit.chunk_id: hit.score for hit in near},
        {hit.chunk_id: hit.score for hit in matching},
        {hit.chunk_id: hit.score for hit in alike},
        held,
        {hit.chunk_id: (hit.start, hit.end) for hit in near},
    )


def fused(heads: HeadScores, settings: RetrievalSettings) -> dict[str, float]:
    """Weighted min-max fusion of what the heads say: chunk id → score, by falling score."""
    return dict(weighted([heads.dense, heads.lexical, heads.soft], head_weights(heads, settings)))


def head_weights(heads: HeadScores, settings: RetrievalSettings) -> tuple[float, float, float]:
    """What the dense, the lexical and the soft head count in the fusion."""
    # Where no words have vectors the other heads share that weight, so that the home bonus keeps its proportion.
    others_weight = settings.dense_weight + settings.lexical_weight
    share = 1.0 if heads.soft or not others_weight else 1.0 + settings.soft_weight / others_weight
    return settings.dense_weight * share, settings.lexical_weight * share * heads.held, settings.soft_weight


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


def said_of(found: Found, chunk_ids: Sequence[str]) -> dict[str, tuple[HeadScore, ...]]:
    """What each head says about some chunks, by chunk id; those that no head found are left out."""
    said: dict[str, list[HeadScore]] = {}
    for head, (scores, parts) in found.heads.items():
        order = {i: rank for rank, i in enumerate(sorted(scores, key=lambda i: (-scores[i], i)), 1)}
        for i in chunk_ids:
            if i in scores:
                part = min(1.0, parts[i] / found.ceiling)
                said.setdefault(i, []).append(HeadScore(head, round(scores[i], 6), order[i], round(part, 6)))
    return {i: tuple(heads) for i, heads in said.items()}


def found_hits(
    found: Found, query: Query, context: Context, heads: Mapping[str, tuple[HeadScore, ...]] | None = None
) -> tuple[Hit, ...]:
    """The first `query.top_k` different passages of a ranking as hits, their scores in [0, 1].

    heads: what is said of chunks instead of what the ranking's own heads say.
    """
    ranked = [(i, min(1.0, max(0.0, score / found.ceiling))) for i, score in found.ranked]
    shown = one_of_each(ranked, query, context)
    said = heads if heads is not None else said_of(found, [one.found for one in shown])
    return tuple(
        replace(
            hit_of(
                one.chunk,
                one.score,
                found.sources.get(one.found, ""),
                found.spans.get(one.chunk.chunk_id),
                query.utterance,
                said.get(one.found, ()),
            ),
            same=tuple(one.same.values()),
        )
        for one in shown
    )
