"""Owns tables in HTML: which hold data and which only lay out a page, and their cells in a rectangle."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from polyrag_cli.loaders.headers import header_rows, labels
from polyrag_cli.loaders.rendering.inline import RAISED, alternative

if TYPE_CHECKING:
    from lxml.etree import _Element

_WIDEST = 1_000
_TALLEST_SPAN = 10_000
_LAID_OUT = frozenset(("table", "ul", "ol", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "form"))
_SILENT = frozenset(["script", "style", "template", "svg"])


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of a row, as wide as the table, and its line in the HTML; names: whether it is marked as a header."""

    cells: tuple[str, ...]
    line: int
    names: bool


@dataclass(frozen=True, slots=True)
class DataTable:
    """Rows of one width, the header first when there is one."""

    rows: tuple[Row, ...]
    has_header: bool


def is_data(table: _Element) -> bool:
    """Whether a table holds data: two rows and two columns at least, no blocks of a page in its cells."""
    if table.get("role") in ("presentation", "none"):
        return False
    rows = list(_rows(table))
    if len(rows) < 2 or max(len(_cells(row)) for row in rows) < 2:
        return False
    return not any(found.tag in _LAID_OUT for found in table.iterdescendants())


def data_table(table: _Element) -> DataTable:
    """A table's rows; several header rows are joined to one, and where none is marked the cells tell."""
    rows = _data_rows(table)
    marked = next((number for number, row in enumerate(rows) if not row.names), len(rows))
    count = marked if 0 < marked < len(rows) else header_rows([row.cells for row in rows])
    if count < 2:
        return DataTable(tuple(rows), count > 0)
    header = Row(labels([row.cells for row in rows[:count]]), rows[0].line, True)
    return DataTable((header, *rows[count:]), True)


def _data_rows(table: _Element) -> list[Row]:
    """The rows; a cell that spans several rows or columns is in each of them."""
    spanning: dict[int, tuple[int, str]] = {}
    rows: list[tuple[list[str], int, bool]] = []
    for row in _rows(table):
        cells: list[str] = []
        for cell in [*_cells(row), None]:
            while len(cells) < _WIDEST and len(cells) in spanning:
                left, text = spanning.pop(len(cells))
                if left > 1:
                    spanning[len(cells)] = (left - 1, text)
                cells.append(text)
            if cell is not None:
                text, down = _text(cell), _span(cell, "rowspan", _TALLEST_SPAN)
                for _ in range(_span(cell, "colspan", _WIDEST)):
                    if len(cells) < _WIDEST:
                        if down > 1:
                            spanning[len(cells)] = (down - 1, text)
                        cells.append(text)
        rows.append((cells, row.sourceline or 1, _is_header(row)))
    width = max((len(cells) for cells, _, _ in rows), default=0)
    return [Row((*cells, *[""] * (width - len(cells))), line, names) for cells, line, names in rows]


def _is_header(row: _Element) -> bool:
    parent = row.getparent()
    return (parent is not None and parent.tag == "thead") or all(cell.tag == "th" for cell in _cells(row))


def _rows(table: _Element) -> Iterator[_Element]:
    """Its rows, the header's first and the footer's last."""
    for part in ("thead", None, "tbody", "tfoot"):
        for holder in [table] if part is None else table.findall(part):
            yield from holder.findall("tr")


def _cells(row: _Element) -> list[_Element]:
    return [cell for cell in row if cell.tag in ("td", "th")]


def _span(cell: _Element, name: str, most: int) -> int:
    said = cell.get(name, "1").strip()
    return min(max(int(said), 1), most) if re.fullmatch(r"\d{1,6}", said) else 1


def _text(cell: _Element) -> str:
    from lxml import etree

    parts: list[str] = []
    walk = etree.iterwalk(cell, events=("start", "end"))
    for event, found in walk:
        if event == "end":
            parts.append(found.tail or "" if found is not cell else "")
        elif found.tag in _SILENT:
            walk.skip_subtree()
        else:
            parts += (_sign(found), found.text or "")
    return " ".join("".join(parts).split())


def _sign(found: _Element) -> str:
    """What an element says before its text."""
    if found.tag == "img":
        return alternative(found.get("alt", ""))
    if found.tag == "sup":
        return RAISED
    return " " if found.tag in ("br", "p", "div", "li") else ""
