"""Owns a column's clean cell texts as its type is decided by: each different text with how often it stands there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property


class Texts:
    """A column's cells, held in a list."""

    def __init__(self, cells: Sequence[str]) -> None:
        self.cells = cells

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """How many cells hold each different text, in order of first place."""
        return Counter(self.cells)

    def spread(self, tried: int) -> Sequence[str]:
        """Cells at even distances over the whole column: all up to `tried`, fewer than twice as many of more."""
        return self.cells[:: max(1, len(self.cells) // tried)]

    def at(self, positions: Sequence[int]) -> list[str]:
        """The cells of some rows."""
        return [self.cells[position] for position in positions]

    def times(self, texts: Sequence[str]) -> list[int]:
        """How many cells hold each of some texts."""
        return [self.counts.get(text, 0) for text in texts]


def clean(cell: str) -> str:
    """Return a cell as it is compared: single spaces between its words, none around them."""
    if cell.isascii() and cell.isprintable() and "  " not in cell and cell[:1] != " " != cell[-1:]:
        return cell
    # What can't be seen can't be compared.
    return " ".join(encodable(cell).split())


def encodable(cell: str) -> str:
    """Return a cell as it can be stored."""
    return cell.encode("utf-8", "replace").decode("utf-8").replace("\x00", "")
