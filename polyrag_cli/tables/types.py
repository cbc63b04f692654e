"""Owns how raw tables become typed ones: column types, number conventions, nulls and the notes about them."""

from __future__ import annotations

import datetime
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from polyrag_cli.languages import language as language_of
from polyrag_cli.stores.base import TypedTable
from polyrag_cli.tables.audit import total_rows
from polyrag_cli.tables.dates import column_dates
from polyrag_cli.tables.identifiers import identifier, unique_identifiers
from polyrag_cli.tables.markers import boolean_words, booleans, empty_cells, maybe_empty_cells, multipliers
from polyrag_cli.tables.numeric import (
    CURRENCIES,
    UNITS,
    Decimal,
    NumericCell,
    decimal_vote,
    read_cell,
    settle_decimal,
    to_number,
)
from polyrag_cli.text.dates import months
from polyrag_cli.text.fold import fold
from polyrag_cli.text.language import detect
from polyrag_cli.types import Column, ColumnType, RawTable

MAX_VALUES = 1000
MAX_VALUE_LENGTH = 160
TOTAL_NOTE = "total row: "
# How a column is marked whose source writes every number with two decimals.
CENTS_NOTE = "two decimals"

# Whole numbers are exact up to here in Parquet; sums of some of them still fit.
_WIDEST = 10**36
_HEADER_UNIT = re.compile(r"[(\[]\s*(R\$|US\$|[$€£¥%]|[^\W\d_]{1,5}[²³23]?(?:/[^\W\d_]{1,5})?)\s*[)\]]\s*$")


@dataclass(frozen=True, slots=True)
class _Typed:
    """A column's cells as values, with what is known of them."""

    type: ColumnType
    cells: tuple[object, ...]
    decimal: str = ""
    unit: str = ""
    notes: tuple[str, ...] = ()


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
    """Header labels and rows of equal width with clean cells, and the rows as their source holds them."""

    labels: list[str]
    rows: list[list[str]]
    source: tuple[tuple[str, ...], ...]
    types: tuple[ColumnType | None, ...]


def _grid(table: RawTable) -> _Grid | None:
    """Return a table without empty rows and without columns that hold nothing at all, which only its source keeps."""
    named = table.has_header and bool(table.rows)
    kept = [row for row in table.rows[named:] if any(cell.strip() for cell in row)]
    rows = [[_clean(cell) for cell in row] for row in kept]
    header = [_clean(cell) for cell in table.labels or table.rows[0]] if named else []
    width = max((len(row) for row in [header, *rows]), default=0)
    header = header + [""] * (width - len(header))
    rows = [row + [""] * (width - len(row)) for row in rows]
    columns = [i for i in range(width) if header[i] or any(row[i] for row in rows)]
    if not columns:
        return None
    if len(columns) < width:
        header, rows = [header[i] for i in columns], [[row[i] for i in columns] for row in rows]
    source = (table.rows[0], *kept) if named else tuple(kept)
    types = tuple(table.types[i] if i < len(table.types) else None for i in columns)
    return _Grid(header, rows, tuple(_storable(row, width) for row in source), types)


def _storable(row: Sequence[str], width: int) -> tuple[str, ...]:
    cells = (cell if cell.isascii() and "\x00" not in cell else _encodable(cell) for cell in row)
    return (*cells, *[""] * (width - len(row)))


def _clean(cell: str) -> str:
    if cell.isascii() and cell.isprintable() and "  " not in cell and cell[:1] != " " != cell[-1:]:
        return cell
    # What can't be seen can't be compared.
    return " ".join(_encodable(cell).split())


def _encodable(cell: str) -> str:
    """Return a cell as it can be stored."""
    return cell.encode("utf-8", "replace").decode("utf-8").replace("\x00", "")


def _typed_table(raw: RawTable, grid: _Grid, name: str) -> TypedTable:
    labels, rows = grid.labels, grid.rows
    names = unique_identifiers(labels, "column")
    totals = total_rows(rows)
    language = detect(" ".join([*labels, *(cell for row in rows[:50] for cell in row if not cell[:1].isdigit())]))
    numbers = [
        None if kind else _numeric([row[i] for row in rows], set(totals), multipliers(language))
        for i, kind in enumerate(grid.types)
    ]
    votes = Counter(vote for cells in numbers if cells and (vote := decimal_vote(_bodies(cells))) in (",", "."))
    table_vote: Decimal | None = ("," if "," in votes else ".") if len(votes) == 1 else None
    columns: list[Column] = []
    cells: list[tuple[object, ...]] = []
    for i, label in enumerate(labels):
        texts = [row[i] for row in rows]
        kind = grid.types[i]
        if kind is None:
            typed = _type_column(texts, numbers[i], table_vote, language, frozenset(texts[r].lower() for r in totals))
        else:
            typed = _declared_column(texts, kind)
        notes = typed.notes + tuple(_total_notes(typed, texts, totals, i, rows))
        columns.append(_column(names[i], label or f"column {i + 1}", typed, notes))
        cells.append(typed.cells)
    return TypedTable(
        name=name,
        label=raw.heading or raw.name or name,
        columns=tuple(columns),
        cells=tuple(cells),
        source=grid.source,
        has_header=raw.has_header,
        heading=raw.heading,
        notes=_table_notes(raw, columns, len(totals)),
    )


def _numeric(texts: Sequence[str], skipped: set[int], scales: Collection[str]) -> list[NumericCell | None] | None:
    """Return the cells read as numbers when the column is one: ≥ .6 of its filled cells, the rest nulls or few
    marks.
    """
    counts = Counter(texts)
    for i in skipped:
        counts[texts[i]] -= 1
    nothing = maybe_empty_cells()
    filled = {t: count for t, count in counts.items() if count > 0 and t.lower() not in nothing}
    total = sum(filled.values())
    missed = 0
    read: dict[str, NumericCell | None] = {}
    for text, count in filled.items():
        read[text] = cell = read_cell(text)
        missed += count if cell is None else 0
        if missed > 0.4 * total + 1e-9:
            return None
    if not filled or total - missed < 0.6 * total:
        return None
    hits = [cell for cell in read.values() if cell is not None]
    others = {t.lower() for t, cell in read.items() if cell is None}
    if (len(others) > 3 and missed > 0.1 * total) or any(cell.leading_zero for cell in hits):
        return None
    units = {cell.unit.lower() for cell in hits if cell.unit}
    read.update({text: read_cell(text) for text in counts if text not in read})
    if len(units) > 3 or _are_codes(units, scales):
        return None
    return [read[text] for text in texts]


def _are_codes(units: Collection[str], scales: Collection[str]) -> bool:
    """Tell "7A" and "7B" from quantities: letters behind figures that name no unit and no scale."""
    unknown = [u for u in units if u not in CURRENCIES | UNITS | {"%"} and fold(u) not in scales]
    return bool(unknown) and (len(units) > 1 or len(unknown[0]) == 1)


def _bodies(cells: Sequence[NumericCell | None]) -> list[str]:
    """Return the different bodies, in order of first place."""
    return list(dict.fromkeys(cell.body for cell in cells if cell is not None))


def _type_column(
    texts: Sequence[str],
    numbers: Sequence[NumericCell | None] | None,
    table_vote: Decimal | None,
    language: str,
    totals: frozenset[str],
) -> _Typed:
    boolean = _boolean(texts)
    if boolean is not None:
        return boolean
    nulls = maybe_empty_cells() | totals
    dates = column_dates(texts, nulls, language_of(language).dates.month_first)
    if dates is not None:
        lost = sum(d is None and t.lower() not in nulls for d, t in zip(dates, texts, strict=True))
        return _Typed("date", tuple(dates), notes=(f"{lost} cells without a date",) if lost else ())
    if numbers is not None:
        return _number_column(texts, numbers, table_vote, language)
    nothing = empty_cells()
    kept = {text: None if text.lower() in nothing else text for text in dict.fromkeys(texts)}
    values = tuple(kept[text] for text in texts)
    found = [v for v in kept.values() if v is not None]
    named = all(fold(v).strip(".") in months() for v in found) and len({fold(v) for v in found}) > 1
    return _Typed("text", values, notes=("month names kept as text",) if named else ())


def _declared_column(texts: Sequence[str], kind: ColumnType) -> _Typed:
    """Read a column as its source says: nothing is guessed of what its texts could mean besides."""
    if kind in ("integer", "number"):
        read = {text: read_cell(text) for text in dict.fromkeys(texts)}
        return _counted([read[text] for text in texts], texts, ".", {})
    if kind == "text":
        return _Typed("text", tuple(text or None for text in texts))
    read_as = _DECLARED[kind]
    values = tuple(read_as(text) for text in texts)
    lost = sum(value is None and bool(text) for value, text in zip(values, texts, strict=True))
    return _Typed(kind, values, notes=(f"{lost} {'cell' if lost == 1 else 'cells'} without a {kind}",) if lost else ())


def _iso_date(text: str) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        return None


_DECLARED: Mapping[str, Callable[[str], object]] = {"date": _iso_date, "boolean": {"true": True, "false": False}.get}


def _boolean(texts: Sequence[str]) -> _Typed | None:
    known, nothing = boolean_words(), empty_cells()
    folded: dict[str, str] = {}
    for text in dict.fromkeys(texts):
        folded[text] = fold(text)
        if folded[text] not in known and folded[text] not in nothing:
            return None
    filled = {text for text in folded.values() if text not in nothing}
    for true, false in booleans():
        if filled and filled <= {true, false}:
            said = {true: True, false: False}
            return _Typed("boolean", tuple(said.get(folded[text]) for text in texts))
    return None


def _number_column(
    texts: Sequence[str], cells: Sequence[NumericCell | None], table_vote: Decimal | None, language: str
) -> _Typed:
    bodies = _bodies(cells)
    units = Counter(cell.unit for cell in cells if cell is not None and cell.unit)
    unit = units.most_common(1)[0][0] if len(units) == 1 else ""
    points = language_of(language).writing.decimal == "," or unit.lower() in ("r$", "€", "brl", "eur")
    decimal = settle_decimal(bodies, decimal_vote(bodies), table_vote, points)
    return _counted(cells, texts, decimal, multipliers(language))


def _counted(
    cells: Sequence[NumericCell | None], texts: Sequence[str], decimal: Decimal, scales: Mapping[str, int]
) -> _Typed:
    """Return the column of numbers that cells are under a decimal mark, with what could not be read."""
    bodies = _bodies(cells)
    units = Counter(cell.unit for cell in cells if cell is not None and cell.unit)
    unit = units.most_common(1)[0][0] if len(units) == 1 else ""
    # Equal texts share one cell.
    read = {
        key: to_number(cell, decimal, scales) for key, cell in {id(c): c for c in cells}.items() if cell is not None
    }
    values = [None if cell is None else read[id(cell)] for cell in cells]
    whole = all(isinstance(value, int) for value in values if value is not None)
    if not whole:
        values = [None if value is None else float(value) for value in values]
    nothing = maybe_empty_cells()
    empty = {t for v, t in zip(values, texts, strict=True) if v is None and t.lower() in nothing}
    lost = sum(v is None and t not in empty for v, t in zip(values, texts, strict=True))
    notes = [f"{lost} {'cell' if lost == 1 else 'cells'} without a number"] if lost else []
    if len(units) > 1:
        notes.append(f"several units: {', '.join(sorted(units))}")
    marked = any("," in body or "." in body for body in bodies)
    if marked and decimal == ",":
        notes.insert(0, "decimal comma")
    if _all_cents(bodies, decimal):
        notes.append(CENTS_NOTE)
    kind: ColumnType = "integer" if whole and all(abs(v) < _WIDEST for v in values if v is not None) else "number"
    return _Typed(kind, tuple(values), decimal if marked else "", unit, tuple(notes))


def _all_cents(bodies: Sequence[str], decimal: Decimal) -> bool:
    return bool(bodies) and all(len(body.rpartition(decimal)[2]) == 2 and decimal in body for body in bodies)


def _total_notes(
    typed: _Typed, texts: Sequence[str], totals: Sequence[int], position: int, rows: Sequence[Sequence[str]]
) -> list[str]:
    """Return the marks by which a query leaves a total row out: its value in the column that names it."""
    named = [texts[r] for r in totals if next((c for c, cell in enumerate(rows[r]) if cell), -1) == position]
    return [TOTAL_NOTE + (value if typed.type == "text" else "") for value in sorted(set(named))]


def _column(name: str, label: str, typed: _Typed, notes: tuple[str, ...]) -> Column:
    found = dict.fromkeys(_shown(cell) for cell in dict.fromkeys(typed.cells) if cell is not None)
    unit = typed.unit
    if not unit and typed.type in ("integer", "number"):
        header = _HEADER_UNIT.search(label)
        parts = re.split(r"[\s_]+", label)
        unit = header[1] if header else next((p.upper() for p in name.split("_") if p in CURRENCIES), "")
        unit = unit or (parts[-1] if len(parts) > 1 and parts[-1].lower() in UNITS else "")
    return Column(
        name=name,
        label=label,
        type=typed.type,
        values=tuple(value for value in found if len(value) <= MAX_VALUE_LENGTH)[:MAX_VALUES],
        distinct=len(found),
        nulls=typed.cells.count(None),
        decimal=typed.decimal,
        unit=unit,
        notes=notes,
    )


def _shown(cell: object) -> str:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return cell.isoformat() if isinstance(cell, datetime.date) else str(cell)


def _table_notes(raw: RawTable, columns: Sequence[Column], totals: int) -> tuple[str, ...]:
    """Return what an ingest line says: each kind of note once, with the columns that it concerns."""
    grouped: dict[str, list[str]] = {}
    for column in columns:
        for note in column.notes:
            if not note.startswith(TOTAL_NOTE) and note != CENTS_NOTE:
                grouped.setdefault(note, []).append(column.name)
    notes = [f"{note} ({', '.join(names)})" for note, names in grouped.items()]
    if totals:
        notes.append(f"{totals} total {'row' if totals == 1 else 'rows'}, left out of sums")
    return (*raw.notes, *notes)
