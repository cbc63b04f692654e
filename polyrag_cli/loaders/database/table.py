"""Owns a database's table as cell texts, within what is read of one file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from polyrag_cli.loaders.values import MAX_CELLS, column_type
from polyrag_cli.types import ColumnType, RawTable, Reference


@dataclass(frozen=True, slots=True)
class Described:
    """What a database says of a table before its rows are read.

    types: of each column; None where its values say more than its declaration. keys, references: as of `RawTable`.
    binary: how many values are no text.
    """

    name: str
    columns: tuple[str, ...]
    types: tuple[ColumnType | None, ...]
    rows: int
    keys: tuple[str, ...] = ()
    references: tuple[Reference, ...] = ()
    binary: int = 0


@dataclass(slots=True)
class Reading:
    """The tables of a file as they are read, and what is to be said of them."""

    tables: list[RawTable] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    cells: int = 0

    def add(self, described: Described, rows: Callable[[], Iterable[tuple[str, ...]]]) -> None:
        """Reads a table unless it has too many rows, which is said then.

        rows: gives them as texts when called.
        """
        size = max(1, described.rows) * len(described.columns)
        if self.cells + size > MAX_CELLS:
            self.warnings.append(
                f"{described.name} is left out: {described.rows:,} rows are more than the {MAX_CELLS:,} cells"
                " that are read of a file."
            )
            return
        self.cells += size
        self.tables.append(_raw(described, list(rows())))
        if described.binary:
            values = "value" if described.binary == 1 else "values"
            self.warnings.append(f"{described.name}: {described.binary:,} binary {values} left out.")

    def left_out(self, kind: str, names: Sequence[str]) -> None:
        """Says what isn't read. kind: what it is, in the singular."""
        if names:
            noun = kind if len(names) == 1 else f"{kind}s"
            self.warnings.append(f"{len(names)} {noun} left out: {', '.join(names)}.")


def _raw(described: Described, texts: Sequence[tuple[str, ...]]) -> RawTable:
    linked = {*described.keys, *(reference.column for reference in described.references)}
    columns = list(zip(*texts, strict=True)) if texts else [()] * len(described.columns)
    types = tuple(
        _type(name, declared, cells, name in linked)
        for name, declared, cells in zip(described.columns, described.types, columns, strict=True)
    )
    return RawTable(
        described.name,
        (described.columns, *texts),
        heading=described.name,
        place=f"table {described.name}",
        types=types,
        keys=described.keys,
        references=described.references,
    )


def _type(name: str, declared: ColumnType | None, cells: Sequence[str], linked: bool) -> ColumnType | None:
    """A column's type. linked: whether it is a key or holds one, whose texts must stay equal on both sides."""
    if declared is not None:
        return declared
    found = column_type(cells)
    return "text" if found is None and linked else found
