"""Owns which of a table's first rows name its columns, and what they say together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from polyrag_cli.loaders.cell_kinds import is_marker, is_value, is_year
from polyrag_cli.text.fold import fold

_JUDGED = 500
_MOST_ROWS = 4
_MANY = 20
# A row of units below the names: "(kg)", "[EUR]", "%".
_UNIT_CELL = re.compile(r"[(\[].{1,14}[)\]]|%|[$€£¥]|R\$")

Row = Sequence[str]


def header_rows(rows: Sequence[Row]) -> int:
    """How many of the first rows name the columns; 0 when the first is data."""
    if not rows or not _has_header(rows):
        return 0
    count = 1
    while count < min(_MOST_ROWS, len(rows) - 1) and _continues(rows, count):
        count += 1
    return count


def joined(rows: Sequence[Row]) -> tuple[str, ...]:
    """Several header rows as one: the texts of each column with a space between."""
    return tuple(" ".join(cell.strip() for cell in column if cell.strip()) for column in zip(*rows, strict=True))


def labels(rows: Sequence[Row]) -> tuple[str, ...]:
    """What several header rows call each column: the name of a group stands before each of its columns, and nothing
    is said twice."""
    filled = [list(row) for row in rows]
    for position, row in enumerate(filled[:-1]):
        for column in range(1, len(row)):
            # A group's name stands over its first column only, up to the next name in that row.
            named = any(lower[column].strip() for lower in filled[position + 1 :])
            alone = not any(upper[column].strip() for upper in filled[:position])
            if not row[column].strip() and named and alone:
                row[column] = row[column - 1]
    columns = zip(*filled, strict=True)
    return tuple(" ".join(dict.fromkeys(cell.strip() for cell in column if cell.strip())) for column in columns)


def same_names(row: Row, header: Row) -> bool:
    """Whether a row says the header once more."""
    said = [fold(cell) for cell in row]
    named = [fold(cell) for cell in header]
    while said and not said[-1]:
        said.pop()
    while named and not named[-1]:
        named.pop()
    return len([cell for cell in said if cell]) > 1 and said == named


def names_columns(row: Row, below: Sequence[Row]) -> bool:
    """Whether a row surely names columns: words where the rows below hold values, and no value of its own."""
    if sum(bool(cell.strip()) for cell in row) < 2 or any(is_value(cell) and not is_year(cell) for cell in row):
        return False
    columns = _value_columns(below, len(row))
    said = [column for column in columns if row[column].strip() and not is_marker(row[column])]
    return bool(said) and 2 * len(said) > len(columns)


def _value_columns(rows: Sequence[Row], width: int) -> list[int]:
    """The columns that mostly hold values."""
    found = []
    for column in range(width):
        values = [row[column] for row in rows[:_JUDGED] if column < len(row) and row[column].strip()]
        if values and sum(map(is_value, values)) > 0.6 * len(values):
            found.append(column)
    return found


def _continues(rows: Sequence[Row], count: int) -> bool:
    """Whether the row behind the first `count` header rows is one more of them."""
    header, row, below = rows[count - 1], rows[count], rows[count + 1 : count + 1 + _JUDGED]
    if same_names(row, header):
        return True
    if any(is_value(cell) and not is_year(cell) for cell in row):
        return False
    filled = [cell.strip() for cell in row if cell.strip()]
    if filled and sum(_UNIT_CELL.fullmatch(cell) is not None for cell in filled) > 0.5 * len(filled):
        return True
    if not _names_groups(header, row):
        return False
    columns = _value_columns(below, len(row))
    named = [column for column in columns if row[column].strip()]
    return 2 * len(named) > len(columns) > 0 and not any(is_marker(row[column]) for column in named)


def _names_groups(upper: Row, lower: Row) -> bool:
    """Whether a row's gaps or repeated names stand over different names."""
    cells = list(zip(upper, lower, strict=True))
    gaps = sum(not high.strip() and bool(low.strip()) for high, low in cells[1:])
    repeats = sum(
        bool(left[0].strip()) and left[0].strip() == right[0].strip() and left[1].strip() != right[1].strip()
        for left, right in pairwise(cells)
    )
    return gaps + repeats > 0


def _has_header(rows: Sequence[Row]) -> bool:
    """Whether the first row names the columns rather than being data."""
    first, below = rows[0], rows[1 : 1 + _JUDGED]
    if not any(cell.strip() for cell in first):
        return False
    if _counts_columns(first):
        return bool(below) and not _counts_columns(below[0])
    for column, cell in enumerate(first):
        year = is_year(cell) and not _column_is_years(below, column)
        if is_value(cell) and not year and not _column_is_words(below, column):
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


def _counts_columns(row: Row) -> bool:
    """Whether a row's values number its cells from 0 or 1 on, words between them excepted."""
    numbers = [cell.strip() for cell in row if is_value(cell)]
    return len(numbers) > 2 and any(
        numbers == [str(number) for number in range(start, start + len(numbers))] for start in (0, 1)
    )


def _column_is_words(rows: Sequence[Row], column: int) -> bool:
    """Whether none of many cells is a value, so that one above them names them."""
    values = [row[column] for row in rows if row[column].strip()]
    return len(values) >= _MANY and not any(map(is_value, values))


def _column_is_years(rows: Sequence[Row], column: int) -> bool:
    values = [row[column].strip() for row in rows if row[column].strip()]
    return bool(values) and all(is_year(value) for value in values)
