"""Owns the typed items that spans of a question are linked to: columns, and restrictions of rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from polyrag_cli.nl2sql.algebra import Condition

Kind = Literal["whole", "member", "part", "inflected", "spelled", "number", "bound", "date", "state", "lack"]


@dataclass(frozen=True, slots=True)
class ColumnItem:
    """Words that name a column: all of its label at quality 1, less by a part, a notion, a spelling or a meaning.

    part: "month" or "year" where that part of a date column is named.
    """

    tokens: tuple[int, ...]
    position: int
    quality: float
    part: Literal["", "month", "year"] = ""
    lexical: bool = True


@dataclass(frozen=True, slots=True)
class Restriction:
    """Words that restrict rows by a column: all conditions must hold.

    quality: of the link alone, 0–1.4 (long names count more); beside: how well the column itself is named next to it,
    by the words `context`. negated: whether a negation turns it round, whose words are in `context` too.
    """

    tokens: tuple[int, ...]
    position: int
    conditions: tuple[Condition, ...]
    quality: float
    kind: Kind
    beside: float = 0.0
    context: tuple[int, ...] = field(default=())
    negated: bool = False

    @property
    def worth(self) -> float:
        """The link's quality with what speaks for its column; whole numbers need their column's name most."""
        return self.quality + (0.5 if self.kind == "number" else 0.25) * self.beside

    @property
    def single(self) -> bool:
        """Whether it asks for one value."""
        return (
            len(self.conditions) == 1
            and len(self.conditions[0].values) == 1
            and self.conditions[0].operator
            in (
                "=",
                "year",
                "month",
            )
        )
