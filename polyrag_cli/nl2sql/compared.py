"""Owns what two figures that are set against each other have in common: both are read, and shown with what follows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from polyrag_cli.nl2sql.algebra import Figure, Rows
from polyrag_cli.nl2sql.rendering import Renderer
from polyrag_cli.nl2sql.stating import Speaker
from polyrag_cli.types import Cell
from polyrag_cli.types import Rows as Result


@dataclass(frozen=True, slots=True)
class Compared(ABC):
    """Two figures of the same measure; `names` as the question gives them, of values of a column."""

    first: Figure
    second: Figure
    names: tuple[Cell, Cell]
    column: str

    @property
    def rows(self) -> Rows:
        """The rows of the first."""
        return self.first.rows

    def render(self, renderer: Renderer) -> str:
        """The SELECT of one row: what follows, and the two figures."""
        shown = f"{self.follows(renderer)}, value_1, value_2"
        return renderer.figures(shown, value_1=self.first, value_2=self.second)

    def state(self, speaker: Speaker, result: Result) -> str:
        """The answer's first line: what follows, and the two figures behind their names."""
        *following, first, second = result.rows[0]
        return self.said(
            speaker, following, speaker.figures(self.names, self.column, self.first.measure, [first, second])
        )

    @abstractmethod
    def follows(self, renderer: Renderer) -> str:
        """What follows from `value_1` and `value_2`, as columns of a SELECT."""

    @abstractmethod
    def said(self, speaker: Speaker, following: Sequence[Cell], items: Sequence[str]) -> str:
        """What follows, in words, with the two figures as `items`."""
