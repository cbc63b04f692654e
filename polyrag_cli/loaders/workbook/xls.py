"""Owns reading XLS workbooks, of Excel 97 and before, by xlrd: it alone says how their figures are shown."""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from polyrag_cli.errors import LoadError
from polyrag_cli.loaders.values import cell_text
from polyrag_cli.loaders.workbook.formats import formatted, number_format
from polyrag_cli.loaders.workbook.sheet import Cells, Sheet, broken

# The part of a container in which newer workbooks lie behind a password.
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")


def xls_sheets(path: Path) -> Iterator[Sheet]:
    """The sheets with their cached values; formulas are never run.

    Raises LoadError for a workbook behind a password.
    """
    import xlrd

    cells = Cells(path.name)
    # What xlrd notices is no matter of the user's: it goes on reading.
    with open(os.devnull, "w") as unseen:  # noqa: PTH123
        try:
            book = xlrd.open_workbook(os.fspath(path), formatting_info=True, on_demand=True, logfile=unseen)
        except (xlrd.XLRDError, xlrd.compdoc.CompDocError) as error:
            if "encrypted" in str(error).lower() or _ENCRYPTED in path.read_bytes():
                raise LoadError(f"{path.name}: protected by a password.", "Save a copy without one.") from error
            raise broken(path.name, error) from error
        with book:
            for index in range(book.nsheets):
                sheet = book.sheet_by_index(index)
                texts = ([_text(book, cell) for cell in row] for row in sheet.get_rows())
                rows, warnings = cells.rows(sheet.name, texts)
                merged = tuple((top, left, end - 1, right - 1) for top, end, left, right in sheet.merged_cells)
                yield Sheet(sheet.name, rows, merged, sheet.visibility != 0, warnings)
                book.unload_sheet(index)


def _text(book: Any, cell: Any) -> str:
    import xlrd

    if cell.ctype == xlrd.XL_CELL_DATE:
        return _date(book, cell.value)
    if cell.ctype == xlrd.XL_CELL_BOOLEAN:
        return cell_text(bool(cell.value))
    if cell.ctype == xlrd.XL_CELL_ERROR:
        return str(xlrd.error_text_from_code.get(cell.value, "#ERROR!"))
    text = cell_text(cell.value)
    if cell.ctype != xlrd.XL_CELL_NUMBER:
        return text
    form = book.format_map.get(book.xf_list[cell.xf_index].format_key)
    return formatted(text, number_format(form.format_str)) if form is not None else text


def _date(book: Any, value: float) -> str:
    import xlrd

    try:
        moment = xlrd.xldate_as_datetime(value, book.datemode)
    except (ValueError, OverflowError):
        return cell_text(value)
    return cell_text(moment.time() if 0 <= value < 1 else moment.replace(microsecond=0) + _rounded(moment))


def _rounded(moment: datetime.datetime) -> datetime.timedelta:
    return datetime.timedelta(seconds=round(moment.microsecond / 1e6))
