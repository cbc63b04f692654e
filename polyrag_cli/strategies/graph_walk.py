"""Passages along chains of names: for questions whose answer no single passage holds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from polyrag_cli.strategies.base import Context
from polyrag_cli.strategies.passages import hits
from polyrag_cli.tracing import span
from polyrag_cli.types import ClauseDecision, HeadScore, Hit, Query, Retrieval, Window

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from polyrag_cli.graph.arrays import GraphArrays
    from polyrag_cli.scoring.walk import WalkResult

# Chunks whose windows are compared with the question; the sentences of all others count as unlike it.
NEAREST = 100


class GraphWalkStrategy:
    """A beam over sentence paths with Personalized PageRank as its finish; works without an embedder."""

    name = "graph_walk"

    def retrieve(self, query: Query, decision: ClauseDecision, context: Context) -> Retrieval:
        """The passages of the best paths, each with the sentence that speaks for it; the names along the best path."""
        from polyrag_cli.graph.question import question_on
        from polyrag_cli.scoring.walk import WalkSettings, walk

        with span("rag.graph.seeds") as seeding:
            arrays = context.stores.graph.arrays(context.snapshot)
            question = question_on(arrays, query.text, query.language)
            dense = sentence_cosines(arrays, query, context)
            seeding.set_attribute("names", len(question.anchors))
            seeding.set_attribute("terms", len(question.weights))
        with span("rag.graph.pagerank", damping=context.settings.damping) as ranking:
            settings = WalkSettings(damping=context.settings.damping)
            result = walk(arrays.walk, question, dense, settings, top_k=query.top_k)
            ranking.set_attribute("passages", len(result.passages))
        with span("rag.graph.fuse", hops=max(0, len(result.path) - 1)):
            return Retrieval(hits=_hits(query, context, arrays, result), path=_path(arrays, result))


def sentence_cosines(arrays: GraphArrays, query: Query, context: Context) -> npt.NDArray[np.float32] | None:
    """Cosine of the question with each sentence, shape (sentences,): the mean over the windows that hold the sentence.

    NaN outside the nearest chunks; None without an embedder or when the vector store knows none of the chunks.
    """
    import numpy as np

    if context.embedder.dimension == 0 or not query.vector.any() or arrays.sentences == 0:
        return None
    nearest = context.stores.vector.search(context.snapshot, query.vector, NEAREST)
    known = [hit.chunk_id for hit in nearest if hit.chunk_id in arrays.chunk_ids.index]
    if not known:
        return None
    found = context.stores.vector.windows(context.snapshot, known)
    held = [(arrays.chunk_ids.index[chunk_id], window) for chunk_id, (own, _) in found.items() for window in own]
    if not held:
        return None
    vectors = np.concatenate([vectors for _, vectors in found.values()]).astype(np.float64)
    # A sum along each row by itself: a matrix product's bits would depend on the rows beside it.
    cosines = (vectors * query.vector).sum(axis=1)
    return _by_sentence(arrays, held, cosines)


def _by_sentence(
    arrays: GraphArrays, held: Sequence[tuple[int, Window]], cosines: npt.NDArray[np.float64]
) -> npt.NDArray[np.float32]:
    """Mean of the windows' cosines by sentence; looks only at the sentences of the windows' passages."""
    import numpy as np

    from polyrag_cli.scoring.beam import ranges

    passages = sorted({number for number, _ in held})
    sentences, _ = ranges(arrays.walk.passage_sentences, np.array(passages, dtype=np.int64))
    # Sentences are in order of passage and offset, so a window's sentences are a range between two such positions.
    passage = np.array([number for number, _ in held], dtype=np.int64) << 32
    owner = arrays.walk.sentence_passage[sentences].astype(np.int64) << 32
    starts, ends = arrays.sentence_start[sentences], arrays.sentence_end[sentences]
    first = np.searchsorted(owner + ends, passage + [window.start for _, window in held], side="right")
    last = np.searchsorted(owner + starts, passage + [window.end for _, window in held], side="left")
    counts = np.maximum(last - first, 0)
    at = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(first, counts)
    total = np.bincount(at, weights=np.repeat(cosines, counts), minlength=len(sentences))
    count = np.bincount(at, minlength=len(sentences))
    means = np.where(count > 0, total / np.maximum(count, 1), np.nan)
    found = np.full(arrays.sentences, np.nan, dtype=np.float32)
    found[sentences] = np.round(means, 6).astype(np.float32)
    return found


def _hits(query: Query, context: Context, arrays: GraphArrays, result: WalkResult) -> tuple[Hit, ...]:
    ranked: list[tuple[str, float]] = []
    spans: dict[str, tuple[int, int]] = {}
    for passage, score, sentence in zip(result.passages, result.scores, result.sentences, strict=True):
        chunk_id = arrays.chunk_ids[passage]
        # The walk's score is a logarithm; its exponential keeps the order and lies in (0, 1].
        ranked.append((chunk_id, min(1.0, math.exp(score))))
        if sentence >= 0:
            spans[chunk_id] = (int(arrays.sentence_start[sentence]), int(arrays.sentence_end[sentence]))
    scored = [(chunk_id, round(score, 6)) for chunk_id, score in ranked]
    heads = {chunk_id: (HeadScore("graph", score, rank, score),) for rank, (chunk_id, score) in enumerate(scored, 1)}
    return hits(context.snapshot, ranked, dict.fromkeys(heads, "graph"), spans, query.text, heads)


def _path(arrays: GraphArrays, result: WalkResult) -> tuple[str, ...]:
    names: list[str] = []
    for i, sentence in enumerate(result.path):
        _add(names, _label(arrays, int(arrays.walk.sentence_passage[sentence])))
        if i < len(result.links):
            _add(names, arrays.entity_names[result.links[i]])
    return tuple(names)


def _add(names: list[str], name: str) -> None:
    if name and (not names or names[-1].casefold() != name.casefold()):
        names.append(name)


def _label(arrays: GraphArrays, passage: int) -> str:
    """A passage's own title: the strongest name that titles it, else its document."""
    entities, weights = arrays.titles.row(passage)
    if len(entities) == 0:
        return arrays.documents[passage]
    best = min(zip(entities.tolist(), weights.tolist(), strict=True), key=lambda pair: (-round(pair[1], 6), pair[0]))
    return arrays.entity_names[best[0]]
