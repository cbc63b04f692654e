"""Owns the graph walk: a beam over sentence paths, finished by Personalized PageRank.

Arrays in, ranking and path out.

A path is worth the part of the question that it covers. Each sentence that is added counts for what it covers newly,
for its similarity to the question, and for how rare the entity is that links it to the sentence before.

Source: the PageRank over passages and entities follows Gutiérrez et al., HippoRAG (2024); the beam stands in for its
language model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from polyrag_cli.scoring.beam import Paths, WalkQuestion, WalkSettings, largest, rounded, search_paths
from polyrag_cli.scoring.pagerank import personalized_pagerank
from polyrag_cli.scoring.walk_graph import Doubles, Floats, Longs, WalkGraph, ranges

__all__ = ["NO_CHAIN", "WalkGraph", "WalkQuestion", "WalkResult", "WalkSettings", "sentence_similarity", "walk"]

# Less than any path can lose against the best sentence.
NO_CHAIN = -1.0
# How many times more passages than wanted are looked at, since those of an article that is there already step back.
_RANK_POOL = 4


@dataclass(frozen=True, slots=True)
class WalkResult:
    """The ranking of a walk.

    passages: passage numbers, best first; scores: theirs, rounded to 1e-6, higher is better.
    sentences: the sentence of each passage that speaks for it.
    path: the best path's sentence numbers; links: the entity number between each two of them.
    gain: what the best path through several passages is worth beyond the best sentence alone, rounded to 1e-6; NO_CHAIN
    without such a path.
    """

    passages: tuple[int, ...]
    scores: tuple[float, ...]
    sentences: tuple[int, ...]
    path: tuple[int, ...]
    links: tuple[int, ...]
    gain: float = NO_CHAIN


def sentence_similarity(cosines: Floats | None, sentences: int) -> Doubles:
    """Return how far each sentence's cosine stands above the median, squared, in [0, 1]; NaN counts as the median."""
    if cosines is None:
        return np.zeros(sentences, dtype=np.float64)
    at = np.flatnonzero(~np.isnan(cosines))
    squared = np.zeros(sentences, dtype=np.float64)
    known = cosines[at]
    if len(known) == 0:
        return squared
    median, top = float(np.median(known)), float(known.max())
    if top - median >= 1e-6:
        squared[at] = np.maximum((known.astype(np.float64) - median) / (top - median), 0.0) ** 2
    return squared


def walk(
    graph: WalkGraph,
    question: WalkQuestion,
    dense: Floats | None = None,
    settings: WalkSettings | None = None,
    top_k: int = 50,
) -> WalkResult:
    """Return the passages that together answer the question, with the best path through them.

    Args:
        dense: (S,) cosine of the question with each sentence, NaN where unknown; None to walk on words alone.
        top_k: passages to return at most.
    """
    chosen = settings or WalkSettings()
    total = len(graph.sentence_passage)
    similarity = sentence_similarity(dense, total)
    base = _base_values(question, chosen.dense_weight * similarity)
    paths = search_paths(graph, question, base, chosen.dense_weight * similarity, chosen)
    if len(paths.values) == 0:
        return WalkResult((), (), (), (), ())
    return _finish(graph, question, base, paths, chosen, top_k)


def _base_values(question: WalkQuestion, likeness: Doubles) -> Doubles:
    """What each sentence is worth alone, shape (S,): the share of the question that it covers, and its likeness."""
    base = np.zeros(len(likeness), dtype=np.float64)
    touched = question.touched if question.touched is not None else np.arange(len(base))
    coverage = question.coverage[touched]
    covered = np.zeros(len(touched), dtype=np.float64)
    # Term by term: a matrix product's bits would depend on the rows beside a row.
    for term, weight in enumerate(question.weights.astype(np.float64)):
        covered += coverage[:, term] * weight
    base[touched] = covered
    alike = np.flatnonzero(likeness)
    base[alike] += likeness[alike]
    at = np.flatnonzero(base)
    base[at] = rounded(base[at])
    return base


def _finish(
    graph: WalkGraph, question: WalkQuestion, base: Doubles, paths: Paths, settings: WalkSettings, top_k: int
) -> WalkResult:
    """Return the ranking that a PageRank from the paths' passages and the question's names gives."""
    lengths = (paths.sentences >= 0).sum(axis=1)
    values = rounded(paths.values - settings.length_cost * (lengths - 1))
    best = _best_values(graph, base)
    ranks = _rank(graph, question, paths, values, best, settings, max(settings.ranked, top_k))
    reached = np.flatnonzero(ranks > 0.0)
    scores = rounded(settings.rank_weight * np.log(ranks[reached]) + settings.sentence_weight * best[reached])
    order = largest(scores, _RANK_POOL * top_k)
    ranked = _spread(graph, reached[order].tolist(), scores[order].tolist(), settings, top_k)
    top = int(np.lexsort((np.arange(len(values)), -values))[0])
    path = tuple(int(s) for s in paths.sentences[top] if s >= 0)
    on_path = {int(graph.sentence_passage[s]): s for s in path}
    return WalkResult(
        tuple(p for p, _ in ranked),
        tuple(round(score, 6) for _, score in ranked),
        tuple(on_path[p] if p in on_path else _best_sentence(graph, base, p) for p, _ in ranked),
        path,
        _linking_entities(graph, question, path, settings),
        _gain(graph, paths, values),
    )


def _gain(graph: WalkGraph, paths: Paths, values: Doubles) -> float:
    """What the best path through several passages is worth beyond the best sentence alone."""
    passages = np.where(
        paths.sentences >= 0, graph.sentence_passage[paths.sentences], graph.sentence_passage[paths.sentences[:, :1]]
    )
    chained = (passages != passages[:, :1]).any(axis=1)
    if not chained.any():
        return NO_CHAIN
    alone = (paths.sentences >= 0).sum(axis=1) == 1
    return round(float(values[chained].max() - values[alone].max()), 6)


def _rank(
    graph: WalkGraph,
    question: WalkQuestion,
    paths: Paths,
    values: Doubles,
    best: Doubles,
    settings: WalkSettings,
    count: int,
) -> Doubles:
    """Each passage's PageRank, shape (P,), in the part of the graph around the paths and the likeliest sentences."""
    passages = len(graph.article)
    mass = np.exp((values - values.max()) / settings.temperature)
    at, column = np.nonzero(paths.sentences >= 0)
    on_paths = graph.sentence_passage[paths.sentences[at, column]]
    held = np.bincount(on_paths, weights=mass[at], minlength=passages).astype(np.float64)
    near = _members(passages, largest(held, count), largest(best, count))
    indptr, targets, weights, seats = _between(graph, near)
    seeds = np.zeros(len(indptr) - 1, dtype=np.float64)
    seeds[: len(near)] = held[near]
    seeds *= settings.passage_mass / seeds.sum()
    anchored = seats[passages + question.anchors]
    share = question.anchor_weights[anchored >= 0].astype(np.float64)
    seeds[anchored[anchored >= 0]] += (1.0 - settings.passage_mass) * share / share.sum()
    ranks = np.zeros(passages, dtype=np.float64)
    found = personalized_pagerank(indptr, targets, weights, seeds, settings.damping, settings.iterations)
    ranks[near] = found[: len(near)]
    return ranks


def _members(total: int, *groups: Longs) -> Longs:
    """The numbers below `total` that are in any of the groups, ascending; np.union1d would load numpy.ma."""
    inside = np.zeros(total, dtype=bool)
    for group in groups:
        inside[group] = True
    return np.flatnonzero(inside)


def _between(graph: WalkGraph, near: Longs) -> tuple[Longs, Longs, Doubles, Longs]:
    """The edges between some passages and their entities as CSR, passages first, numbered anew; each node's new number.

    Nodes that have no part in it have number -1.
    """
    at, source = ranges(graph.node_indptr, near)
    nodes = graph.node_targets[at].astype(np.int64)
    total = len(graph.node_indptr) - 1
    kept = np.r_[near, _members(total, nodes)]
    seats = np.full(total, -1, dtype=np.int64)
    seats[kept] = np.arange(len(kept))
    target = seats[nodes]
    weights = graph.node_weights[at].astype(np.float64)
    order = np.argsort(target, kind="stable")
    counts = np.bincount(np.r_[source, target], minlength=len(kept))
    indptr = np.r_[0, np.cumsum(counts)].astype(np.int64)
    return indptr, np.r_[target, source[order]], np.r_[weights, weights[order]], seats


def _best_values(graph: WalkGraph, base: Doubles) -> Doubles:
    """Each passage's highest base score, 0 without sentences of any worth; some have one, where there is a path."""
    best = np.zeros(len(graph.article), dtype=np.float64)
    at = np.flatnonzero(base)
    # Sentences stand in passage order, so those of one passage are neighbours.
    passages = graph.sentence_passage[at]
    first = np.flatnonzero(np.r_[True, passages[1:] != passages[:-1]])
    best[passages[first]] = np.maximum.reduceat(base[at], first)
    return best


def _best_sentence(graph: WalkGraph, base: Doubles, passage: int) -> int:
    first, end = int(graph.passage_sentences[passage]), int(graph.passage_sentences[passage + 1])
    return first + int(np.argmax(base[first:end])) if end > first else -1


def _spread(
    graph: WalkGraph, ranked: Sequence[int], scores: Sequence[float], settings: WalkSettings, top_k: int
) -> list[tuple[int, float]]:
    """The ranking with each passage paying for those of its article that stand higher."""
    above: dict[int, int] = {}
    paid: list[tuple[int, float]] = []
    for passage, score in zip(ranked, scores, strict=True):
        article = int(graph.article[passage])
        paid.append((passage, score - settings.repeat_cost * above.get(article, 0)))
        above[article] = above.get(article, 0) + 1
    return sorted(paid, key=lambda pair: (-round(pair[1], 6), pair[0]))[:top_k]


def _linking_entities(
    graph: WalkGraph, question: WalkQuestion, path: Sequence[int], settings: WalkSettings
) -> tuple[int, ...]:
    own = set(question.own_entities.tolist())
    names: list[int] = []
    for here, there in pairwise(path):
        found: list[tuple[float, int]] = []
        for i in range(int(graph.link_indptr[here]), int(graph.link_indptr[here + 1])):
            entity = int(graph.link_entities[i])
            factor = settings.own_entity_factor if entity in own else 1.0
            first, end = int(graph.bearer_indptr[entity]), int(graph.bearer_indptr[entity + 1])
            for j in (np.flatnonzero(graph.bearer_sentences[first:end] == there) + first).tolist():
                link = float(graph.link_strengths[i] * graph.bearer_weights[j] * graph.bearer_bonus[j]) * factor
                found.append((-round(link, 6), entity))
        names.append(min(found)[1])
    return tuple(names)
