"""Owns columns of numbers: whether a column is one, its decimal mark, and one unit for all of its cells."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from polyrag_cli.languages import language as language_of
from polyrag_cli.tables.markers import maybe_empty_cells, multipliers
from polyrag_cli.tables.numeric import Decimal, NumericCell, decimal_vote, read_cell, settle_decimal, to_number
from polyrag_cli.tables.units import conversions, folded_unit, is_known, scale_of
from polyrag_cli.types import ColumnType

# How a column is marked whose source writes every number with two decimals.
CENTS_NOTE = "two decimals"
# Whole numbers are exact up to here in Parquet; sums of some of them still fit.
_WIDEST = 10**36
_MOST_UNITS = 3
NUMERIC_SHARE = 0.6
"""Numbers are numbers where at least so many of a column's filled cells are."""

PLAIN = r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,12})?"
"""A figure as programs write it, no code and not too long for exact arithmetic; `re` and RE2 read it alike."""

PROVED_POINT = r"^-?(?:0|[0-9]{4,})\.|\.(?:[0-9]{1,2}|[0-9]{4,})$"
"""A plain figure whose point parts no thousands."""

# One number a line.
_PLAIN = re.compile(rf"(?:{PLAIN}\n)++")
_PROVED = re.compile(PROVED_POINT)
Cells = Mapping[str, NumericCell | None]
"""A column's different texts, in order of first place, each with the number that it holds."""


@dataclass(frozen=True, slots=True)
class Quantities:
    """A column's numbers with what is known of them.

    read: by each different text its number, None for a text without one. unread: how many cells hold something else,
    with those texts, each once, in order of first place.
    unit: what all of them are in; units: several that don't convert into each other. cents: whether all are written
    with two decimals.
    """

    type: ColumnType
    read: Mapping[str, int | float | None]
    unread: int = 0
    unread_texts: tuple[str, ...] = ()
    decimal: str = ""
    decimals: int = 0
    unit: str = ""
    units: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    cents: bool = False


def plain_quantities(counts: Mapping[str, int]) -> Quantities | None:
    """Return the numbers of a column that writes them all the way programs do: digits, a minus, a decimal point; None
    for any other column, also where its points may part thousands.

    It reads what `numeric_cells` and `quantities` read, many times faster.

    Args:
        counts: how many cells hold each different text.
    """
    nothing = maybe_empty_cells()
    filled = counts.keys() - nothing
    if not filled or not _PLAIN.fullmatch("\n".join(filled) + "\n"):
        filled = {text for text in filled if text.lower() not in nothing} if filled else filled
        if not filled or not _PLAIN.fullmatch("\n".join(filled) + "\n"):
            return None
    fractions = [text.partition(".")[2] for text in filled if "." in text]
    if fractions and not any(map(_PROVED.search, filled)):
        return None
    to_value: Callable[[str], int | float] = float if fractions else int
    return Quantities(
        "number" if fractions else "integer",
        {text: to_value(text) if text in filled else None for text in counts},
        decimal="." if fractions else "",
        decimals=max(map(len, fractions), default=0),
        cents=len(fractions) == len(filled) and all(len(fraction) == 2 for fraction in fractions),
    )


def numeric_cells(counts: Mapping[str, int], skipped: Mapping[str, int], language: str) -> Cells | None:
    """Return the cells read as numbers when the column is one: ≥ .6 of its filled cells, the rest nulls or few marks.

    Args:
        counts: how many cells hold each different text, in order of first place.
        skipped: how many of them don't count, since their rows state totals.
        language: code of the table's language.
    """
    nothing = maybe_empty_cells()
    counted = {text: count - skipped.get(text, 0) for text, count in counts.items()} if skipped else counts
    filled = {t: count for t, count in counted.items() if count > 0 and t.lower() not in nothing}
    total = sum(filled.values())
    missed = 0
    read: dict[str, NumericCell | None] = {}
    for text, count in filled.items():
        read[text] = cell = read_cell(text)
        missed += count if cell is None else 0
        if missed > 0.4 * total + 1e-9:
            return None
    if not filled or total - missed < NUMERIC_SHARE * total:
        return None
    hits = [cell for cell in read.values() if cell is not None]
    others = {t.lower() for t, cell in read.items() if cell is None} if missed else ()
    if (len(others) > 3 and missed > 0.1 * total) or any(cell.body[0] == "0" and cell.leading_zero for cell in hits):
        return None
    marked = [cell for cell in hits if cell.unit]
    if marked:
        units = {folded_unit(unit) for unit in {cell.unit for cell in marked}}
        if len({unit for unit in units if not is_known(unit)}) > _MOST_UNITS or _are_codes(hits, language):
            return None
    return {text: read[text] if text in read else read_cell(text) for text in counts}


def _are_codes(cells: Sequence[NumericCell], language: str) -> bool:
    """Tell "7A" and "7B" from quantities: letters behind figures that name no unit and no scale."""
    scales = _scales(cells, language)
    units = {cell.unit for cell in cells if cell.unit}
    unknown = [u for u in units if not is_known(folded_unit(u)) and u not in scales]
    return bool(unknown) and (len(units) > 1 or len(unknown[0]) == 1)


def bodies(cells: Cells) -> list[str]:
    """Return the different bodies, in order of first place."""
    return list(dict.fromkeys(cell.body for cell in cells.values() if cell is not None))


def quantities(
    counts: Mapping[str, int], cells: Cells, table_vote: Decimal | None, language: str, *, scaled: bool = True
) -> Quantities:
    """Return a column's numbers under one decimal mark and, where its units convert exactly, in one unit.

    Args:
        counts: how many cells hold each different text.
        cells: as `numeric_cells` gives them.
        table_vote: the mark that the table's other columns prove, None when they don't.
        language: code of the table's language.
        scaled: whether letters behind figures may multiply them.
    """
    different = bodies(cells)
    found = [cell for cell in cells.values() if cell is not None]
    scales = _scales(found, language) if scaled else {}
    written = Counter(unit for cell in found if (unit := _unit(cell, scales)))
    folded = {unit: folded_unit(unit) for unit in written}
    counted = Counter(dict.fromkeys(folded.values(), 0))
    for unit, count in written.items():
        counted[folded[unit]] += count
    bare = any(not _unit(cell, scales) and cell.body.strip("0.,") for cell in found)
    target, factors = _common_unit(counted, bare)
    points = language_of(language).writing.decimal == "," or bool({"r$", "€"} & counted.keys())
    own = decimal_vote(different)
    decimal = settle_decimal(different, own, table_vote, points)
    kinds = {(cell.unit, cell.mark): cell for cell in found}
    factor_of = {key: _factor(cell, scales, factors) for key, cell in kinds.items()}
    read = {
        text: None if cell is None else to_number(cell, decimal, factor_of[cell.unit, cell.mark])
        for text, cell in cells.items()
    }
    whole = all(isinstance(value, int) for value in read.values() if value is not None)
    if not whole:
        read = {text: None if value is None else float(value) for text, value in read.items()}
    nothing = maybe_empty_cells()
    unread = tuple(text for text, value in read.items() if value is None and text.lower() not in nothing)
    lost = sum(map(counts.__getitem__, unread))
    marked = [body for body in different if "," in body or "." in body]
    units = () if target is not None else tuple(sorted(_spelling(name, written, folded) for name in counted))
    kind: ColumnType = (
        "integer" if whole and all(abs(v) < _WIDEST for v in read.values() if v is not None) else "number"
    )
    return Quantities(
        kind,
        read,
        lost,
        unread,
        decimal if marked else "",
        0 if whole else max((len(body.rpartition(decimal)[2]) for body in marked if decimal in body), default=0),
        _spelling(target, written, folded) if target else "",
        units,
        tuple(_notes(marked, decimal, own, table_vote, lost, units, target, counted, scales)),
        _all_cents(different, decimal),
    )


def _scales(cells: Sequence[NumericCell], language: str) -> Mapping[str, int]:
    """Return how many times each mark behind figures counts. "M" is a million where money, another scale or decimals
    speak for it: it may be a size or a series."""
    marks = {cell.mark or cell.unit for cell in cells} - {""}
    known = multipliers(language)
    sure = any(folded_unit(mark) in known or mark.casefold() in known for mark in marks)
    fractions = any("." in cell.body or "," in cell.body for cell in cells)
    money = any(cell.mark for cell in cells)
    found: dict[str, int] = {}
    for mark in sorted(marks):
        scale = scale_of(mark, language, money or sure)
        plain = mark.casefold() in known or len(mark) > 1
        if scale is not None and (plain or sure or money or fractions):
            found[mark] = scale
    return found


def _unit(cell: NumericCell, scales: Mapping[str, int]) -> str:
    return "" if cell.unit in scales else cell.unit


def _factor(cell: NumericCell, scales: Mapping[str, int], factors: Mapping[str, Fraction]) -> Fraction | None:
    scale = Fraction(scales.get(cell.mark or cell.unit, 1))
    factor = scale * factors.get(folded_unit(cell.unit), Fraction(1))
    return None if factor == 1 and (cell.mark or cell.unit) not in scales else factor


def _common_unit(counted: Counter[str], bare: bool) -> tuple[str | None, Mapping[str, Fraction]]:
    """Return the folded unit that all cells are in ("" for none), and each unit's factor; None for several units.

    bare: whether there are figures without a unit, which are in the only one, but in none of several.
    """
    if len(counted) < 2:
        return next(iter(counted), ""), {}
    converted = None if bare else conversions(counted.keys())
    return converted if converted is not None else (None, {})


def _spelling(unit: str, written: Counter[str], folded: Mapping[str, str]) -> str:
    """Return the commonest way that the column writes a folded unit."""
    return min((-count, text) for text, count in written.items() if folded[text] == unit)[1]


def _all_cents(different: Sequence[str], decimal: Decimal) -> bool:
    return bool(different) and all(len(body.rpartition(decimal)[2]) == 2 and decimal in body for body in different)


def _notes(
    marked: Sequence[str],
    decimal: Decimal,
    own: str,
    table_vote: Decimal | None,
    unread: int,
    units: Sequence[str],
    target: str | None,
    counted: Counter[str],
    scales: Mapping[str, int],
) -> list[str]:
    notes = ["decimal comma"] if marked and decimal == "," and own != "" else []
    if marked and own == "" and table_vote is None:
        mark = "comma" if "," in marked[0] else "point"
        use = "decimal mark" if decimal in marked[0] else "thousands mark"
        notes.append(f"the {mark} is read as {use}: {marked[0]}")
    elif marked and decimal == "," and own == "":
        notes.append("decimal comma")
    if unread:
        notes.append(f"{unread} {'cell' if unread == 1 else 'cells'} without a number")
    if units:
        notes.append(f"several units, not to be added up: {', '.join(units)}")
    elif target and len(counted) > 1:
        notes.append(f"converted to {target}: {', '.join(sorted(counted))}")
    letters = sorted(mark for mark in scales if len(mark) == 1 and mark.isupper())
    if letters:
        notes.append("; ".join(f"{mark} read as {scales[mark]:,}" for mark in letters))
    return notes
