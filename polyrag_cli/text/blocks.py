"""Owns the blocks of a passage: what stands between blank lines, told by its words alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise

_BLANK_LINES = re.compile(r"\n[ \t]*\n")


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A block of a text, from `start` to `end`. key: 64 bits, signed, of its words in order, their case folded; words:
    how many."""

    start: int
    end: int
    key: int
    words: int


@lru_cache(maxsize=4096)
def text_blocks(text: str) -> tuple[TextBlock, ...]:
    """The blocks of a text in order; none for white space."""
    borders = [(0, 0), *(match.span() for match in _BLANK_LINES.finditer(text)), (len(text), len(text))]
    spans = [(before[1], behind[0]) for before, behind in pairwise(borders)]
    return tuple(_block(text, start, end) for start, end in spans if text[start:end].strip())


def _block(text: str, start: int, end: int) -> TextBlock:
    """The block between two offsets, white space around it left out."""
    inside = text[start:end]
    start, end = start + len(inside) - len(inside.lstrip()), start + len(inside.rstrip())
    words = inside.casefold().split()
    digest = blake2b(" ".join(words).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return TextBlock(start, end, int.from_bytes(digest, "little", signed=True), len(words))
