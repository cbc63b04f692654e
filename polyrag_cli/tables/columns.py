"""Owns how one column's texts become typed values, and what is known of them."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from polyrag_cli.languages import UNDETERMINED
from polyrag_cli.languages import language as language_of
from polyrag_cli.stores.records import MAX_TEXTS, MAX_VALUES
from polyrag_cli.tables.dates import column_dates
from polyrag_cli.tables.lists import list_separators
from polyrag_cli.tables.markers import boolean_words, booleans, empty_cells, maybe_empty_cells
from polyrag_cli.tables.numeric import Decimal, read_cell
from polyrag_cli.tables.quantities import CENTS_NOTE, Cells, Quantities, quantities
from polyrag_cli.tables.texts import Texts
from polyrag_cli.tables.units import Unit, header_unit
from polyrag_cli.text.dates import months
from polyrag_cli.text.fold import fold
from polyrag_cli.types import Column, ColumnType

MAX_VALUE_LENGTH = 160
_SAMPLES = 3
_SAMPLE_LENGTH = 40
_BARE = re.compile(r"-?\d+(?:\.(\d+))?(e[+-]?\d+)?")
# Longer whole ones may be more than arithmetic keeps.
_LONGEST_BARE = 18


@dataclass(frozen=True, slots=True)
class TypedColumn:
    """How a column's texts read as values, with what is known of them.

    read: by each different text its value, in order of first place; None for nothing. unread: how many cells hold a
    text that the type has no value for, with those texts, each once. notes: what is to be said of it; remarks: what
    only its card says.
    """

    type: ColumnType
    read: Mapping[str, object]
    decimal: str = ""
    decimals: int = 0
    unit: str = ""
    units: tuple[str, ...] = ()
    unread: int = 0
    unread_texts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def typed_column(
    texts: Texts, numbers: Cells | None, table_vote: Decimal | None, language: str, totals: frozenset[str]
) -> TypedColumn:
    """Return a column's values: booleans, dates, numbers, or else texts.

    Args:
        texts: its cells, cleaned.
        numbers: the cells as `numeric_cells` reads them.
        table_vote: the decimal mark that the table's other columns prove.
        language: code of the table's language.
        totals: what its cells in rows of totals say, in small letters.
    """
    counts = texts.counts
    boolean = _boolean(counts)
    if boolean is not None:
        return boolean
    nulls = maybe_empty_cells() | totals
    dates = column_dates(texts, nulls, language_of(language).dates.month_first)
    if dates is not None:
        unread, lost = _unread(dates.days, counts, nulls)
        note = (f"{lost} {'cell' if lost == 1 else 'cells'} without a date",) if lost else ()
        notes = (*dates.notes, *note)
        return TypedColumn("date", dates.days, unread=lost, unread_texts=unread, notes=notes, remarks=dates.remarks)
    if numbers is not None:
        return number_column(quantities(counts, numbers, table_vote, language))
    nothing = empty_cells()
    kept = {text: None if text.lower() in nothing else text for text in counts}
    words = [v for v in kept.values() if v is not None]
    named = all(fold(v).strip(".") in months() for v in words) and len({fold(v) for v in words}) > 1
    return TypedColumn("text", kept, notes=("month names kept as text",) if named else ())


def _unread(
    read: Mapping[str, object], counts: Mapping[str, int], nulls: Collection[str]
) -> tuple[tuple[str, ...], int]:
    """Return the texts without a value that don't stand for nothing, and in how many cells they are."""
    unread = tuple(text for text, value in read.items() if value is None and text.lower() not in nulls)
    return unread, sum(map(counts.__getitem__, unread))


def number_column(found: Quantities) -> TypedColumn:
    """Return a column of numbers as a typed one."""
    return TypedColumn(
        found.type,
        found.read,
        found.decimal,
        found.decimals,
        found.unit,
        found.units,
        found.unread,
        found.unread_texts,
        found.notes,
        (CENTS_NOTE,) if found.cents else (),
    )


def declared_column(counts: Mapping[str, int], kind: ColumnType) -> TypedColumn:
    """Return a column's values as its source says: nothing is guessed of what its texts could mean besides."""
    if kind in ("integer", "number"):
        bare = _bare_numbers(counts, kind)
        if bare is not None:
            return bare
        read = {text: read_cell(text) for text in counts}
        found = number_column(quantities(counts, read, ".", UNDETERMINED, scaled=False))
        if kind == "number" and found.type == "integer":
            return replace(found, type="number", read={text: _float(cell) for text, cell in found.read.items()})
        return found
    if kind == "text":
        return TypedColumn("text", {text: text or None for text in counts})
    read_as = _DECLARED[kind]
    values = {text: read_as(text) for text in counts}
    unread, lost = _unread(values, counts, ("",))
    notes = (f"{lost} {'cell' if lost == 1 else 'cells'} without a {kind}",) if lost else ()
    return TypedColumn(kind, values, unread=lost, unread_texts=unread, notes=notes)


def _bare_numbers(counts: Mapping[str, int], kind: ColumnType) -> TypedColumn | None:
    """Return a column of figures that nothing stands around, as databases write them; None when any cell differs."""
    values: dict[str, int | float | None] = {}
    decimals: set[int] = set()
    for text in counts:
        if not text:
            values[text] = None
            continue
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
    return TypedColumn(kind, values, mark, max(decimals, default=0), remarks=remarks)


def _float(cell: object) -> float | None:
    return float(cell) if isinstance(cell, int) else None


def _iso_date(text: str) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        return None


_DECLARED: Mapping[str, Callable[[str], object]] = {"date": _iso_date, "boolean": {"true": True, "false": False}.get}


def _boolean(counts: Mapping[str, int]) -> TypedColumn | None:
    known, nothing = boolean_words(), empty_cells()
    folded: dict[str, str] = {}
    for text in counts:
        folded[text] = fold(text)
        if folded[text] not in known and folded[text] not in nothing:
            return None
    filled = {text for text in folded.values() if text not in nothing}
    for true, false in booleans():
        if filled and filled <= {true, false}:
            said = {true: True, false: False}
            return TypedColumn("boolean", {text: said.get(word) for text, word in folded.items()})
    return None


@dataclass(frozen=True, slots=True)
class Summary:
    """What values a column has: `different` as schemas list them, in order of first place, as many as are looked at;
    `distinct` of them there are in all. nulls: how many cells have none."""

    different: Sequence[str]
    distinct: int
    nulls: int


def summary(typed: TypedColumn, counts: Mapping[str, int]) -> Summary:
    """Return what values a column has, all of them listed. counts: how many cells hold each different text."""
    different = dict.fromkeys(value for value in typed.read.values() if value is not None)
    found = list(different if typed.type == "text" else dict.fromkeys(map(shown, different)))
    nulls = sum(counts[text] for text, value in typed.read.items() if value is None)
    return Summary(cast("list[str]", found), len(found), nulls)


def described(
    name: str, label: str, typed: TypedColumn, values: Summary, notes: tuple[str, ...], language: str
) -> Column:
    """Return the column as a schema holds it.

    Args:
        notes: what else is to be said of it.
        language: code of the table's language, in which its header may name a unit.
    """
    numeric = typed.type in ("integer", "number")
    said = header_unit(label, language) if numeric and not typed.units else Unit()
    scaled = (f"one stands for {said.scale:,.0f}",) if said.scale != 1 else ()
    most = most_values(typed.type)
    cut = typed.type == "text" and values.distinct > most
    beyond = (f"only {most:,} of its {values.distinct:,} values can be found by name",) if cut else ()
    kept = tuple(value for value in values.different if is_kept(value))[:most]
    return Column(
        name=name,
        label=label,
        type=typed.type,
        values=kept,
        distinct=values.distinct,
        nulls=values.nulls,
        decimal=typed.decimal,
        unit=typed.unit or said.unit,
        notes=(*typed.notes, *typed.remarks, *notes, *scaled, *beyond),
        decimals=typed.decimals,
        scale=said.scale,
        units=typed.units,
        lists=list_separators(values.different) if typed.type == "text" else (),
        unread=typed.unread,
        unread_samples=tuple(text[:_SAMPLE_LENGTH] for text in typed.unread_texts[:_SAMPLES]),
        truncated_values=len(kept) < values.distinct,
    )


def most_values(kind: ColumnType) -> int:
    """Return how many values a schema keeps of a column."""
    return MAX_TEXTS if kind == "text" else MAX_VALUES


def is_kept(value: str) -> bool:
    """Return whether a schema keeps a value of this length."""
    return len(value) <= MAX_VALUE_LENGTH


def shown(cell: object) -> str:
    """Return a value as schemas list it."""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return cell.isoformat() if isinstance(cell, datetime.date) else str(cell)
