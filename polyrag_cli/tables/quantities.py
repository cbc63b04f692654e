"""Owns columns of numbers: whether a column is one, its decimal mark, and one unit for all of its cells."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
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
# One number a line, none of them a code or too long for exact arithmetic.
_PLAIN = re.compile(r"(?:-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,12})?\n)++")
Cells = Sequence[NumericCell | None]


@dataclass(frozen=True, slots=True)
class Quantities:
    """A column's numbers with what is known of them; unread: the cells that hold something else.

    unit: what all of them are in; units: several that don't convert into each other. cents: whether all are written
    with two decimals.
    """

    type: ColumnType
    values: tuple[int | float | None, ...]
    unread: tuple[str, ...]
    decimal: str = ""
    decimals: int = 0
    unit: str = ""
    units: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    cents: bool = False


def plain_quantities(texts: Sequence[str]) -> Quantities | None:
    """Return the numbers of a column that writes them all the way programs do: digits, a minus, a decimal point; None
    for any other column, also where its points may part thousands.

    It reads what `numeric_cells` and `quantities` read, many times faster.
    """
    nothing = maybe_empty_cells()
    distinct = set(texts)
    filled = distinct - nothing
    if not filled or not _PLAIN.fullmatch("\n".join(filled) + "\n"):
        filled = {text for text in filled if text.lower() not in nothing} if filled else filled
        if not filled or not _PLAIN.fullmatch("\n".join(filled) + "\n"):
            return None
    fractions = [text.partition(".")[2] for text in filled if "." in text]
    if fractions and not any(map(_proves_point, filled)):
        return None
    read: dict[str, int | float | None] = dict.fromkeys(distinct - filled)
    read.update({text: float(text) for text in filled} if fractions else {text: int(text) for text in filled})
    return Quantities(
        "number" if fractions else "integer",
        tuple(map(read.__getitem__, texts)),
        (),
        "." if fractions else "",
        max(map(len, fractions), default=0),
        cents=len(fractions) == len(filled) and all(len(fraction) == 2 for fraction in fractions),
    )


def _proves_point(text: str) -> bool:
    whole, point, fraction = text.lstrip("-").partition(".")
    return bool(point) and (len(fraction) != 3 or whole == "0" or len(whole) > 3)


def numeric_cells(texts: Sequence[str], skipped: Collection[int], language: str) -> list[NumericCell | None] | None:
    """Return the cells read as numbers when the column is one: ≥ .6 of its filled cells, the rest nulls or few marks.

    Args:
        skipped: positions of rows that don't count, since they state totals.
        language: code of the table's language.
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
    others = {t.lower() for t, cell in read.items() if cell is None} if missed else ()
    if (len(others) > 3 and missed > 0.1 * total) or any(cell.body[0] == "0" and cell.leading_zero for cell in hits):
        return None
    marked = [cell for cell in hits if cell.unit]
    if marked:
        units = {folded_unit(unit) for unit in {cell.unit for cell in marked}}
        if len({unit for unit in units if not is_known(unit)}) > _MOST_UNITS or _are_codes(hits, language):
            return None
    read.update({text: read_cell(text) for text in counts.keys() - read.keys()})
    return [read[text] for text in texts]


def _are_codes(cells: Sequence[NumericCell], language: str) -> bool:
    """Tell "7A" and "7B" from quantities: letters behind figures that name no unit and no scale."""
    scales = _scales(cells, language)
    units = {cell.unit for cell in cells if cell.unit}
    unknown = [u for u in units if not is_known(folded_unit(u)) and u not in scales]
    return bool(unknown) and (len(units) > 1 or len(unknown[0]) == 1)


def bodies(cells: Cells) -> list[str]:
    """Return the different bodies, in order of first place."""
    shared = {id(cell): cell.body for cell in cells if cell is not None}
    return list(dict.fromkeys(shared.values()))


def quantities(
    texts: Sequence[str], cells: Cells, table_vote: Decimal | None, language: str, *, scaled: bool = True
) -> Quantities:
    """Return a column's numbers under one decimal mark and, where its units convert exactly, in one unit.

    Args:
        texts: the cells as written.
        cells: as `numeric_cells` gives them.
        table_vote: the mark that the table's other columns prove, None when they don't.
        language: code of the table's language.
        scaled: whether letters behind figures may multiply them.
    """
    different = bodies(cells)
    # Equal texts share one cell.
    shared = {id(cell): cell for cell in cells if cell is not None}
    found = list(shared.values())
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
    read: dict[int, int | float | None] = {
        key: to_number(cell, decimal, factor_of[cell.unit, cell.mark]) for key, cell in shared.items()
    }
    read[id(None)] = None
    values = list(map(read.__getitem__, map(id, cells)))
    whole = all(isinstance(value, int) for value in read.values() if value is not None)
    if not whole:
        values = [None if value is None else float(value) for value in values]
    nothing = maybe_empty_cells()
    unread: tuple[str, ...] = ()
    if None in values:
        unread = tuple(t for v, t in zip(values, texts, strict=True) if v is None and t.lower() not in nothing)
    marked = [body for body in different if "," in body or "." in body]
    units = () if target is not None else tuple(sorted(_spelling(name, written, folded) for name in counted))
    kind: ColumnType = (
        "integer" if whole and all(abs(v) < _WIDEST for v in read.values() if v is not None) else "number"
    )
    return Quantities(
        kind,
        tuple(values),
        unread,
        decimal if marked else "",
        0 if whole else max((len(body.rpartition(decimal)[2]) for body in marked if decimal in body), default=0),
        _spelling(target, written, folded) if target else "",
        units,
        tuple(_notes(marked, decimal, own, table_vote, len(unread), units, target, counted, scales)),
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
