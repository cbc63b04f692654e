"""Owns the blocks of a passage: what stands between blank lines, told by its words alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

_BLOCK = re.compile(r"\S.*?(?=\s*(?:\n[ \t]*\n|\Z))", re.DOTALL)


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
    return tuple(_block(match) for match in _BLOCK.finditer(text))


def _block(match: re.Match[str]) -> TextBlock:
    words = match[0].casefold().split()
    digest = blake2b(" ".join(words).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return TextBlock(match.start(), match.end(), int.from_bytes(digest, "little", signed=True), len(words))
