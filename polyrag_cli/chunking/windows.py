"""Chunks to windows, the units of the vector index."""

from __future__ import annotations

import re
from collections.abc import Sequence

from polyrag_cli.text.sentences import sentences
from polyrag_cli.types import Chunk, Window

MAX_SENTENCE = 600
_LINE = re.compile(r"[^\n]+")
# Sentence borders are looked for in stretches of at most this length: one endless line must not cost memory.
_STRETCH = 20_000


def chunk_sentences(chunk: Chunk) -> list[tuple[int, int]]:
    """Spans in the chunk's text: its sentences, or a table's, code's or fields' lines; none over 600 characters."""
    if chunk.kind in ("table", "code", "fields"):
        spans = [match.span() for match in _LINE.finditer(chunk.text) if match[0].strip()]
    else:
        spans = sentence_spans(chunk.text)
    return [piece for span in spans for piece in pieces(chunk.text, *span, MAX_SENTENCE)]


def windows(chunk: Chunk, spans: Sequence[tuple[int, int]] | None = None) -> list[Window]:
    """Windows of two sentences, stride one: n − 1 for n sentences, one for one; offsets are the document's.

    spans: the chunk's sentences when the caller has them already.
    """
    spans = chunk_sentences(chunk) if spans is None else spans
    return [
        Window(
            chunk.chunk_id,
            ordinal,
            chunk.start + spans[first][0],
            chunk.start + spans[last - 1][1],
            chunk.text[spans[first][0] : spans[last - 1][1]],
        )
        for ordinal, (first, last) in enumerate(window_ranges(len(spans)))
    ]


def window_ranges(count: int) -> list[tuple[int, int]]:
    """Half-open sentence ranges of the windows over `count` sentences."""
    return [(0, 1)] if count == 1 else [(first, first + 2) for first in range(count - 1)]


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Sentence spans of a text of any length; a stretch without a paragraph border is cut near 20,000 characters."""
    if len(text) <= _STRETCH:
        return sentences(text)
    spans: list[tuple[int, int]] = []
    for start, end in pieces(text, 0, len(text), _STRETCH):
        spans += [(start + first, start + last) for first, last in sentences(text[start:end])]
    return spans


def pieces(text: str, start: int, end: int, longest: int) -> list[tuple[int, int]]:
    """Pieces of text[start:end], none longer than `longest`, cut at the last white space that fits, else anywhere."""
    spans: list[tuple[int, int]] = []
    while end - start > longest:
        cut = max(text.rfind(space, start + longest // 2, start + longest) for space in (" ", "\n"))
        cut = cut if cut > start else start + longest
        spans.append((start, cut))
        start = cut
        while start < end and text[start].isspace():
            start += 1
    if start < end:
        spans.append((start, end))
    return spans
