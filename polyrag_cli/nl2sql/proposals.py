"""Owns what an operator proposes for a scope: an expression, the words that it accounts for, what speaks for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from polyrag_cli.nl2sql.algebra import Expression
from polyrag_cli.nl2sql.columns import ColumnEntry
from polyrag_cli.nl2sql.question import Mark
from polyrag_cli.nl2sql.scope import Covered, Scope, Target

# How far a count accounts for a noun that nothing in the table explains.
UNLINKED = 0.4
_FAIR = 0.6
# From this quality on, a word names a column and is no noun for another.
_SURELY = 0.9
# How surely words must name what columns of years hold, and how well those fit that are called nothing but their years.
_NAMED = 0.5
_BARE = 0.8


@dataclass(frozen=True)
class Proposal:
    """An expression with what speaks for it.

    prior: what the words that ask, and the types of what is asked, say for the operator; around .75 where both fit.
    covered: the words that it accounts for besides those of the restrictions, with how surely, 0–1.
    single: whether several rows are less likely an answer the more there are. alone: whether several are none.
    """

    operator: str
    expression: Expression
    prior: float
    covered: Mapping[int, float]
    single: bool = False
    alone: bool = False


class Operator(Protocol):
    """What a question may ask of the rows of a scope."""

    name: str

    def propose(self, scope: Scope) -> Iterator[Proposal]:
        """The expressions by which it may answer the scope's question."""


def covering(*found: Covered | Mapping[int, float]) -> Covered:
    """Return the surest of several accounts of words."""
    together: Covered = {}
    for each in found:
        for i, surety in each.items():
            together[i] = max(together.get(i, 0.0), surety)
    return together


def words_of(marks: Iterable[Mark], surety: float = 1.0) -> Covered:
    """Return the words of marks."""
    return {i: surety for mark in marks for i in range(mark.first, mark.last + 1)}


def shown(scope: Scope, target: Target) -> Covered:
    """Return the words that showing a column accounts for: its name, and the noun that is asked for where it fits."""
    found = scope.naming(target.entry)
    if target.tokens and target.quality >= _FAIR and target.tokens[0] in scope.ask.focus[:2]:
        others = {i for item in scope.columns if item.quality >= _SURELY and item.lexical for i in item.tokens}
        found = covering(found, {i: 0.6 for i in scope.ask.focus[:2] if i not in others})
    return found


def series_named(scope: Scope, words: Sequence[str], entries: Sequence[ColumnEntry]) -> tuple[float, Covered]:
    """Return how surely the question names what columns of several years hold, 0–1, and the words that do.

    words: those of their labels besides the years; columns without any need no name.
    """
    positions = {entry.position for entry in entries}
    figures = scope.question.figures()
    items = [i for i in scope.free if i.position in positions and not figures.issuperset(i.tokens)]
    best = max((item.quality for item in items), default=0.0)
    fit = best if best >= _NAMED else 0.0 if words else _BARE
    return fit, covering(*(scope.naming(entry) for entry in entries))
