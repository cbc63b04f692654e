"""Owns what a sheet of any workbook is, and how much of it is read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from polyrag_cli.errors import LoadError
from polyrag_cli.loaders.values import MAX_CELLS, NumberText

# Below so many empty rows nothing belongs to the table above any more.
MAX_EMPTY_ROWS = 10_000
_MAX_REASON = 120

Range = tuple[int, int, int, int]
"""Top, left, bottom, right: zero-based, the last two inclusive."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet's rows from its first row and column on, with the merged ranges, which aren't filled yet.

    warnings: what of it couldn't be read.
    """

    title: str
    rows: list[list[str]]
    merged: tuple[Range, ...] = ()
    hidden: bool = False
    warnings: tuple[str, ...] = ()


class Cells:
    """Collects the rows of a workbook's sheets within its limit of cells."""

    def __init__(self, name: str) -> None:
        """name: of the file, for messages."""
        self._name = name
        self._left = MAX_CELLS

    def rows(self, title: str, rows: Iterable[list[str]]) -> tuple[list[list[str]], tuple[str, ...]]:
        """A sheet's rows, equally long, up to a gap too wide to belong to a table, and a warning of what stands below.

        Raises LoadError when the limit is reached.
        """
        kept: list[list[str]] = []
        warnings: tuple[str, ...] = ()
        empty = 0
        for number, cells in enumerate(rows, 1):
            while cells and not cells[-1]:
                cells.pop()
            if empty > MAX_EMPTY_ROWS:
                if cells:
                    warnings = (f"left out from row {number} on, which stands below {MAX_EMPTY_ROWS:,} empty rows.",)
                    break
                continue
            empty = 0 if cells else empty + 1
            self._left -= len(cells)
            if self._left < 0:
                raise LoadError(f"{self._name}: more than {MAX_CELLS:,} cells.", "Split the workbook.")
            kept.append(cells)
        while kept and not kept[-1]:
            kept.pop()
        width = max(map(len, kept), default=0)
        if width * len(kept) > 4 * MAX_CELLS:
            raise LoadError(f"{self._name}: {title} spans {width} × {len(kept)} cells, too many.", "Split the sheet.")
        return [row + [""] * (width - len(row)) for row in kept], warnings


def filled(sheet: Sheet) -> list[list[str]]:
    """The rows with the text of each merged range in all of its cells.

    A figure is filled in only where it names what stands beside it, as a year does: in sums it would count again. A
    name beside those of groups of columns stays alone: it is one name over two header rows.
    """
    rows = [list(row) for row in sheet.rows]
    grouping = {top for top, left, bottom, right in sheet.merged if top == bottom and left < right}
    for top, left, bottom, right in sheet.merged:
        if top < bottom and top in grouping:
            continue
        if top >= len(rows) or left >= len(rows[top]):
            continue
        text = rows[top][left]
        if isinstance(text, NumberText) and not _is_year(text):
            continue
        for row in rows[top : bottom + 1]:
            for column in range(left, min(right + 1, len(row))):
                row[column] = text
    return rows


def _is_year(text: str) -> bool:
    return len(text) == 4 and text.isdigit() and text[:2] in ("18", "19", "20", "21")


def broken(name: str, error: BaseException) -> LoadError:
    """What is said of a workbook that its library can't read."""
    said = f"{type(error).__name__}: {error}".replace("\n", " ")[:_MAX_REASON]
    return LoadError(f"{name}: broken workbook ({said}).")
