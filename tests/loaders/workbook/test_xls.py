from __future__ import annotations

import datetime
import math
from pathlib import Path

import pytest
import xlwt

from polyrag_cli.errors import LoadError
from polyrag_cli.loaders.spreadsheet import SpreadsheetLoader


@pytest.fixture
def workbook(tmp_path: Path) -> Path:
    book = xlwt.Workbook()
    sheet = book.add_sheet("Fleet")
    percent, euro, day, moment = (
        xlwt.easyxf(num_format_str=code) for code in ("0.0%", '"€" #,##0.00', "dd/mm/yyyy", "dd/mm/yyyy hh:mm")
    )
    sheet.write_merge(0, 0, 0, 6, "The fleet")
    for column, name in enumerate(["Port", "Ship", "Share", "Price", "Built", "Seen", "Sold"]):
        sheet.write(1, column, name)
    sheet.write_merge(2, 3, 0, 0, "Faro")
    for row, ship in ((2, "Ada"), (3, "Bea")):
        sheet.write(row, 1, ship)
        sheet.write(row, 2, 0.125 * row, percent)
        sheet.write(row, 3, 1234.5 * row, euro)
        sheet.write(row, 4, datetime.date(1999, 5, row), day)
        sheet.write(row, 5, datetime.datetime(2026, 1, 2, 3, 4), moment)
        sheet.write(row, 6, row == 2)
    hidden = book.add_sheet("Old")
    hidden.visibility = 1
    hidden.write(0, 0, "n")
    hidden.write(1, 0, math.pi)
    path = tmp_path / "fleet.xls"
    book.save(str(path))
    return path


def test_an_old_workbook_is_read_with_formats_dates_and_merged_cells(workbook: Path) -> None:
    (document,) = SpreadsheetLoader().load(workbook)
    fleet, old = document.tables
    assert fleet.rows == (
        ("Port", "Ship", "Share", "Price", "Built", "Seen", "Sold"),
        ("Faro", "Ada", "25.0%", "€ 2469.00", "1999-05-02", "2026-01-02 03:04:00", "true"),
        ("Faro", "Bea", "37.5%", "€ 3703.50", "1999-05-03", "2026-01-02 03:04:00", "false"),
    )
    assert fleet.place == "Fleet!A1:G4" and fleet.types[2:4] == ("number", "number")
    assert old.rows == (("n",), (str(math.pi),))
    assert document.warnings == ("Old: a hidden sheet, read like the others.",)


def test_a_newer_workbook_behind_a_password_is_told(tmp_path: Path) -> None:
    path = tmp_path / "secret.xlsx"
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(1000) + "EncryptedPackage".encode("utf-16-le"))
    with pytest.raises(LoadError, match=r"secret\.xlsx: protected by a password"):
        SpreadsheetLoader().load(path)


def test_a_damaged_one_is_refused_in_one_line(workbook: Path) -> None:
    content = workbook.read_bytes()
    for part in (content[:600], content[:512] + bytes(len(content) - 512)):
        workbook.write_bytes(part)
        with pytest.raises(LoadError, match=r"fleet\.xls: broken workbook") as raised:
            SpreadsheetLoader().load(workbook)
        assert "\n" not in raised.value.message
