"""Owns how raw tables become typed ones: their columns, the rows that state totals, and the notes about them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from polyrag_cli.stores.base import TypedTable
from polyrag_cli.tables.audit import Candidate, Numbers, named_totals, total_rows
from polyrag_cli.tables.columns import TypedColumn, declared_column, described, number_column, typed_column
from polyrag_cli.tables.identifiers import identifier, unique_identifiers
from polyrag_cli.tables.numeric import Decimal, decimal_vote
from polyrag_cli.tables.quantities import bodies, numeric_cells, plain_quantities
from polyrag_cli.text.language import detect
from polyrag_cli.types import Column, ColumnType, RawTable

# How a column is marked whose value names a row of totals, where no other row has that value.
TOTAL_NOTE = "total row: "
# The name of the column that says so where no column's value does.
TOTAL_COLUMN = "summary_row"
_YEARS = range(1500, 2101)


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
    return [_typed_table(table, grid, name) for (table, grid), name in zip(kept, names, strict=True)]


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
    header = [_clean(cell) for cell in _padded(table.labels or table.rows[0], width)] if named else [""] * width
    raw = list(zip(*kept, strict=True)) if kept else [()] * width
    columns = [_clean_column(column) for column in raw]
    filled = [i for i in range(width) if header[i] or any(columns[i])]
    if not filled:
        return None
    source = (_padded(table.rows[0], width), *kept) if named else tuple(kept)
    if not all(map(_is_storable, [*raw, *source[:1]])):
        source = tuple(tuple(map(_encodable, row)) for row in source)
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
    return list(cells) if plain and not spaced else [_clean(cell) for cell in cells]


def _is_storable(cells: Sequence[str]) -> bool:
    text = "".join(cells)
    return "\x00" not in text and (text.isascii() or _encodable(text) == text)


def _clean(cell: str) -> str:
    if cell.isascii() and cell.isprintable() and "  " not in cell and cell[:1] != " " != cell[-1:]:
        return cell
    # What can't be seen can't be compared.
    return " ".join(_encodable(cell).split())


def _encodable(cell: str) -> str:
    """Return a cell as it can be stored."""
    return cell.encode("utf-8", "replace").decode("utf-8").replace("\x00", "")


def _typed_table(raw: RawTable, grid: _Grid, name: str) -> TypedTable:
    labels, texts = grid.labels, grid.columns
    rows = list(zip(*texts, strict=True))
    language = detect(" ".join([*labels, *(cell for row in rows[:50] for cell in row if not cell[:1].isdigit())]))
    named = named_totals(rows)
    typed = _typed_columns(texts, grid.types, named, language)
    totals = total_rows(rows, named, [column for column in map(_addable, typed) if column])
    marks = _marks(texts, typed, totals, named)
    names = unique_identifiers([*labels, TOTAL_COLUMN] if totals and not marks else labels, "column")
    columns = [
        described(
            names[i], label or f"column {i + 1}", typed[i], tuple(TOTAL_NOTE + m for m in marks.get(i, ())), language
        )
        for i, label in enumerate(labels)
    ]
    cells = [column.cells for column in typed]
    if len(names) > len(labels):
        flags = tuple(position in set(totals) for position in range(len(rows)))
        columns.append(_total_column(names[-1], flags))
        cells.append(flags)
    return TypedTable(
        name=name,
        label=raw.heading or raw.name or name,
        columns=tuple(columns),
        cells=tuple(cells),
        source=grid.source,
        heading=raw.heading,
        notes=_table_notes(raw, columns, {remark for column in typed for remark in column.remarks}, len(totals)),
        has_header=raw.has_header,
        total_rows=totals,
        place=raw.place,
        dialect=raw.dialect,
        hidden=raw.hidden,
        keys=raw.keys,
        references=raw.references,
    )


def _typed_columns(
    texts: Sequence[list[str]], types: Sequence[ColumnType | None], named: Sequence[Candidate], language: str
) -> list[TypedColumn]:
    skipped = {candidate.position for candidate in named}
    plain = [None if kind else plain_quantities(column) for column, kind in zip(texts, types, strict=True)]
    numbers = [
        None if kind or numbers else numeric_cells(column, skipped, language)
        for column, kind, numbers in zip(texts, types, plain, strict=True)
    ]
    votes = {vote for cells in numbers if cells and (vote := decimal_vote(bodies(cells))) in (",", ".")}
    votes |= {"." for column in plain if column is not None and column.decimal}
    table_vote: Decimal | None = ("," if "," in votes else ".") if len(votes) == 1 else None
    found = []
    for column, quick, cells, kind in zip(texts, plain, numbers, types, strict=True):
        if quick is not None:
            found.append(number_column(quick))
        elif kind is None:
            said = frozenset(column[p].lower() for p in skipped)
            found.append(typed_column(column, cells, table_vote, language, said))
        else:
            found.append(declared_column(column, kind))
    return found


def _addable(column: TypedColumn) -> Numbers:
    """Return a column's values where their sum may mean something; () for years and what holds no numbers."""
    if column.type not in ("integer", "number"):
        return ()
    values: list[float | int | None] = [cell if isinstance(cell, (int, float)) else None for cell in column.cells]
    return () if all(value is None or value in _YEARS for value in values) else values


def _marks(
    texts: Sequence[list[str]], typed: Sequence[TypedColumn], totals: Sequence[int], named: Sequence[Candidate]
) -> dict[int, list[str]]:
    """Return, by column, the values that total rows have and no other row; {} where these don't name all of them."""
    called = {candidate.position: candidate.column for candidate in named}
    found: dict[int, list[str]] = {}
    for position in totals:
        column = called.get(position)
        if column is None or typed[column].type != "text":
            return {}
        found.setdefault(column, []).append(texts[column][position])
    others = set(range(len(texts[0]) if texts else 0)) - set(totals)
    for column, values in found.items():
        found[column] = sorted(set(values))
        if not {texts[column][position] for position in others}.isdisjoint(values):
            return {}
    return found


def _total_column(name: str, flags: Sequence[bool]) -> Column:
    values = tuple(dict.fromkeys("true" if flag else "false" for flag in flags))
    note = "true where a row states a total of others"
    return Column(name, name.replace("_", " "), "boolean", values, len(values), notes=(note,), total=True)


def _table_notes(raw: RawTable, columns: Sequence[Column], remarks: Collection[str], totals: int) -> tuple[str, ...]:
    """Return what an ingest line says: each kind of note once, with the columns that it concerns; no remarks."""
    grouped: dict[str, list[str]] = {}
    for column in columns:
        for note in column.notes:
            if not note.startswith(TOTAL_NOTE) and note not in remarks and not column.total:
                grouped.setdefault(note, []).append(column.name)
        if column.lists:
            grouped.setdefault("some cells list several values", []).append(column.name)
    notes = [f"{note} ({', '.join(names)})" for note, names in grouped.items()]
    if totals:
        notes.append(f"{totals} total {'row' if totals == 1 else 'rows'}, left out of sums")
    return (*raw.notes, *notes)
