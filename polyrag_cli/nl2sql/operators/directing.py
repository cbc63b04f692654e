"""Which of two opposite words holds: "is A above or below B?", "did it have more or fewer rows than B?"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from polyrag_cli.nl2sql.algebra import Figure, Measure
from polyrag_cli.nl2sql.compared import Compared
from polyrag_cli.nl2sql.operators.comparing import figure_of
from polyrag_cli.nl2sql.orders import orders
from polyrag_cli.nl2sql.proposals import UNLINKED, Proposal, covering, words_of
from polyrag_cli.nl2sql.question import Mark
from polyrag_cli.nl2sql.rendering import Renderer
from polyrag_cli.nl2sql.scope import Covered, Scope
from polyrag_cli.nl2sql.stating import Speaker
from polyrag_cli.types import Cell

_LARGER = ("more", "above", "after", "or_more", "max")


@dataclass(frozen=True, slots=True)
class Direction(Compared):
    """The word for a first figure that is larger than a second, or that for one that is smaller."""

    larger: str
    smaller: str

    def follows(self, renderer: Renderer) -> str:
        return (
            f"CASE WHEN value_1 > value_2 THEN {renderer.named(self.larger)}"
            f" WHEN value_1 < value_2 THEN {renderer.named(self.smaller)} END AS direction"
        )

    def said(self, speaker: Speaker, following: Sequence[Cell], items: Sequence[str]) -> str:
        word = following[0] or speaker.words["tie"]
        return f"{word}: {'; '.join(items)} ({speaker.described(self.first.measure)})"


class Directing:
    """Proposes one of the two opposite words between or around two values of one column."""

    name = "directing"

    def propose(self, scope: Scope) -> Iterator[Proposal]:
        found = scope.ask.opposites
        if not found or scope.pair is None or scope.pair[1].tokens[0] < found[1].last:
            return
        column = scope.entry(scope.pair[0])
        first, second = scope.pair
        names = (first.conditions[0].values[0], second.conditions[0].values[0])
        larger, smaller = self._words(scope, found)
        asking = words_of([*found, *scope.question.find("or", "than"), *scope.marks("count", "sum", "average")])
        for measure, fit, flipped, covered in self._measures(scope, found[0]):
            figures = [Figure(scope.rows_with(each, scope.pair), measure) for each in scope.pair]
            words = (smaller, larger) if flipped else (larger, smaller)
            expression = Direction(figures[0], figures[1], names, column.column.name, *words)
            yield Proposal(
                self.name, expression, 1.1 + 0.4 * fit, covering(asking, covered, scope.naming(column), {0: 1.0})
            )

    def _words(self, scope: Scope, found: Sequence[Mark]) -> tuple[str, str]:
        """Return the word of the question for more, and that for less."""
        words = [scope.question.tokens[m.last if m.operation.startswith("or_") else m.first].folded for m in found]
        return (words[0], words[1]) if found[0].operation in _LARGER else (words[1], words[0])

    def _measures(self, scope: Scope, mark: Mark) -> Iterator[tuple[Measure, float, bool, Covered]]:
        compared = orders(scope, mark)
        for order in compared:
            yield figure_of(scope, order.entry), order.fit, order.flipped, scope.naming(order.entry)
        for entry in scope.profile.times[:1] if mark.operation in ("before", "after") else ():
            yield Measure("min", entry.column.name), 0.5, False, {}
        quantities = [e for e in scope.entries if e.role == "measure"]
        if not compared and len(quantities) == 1:
            yield figure_of(scope, quantities[0]), 0.3, quantities[0].position in scope.profile.ranking, {}
        if not compared and scope.ask.counts:
            yield Measure("count"), 0.3, False, dict.fromkeys(scope.ask.focus[:2], UNLINKED)


OPERATOR = Directing()
