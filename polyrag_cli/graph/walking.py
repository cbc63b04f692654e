"""Owns how the embedded graph walks: a question laid over arrays, and what was found as chunk ids and names."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from polyrag_cli.graph.base import GraphWalk, WalkedPassage
from polyrag_cli.graph.question import question_on
from polyrag_cli.scoring.walk import WalkSettings, walk
from polyrag_cli.scoring.walk_graph import ranges

if TYPE_CHECKING:
    from polyrag_cli.graph.arrays import GraphArrays
    from polyrag_cli.scoring.walk import WalkResult
    from polyrag_cli.text.utterance import Utterance
    from polyrag_cli.types import Window


def walked(
    arrays: GraphArrays, asked: Utterance, near: Sequence[tuple[Window, float]], damping: float, top_k: int
) -> GraphWalk:
    """The passages of the best paths from a question, each with the sentence that speaks for it, and the names along
    the best path.

    near: the windows most like the question with their cosines. damping: in [0, 1).
    """
    question = question_on(arrays, asked)
    dense = sentence_cosines(arrays, near)
    result = walk(arrays.walk, question, dense, WalkSettings(damping=damping), top_k=top_k)
    return GraphWalk(
        passages=_passages(arrays, result),
        path=_path(arrays, result),
        hops=max(0, len(result.path) - 1),
        names=len(question.anchors),
        terms=len(question.weights),
        gain=result.gain,
    )


def sentence_cosines(arrays: GraphArrays, near: Sequence[tuple[Window, float]]) -> npt.NDArray[np.float32] | None:
    """Cosine of the question with each sentence, shape (sentences,): the mean over the windows that hold the sentence.

    NaN for sentences of other passages; None when the graph has none of the windows' chunks.
    """
    index = arrays.chunk_ids.index
    known = [(index[window.chunk_id], window, cosine) for window, cosine in near if window.chunk_id in index]
    if not known:
        return None
    passages = sorted({number for number, _, _ in known})
    sentences, _ = ranges(arrays.walk.passage_sentences, np.array(passages, dtype=np.int64))
    # Sentences are in order of passage and offset, so a window's sentences are a range between two such positions.
    passage = np.array([number for number, _, _ in known], dtype=np.int64) << 32
    owner = arrays.walk.sentence_passage[sentences].astype(np.int64) << 32
    starts, ends = arrays.sentence_start[sentences], arrays.sentence_end[sentences]
    first = np.searchsorted(owner + ends, passage + [window.start for _, window, _ in known], side="right")
    last = np.searchsorted(owner + starts, passage + [window.end for _, window, _ in known], side="left")
    counts = np.maximum(last - first, 0)
    at = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(first, counts)
    cosines = np.array([cosine for _, _, cosine in known], dtype=np.float64)
    total = np.bincount(at, weights=np.repeat(cosines, counts), minlength=len(sentences))
    count = np.bincount(at, minlength=len(sentences))
    means = np.where(count > 0, total / np.maximum(count, 1), np.nan)
    found = np.full(arrays.sentences, np.nan, dtype=np.float32)
    found[sentences] = np.round(means, 6).astype(np.float32)
    return found


def _passages(arrays: GraphArrays, result: WalkResult) -> tuple[WalkedPassage, ...]:
    found = []
    for passage, score, sentence in zip(result.passages, result.scores, result.sentences, strict=True):
        span = (int(arrays.sentence_start[sentence]), int(arrays.sentence_end[sentence])) if sentence >= 0 else (0, 0)
        # The walk's score is a logarithm; its exponential keeps the order and lies in (0, 1].
        found.append(WalkedPassage(arrays.chunk_ids[passage], min(1.0, math.exp(score)), *span))
    return tuple(found)


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
