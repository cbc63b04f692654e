"""Owns what links of any kind ask of a question's words, and what a weak link costs."""

from __future__ import annotations

from collections.abc import Iterable

from polyrag_cli.nl2sql.question import Question

# What a link costs for what it lacks of its full quality.
WEAK = 0.5
# From here on, a link is sure.
SURE = 0.9


def are_small(question: Question, words: Iterable[int]) -> bool:
    """Whether all words are small ones, which name nothing."""
    small = question.lexicon.is_function_word
    return all(small(question.tokens[i].folded) for i in words)


def extents(question: Question, i: int) -> tuple[str, ...]:
    """Return the notions that a word measures ("long": duration, length), by name."""
    word = question.tokens[i].folded
    dimensions = question.lexicon.tables.dimensions
    return tuple(notion for notion, words in sorted(dimensions.items()) if word in words)
