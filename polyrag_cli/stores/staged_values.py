"""Owns tables whose rows stay staged rather than in memory: how the values of their columns come from cell texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from polyrag_cli.types import ColumnType, RawTable

if TYPE_CHECKING:
    from polyrag_cli.stores.staged_rows import StagedRows

How = Literal["cast", "day", "text", "read", "rows"]


@dataclass(frozen=True, slots=True)
class StagedValue:
    """How one column's values come from its clean cells.

    how: "cast" for figures as programs write them, "day" for ISO dates that a time may follow, "text" for the cells
    themselves, "read" for what `read` says of each different cell, "rows" for whether the row is one of `rows`.
    nothing: texts in small letters that stand for no value; `read` says so itself.
    """

    how: How
    column: int
    type: ColumnType
    nothing: frozenset[str] = frozenset()
    read: Mapping[str, object] = field(default_factory=dict)
    rows: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class StagedRawTable(RawTable):
    """A table of a file that is too long to be held: its `rows` are only the first of them.

    staged: all rows behind the one that names the columns. digest: of the bytes that they were read from, in hex.
    """

    staged: StagedRows = field(kw_only=True)
    digest: str = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class StagedCells:
    """What a typed table holds in place of its cells.

    values: in the order of the table's columns. header: the cells that name the columns in the file, None without.
    """

    rows: StagedRows
    values: tuple[StagedValue, ...]
    digest: str
    header: tuple[str, ...] | None
