"""Owns the beam over sentence paths: what it looks for, its constants, and the search."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from polyrag_cli.scoring.walk_graph import Doubles, Floats, Ints, Longs, WalkGraph, ranges

# How many times more sentences than starts are looked at, since only some of one passage are taken.
_START_POOL = 10
_SETS_AT_ONCE = 512


@dataclass(frozen=True, eq=False)
class WalkQuestion:
    """A question on a graph's sentences.

    coverage: (S, T) in [0, 1], how well each sentence holds each of the question's T terms and names.
    weights: (T,) their weights, summing to 1 (or empty).
    anchors: (a,) entities named in the question, with their masses `anchor_weights`.
    own_entities: entities made of the question's words, which explain nothing new as a link.
    touched: the sentences that cover anything, ascending; None when any may.
    """

    coverage: Floats
    weights: Floats
    anchors: Ints
    anchor_weights: Floats
    own_entities: Ints
    touched: Longs | None = None


@dataclass(frozen=True, slots=True)
class WalkSettings:
    """The walk's constants, chosen on development data for questions of two to four hops.

    dense_weight, link_weight: of a sentence's similarity to the question and of the link to it, beside 1 for coverage.
    own_entity_factor: of links through names that the question holds; same_article_factor: of links inside an article.
    starts, beam, per_hop: paths that are begun, extended and kept at each length; reachable: sentences that a path may
    add without a link over strong_link. length_cost: for each sentence after the first.
    temperature: of the paths' masses; passage_mass: their share of PageRank's seeds, the rest goes to named entities.
    ranked: passages by mass, and again by their best sentence, that PageRank looks at.
    """

    dense_weight: float = 0.125
    link_weight: float = 0.375
    own_entity_factor: float = 0.5
    same_article_factor: float = 0.3
    starts: int = 40
    starts_per_passage: int = 2
    beam: int = 16
    max_sentences: int = 3
    per_hop: int = 256
    reachable: int = 2000
    strong_link: float = 0.3
    length_cost: float = 0.4
    temperature: float = 0.05
    passage_mass: float = 0.7
    damping: float = 0.7
    iterations: int = 4
    rank_weight: float = 0.05
    sentence_weight: float = 0.05
    repeat_cost: float = 0.05
    ranked: int = 100


@dataclass(frozen=True, eq=False)
class Paths:
    """Paths as rows: sentences (n, max) padded with -1 in walking order, what they cover (n, T), their value (n,)."""

    sentences: Longs
    covered: Floats
    values: Doubles

    def take(self, rows: Longs) -> Paths:
        return Paths(self.sentences[rows], self.covered[rows], self.values[rows])


def search_paths(
    graph: WalkGraph, question: WalkQuestion, base: Doubles, similarity: Doubles, settings: WalkSettings
) -> Paths:
    """Return every path that the beam kept, of one to `max_sentences` sentences; none without a match."""
    reachable = (base > 0.0) & (base >= _nthlargest(base, settings.reachable))
    starts = _starts(graph, base, settings)
    sentences = np.full((len(starts), settings.max_sentences), -1, dtype=np.int64)
    sentences[:, :1] = starts[:, None]
    beam = Paths(sentences, question.coverage[starts], base[starts])
    own = np.zeros(max(len(graph.bearer_indptr) - 1, 0), dtype=bool)
    own[question.own_entities] = True
    kept = [beam]
    for length in range(1, settings.max_sentences):
        beam = _extend(graph, question, beam, length, similarity, reachable, own, settings)
        if len(beam.values) == 0:
            break
        kept.append(beam)
        beam = beam.take(np.arange(min(settings.beam, len(beam.values))))
    return Paths(
        np.concatenate([p.sentences for p in kept]),
        np.concatenate([p.covered for p in kept]),
        np.concatenate([p.values for p in kept]),
    )


def _nthlargest(values: Doubles, n: int) -> float:
    if n >= len(values):
        return -np.inf
    # Most values are 0 as a rule: those above are fewer to look through.
    above = values[values > 0.0]
    if len(above) < n:
        if float(values.min()) >= 0.0:
            return 0.0
        above = values
    return float(np.partition(above, len(above) - n)[len(above) - n])


def largest(values: Doubles, n: int) -> Longs:
    """Return the positions of the n largest values, largest first, ties by position."""
    bar = _nthlargest(values, n)
    above = np.flatnonzero(values > bar)
    order: Longs = above[np.argsort(-values[above], kind="stable")]
    both: Longs = np.r_[order, np.flatnonzero(values == bar)[: n - len(order)]]
    return both


def _starts(graph: WalkGraph, base: Doubles, settings: WalkSettings) -> Longs:
    used: dict[int, int] = {}
    starts: list[int] = []
    for sentence in largest(base, _START_POOL * settings.starts).tolist():
        if base[sentence] <= 0.0:
            break
        passage = int(graph.sentence_passage[sentence])
        if used.get(passage, 0) < settings.starts_per_passage:
            used[passage] = used.get(passage, 0) + 1
            starts.append(sentence)
            if len(starts) == settings.starts:
                break
    return np.asarray(starts, dtype=np.int64)


def _extend(
    graph: WalkGraph,
    question: WalkQuestion,
    beam: Paths,
    length: int,
    similarity: Doubles,
    reachable: npt.NDArray[np.bool_],
    own: npt.NDArray[np.bool_],
    settings: WalkSettings,
) -> Paths:
    rows, targets, links = links_from(graph, beam.sentences[:, length - 1], own, settings)
    open_to = reachable[targets] | (links > settings.strong_link)
    passages = graph.sentence_passage[beam.sentences[:, :length]].astype(np.int64)
    open_to &= ~(passages[rows] == graph.sentence_passage[targets][:, None]).any(axis=1)
    rows, targets, links = rows[open_to], targets[open_to], links[open_to]
    rows, targets, links = _strongest(rows, targets, links, len(similarity))
    coverage = question.coverage[targets]
    gains = np.maximum(coverage - beam.covered[rows], 0.0) @ question.weights.astype(np.float64)
    values = rounded(beam.values[rows] + gains + similarity[targets] + settings.link_weight * links)
    # One set of sentences has length! orders, so this many rows hold `per_hop` different sets.
    order = largest(values, settings.per_hop * math.factorial(length + 1))
    sentences = beam.sentences[rows[order]]
    sentences[:, length] = targets[order]
    first = _first_of_each_set(sentences, settings.per_hop)
    order = order[first]
    covered = np.maximum(beam.covered[rows[order]], coverage[order])
    return Paths(sentences[first], covered, values[order])


def links_from(
    graph: WalkGraph, sentences: Longs, own: npt.NDArray[np.bool_], settings: WalkSettings
) -> tuple[Longs, Longs, Doubles]:
    """Return (index into `sentences`, linked sentence, strength) for each shared entity; a pair comes once for each."""
    at, row = ranges(graph.link_indptr, sentences)
    entities = graph.link_entities[at]
    strengths = graph.link_strengths[at] * np.where(own[entities], settings.own_entity_factor, 1.0)
    at, which = ranges(graph.bearer_indptr, entities)
    targets = graph.bearer_sentences[at].astype(np.int64)
    links = strengths[which] * graph.bearer_weights[at] * graph.bearer_bonus[at]
    rows = row[which]
    same = graph.article[graph.sentence_passage[sentences]][rows] == graph.article[graph.sentence_passage[targets]]
    return rows, targets, np.where(same, settings.same_article_factor * links, links).astype(np.float64)


def _strongest(rows: Longs, targets: Longs, links: Doubles, total: int) -> tuple[Longs, Longs, Doubles]:
    keys = rows * total + targets
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    first = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]]) if len(keys) else np.zeros(0, dtype=np.int64)
    strongest = np.maximum.reduceat(links[order], first)
    kept = order[first]
    return rows[kept], targets[kept], strongest


def _first_of_each_set(sentences: Longs, most: int) -> Longs:
    """Rows that hold a set of sentences for the first time, `most` at most."""
    seen: set[tuple[int, ...]] = set()
    first: list[int] = []
    for start in range(0, len(sentences), _SETS_AT_ONCE):
        for i, path in enumerate(np.sort(sentences[start : start + _SETS_AT_ONCE], axis=1).tolist(), start=start):
            key = tuple(path)
            if key not in seen:
                seen.add(key)
                first.append(i)
                if len(first) == most:
                    return np.asarray(first, dtype=np.int64)
    return np.asarray(first, dtype=np.int64)


def rounded(values: npt.NDArray[np.floating]) -> Doubles:
    """Return the values in float64, rounded to 1e-6, so that ties are ties on every machine."""
    return np.asarray(np.round(values.astype(np.float64), 6), dtype=np.float64)
