"""Owns reading OpenDocument spreadsheets, row by row."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path
from typing import IO
from xml.etree import ElementTree

from polyrag_cli.errors import LoadError
from polyrag_cli.loaders.values import cell_text
from polyrag_cli.loaders.workbook.formats import NumberFormat, formatted
from polyrag_cli.loaders.workbook.sheet import MAX_EMPTY_ROWS, Cells, Range, Sheet
from polyrag_cli.loaders.workbook.xlsx import MAX_UNCOMPRESSED

_MAX_COLUMNS = 16_384
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_CELLS = (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell")
# Their cells are no part of the sheet.
_ASIDE = (f"{_TABLE}tracked-changes", f"{_TABLE}shapes", f"{_OFFICE}annotation", f"{_TABLE}dde-links")
_DURATION = re.compile(r"(-?)PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:[.,]\d+)?S)?")
_PERCENT = NumberFormat(percent=True)


def ods_sheets(path: Path) -> Iterator[Sheet]:
    """The sheets with their stored values; formulas are never run.

    Raises LoadError for what is no spreadsheet, or for more than it may hold unpacked.
    """
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
        if "content.xml" not in names:
            raise LoadError(f"{path.name}: a zip archive, but no workbook.")
        size = sum(entry.file_size for entry in archive.infolist())
        if size > MAX_UNCOMPRESSED:
            limit = MAX_UNCOMPRESSED >> 20
            raise LoadError(f"{path.name}: {size >> 20} MB unpacked, more than the limit of {limit} MB.")
        if "META-INF/manifest.xml" in names and b"encryption-data" in archive.read("META-INF/manifest.xml"):
            raise LoadError(f"{path.name}: protected by a password.", "Save a copy without one.")
        with archive.open("content.xml") as content:
            yield from _Reader(path.name).sheets(content)


class _Reader:
    """Follows the elements of a spreadsheet's content."""

    def __init__(self, name: str) -> None:
        self._cells = Cells(name)
        self._hidden_styles: set[str] = set()
        self._merged: list[Range] = []
        self._uncalculated = 0

    def sheets(self, content: IO[bytes]) -> Iterator[Sheet]:
        """The sheets, one after the other."""
        events = ElementTree.iterparse(content, events=("start", "end"))
        for event, element in events:
            if event == "end" and element.tag == f"{_STYLE}style":
                properties = element.find(f"{_STYLE}table-properties")
                if properties is not None and properties.get(f"{_TABLE}display") == "false":
                    self._hidden_styles.add(element.get(f"{_STYLE}name", ""))
            elif event == "start" and element.tag == f"{_TABLE}table":
                yield self._sheet(element, events)
                element.clear()

    def _sheet(self, table: ElementTree.Element, events: Iterator[tuple[str, ElementTree.Element]]) -> Sheet:
        title = table.get(f"{_TABLE}name", "")
        hidden = table.get(f"{_TABLE}style-name") in self._hidden_styles
        self._merged, self._uncalculated = [], 0
        rows, warnings = self._cells.rows(title, self._rows(table, events))
        if self._uncalculated:
            cells = "1 formula has" if self._uncalculated == 1 else f"{self._uncalculated} formulas have"
            warnings += (f"{cells} no stored value: open and save the workbook in an office program.",)
        return Sheet(title, rows, tuple(self._merged), hidden, warnings)

    def _rows(
        self, table: ElementTree.Element, events: Iterator[tuple[str, ElementTree.Element]]
    ) -> Iterator[list[str]]:
        above: list[ElementTree.Element] = [table]
        aside = number = 0
        for event, element in events:
            if event == "start":
                above.append(element)
                aside += element.tag in _ASIDE
                continue
            above.pop()
            aside -= element.tag in _ASIDE
            if element is table:
                return
            if element.tag == f"{_TABLE}table-row" and not aside:
                row = self._row(element, number)
                times = _count(element, f"{_TABLE}number-rows-repeated")
                number += times
                yield from (list(row) for row in repeat(row, times if row else min(times, MAX_EMPTY_ROWS + 1)))
                above[-1].clear()

    def _row(self, element: ElementTree.Element, number: int) -> list[str]:
        """The texts of a row's cells, without the empty ones at its end. number: of the row, from 0."""
        row: list[str] = []
        column = 0
        for cell in element:
            if cell.tag not in _CELLS:
                continue
            times = _count(cell, f"{_TABLE}number-columns-repeated")
            text = self._text(cell) if cell.tag == _CELLS[0] else ""
            down, across = (_count(cell, f"{_TABLE}number-{kind}-spanned") for kind in ("rows", "columns"))
            if text and (down > 1 or across > 1):
                self._merged.append((number, column, number + down - 1, column + across - 1))
            if text:
                row += [""] * (min(column, _MAX_COLUMNS) - len(row))
                row += [text] * min(times, _MAX_COLUMNS - len(row))
            column += times
        return row

    def _text(self, cell: ElementTree.Element) -> str:
        kind = cell.get(f"{_OFFICE}value-type")
        if kind in ("float", "percentage", "currency"):
            figure = cell_text(float(cell.get(f"{_OFFICE}value", "")))
            form = NumberFormat(currency=cell.get(f"{_OFFICE}currency", "")) if kind == "currency" else _PERCENT
            return figure if kind == "float" else formatted(figure, form)
        if kind == "date":
            return cell.get(f"{_OFFICE}date-value", "").replace("T00:00:00", "").replace("T", " ")
        if kind == "time":
            return _time(cell.get(f"{_OFFICE}time-value", ""))
        if kind == "boolean":
            return cell.get(f"{_OFFICE}boolean-value", "")
        if kind is None and cell.get(f"{_TABLE}formula") is not None:
            self._uncalculated += 1
        return cell_text(cell.get(f"{_OFFICE}string-value") or _paragraphs(cell))


def _time(duration: str) -> str:
    """A time of day or a length of time, from PT13H05M00S."""
    found = _DURATION.fullmatch(duration)
    if found is None:
        return ""
    hours, minutes, seconds = (part or "0" for part in found.groups()[1:])
    return f"{found[1]}{hours}:{minutes:0>2}:{seconds:0>2}"


def _paragraphs(cell: ElementTree.Element) -> str:
    return "\n".join(_written(paragraph) for paragraph in cell if paragraph.tag == f"{_TEXT}p")


def _written(element: ElementTree.Element) -> str:
    """An element's text; what is said beside it, such as a note, isn't part of it."""
    parts = [element.text or ""]
    for child in element:
        if child.tag == f"{_TEXT}s":
            parts.append(" " * _count(child, f"{_TEXT}c"))
        elif child.tag in (f"{_TEXT}tab", f"{_TEXT}line-break"):
            parts.append(" ")
        elif child.tag not in _ASIDE and child.tag != f"{_TEXT}note":
            parts.append(_written(child))
        parts.append(child.tail or "")
    return "".join(parts)


def _count(element: ElementTree.Element, name: str) -> int:
    value = element.get(name, "")
    return max(1, int(value)) if value.isdigit() else 1
