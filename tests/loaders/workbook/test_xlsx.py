from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from polyrag_cli.errors import LoadError
from polyrag_cli.loaders.spreadsheet import SpreadsheetLoader
from polyrag_cli.loaders.workbook import xlsx
from polyrag_cli.loaders.workbook.xlsx import xlsx_sheets
from tests.loaders.workbook.library import changed, saved, zipped

SHEET = "xl/worksheets/sheet1.xml"


def test_empty_rows_and_columns_before_the_content_are_kept(tmp_path: Path) -> None:
    (sheet,) = xlsx_sheets(saved(tmp_path / "a.xlsx", [[], [], [None, "x"], [], [None, None, 5]]))
    assert sheet.rows == [["", "", ""], ["", "", ""], ["", "x", ""], ["", "", ""], ["", "", "5"]]


def test_large_and_small_figures_have_no_exponent(tmp_path: Path) -> None:
    (sheet,) = xlsx_sheets(saved(tmp_path / "a.xlsx", [[1e20, 1.5e-7, 2**53]]))
    assert sheet.rows == [["100000000000000000000", "0.00000015", "9007199254740992"]]


def test_a_lone_cell_far_away_takes_no_room(tmp_path: Path) -> None:
    far = b'<row r="1000000"><c r="XFD1000000"><v>1</v></c></row></sheetData>'
    path = changed(saved(tmp_path / "a.xlsx", [["a", "b"], [1, 2]]), SHEET, b"</sheetData>", far)
    (sheet,) = xlsx_sheets(path)
    assert sheet.rows == [["a", "b"], ["1", "2"]]
    assert sheet.warnings == ("left out from row 1000000 on, which stands below 10,000 empty rows.",)


def test_cells_without_an_address_keep_their_formats(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.xlsx", [["a", "b"], [0.5, 2]], {"A2": "0%"})
    with zipfile.ZipFile(path) as archive:
        content = archive.read(SHEET)
    for address in (b"A1", b"B1", b"A2", b"B2"):
        content = content.replace(b'<c r="%s"' % address, b"<c")
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    (sheet,) = xlsx_sheets(zipped(path, members | {SHEET: content}))
    assert sheet.rows == [["a", "b"], ["50%", "2"]]


def test_a_sheet_of_styled_empty_rows_is_read_as_what_it_holds(tmp_path: Path) -> None:
    rows = b"".join(b'<row r="%d" s="1"><c r="A%d" s="1"/></row>' % (n, n) for n in range(3, 300_000))
    path = changed(saved(tmp_path / "a.xlsx", [["a", "b"], [1, 2]]), SHEET, b"</sheetData>", rows + b"</sheetData>")
    (sheet,) = xlsx_sheets(path)
    assert sheet.rows == [["a", "b"], ["1", "2"]]


def test_an_archive_that_lies_about_its_size_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = changed(saved(tmp_path / "a.xlsx", [["a"], [1]]), SHEET, b"</sheetData>", b" " * 5_000_000 + b"</sheetData>")
    content = path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        size = archive.getinfo(SHEET).file_size
    path.write_bytes(content.replace(size.to_bytes(4, "little"), (900).to_bytes(4, "little")))
    with pytest.raises(LoadError, match="broken workbook"):
        SpreadsheetLoader().load(path)
    path.write_bytes(content)
    monkeypatch.setattr(xlsx, "MAX_UNCOMPRESSED", 1_000_000)
    with pytest.raises(LoadError, match="4 MB unpacked, more than the limit"):
        SpreadsheetLoader().load(path)


def test_a_sheet_in_another_part_of_the_archive_is_found(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.xlsx", [["a"], [0.25]], {"A2": "0%"})
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members["xl/odd name.xml"] = members.pop(SHEET)
    members = {name: content.replace(b"worksheets/sheet1.xml", b"odd name.xml") for name, content in members.items()}
    (sheet,) = xlsx_sheets(zipped(path, members))
    assert sheet.rows == [["a"], ["25%"]]
