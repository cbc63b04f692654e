"""Workbooks: every sheet, and every separate table on a sheet."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from struct import error as StructError  # noqa: N812
from xml.etree.ElementTree import ParseError

from polyrag_cli.errors import LoadError, reason
from polyrag_cli.loaders.cell_kinds import kind
from polyrag_cli.loaders.grid import Grid, split_tables
from polyrag_cli.loaders.values import NumberText, column_type
from polyrag_cli.loaders.workbook.blocks import Block, blocks, trimmed
from polyrag_cli.loaders.workbook.sheet import Sheet, broken, filled
from polyrag_cli.types import LoadedDocument, RawTable

_ZIP = b"PK"
_COMPOUND = b"\xd0\xcf\x11\xe0"
# What workbooks of Excel 4 and before begin with.
_BIFF = 9
_LEADING_ZERO = re.compile(r"0\d")
_ERRORS = frozenset(("#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A", "#SPILL!", "#CALC!"))
# What the libraries raise on damaged workbooks: they validate little, so that errors of every layer come through.
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    ParseError,
    StructError,
    EOFError,
    KeyError,
    ValueError,
    TypeError,
    AttributeError,
    IndexError,
    AssertionError,
    NotImplementedError,
    RuntimeError,
    OverflowError,
)


class SpreadsheetLoader:
    """Reads the cached values of XLSX, XLSM, XLS and ODS workbooks; formulas are never run."""

    name = "spreadsheet"
    version = "2"

    def load(self, path: Path) -> tuple[LoadedDocument, ...]:
        """One document with the tables of all sheets; () when none has content.

        Raises LoadError for a broken or protected workbook, or one of more than 512 MB unpacked or 5 million cells.
        """
        try:
            sheets = list(_sheets(path))
        except OSError as error:
            raise LoadError(f"{path.name}: can't be read ({reason(error)}).") from error
        except _BROKEN as error:
            raise broken(path.name, error) from error
        tables: list[RawTable] = []
        warnings: list[str] = []
        for sheet in sheets:
            own, found = _tables(sheet, path.stem, alone=len(sheets) == 1)
            tables += own
            warnings += [f"{sheet.title}: {warning}" for warning in found]
        return (LoadedDocument("", tables=tuple(tables), warnings=tuple(warnings)),) if tables else ()


def _sheets(path: Path) -> Iterator[Sheet]:
    """The sheets of a workbook, told by what its file holds: people rename files."""
    with path.open("rb") as file:
        head = file.read(8)
    if not head:
        return iter(())
    if head.startswith(_ZIP):
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
        if "content.xml" in names:
            from polyrag_cli.loaders.workbook.ods import ods_sheets

            return ods_sheets(path)
        from polyrag_cli.loaders.workbook.xlsx import xlsx_sheets

        return xlsx_sheets(path)
    if head.startswith(_COMPOUND) or head[0] == _BIFF:
        from polyrag_cli.loaders.workbook.xls import xls_sheets

        return xls_sheets(path)
    raise LoadError(f"{path.name}: no workbook.", "If it holds text, rename it to .csv or .txt.")


def _tables(sheet: Sheet, stem: str, alone: bool) -> tuple[list[RawTable], list[str]]:
    """A sheet's tables and what is to be said of them. alone: whether the workbook has no other sheet."""
    tables: list[RawTable] = []
    warnings = list(sheet.warnings)
    found = [one for block in blocks(filled(sheet)) for one in _stacked(block)]
    for grid, title, part in found:
        # One table is what its sheet is called; several are told apart by the lines above them.
        title = title or (grid.caption if len(found) > 1 else "")
        name = title or (stem if alone else sheet.title)
        place = f"{sheet.title}!{_range(part)}"
        tables.append(replace(_table(grid, name, title or sheet.title, place), hidden=sheet.hidden))
        warnings += grid.warnings
    if sheet.hidden and tables:
        warnings.append("a hidden sheet, read like the others.")
    errors = sum(cell in _ERRORS for row in sheet.rows for cell in row if cell[:1] == "#")
    if errors:
        warnings.append(f"{errors} {'cell holds' if errors == 1 else 'cells hold'} an error instead of a value.")
    return tables, warnings


def _stacked(block: Block) -> Iterator[tuple[Grid, str, Block]]:
    """The tables of a block that stand one below the other, each with its title and the part that it is."""
    grids = split_tables(block.rows)
    if len(grids) == 1:
        yield grids[0], grids[0].title, block
        return
    ends = [*(grid.start for grid in grids[1:]), len(block.rows)]
    for grid, end in zip(grids, ends, strict=True):
        part = trimmed(block.rows[grid.start : end], block.top + grid.start, block.left)
        # Columns that it leaves empty belong to the tables above and below.
        for alone in split_tables(part.rows):
            yield alone, grid.title or alone.title, part


def _table(grid: Grid, name: str, heading: str, place: str) -> RawTable:
    body = grid.rows[grid.has_header :]
    types = tuple(map(column_type, zip(*body, strict=True))) if body else ()
    header = (grid.labels,) if grid.labels else grid.rows[: grid.has_header]
    said = _texts_said(header[0] if header else (), body)
    return RawTable(
        name,
        (*header, *body),
        grid.has_header,
        heading=heading,
        notes=(*grid.notes, *said),
        place=place,
        types=types,
    )


def _texts_said(names: Sequence[str], body: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Which columns hold figures that the workbook keeps as texts: people see no difference, formulas do."""
    found = []
    for position, cells in enumerate(zip(*body, strict=True)):
        filled = [cell for cell in cells if cell]
        figures = [cell for cell in filled if not isinstance(cell, NumberText) and kind(cell) == "number"]
        if figures and 2 * len(figures) > len(filled) and not any(_LEADING_ZERO.match(cell) for cell in figures):
            found.append(names[position] if names else f"column {position + 1}")
    return (f"numbers stored as text ({', '.join(found)})",) if found else ()


def _range(block: Block) -> str:
    """Where a block stands, as workbooks say it: A3:D20."""
    last = max(index for index, row in enumerate(block.rows) if any(row))
    right = block.left + len(block.rows[0]) - 1
    return f"{_letters(block.left)}{block.top + 1}:{_letters(right)}{block.top + last + 1}"


def _letters(column: int) -> str:
    text = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        text = chr(ord("A") + letter) + text
    return text
