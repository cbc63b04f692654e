"""Owns how raw tables become typed ones: their columns, the rows that state totals, and the notes about them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from polyrag_cli.stores.records import TypedTable
from polyrag_cli.stores.staged_values import StagedRawTable
from polyrag_cli.tables.audit import Candidate, Numbers, named_totals, total_rows
from polyrag_cli.tables.columns import TypedColumn, declared_column, number_column, summary, typed_column
from polyrag_cli.tables.description import addable, assembled, described_columns, marks, table_language, table_vote
from polyrag_cli.tables.identifiers import identifier, unique_identifiers
from polyrag_cli.tables.quantities import numeric_cells, plain_quantities
from polyrag_cli.tables.staged import staged_table
from polyrag_cli.tables.texts import Texts, clean, encodable
from polyrag_cli.types import ColumnType, RawTable


def typed_tables(raw: Sequence[RawTable], document: str) -> list[TypedTable]:
    """Return the tables with SQL identifiers, column types and values, in the given order; ones without columns are
    left out.

    Args:
        raw: a document's tables as their source holds them.
        document: its name; its stem names a table that has no name of its own.
    """
    stem = re.sub(r"\.[^./]*$", "", document.split("/")[-1].split("#")[0])
    kept = [(table, grid) for table in raw if (grid := _grid(table)) is not None]
    names = unique_identifiers([identifier(table.name, identifier(stem, "table")) for table, _ in kept], "table")
    return [
        staged_table(table, name) if isinstance(table, StagedRawTable) else _typed_table(table, grid, name)
        for (table, grid), name in zip(kept, names, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class _Grid:
    """Header labels and columns of equal length with clean cells, and the rows as their source holds them."""

    labels: list[str]
    columns: list[list[str]]
    source: tuple[tuple[str, ...], ...]
    types: tuple[ColumnType | None, ...]


def _grid(table: RawTable) -> _Grid | None:
    """Return a table without empty rows and without columns that hold nothing at all, which only its source keeps."""
    named = table.has_header and bool(table.rows)
    width = max(map(len, table.rows), default=0)
    kept = [_padded(row, width) for row in table.rows[named:] if any(cell and not cell.isspace() for cell in row)]
    header = [clean(cell) for cell in _padded(table.labels or table.rows[0], width)] if named else [""] * width
    raw = list(zip(*kept, strict=True)) if kept else [()] * width
    columns = [_clean_column(column) for column in raw]
    filled = [i for i in range(width) if header[i] or any(columns[i])]
    if not filled:
        return None
    source = (_padded(table.rows[0], width), *kept) if named else tuple(kept)
    if not all(map(_is_storable, [*raw, *source[:1]])):
        source = tuple(tuple(map(encodable, row)) for row in source)
    types = tuple(table.types[i] if i < len(table.types) else None for i in filled)
    return _Grid([header[i] for i in filled], [columns[i] for i in filled], source, types)


def _padded(row: tuple[str, ...], width: int) -> tuple[str, ...]:
    return row if len(row) == width else (*row, *[""] * (width - len(row)))


def _clean_column(cells: tuple[str, ...]) -> list[str]:
    text = "\n".join(cells)
    lines = text.count("\n") + 1 if cells else 0
    plain = lines == len(cells) and text.replace("\n", "").isprintable()
    # What holds for all cells together needs no look at each of them.
    spaced = "  " in text or " \n" in text or "\n " in text or text[:1] == " " or text[-1:] == " "
    return list(cells) if plain and not spaced else [clean(cell) for cell in cells]


def _is_storable(cells: Sequence[str]) -> bool:
    text = "".join(cells)
    return "\x00" not in text and (text.isascii() or encodable(text) == text)


def _typed_table(raw: RawTable, grid: _Grid, name: str) -> TypedTable:
    labels, texts = grid.labels, [Texts(column) for column in grid.columns]
    rows = list(zip(*grid.columns, strict=True))
    language = table_language(labels, rows)
    named = named_totals(rows)
    typed = _typed_columns(texts, grid.types, named, language)
    totals = total_rows(rows, named, [column for column in map(_addable, typed, texts) if column])
    known = [summary(column, text.counts) for column, text in zip(typed, texts, strict=True)]
    columns = described_columns(labels, typed, known, marks(texts, typed, totals, named), totals, len(rows), language)
    cells: list[tuple[object, ...]] = [
        tuple(map(column.read.__getitem__, text.cells)) for column, text in zip(typed, texts, strict=True)
    ]
    if len(columns) > len(labels):
        stated = set(totals)
        cells.append(tuple(position in stated for position in range(len(rows))))
    table = assembled(raw, name, columns, {remark for column in typed for remark in column.remarks}, totals)
    return replace(table, cells=tuple(cells), source=grid.source)


def _typed_columns(
    texts: Sequence[Texts], types: Sequence[ColumnType | None], named: Sequence[Candidate], language: str
) -> list[TypedColumn]:
    skipped = [candidate.position for candidate in named]
    plain = [None if kind else plain_quantities(column.counts) for column, kind in zip(texts, types, strict=True)]
    numbers = [
        None if kind or quick else numeric_cells(column.counts, Counter(column.at(skipped)), language)
        for column, kind, quick in zip(texts, types, plain, strict=True)
    ]
    vote = table_vote(plain, numbers)
    found = []
    for column, quick, cells, kind in zip(texts, plain, numbers, types, strict=True):
        if quick is not None:
            found.append(number_column(quick))
        elif kind is None:
            said = frozenset(text.lower() for text in column.at(skipped))
            found.append(typed_column(column, cells, vote, language, said))
        else:
            found.append(declared_column(column.counts, kind))
    return found


def _addable(column: TypedColumn, texts: Texts) -> Numbers:
    """Return a column's values where their sum may mean something; () for any other."""
    if column.type not in ("integer", "number") or not addable(column.read.values()):
        return ()
    values = {text: value if isinstance(value, (int, float)) else None for text, value in column.read.items()}
    return [values[text] for text in texts.cells]
