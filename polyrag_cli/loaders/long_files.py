"""Owns long files of delimited text: their rows are read by the database, where it reads them as this program would,
and stay there.

How such a file is read (dialect, lines around the table, header) is decided on its first and last rows, by the rules
for any file; that every row between is a plain record of that table is checked on all of them. A file that isn't so is
left to the reader that holds it in memory.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from polyrag_cli.errors import LoadError, StoreError, reason
from polyrag_cli.loaders.base import reading
from polyrag_cli.loaders.byte_scan import scanned
from polyrag_cli.loaders.delimited_rows import declared_delimiter, detect_dialect, read_rows, reader_of
from polyrag_cli.loaders.dialect_said import said_of
from polyrag_cli.loaders.encoding import normalized
from polyrag_cli.loaders.grid import Grid, Rows, split_tables
from polyrag_cli.loaders.headers import names_columns, same_names
from polyrag_cli.loaders.quoting import Dialect
from polyrag_cli.loaders.recoded import Recoded, recoded
from polyrag_cli.stores.staged_rows import StagedDialect, StagedRows
from polyrag_cli.stores.staged_values import StagedRawTable
from polyrag_cli.types import LoadedDocument

LONG_BYTES = 2 << 20
"""Files from this size on are long; shorter ones are in memory sooner than a database is at work."""

# Held in memory to tell dialect and header, which look at several hundred rows.
_HEAD_BYTES = 4 << 20
_HEAD_ROWS = 1200
_LEAST_ROWS = 600
_TAIL_ROWS = 60
# With more repeated headers than this, or more rows of one cell, a file is no regular table.
_MOST_ODD = 2000
# Of the text, so much is kept with the document; its rows are all in the table.
_TEXT_CHARS = 1 << 20
_PEEKED = 20
# Surely a value, and no year: no row that has one names columns.
_VALUE = r"^(?:-?[0-9]{1,3}|-?[0-9]{5,}|-?[0-9]+[.,][0-9]+|[0-9]{4}-[0-9]{2}-[0-9]{2})$"
_DELIMITERS = frozenset(",;\t|^~:")


@dataclass(frozen=True, slots=True)
class _Head:
    """How a long file begins. rows: its first; the first `lead` of them, on `lines` lines, stand above the data."""

    text: str
    dialect: Dialect
    declared: bool
    rows: Rows
    has_header: bool
    lead: int
    lines: int

    @property
    def width(self) -> int:
        return len(self.rows[-1])


def is_long(path: Path) -> bool:
    """Whether a file is too long to be held without need.

    Raises LoadError when it can't be read.
    """
    try:
        return path.stat().st_size >= LONG_BYTES
    except OSError as error:
        raise LoadError(f"{path.name}: can't be read ({reason(error)}).") from error


def long_document(path: Path, expected: str) -> LoadedDocument | None:
    """The document of a file of one regular table, its rows staged; None when the file is to be read in memory.

    expected: the delimiter that the suffix promises. Raises LoadError when it can't be read.
    """
    found = _read(path, expected, Recoded(path, "utf-8", ()))
    if found is not None:
        return found
    with recoded(path) as copy:
        return _read(path, expected, copy) if copy is not None else None


def _read(path: Path, expected: str, copy: Recoded) -> LoadedDocument | None:
    """The document of a file by a copy of it, or by itself."""
    head = _head(copy.path, expected)
    scan = scanned(copy.path, head.dialect.delimiter) if head is not None else None
    if head is None or scan is None or scan.controls:
        return None
    said = head.dialect
    dialect = StagedDialect(said.delimiter, said.quote, head.width, head.lines, scan.lines, scan.odd_spaces)
    try:
        staged = StagedRows(copy.path, dialect, reading.get())
    except StoreError:
        # It holds a record that isn't like the others.
        return None
    first = head.rows[head.lead :]
    if staged.rows < len(first) + 2 * _TAIL_ROWS or [list(row) for row in staged.window(0, len(first))] != first:
        return None
    if scan.empty_lines and scan.lines != head.lines + staged.rows + staged.line_ends():
        return None
    lengths = Counter(map(len, head.rows[: head.lead]))
    lengths[head.width] += staged.rows
    repeats = _repeats(head, staged)
    if repeats is None:
        return None
    staged.leave_out(repeats)
    grid = _whole_grid(head, staged, len(repeats))
    if grid is None:
        return None
    table = StagedRawTable(
        path.stem,
        grid.rows[:_LEAST_ROWS],
        grid.has_header,
        notes=grid.notes,
        labels=grid.labels,
        dialect=said_of(said, copy.encoding, lengths, head.declared),
        staged=staged,
        digest=scan.digest,
    )
    return LoadedDocument(normalized(head.text), tables=(table,), warnings=copy.warnings + grid.warnings)


# ---------------------------------------------------------------- the beginning
def _head(path: Path, expected: str) -> _Head | None:
    """How a file begins; None unless that is the beginning of one table of records of equal length."""
    text = _first_text(path)
    declared, body = declared_delimiter(text)
    dialect = detect_dialect(body, expected)
    if declared:
        dialect = Dialect(declared, dialect.quote, dialect.escape)
    if dialect.delimiter not in _DELIMITERS or dialect.escape:
        return None
    body = _first_records(body, dialect)
    rows = read_rows(body, dialect, path.name)
    grid = _only_grid(rows, dialect)
    width = len(rows[-1]) if rows else 0
    if grid is None or width < 2 or len(grid.rows) < _LEAST_ROWS:
        return None
    lead = _lead(rows, grid)
    # A header of another length is fitted to all rows.
    if lead is None or any(len(row) != width for row in rows[max(0, lead - grid.has_header) :]):
        return None
    lines = _lines_of(body, dialect, rows[:lead], path.name)
    if lines is None:
        return None
    kept = text[: text.rfind("\n", 0, _TEXT_CHARS) + 1] or text[:_TEXT_CHARS]
    return _Head(kept, dialect, bool(declared), rows, grid.has_header, lead, lines + bool(declared))


def _lead(rows: Rows, grid: Grid) -> int | None:
    """How many rows stand above the data; None where its rows aren't as they stand, repeated headers left out."""
    data = [list(row) for row in grid.rows[int(grid.has_header) :]]
    surplus = len(rows) - len(data)
    for lead in range(surplus, -1, -1):
        if _data(rows, lead, grid.has_header) == data:
            return lead
    return None


def _data(rows: Rows, lead: int, has_header: bool) -> Rows:
    """The rows behind the lead, without repeated headers."""
    if not has_header or not lead:
        return rows[lead:]
    header = rows[lead - 1]
    return [row for row in rows[lead:] if row[0] != header[0] or not same_names(row, header)]


def _first_text(path: Path) -> str:
    """The text of a file's first bytes, up to a line's end; "" when it isn't UTF-8."""
    try:
        with path.open("rb") as file:
            data = file.read(_HEAD_BYTES)
    except OSError as error:
        raise LoadError(f"{path.name}: can't be read ({reason(error)}).") from error
    try:
        return data[: data.rfind(b"\n") + 1].decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError:
        return ""


def _first_records(text: str, dialect: Dialect) -> str:
    """The lines of the first records; the last record of a text may be torn, and is left out."""
    lines = io.StringIO(text, newline="").readlines()
    reader = reader_of(lines, dialect)
    end = before = 0
    try:
        for _ in zip(range(_HEAD_ROWS), reader, strict=False):
            before, end = end, reader.line_num
    except csv.Error:
        return ""
    return "".join(lines[: before if end == len(lines) else end])


def _only_grid(rows: Rows, dialect: Dialect) -> Grid | None:
    grids = split_tables(rows, dialect.delimiter, keep_empty=True)
    return grids[0] if len(grids) == 1 else None


def _lines_of(text: str, dialect: Dialect, rows: Rows, name: str) -> int | None:
    """How many lines the first rows take; None where that can't be told, since some of them were mended."""
    lines = io.StringIO(text, newline="").readlines()
    reader = reader_of(lines, dialect)
    for _ in rows:
        next(reader)
    return reader.line_num if read_rows("".join(lines[: reader.line_num]), dialect, name) == rows else None


# ---------------------------------------------------------------- the rest
def _repeats(head: _Head, staged: StagedRows) -> list[int] | None:
    """Where the header stands once more; None where that may be in too many places."""
    if not head.has_header:
        return []
    header = head.rows[head.lead - 1]
    alike = staged.beginning(header[0], _MOST_ODD + 1)
    if len(alike) > _MOST_ODD:
        return None
    rows = (staged.window(position, position + 1)[0] for position in alike)
    return [position for position, row in zip(alike, rows, strict=True) if same_names(row, header)]


def _is_one_table(staged: StagedRows) -> bool:
    """Whether no row begins another table; rows at the end that hold nothing are left out."""
    blank, first = staged.blank()
    if blank and first < staged.rows - blank:
        return False
    staged.leave_out(range(first, staged.rows))
    if staged.width == 2:
        return True
    behind = staged.behind_lone(_VALUE, _MOST_ODD + 1)
    windows = (list(map(list, staged.window(position, position + 1 + _PEEKED))) for position in behind)
    return len(behind) <= _MOST_ODD and not any(names_columns(rows[0], rows[1:]) for rows in windows)


def _whole_grid(head: _Head, staged: StagedRows, repeats: int) -> Grid | None:
    """The table of the whole file with its first and last rows; the lines below it are left out of the staged ones.

    None when any row between may begin another table, or belong to none.
    """
    if not _is_one_table(staged):
        return None
    first = staged.rows - _TAIL_ROWS
    between = staged.lone()[1] < first
    tail = [list(row) for row in staged.window(first, staged.rows)]
    known = _data(head.rows, head.lead, head.has_header)
    again = [head.rows[head.lead - 1]] * (repeats - len(head.rows) + head.lead + len(known))
    grid = _only_grid([*head.rows, *again, *tail], head.dialect)
    if grid is None:
        return None
    data = [list(row) for row in grid.rows[int(grid.has_header) :]]
    behind = len(known) + len(tail) - len(data)
    # A line below the table is one where no row of it has a single cell.
    if behind < 0 or (behind and between) or data != [*known, *tail[: len(tail) - behind]]:
        return None
    staged.leave_out(range(staged.rows - behind, staged.rows))
    return grid
