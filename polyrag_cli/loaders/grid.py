"""Rows of cell texts, whatever file they came from: preamble, header, ragged rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from polyrag_cli.languages import UNDETERMINED, language
from polyrag_cli.text.fold import fold_word

_NUMBER = re.compile(
    r"[(+\-−]?\s*(?:R\$|US\$|[$€£¥]|[A-Z]{3}\s)?\s*[+\-−]?"
    r"(?:\d[\d.,'\s]*|[.,]\d+)(?:[eE][+-]?\d+)?\s*(?:%|[$€£¥]|[A-Z]{3})?\)?"
)
_DATE = re.compile(
    r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?"
    r"|\d{1,2}:\d{2}(?::\d{2})?"
)
_YEAR = re.compile(r"(?:1[89]|20|21)\d\d")
_WEB = re.compile(r"(?:https?://|www\.)\S+|[\w.+-]+@[\w-]+\.[\w.]+")
_WORDS = re.compile(r"[^\W_][\w .,:;/()&'’`+#%°ºª?!*-]*")
_JUDGED = 500


@dataclass(frozen=True, slots=True)
class Grid:
    """A table cut out of rows: header first when `has_header`; rows are equally long; `notes` say what stood above."""

    rows: tuple[tuple[str, ...], ...]
    has_header: bool
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@cache
def _marker_words() -> frozenset[str]:
    """What cells say for yes, no and nothing, in any language."""
    cells = language(UNDETERMINED).cells
    empty = (text for texts in (cells.empty, cells.maybe_empty) for text in texts if " " not in text)
    return frozenset((*(word for pair in cells.booleans for word in pair), *map(fold_word, empty), "-"))


def is_value(cell: str) -> bool:
    """Whether a cell holds a number, date or time: what data holds and a header rarely does."""
    cell = cell.strip()
    return bool(cell) and bool(_NUMBER.fullmatch(cell) or _DATE.fullmatch(cell))


def is_typed(cell: str) -> bool:
    """Whether a cell reads as one regular value: empty, number, date, address, logical or plain words."""
    cell = cell.strip()
    return (
        not cell
        or is_value(cell)
        or fold_word(cell) in _marker_words()
        or _WEB.fullmatch(cell) is not None
        or _WORDS.fullmatch(cell) is not None
    )


def as_grid(rows: Sequence[Sequence[str]], delimiter: str = " ") -> Grid | None:
    """The table that rows hold: preamble off, header found, ragged rows repaired; None when no cell has content.

    delimiter: joins the surplus cells of a row that is too long.
    """
    filled = [list(row) for row in rows if any(cell.strip() for cell in row)]
    if not filled:
        return None
    width = _width(filled)
    skipped = _preamble_length(filled, width)
    above = (" ".join(dict.fromkeys(cell.strip() for cell in row if cell.strip())) for row in filled[:skipped])
    notes = tuple(f"above the table: {line}" for line in above)
    body, warnings = _repaired(filled[skipped:], width, delimiter)
    has_header = _has_header(body)
    if has_header:
        warnings += _header_warnings(body[0])
    return Grid(tuple(tuple(row) for row in body), has_header, notes, tuple(warnings))


def _content_width(row: Sequence[str]) -> int:
    return max((index + 1 for index, cell in enumerate(row) if cell.strip()), default=0)


def _width(rows: Sequence[Sequence[str]]) -> int:
    """The commonest number of cells, the larger one on a tie; trailing cells that are always empty don't count."""
    counts = Counter(len(row) for row in rows)
    width = max(counts, key=lambda size: (counts[size], size))
    fitting = [_content_width(row) for row in rows if len(row) == width]
    return max(1, *fitting) if fitting else max(1, width)


def _preamble_length(rows: Sequence[Sequence[str]], width: int) -> int:
    """How many rows stand above the header: at most one distinct content where the table has at least two columns."""
    if width < 2:
        return 0
    for index, row in enumerate(rows):
        contents = {cell.strip() for cell in row} - {""}
        if len(contents) > 1 and _content_width(row) * 2 > width:
            return index
    return 0


def _repaired(rows: list[list[str]], width: int, delimiter: str) -> tuple[list[list[str]], list[str]]:
    short = long = 0
    repaired = []
    for row in rows:
        content = _content_width(row)
        if content > width:
            long += 1
            row = [*row[: width - 1], delimiter.join(row[width - 1 : content])]
        elif len(row) < width:
            short += 1
            row = [*row, *[""] * (width - len(row))]
        repaired.append(row[:width])
    warnings = []
    if short:
        warnings.append(f"{short} row{'s'[: short > 1]} with too few cells filled up to {width}.")
    if long:
        warnings.append(f"{long} row{'s'[: long > 1]} with more than {width} cells: the surplus joined to the last.")
    return repaired, warnings


def _has_header(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names the columns rather than being data."""
    first, below = rows[0], rows[1 : 1 + _JUDGED]
    if not any(cell.strip() for cell in first):
        return False
    for column, cell in enumerate(first):
        if is_value(cell) and not (_YEAR.fullmatch(cell.strip()) and not _column_is_years(below, column)):
            return False
    if not below:
        return True
    votes = 0
    for column, cell in enumerate(first):
        values = [row[column].strip() for row in below if row[column].strip()]
        if not cell.strip() or not values:
            continue
        if sum(map(is_value, values)) > 0.6 * len(values):
            votes += 2
        elif cell.strip() in values:
            votes -= 1
    return votes >= 0


def _column_is_years(rows: Sequence[Sequence[str]], column: int) -> bool:
    values = [row[column].strip() for row in rows if row[column].strip()]
    return bool(values) and all(_YEAR.fullmatch(value) for value in values)


def _header_warnings(header: Sequence[str]) -> list[str]:
    counts = Counter(cell.strip() for cell in header)
    empty = counts.pop("", 0)
    twice = [name for name, count in counts.items() if count > 1]
    warnings = []
    if twice:
        warnings.append(f"Duplicate column names: {', '.join(twice[:5])}.")
    if empty:
        warnings.append(f"{empty} column{'s'[: empty > 1]} without a name.")
    return warnings
