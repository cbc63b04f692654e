"""Owns which parts of a sheet stand side by side; what stands one below the other is parted where rows are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from polyrag_cli.loaders.cell_kinds import is_value
from polyrag_cli.loaders.headers import header_rows

_PEEKED = 50

Rows = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Block:
    """A rectangle of a sheet with its place in it."""

    top: int
    left: int
    rows: list[list[str]]


def blocks(rows: Rows, top: int = 0, left: int = 0) -> list[Block]:
    """The parts of a sheet that are tables of their own beside each other, from left to right, from above to below.

    A column without content parts two tables only where either side has a header and is no mere continuation of the
    other: a sheet may well leave a column empty inside a table.
    """
    first, last = _filled_rows(rows)
    rows, top = rows[first:last], top + first
    if not rows:
        return []
    cut = _cut(rows)
    if cut is not None:
        end, start = cut
        return [
            *blocks([row[:end] for row in rows], top, left),
            *blocks([row[start:] for row in rows], top, left + start),
        ]
    found: list[Block] = []
    for start, part in _stretches(rows):
        found += blocks(part, top + start, left) if len(part) < len(rows) else [trimmed(part, top, left)]
    return found


def _filled_rows(rows: Rows) -> tuple[int, int]:
    filled = [index for index, row in enumerate(rows) if any(row)]
    return (filled[0], filled[-1] + 1) if filled else (0, 0)


def trimmed(rows: Rows, top: int, left: int) -> Block:
    """Rows that hold anything, without the empty columns around them."""
    columns = [index for index in range(len(rows[0])) if any(row[index] for row in rows)]
    start, end = columns[0], columns[-1] + 1
    return Block(top, left + start, [list(row[start:end]) for row in rows])


def _stretches(rows: Rows) -> Iterator[tuple[int, Rows]]:
    """Stretches of rows with their position, parted at empty rows above and below those that can be cut; one stretch
    of all rows when none can."""
    borders = [0, *(index for index, row in enumerate(rows) if not any(row)), len(rows)]
    runs = [(start, end) for start, end in pairwise(borders) if any(map(any, rows[start:end]))]
    open_at: int | None = None
    for start, end in runs:
        if len(runs) > 1 and _cut(rows[start:end]) is not None:
            if open_at is not None:
                yield open_at, rows[open_at:start]
                open_at = None
            yield start, rows[start:end]
        elif open_at is None:
            open_at = start
    if open_at is not None:
        yield open_at, rows[open_at:]


def _cut(rows: Rows) -> tuple[int, int] | None:
    """The first place where tables stand beside each other: the end of the left one, the start of the right one."""
    for end, start in _borders(rows):
        if _apart([row[:end] for row in rows], [row[start:] for row in rows]):
            return end, start
    return None


def _borders(rows: Rows) -> list[tuple[int, int]]:
    """Where columns could part: at empty ones, and where no row has content on both sides.

    Lines of one text, such as titles, stand above both sides.
    """
    width = max(map(len, rows), default=0)
    records = [row for row in rows if not _is_line(row)]
    seen = [any(row[column] for row in records[:_PEEKED]) for column in range(width)]
    filled = [seen[column] or any(row[column] for row in records) for column in range(width)]
    borders = []
    column = next((index for index, has in enumerate(filled) if has), width)
    while column < width:
        end = next((index for index in range(column, width) if not filled[index]), width)
        start = next((index for index in range(end, width) if filled[index]), width)
        borders += [(border, border) for border in range(column + 2, end - 1)]
        if start < width:
            borders.append((end, start))
        column = start
    return [(end, start) for end, start in borders if end < start or not any(_crosses(row, end) for row in rows)]


def _crosses(row: Sequence[str], border: int) -> bool:
    return any(row[:border]) and any(row[border:])


def _is_line(row: Sequence[str]) -> bool:
    """Whether a row holds one text at most, which may be merged over several cells; equal figures are a record."""
    filled = [cell for cell in row if cell]
    return len(filled) < 2 or (len(set(filled)) == 1 and not is_value(filled[0]))


def _apart(left: Rows, right: Rows) -> bool:
    """Whether two sides are tables of their own."""
    sides = [_records(side) for side in (left, right)]
    if any(len(rows) < 2 or header_rows(rows[:_PEEKED]) == 0 for _, rows in sides):
        return False
    (above, lefts), (beside, rights) = sides
    if above != beside or len(lefts) != len(rights):
        return True
    names = {cell.casefold() for cell in lefts[0] if cell}
    return any(cell.casefold() in names for cell in rights[0] if cell) or _names_rows(rights)


def _records(rows: Rows) -> tuple[int, list[list[str]]]:
    """The rows of a side that are no lines, without empty columns, and the position of the first."""
    found = [(index, row) for index, row in enumerate(rows) if not _is_line(row)]
    if not found:
        return 0, []
    columns = [column for column in range(len(found[0][1])) if any(row[column] for _, row in found)]
    return found[0][0], [[row[column] for column in columns] for _, row in found]


def _names_rows(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first column tells the rows apart by a name or a date: no other column of the same table does."""
    names = [row[0] for row in rows[1:]]
    return all(names) and len(set(names)) == len(names) and not any(is_value(name) for name in names)
