"""Owns how one column's texts become typed values, and what is known of them."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from polyrag_cli.languages import UNDETERMINED
from polyrag_cli.languages import language as language_of
from polyrag_cli.stores.base import MAX_TEXTS, MAX_VALUES
from polyrag_cli.tables.dates import column_dates
from polyrag_cli.tables.lists import list_separators
from polyrag_cli.tables.markers import boolean_words, booleans, empty_cells, maybe_empty_cells
from polyrag_cli.tables.numeric import Decimal, read_cell
from polyrag_cli.tables.quantities import CENTS_NOTE, Cells, Quantities, quantities
from polyrag_cli.tables.units import Unit, header_unit
from polyrag_cli.text.dates import months
from polyrag_cli.text.fold import fold
from polyrag_cli.types import Column, ColumnType

MAX_VALUE_LENGTH = 160
_SAMPLES = 3
# Most columns are told from these to hold no booleans.
_FIRST = 20
_SAMPLE_LENGTH = 40
_BARE = re.compile(r"-?\d+(?:\.(\d+))?(e[+-]?\d+)?")
# Longer whole ones may be more than arithmetic keeps.
_LONGEST_BARE = 18


@dataclass(frozen=True, slots=True)
class TypedColumn:
    """A column's cells as values, with what is known of them.

    unread: texts that the type has no value for. notes: what is to be said of it; remarks: what only its card says.
    """

    type: ColumnType
    cells: tuple[object, ...]
    decimal: str = ""
    decimals: int = 0
    unit: str = ""
    units: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def typed_column(
    texts: Sequence[str], numbers: Cells | None, table_vote: Decimal | None, language: str, totals: frozenset[str]
) -> TypedColumn:
    """Return a column's values: booleans, dates, numbers, or else texts.

    Args:
        texts: its cells, cleaned.
        numbers: the cells as `numeric_cells` reads them.
        table_vote: the decimal mark that the table's other columns prove.
        language: code of the table's language.
        totals: what its cells in rows of totals say, in small letters.
    """
    boolean = _boolean(texts)
    if boolean is not None:
        return boolean
    nulls = maybe_empty_cells() | totals
    dates = column_dates(texts, nulls, language_of(language).dates.month_first)
    if dates is not None:
        unread = tuple(t for d, t in zip(dates.days, texts, strict=True) if d is None and t.lower() not in nulls)
        lost = (f"{len(unread)} {'cell' if len(unread) == 1 else 'cells'} without a date",) if unread else ()
        return TypedColumn("date", dates.days, unread=unread, notes=(*dates.notes, *lost), remarks=dates.remarks)
    if numbers is not None:
        return number_column(quantities(texts, numbers, table_vote, language))
    nothing = empty_cells()
    kept = {text: None if text.lower() in nothing else text for text in dict.fromkeys(texts)}
    values = tuple(kept[text] for text in texts)
    words = [v for v in kept.values() if v is not None]
    named = all(fold(v).strip(".") in months() for v in words) and len({fold(v) for v in words}) > 1
    return TypedColumn("text", values, notes=("month names kept as text",) if named else ())


def number_column(found: Quantities) -> TypedColumn:
    """Return a column of numbers as a typed one."""
    return TypedColumn(
        found.type,
        found.values,
        found.decimal,
        found.decimals,
        found.unit,
        found.units,
        found.unread,
        found.notes,
        (CENTS_NOTE,) if found.cents else (),
    )


def declared_column(texts: Sequence[str], kind: ColumnType) -> TypedColumn:
    """Return a column's values as its source says: nothing is guessed of what its texts could mean besides."""
    if kind in ("integer", "number"):
        bare = _bare_numbers(texts, kind)
        if bare is not None:
            return bare
        read = {text: read_cell(text) for text in dict.fromkeys(texts)}
        found = number_column(quantities(texts, [read[text] for text in texts], ".", UNDETERMINED, scaled=False))
        if kind == "number" and found.type == "integer":
            return replace(found, type="number", cells=tuple(_float(cell) for cell in found.cells))
        return found
    if kind == "text":
        return TypedColumn("text", tuple(text or None for text in texts))
    read_as = _DECLARED[kind]
    values = tuple(read_as(text) for text in texts)
    unread = tuple(text for value, text in zip(values, texts, strict=True) if value is None and text)
    lost = (f"{len(unread)} {'cell' if len(unread) == 1 else 'cells'} without a {kind}",) if unread else ()
    return TypedColumn(kind, values, unread=unread, notes=lost)


def _bare_numbers(texts: Sequence[str], kind: ColumnType) -> TypedColumn | None:
    """Return a column of figures that nothing stands around, as databases write them; None when any cell differs."""
    values: dict[str, int | float | None] = {"": None}
    decimals: set[int] = set()
    for text in dict.fromkeys(texts):
        if text:
            found = _BARE.fullmatch(text)
            if found is None:
                return None
            whole = found[1] is None and found[2] is None
            if kind == "integer" and not (whole and len(text) <= _LONGEST_BARE):
                return None
            values[text] = int(text) if kind == "integer" else float(text)
            decimals.add(len(found[1] or ""))
    remarks = (CENTS_NOTE,) if decimals == {2} else ()
    mark = "." if max(decimals, default=0) else ""
    cells = tuple(values[text] for text in texts)
    return TypedColumn(kind, cells, mark, max(decimals, default=0), remarks=remarks)


def _float(cell: object) -> float | None:
    return float(cell) if isinstance(cell, int) else None


def _iso_date(text: str) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        return None


_DECLARED: Mapping[str, Callable[[str], object]] = {"date": _iso_date, "boolean": {"true": True, "false": False}.get}


def _boolean(texts: Sequence[str]) -> TypedColumn | None:
    known, nothing = boolean_words(), empty_cells()
    if any((word := fold(text)) not in known and word not in nothing for text in texts[:_FIRST]):
        return None
    folded: dict[str, str] = {}
    for text in dict.fromkeys(texts):
        folded[text] = fold(text)
        if folded[text] not in known and folded[text] not in nothing:
            return None
    filled = {text for text in folded.values() if text not in nothing}
    for true, false in booleans():
        if filled and filled <= {true, false}:
            said = {true: True, false: False}
            return TypedColumn("boolean", tuple(said.get(folded[text]) for text in texts))
    return None


def described(name: str, label: str, typed: TypedColumn, notes: tuple[str, ...], language: str) -> Column:
    """Return the column as a schema holds it.

    Args:
        notes: what else is to be said of it.
        language: code of the table's language, in which its header may name a unit.
    """
    different = dict.fromkeys(cell for cell in typed.cells if cell is not None)
    found = list(dict.fromkeys(map(shown, different)))
    numeric = typed.type in ("integer", "number")
    said = header_unit(label, language) if numeric and not typed.units else Unit()
    scaled = (f"one stands for {said.scale:,.0f}",) if said.scale != 1 else ()
    most = MAX_TEXTS if typed.type == "text" else MAX_VALUES
    cut = typed.type == "text" and len(found) > most
    beyond = (f"only {most:,} of its {len(found):,} values can be found by name",) if cut else ()
    kept = tuple(value for value in found if len(value) <= MAX_VALUE_LENGTH)[:most]
    return Column(
        name=name,
        label=label,
        type=typed.type,
        values=kept,
        distinct=len(found),
        nulls=typed.cells.count(None),
        decimal=typed.decimal,
        unit=typed.unit or said.unit,
        notes=(*typed.notes, *typed.remarks, *notes, *scaled, *beyond),
        decimals=typed.decimals,
        scale=said.scale,
        units=typed.units,
        lists=list_separators(found) if typed.type == "text" else (),
        unread=len(typed.unread),
        unread_samples=tuple(t[:_SAMPLE_LENGTH] for t in list(dict.fromkeys(typed.unread))[:_SAMPLES]),
        truncated_values=len(kept) < len(found),
    )


def shown(cell: object) -> str:
    """Return a value as schemas list it."""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return cell.isoformat() if isinstance(cell, datetime.date) else str(cell)
