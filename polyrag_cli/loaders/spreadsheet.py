"""XLSX workbooks: one table a sheet."""

from __future__ import annotations

import datetime
import re
import warnings as python_warnings
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError

from polyrag_cli.errors import LoadError, reason
from polyrag_cli.loaders.cell_kinds import is_value
from polyrag_cli.loaders.encoding import cleaned
from polyrag_cli.loaders.grid import as_grid
from polyrag_cli.types import LoadedDocument, RawTable

MAX_UNCOMPRESSED = 1 << 29
MAX_CELLS = 5_000_000
_MAX_EMPTY_ROWS = 10_000
_MAX_REASON = 120
# Two-row headers are looked for this far down, below title rows.
_HEADER_ROWS = 10
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\s+ref="([A-Z]{1,3})(\d+):([A-Z]{1,3})(\d+)"')
# A cell's formula with no value behind it, as libraries write it that don't calculate.
_UNCALCULATED = re.compile(
    rb"<(?:\w+:)?f(?:\s[^>]*)?(?:/>|>[^<]*</(?:\w+:)?f>)\s*(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v></(?:\w+:)?v>)?\s*</(?:\w+:)?c>"
)
# What openpyxl raises on damaged workbooks: it validates little, so that errors of every layer come through.
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    ParseError,
    OSError,
    EOFError,
    KeyError,
    ValueError,
    TypeError,
    AttributeError,
    IndexError,
    AssertionError,
    NotImplementedError,
    RuntimeError,
)


class SpreadsheetLoader:
    """Reads the cached values of XLSX workbooks; formulas are never run."""

    name = "spreadsheet"
    version = "1"

    def load(self, path: Path) -> tuple[LoadedDocument, ...]:
        """One document with a table for each sheet that has content; () when none has.

        Raises LoadError for a broken or protected workbook, or one of more than 512 MB unpacked or 5 million cells.
        """
        _check_archive(path)
        try:
            sheets = list(_sheets(path))
        except LoadError:
            raise
        except _BROKEN as error:
            reason = f"{type(error).__name__}: {error}"[:_MAX_REASON]
            raise LoadError(f"{path.name}: broken workbook ({reason}).") from error
        tables, warnings = [], []
        for title, rows, found in sheets:
            warnings += [f"{title}: {warning}" for warning in found]
            grid = as_grid(_joined_headers(rows))
            if grid is None:
                continue
            name = title if len(sheets) > 1 else path.stem
            tables.append(RawTable(name, grid.rows, grid.has_header, heading=title, notes=grid.notes))
            warnings += [f"{title}: {warning}" for warning in grid.warnings]
        return (LoadedDocument("", tables=tuple(tables), warnings=tuple(warnings)),) if tables else ()


def _check_archive(path: Path) -> None:
    try:
        with path.open("rb") as file:
            head = file.read(8)
        if not head:
            return
        if head.startswith(b"\xd0\xcf\x11\xe0"):
            raise LoadError(f"{path.name}: an old .xls, or protected by a password.", "Save it as plain .xlsx.")
        with zipfile.ZipFile(path) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
            names = set(archive.namelist())
    except (zipfile.BadZipFile, ValueError) as error:
        raise LoadError(f"{path.name}: broken workbook (not a zip archive).") from error
    except OSError as error:
        raise LoadError(f"{path.name}: can't be read ({reason(error)}).") from error
    if size > MAX_UNCOMPRESSED:
        raise LoadError(f"{path.name}: {size >> 20} MB unpacked, more than the limit of {MAX_UNCOMPRESSED >> 20} MB.")
    if "[Content_Types].xml" not in names:
        raise LoadError(f"{path.name}: a zip archive, but no workbook.")


def _sheets(path: Path) -> Iterator[tuple[str, list[list[str]], list[str]]]:
    """Title and rows of each worksheet, merged cells filled, and what of it was left out."""
    if path.stat().st_size == 0:
        return
    from openpyxl import load_workbook

    # Opened here, because openpyxl leaves a file open that it fails on.
    with python_warnings.catch_warnings(), path.open("rb") as file:
        # openpyxl warns of features that it drops; none of them holds a value.
        python_warnings.simplefilter("ignore")
        workbook = load_workbook(file, read_only=True, data_only=True, keep_links=False)
        try:
            if not workbook.sheetnames:
                raise LoadError(f"{path.name}: broken workbook (no sheets).")
            budget = MAX_CELLS
            for sheet in workbook.worksheets:
                rows, warnings = _rows(sheet, budget, path.name)
                budget -= sum(map(len, rows))
                content = _content(path, getattr(sheet, "_worksheet_path", ""))
                formulas = sum(1 for _ in _UNCALCULATED.finditer(content))
                if formulas:
                    cells = "1 formula has" if formulas == 1 else f"{formulas} formulas have"
                    warnings.append(f"{cells} no stored value: open and save the workbook in an office program.")
                yield sheet.title, _filled(rows, _merged_ranges(content)), warnings
        finally:
            workbook.close()


def _rows(sheet: Any, budget: int, name: str) -> tuple[list[list[str]], list[str]]:
    """A sheet's rows, equally long, up to a gap too wide to belong to a table, and a warning of what stands below."""
    # The stated dimension may be wrong; without it every stored row is read.
    sheet.reset_dimensions()
    rows: list[list[str]] = []
    warnings: list[str] = []
    empty = 0
    for number, values in enumerate(sheet.iter_rows(values_only=True), 1):
        if empty > _MAX_EMPTY_ROWS:
            if any(value not in (None, "") for value in values):
                warnings.append(f"left out from row {number} on, which stands below {_MAX_EMPTY_ROWS:,} empty rows.")
                break
            continue
        cells = [_cell(value) for value in values]
        while cells and not cells[-1]:
            cells.pop()
        empty = 0 if cells else empty + 1
        budget -= len(cells)
        if budget < 0:
            raise LoadError(f"{name}: more than {MAX_CELLS:,} cells.", "Split the workbook.")
        rows.append(cells)
    width = max(map(len, rows), default=0)
    if width * len(rows) > 4 * MAX_CELLS:
        raise LoadError(f"{name}: {sheet.title} spans {width} × {len(rows)} cells, too many.", "Split the sheet.")
    return [row + [""] * (width - len(row)) for row in rows], warnings


def _cell(value: Any) -> str:
    """A cell's value as text: dates in ISO form, whole numbers without a fraction."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, datetime.datetime):
        midnight = value.time() == datetime.time.min
        return value.date().isoformat() if midnight else value.isoformat(" ", "seconds")
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    return cleaned(str(value))[0].strip()


def _content(path: Path, member: str) -> bytes:
    """A sheet's XML; empty where there is none."""
    with zipfile.ZipFile(path) as archive:
        try:
            return archive.read(member.lstrip("/"))
        except KeyError:
            return b""


def _merged_ranges(content: bytes) -> list[tuple[int, int, int, int]]:
    """Merged ranges of a sheet as (top, left, bottom, right), zero-based, which openpyxl drops when it streams."""
    corners = _MERGED.findall(content)
    return [(int(top) - 1, _column(left), int(bottom) - 1, _column(right)) for left, top, right, bottom in corners]


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number - 1


def _filled(rows: list[list[str]], ranges: Iterable[tuple[int, int, int, int]]) -> list[list[str]]:
    """The rows with each merged range's value in all of its cells."""
    for top, left, bottom, right in ranges:
        if top >= len(rows) or left >= len(rows[top]):
            continue
        value = rows[top][left]
        for row in rows[top : bottom + 1]:
            for column in range(left, min(right + 1, len(row))):
                row[column] = value
    return rows


def _joined_headers(rows: list[list[str]]) -> list[list[str]]:
    """Two header rows become one when the first names groups of columns: "Q1" over "Sales" gives "Q1 Sales"."""
    for index in range(min(len(rows) - 2, _HEADER_ROWS)):
        groups, names, below = rows[index : index + 3]
        grouped = any(left == right and left for left, right in pairwise(groups)) and len(set(groups)) > 1
        named = all(names) and not any(map(is_value, names))
        if grouped and named and any(map(is_value, below)):
            columns = zip(groups, names, strict=True)
            header = [name if group in ("", name) else f"{group} {name}" for group, name in columns]
            return [*rows[:index], header, *rows[index + 2 :]]
    return rows
