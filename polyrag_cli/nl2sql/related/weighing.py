"""Owns what speaks for a reading over related tables: the words that it accounts for, and what combining them cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from polyrag_cli.nl2sql.question import Question
from polyrag_cli.nl2sql.scoring import COVERAGE, Score, weights

PRIOR = 0.75
_HALF = 0.5
# What changes the question where nothing accounts for it.
_BINDING = frozenset(
    {"above", "at_least", "below", "at_most", "equal", "after", "before", "since", "until", "between", "or_more",
     "or_less", "not", "except", "average", "median", "share", "difference", "growth", "versus", "single", "next",
     "previous", "consecutive", "same", "other", "none", "only", "both", "mode", "ratio", "rank", "more", "less",
     "than", "group", "or", "sum", "who", "when", "where"}
)  # fmt: skip


def weighed(question: Question, covered: Mapping[int, float], cost: float, unmet: Sequence[int]) -> Score:
    """Return what speaks for a reading, comparable with readings of single tables.

    covered: the words that it accounts for, with how surely, 0–1. cost: what speaks against how they combine.
    unmet: words that say more than it does.
    """
    relating = question.lexicon.tables.relating.verbs
    weight = {i: w for i, w in weights(question).items() if question.tokens[i].folded not in relating}
    whole = sum(weight.values())
    explained = sum(w * min(1.0, covered.get(i, 0.0)) for i, w in weight.items())
    coverage = explained / whole if whole else 1.0
    unexplained = tuple(i for i in sorted(weight) if covered.get(i, 0.0) < _HALF)
    changing = _marked(question) | question.figures() | _blocking(question)
    loose = {i for i in changing if covered.get(i, 0.0) < _HALF}.union(unmet)
    bare = tuple(sorted(loose | {i for i in unexplained if question.tokens[i].capital and i > 0}))
    total = COVERAGE * coverage + PRIOR - cost
    return Score(round(total, 6), round(coverage, 6), round(-cost, 6), unexplained, bare, unexplained)


def _marked(question: Question) -> set[int]:
    """The words of operations that change what is asked."""
    return {
        i
        for mark in question.marks
        if mark.operation in _BINDING or mark.operation[:3] in ("max", "min")
        for i in range(mark.first, mark.last + 1)
    }


def _blocking(question: Question) -> set[int]:
    """The words that change what is asked in a way that nothing here expresses."""
    blockers = question.lexicon.blockers
    words = [token.folded for token in question.tokens]
    marked = {i for mark in question.marks for i in range(mark.first, mark.last + 1)}
    return {
        i + step
        for i, word in enumerate(words)
        for phrase in blockers.get(word, ())
        if i not in marked and tuple(words[i : i + len(phrase)]) == phrase
        for step in range(len(phrase))
    }
