"""Owns which words of a question stand for the rows of a table: the words of its title, or one of the same meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from polyrag_cli.nl2sql.question import Question
from polyrag_cli.nl2sql.related.database import Thing
from polyrag_cli.nl2sql.related.linked_words import WEAK, are_small
from polyrag_cli.nl2sql.related.parts import every
from polyrag_cli.nl2sql.related.spans import FoundSpans

# What a word of nearly the same meaning as a title costs, and what speaks for it.
_NEAR_COST = 0.1
_NEAR = 0.8


def link_rows(question: Question, thing: Thing, spans: FoundSpans) -> None:
    """Note which words may stand for the rows of a table."""
    if not thing.nouns or thing.extends:
        return
    for first in range(len(question.tokens)):
        length = _named(question, thing, first)
        if length:
            share = length / len(thing.nouns)
            quality = 1.0 if share == 1.0 else 0.5 + 0.4 * share
            spans.add(first, first + length - 1, every(thing.table), WEAK * (1 - quality), quality)
        elif _nearly_named(question, thing, first):
            spans.add(first, first, replace(every(thing.table), loose="near"), _NEAR_COST, _NEAR)


def _named(question: Question, thing: Thing, first: int) -> int:
    """Return how many words from one on are of the table's title; all of them where its rows have no name."""
    tokens, longest = question.tokens, len(thing.nouns)
    for length in range(min(longest, len(tokens) - first), 0, -1):
        words = [frozenset(word.stems) for word in tokens[first : first + length]]
        if not _matched(words, thing.nouns) or are_small(question, range(first, first + length)):
            continue
        if thing.name is not None or length == longest:
            return length
    return 0


def _nearly_named(question: Question, thing: Thing, i: int) -> bool:
    token = question.tokens[i]
    return bool(token.notions & thing.entry.label_concepts) and not token.empty and thing.name is not None


def _matched(words: Sequence[frozenset[str]], nouns: Sequence[frozenset[str]]) -> bool:
    """Whether each of some words is another word of a title."""
    left = list(nouns)
    for stems in words:
        hit = next((group for group in left if group & stems), None)
        if hit is None:
            return False
        left.remove(hit)
    return True
