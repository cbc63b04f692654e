"""Quotes put together as one answer.

Owns the order, the numbering and the length of what is stated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from polyrag_cli.text.numbers import find_numbers, format_number
from polyrag_cli.types import Chunk, Hit

# Small number words read better alone.
_FIGURE_FROM = 11


@dataclass(frozen=True, slots=True)
class Quote:
    """A stretch of a hit's chunk; `start` and `end` are document offsets. heading: what is shown before it, if any."""

    hit: Hit
    chunk: Chunk
    start: int
    end: int
    heading: str = ""

    @property
    def text(self) -> str:
        """The document's characters from `start` to `end`."""
        return self.chunk.text[self.start - self.chunk.start : self.end - self.chunk.start]


def stated(quotes: Sequence[Quote], max_words: int, figures: str | None = None) -> tuple[str, tuple[Hit, ...]]:
    """The quotes, each on a line of its own and of at most `max_words` words, and a source for each number in it.

    Neighbouring quotes that fit together become one, in the document's order; quotes stand in the order of their first
    choice, each behind its heading. Each ends with its number, "[1]", which counts as a word. White space inside a
    quote is collapsed in the text, never in its source. A quote that is too long is cut at a word.

    figures: a language; number words from eleven on get their figure beside them, where there is room.
    """
    longest = max(1, max_words - 1)
    runs = [_cut(run, longest - len(run.heading.split())) for run in _runs(quotes, longest)]
    texts = [" ".join((f"{run.heading}: {run.text}" if run.heading else run.text).split()) for run in runs]
    if figures is not None:
        texts = [_with_figures(text, figures, longest - len(text.split())) for text in texts]
    numbered = "\n".join(f"{text} [{i}]" for i, text in enumerate(texts, 1))
    return numbered, tuple(replace(run.hit, start=run.start, end=run.end, text=run.text, quotes=()) for run in runs)


def moved(span: tuple[int, int], plain: str, figured: str) -> tuple[int, int]:
    """Where a span of a text stands once figures were put beside its number words."""
    places: list[int] = []
    at = 0
    for character in plain[: span[1]]:
        at = figured.index(character, at) + 1
        places.append(at - 1)
    return places[span[0]], places[span[1] - 1] + 1


def _runs(quotes: Sequence[Quote], longest: int) -> list[Quote]:
    """Quotes of one passage with only white space between them, joined up to `longest` words; each at the place of its
    first member."""
    runs: list[Quote] = []
    for quote in quotes:
        joined = quote
        at = len(runs)
        for i in range(len(runs) - 1, -1, -1):
            if (merged := _merged(runs[i], joined, longest)) is not None:
                joined, at = merged, i
                del runs[i]
        runs.insert(at, joined)
    return runs


def _merged(a: Quote, b: Quote, longest: int) -> Quote | None:
    first, second = (a, b) if a.start <= b.start else (b, a)
    if a.chunk.chunk_id != b.chunk.chunk_id or second.start < first.end:
        return None
    merged = replace(a, start=first.start, end=second.end, heading=a.heading or b.heading)
    gap = merged.text[first.end - first.start : second.start - first.start]
    return None if gap.strip() or len(f"{merged.heading} {merged.text}".split()) > longest else merged


def _cut(quote: Quote, max_words: int) -> Quote:
    words = quote.text.split()
    if len(words) <= max_words:
        return quote
    position = 0
    for word in words[:max_words]:
        position = quote.text.index(word, position) + len(word)
    return replace(quote, end=quote.start + position)


def _with_figures(text: str, language: str, left: int) -> str:
    """The text with figures beside its number words, as long as `left` words more allow it."""
    pieces, position = [], 0
    for number in find_numbers(text, language):
        worded = not any(c.isdigit() for c in number.text)
        if not worded or number.percent or abs(number.value) < _FIGURE_FROM or left < 1:
            continue
        pieces.append(f"{text[position : number.end]} ({format_number(number.value, language)})")
        position, left = number.end, left - 1
    return "".join(pieces) + text[position:]
