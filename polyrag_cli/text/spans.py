"""Owns parts of a text by their offsets."""

from __future__ import annotations

Span = tuple[int, int]
"""Start and end of a part, in code points."""


def trimmed(text: str, start: int, end: int) -> Span:
    """Return the span without outer white space; an empty one at its end when it holds nothing else."""
    piece = text[start:end]
    first = start + len(piece) - len(piece.lstrip())
    return first, max(first, start + len(piece.rstrip()))
