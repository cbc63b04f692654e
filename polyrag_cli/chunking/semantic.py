"""Long stretches of text split where the meaning turns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from polyrag_cli.chunking.windows import pieces, sentence_spans
from polyrag_cli.text.spans import Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Embed = Callable[[Sequence[str]], NDArray[np.float32]]
else:
    Embed = Callable

# Sentences of one block that are embedded and compared together.
_STRETCH = 4096


def packed(spans: Sequence[Span], max_chars: int) -> list[tuple[int, int]]:
    """Groups of neighbouring spans as half-open index ranges, none longer than max_chars unless it is a single span.

    The groups are as few as going left to right allows, and about equally long, so that no short rest remains.
    """
    if not spans:
        return []
    total = spans[-1][1] - spans[0][0]
    groups = _greedy(spans, max_chars)
    # A smaller target spreads the same number of groups evenly.
    even = _greedy(spans, max(1, min(max_chars, -(-total * 11 // (10 * len(groups))))))
    return even if len(even) <= len(groups) else groups


def _greedy(spans: Sequence[Span], max_chars: int) -> list[tuple[int, int]]:
    groups, first = [], 0
    for index in range(1, len(spans)):
        if spans[index][1] - spans[first][0] > max_chars:
            groups.append((first, index))
            first = index
    groups.append((first, len(spans)))
    return groups


def by_meaning(text: str, start: int, end: int, embed: Embed | None, max_chars: int, min_chars: int) -> list[Span]:
    """Spans of at most max_chars that cover text[start:end] without its outer white space.

    A sentence that is unlike the centroid of its group begins a new one, once both sides hold min_chars; without an
    embedder the sentences are packed into even groups. Sentences longer than max_chars are cut at word borders.
    """
    sentences = [(start + first, start + last) for first, last in sentence_spans(text[start:end])]
    sentences = [piece for sentence in sentences for piece in pieces(text, *sentence, max_chars)]
    # A block of any length takes bounded memory.
    stretches = (sentences[first : first + _STRETCH] for first in range(0, len(sentences), _STRETCH))
    return [span for stretch in stretches for span in _stretch_spans(text, stretch, embed, max_chars, min_chars)]


def _stretch_spans(
    text: str, sentences: Sequence[Span], embed: Embed | None, max_chars: int, min_chars: int
) -> list[Span]:
    if embed is not None and len(sentences) > 2:
        vectors = embed([text[first:last] for first, last in sentences])
        if vectors.shape[1]:
            groups = _turns(sentences, vectors, max_chars, min_chars)
            return [(sentences[first][0], sentences[last - 1][1]) for first, last in groups]
    return [(sentences[first][0], sentences[last - 1][1]) for first, last in packed(sentences, max_chars)]


def _turns(
    sentences: Sequence[Span], vectors: NDArray[np.float32], max_chars: int, min_chars: int
) -> list[tuple[int, int]]:
    """Index ranges of groups; a border stands where a sentence is unlike its group's centroid, or where it must."""
    threshold = _threshold(vectors)
    groups: list[tuple[int, int]] = []
    first, total = 0, vectors[0].astype("float64")
    stop = sentences[-1][1]
    for index in range(1, len(sentences)):
        group_chars = sentences[index - 1][1] - sentences[first][0]
        full = sentences[index][1] - sentences[first][0] > max_chars
        turns = group_chars >= min_chars and stop - sentences[index][0] >= min_chars
        if full or (turns and _cosine(total, vectors[index]) < threshold):
            groups.append((first, index))
            first, total = index, vectors[index].astype("float64")
        else:
            total = total + vectors[index]
    groups.append((first, len(sentences)))
    return groups


def _threshold(vectors: NDArray[np.float32]) -> float:
    """One standard deviation below the mean cosine of neighbours: what counts as unlike depends on the text."""
    neighbours = (vectors[:-1].astype("float64") * vectors[1:]).sum(axis=1)
    return round(float(neighbours.mean() - neighbours.std()), 6)


def _cosine(total: NDArray[np.float64], vector: NDArray[np.float32]) -> float:
    length = float((total @ total) ** 0.5)
    return round(float(total @ vector) / length, 6) if length else 0.0
