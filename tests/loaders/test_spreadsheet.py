"""XLSX workbooks: sheets to tables, and workbooks that are none."""

import datetime
import zipfile
from pathlib import Path

import pytest
from openpyxl import Workbook

from polyrag_cli.errors import LoadError
from polyrag_cli.loaders import spreadsheet
from polyrag_cli.loaders.spreadsheet import SpreadsheetLoader


def saved(path: Path, *sheets: tuple[str, list[list[object]], list[str]]) -> Path:
    workbook = Workbook()
    workbook.remove(workbook.active)
    for title, rows, merged in sheets:
        sheet = workbook.create_sheet(title)
        for row in rows:
            sheet.append(row)
        for cells in merged:
            sheet.merge_cells(cells)
    workbook.save(path)
    return path


def test_a_table_for_each_sheet_with_content(tmp_path: Path) -> None:
    path = saved(
        tmp_path / "book.xlsx",
        ("Fleet", [["Ship", "Built", "Tons", "Sold"], ["Ada", datetime.date(1999, 5, 1), 12.0, True]], []),
        ("Empty", [], []),
        ("Crew", [["Name", "At"], ["Zoë", datetime.datetime(2026, 1, 2, 3, 4)], ["Ian", 2.5]], []),
    )
    (document,) = SpreadsheetLoader().load(path)
    assert [(table.name, table.rows) for table in document.tables] == [
        ("Fleet", (("Ship", "Built", "Tons", "Sold"), ("Ada", "1999-05-01", "12", "true"))),
        ("Crew", (("Name", "At"), ("Zoë", "2026-01-02 03:04:00"), ("Ian", "2.5"))),
    ]
    assert document.blocks == ()


def test_title_rows_empty_rows_and_merged_cells(tmp_path: Path) -> None:
    rows = [
        ["Fleet report", None, None],
        [None],
        ["Port", "Ship", "Tons"],
        ["Faro", "Ada", 1],
        [None, "Bea", 2],
        [None],
        ["Sines", "Cid", 3],
    ]
    (document,) = SpreadsheetLoader().load(saved(tmp_path / "a.xlsx", ("S", rows, ["A1:C1", "A4:A5"])))
    (table,) = document.tables
    assert table.rows == (("Port", "Ship", "Tons"), ("Faro", "Ada", "1"), ("Faro", "Bea", "2"), ("Sines", "Cid", "3"))
    assert table.notes == ("above the table: Fleet report",)
    assert table.name == "a"


def test_group_headers_are_joined(tmp_path: Path) -> None:
    rows = [["Port", "Q1", None, "Q2", None], ["Port", "In", "Out", "In", "Out"], ["Faro", 1, 2, 3, 4]]
    (document,) = SpreadsheetLoader().load(saved(tmp_path / "a.xlsx", ("S", rows, ["A1:A2", "B1:C1", "D1:E1"])))
    assert document.tables[0].rows[0] == ("Port", "Q1 In", "Q1 Out", "Q2 In", "Q2 Out")
    assert document.warnings == ()


def test_no_content(tmp_path: Path) -> None:
    assert SpreadsheetLoader().load(saved(tmp_path / "a.xlsx", ("S", [], []))) == ()
    (tmp_path / "b.xlsx").write_bytes(b"")
    assert SpreadsheetLoader().load(tmp_path / "b.xlsx") == ()


def zipped(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def broken_workbooks(folder: Path) -> dict[str, Path]:
    good = saved(folder / "good.xlsx", ("S", [["a", "b"], [1, 2]], [])).read_bytes()
    cut = folder / "cut.xlsx"
    cut.write_bytes(good[: len(good) // 2])
    text = folder / "text.xlsx"
    text.write_text("a,b\n1,2\n")
    old = folder / "old.xlsx"
    old.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 512)
    other = zipped(folder / "other.xlsx", {"readme.txt": b"hello"})
    with zipfile.ZipFile(folder / "good.xlsx") as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    xml = zipped(folder / "xml.xlsx", members | {"xl/worksheets/sheet1.xml": b"<worksheet><sheetData><row"})
    index = zipped(folder / "index.xlsx", members | {"xl/workbook.xml": b"<workbook/>"})
    return {"cut": cut, "text": text, "old": old, "other": other, "xml": xml, "index": index}


@pytest.mark.parametrize("kind", ["cut", "text", "old", "other", "xml", "index"])
def test_broken_workbooks_are_refused_in_one_line(tmp_path: Path, kind: str) -> None:
    with pytest.raises(LoadError) as raised:
        SpreadsheetLoader().load(broken_workbooks(tmp_path)[kind])
    assert str(raised.value).startswith(f"{kind}.xlsx: ")
    assert "\n" not in str(raised.value)


def test_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = saved(tmp_path / "a.xlsx", ("S", [["a", "b"], [1, 2], [3, 4]], []))
    monkeypatch.setattr(spreadsheet, "MAX_CELLS", 5)
    with pytest.raises(LoadError, match="more than 5 cells"):
        SpreadsheetLoader().load(path)
    monkeypatch.setattr(spreadsheet, "MAX_UNCOMPRESSED", 1000)
    with pytest.raises(LoadError, match="unpacked"):
        SpreadsheetLoader().load(path)


def test_what_stands_below_a_wide_gap_is_left_out_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spreadsheet, "_MAX_EMPTY_ROWS", 5)
    rows: list[list[object]] = [["a", "b"], [1, 2], *([[None, ""]] * 9), [3, 4]]
    (document,) = SpreadsheetLoader().load(saved(tmp_path / "gap.xlsx", ("S", rows, [])))
    assert document.tables[0].rows == (("a", "b"), ("1", "2"))
    assert document.warnings == ("S: left out from row 12 on, which stands below 5 empty rows.",)
    (document,) = SpreadsheetLoader().load(saved(tmp_path / "end.xlsx", ("S", rows[:-1], [])))
    assert document.warnings == ()


def test_formulas_without_a_stored_value_are_warned_of(tmp_path: Path) -> None:
    path = saved(tmp_path / "sums.xlsx", ("S", [["a", "b"], [1, "=A2*2"], [2, "=1/0"]], []))
    (document,) = SpreadsheetLoader().load(path)
    assert document.tables[0].rows == (("a", "b"), ("1", ""), ("2", ""))
    assert document.warnings == (
        "S: 2 formulas have no stored value: open and save the workbook in an office program.",
    )
