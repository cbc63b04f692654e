from __future__ import annotations

from pathlib import Path

import pytest

from polyrag_cli.errors import LoadError
from polyrag_cli.loaders.spreadsheet import SpreadsheetLoader
from polyrag_cli.loaders.workbook import ods as module
from polyrag_cli.loaders.workbook.ods import ods_sheets
from tests.loaders.workbook.library import cell, figure, ods


def table(*rows: str, name: str = "S", attributes: str = "") -> str:
    """A table of rows, each given as its cells or as what it is."""
    whole = ("<table:table-row", "<table:table-header-rows", "<table:shapes")
    inner = "".join(row if row.startswith(whole) else f"<table:table-row>{row}</table:table-row>" for row in rows)
    return f'<table:table table:name="{name}" {attributes}>{inner}</table:table>'


def texts(path: Path) -> list[list[str]]:
    (sheet,) = ods_sheets(path)
    return sheet.rows


def test_values_of_every_kind(tmp_path: Path) -> None:
    row = (
        cell("Ada")
        + figure(2.5)
        + figure(0.125, "percentage")
        + figure(12, "currency", 'office:currency="EUR"')
        + cell("5 May", 'office:value-type="date" office:date-value="1999-05-05"')
        + cell("x", 'office:value-type="date" office:date-value="1999-05-05T03:04:00"')
        + cell("x", 'office:value-type="time" office:time-value="PT13H05M00S"')
        + cell("x", 'office:value-type="boolean" office:boolean-value="true"')
    )
    assert texts(ods(tmp_path / "a.ods", table(row))) == [
        ["Ada", "2.5", "12.5%", "12 EUR", "1999-05-05", "1999-05-05 03:04:00", "13:05:00", "true"]
    ]


def test_repeated_rows_and_cells(tmp_path: Path) -> None:
    wide = '<table:table-cell table:number-columns-repeated="2" office:value-type="float" office:value="7"/>'
    gap = '<table:table-cell table:number-columns-repeated="2"/>'
    tail = '<table:table-cell table:number-columns-repeated="16000"/>'
    twice = f'<table:table-row table:number-rows-repeated="2">{gap}{wide}{tail}</table:table-row>'
    rest = f'<table:table-row table:number-rows-repeated="1048000">{tail}</table:table-row>'
    assert texts(ods(tmp_path / "a.ods", table(cell("a"), twice, rest))) == [
        ["a", "", "", ""],
        *[["", "", "7", "7"]] * 2,
    ]


def test_merged_cells_header_rows_and_notes(tmp_path: Path) -> None:
    note = "<office:annotation><text:p>not the cell</text:p></office:annotation>"
    head = (
        "<table:table-header-rows><table:table-row>"
        f'<table:table-cell table:number-columns-spanned="2" office:value-type="string">{note}<text:p>Fleet</text:p>'
        "<text:p>of 2026</text:p></table:table-cell><table:covered-table-cell/>"
        "</table:table-row></table:table-header-rows>"
    )
    (sheet,) = ods_sheets(ods(tmp_path / "a.ods", table(head, cell("Ship") + cell("Tons"), cell("Ada") + figure(4))))
    assert sheet.rows == [["Fleet\nof 2026", ""], ["Ship", "Tons"], ["Ada", "4"]]
    assert sheet.merged == ((0, 0, 0, 1),)


def test_hidden_sheets_formulas_and_several_sheets(tmp_path: Path) -> None:
    hidden = '<style:table-properties table:display="false"/>'
    styles = f'<style:style style:name="ta2" style:family="table">{hidden}</style:style>'
    first = table(
        cell("n"), '<table:table-row><table:table-cell table:formula="of:=1+1"/></table:table-row>', name="One"
    )
    second = table(cell("m"), figure(5), name="Two", attributes='table:style-name="ta2"')
    (document,) = SpreadsheetLoader().load(ods(tmp_path / "a.ods", first + second, styles))
    assert [t.name for t in document.tables] == ["One", "Two"]
    assert document.warnings == (
        "One: 1 formula has no stored value: open and save the workbook in an office program.",
        "Two: a hidden sheet, read like the others.",
    )


def test_what_stands_far_below_is_left_out_and_the_next_sheet_read(tmp_path: Path) -> None:
    gap = '<table:table-row table:number-rows-repeated="20000"><table:table-cell/></table:table-row>'
    first = table(cell("a"), gap, cell("far"), cell("farther"), name="One")
    sheets = list(ods_sheets(ods(tmp_path / "a.ods", first + table(cell("b"), name="Two"))))
    assert [(sheet.title, sheet.rows, len(sheet.warnings)) for sheet in sheets] == [
        ("One", [["a"]], 1),
        ("Two", [["b"]], 0),
    ]


def test_what_is_no_table_of_the_sheet_is_left_out(tmp_path: Path) -> None:
    tracked = (
        "<table:tracked-changes><table:cell-content-change><table:previous><table:change-track-table-cell/>"
        "</table:previous></table:cell-content-change></table:tracked-changes>"
    )
    chart = f"<table:shapes>{table(cell('chart data'), name='inner')}</table:shapes>"
    (sheet,) = ods_sheets(ods(tmp_path / "a.ods", tracked + table(chart, cell("a"))))
    assert sheet.rows == [["a"]]


def test_limits_and_passwords(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = ods(tmp_path / "a.ods", table(cell("a")), manifest="<m><encryption-data/></m>")
    with pytest.raises(LoadError, match=r"a\.ods: protected by a password"):
        SpreadsheetLoader().load(secret)
    monkeypatch.setattr("polyrag_cli.loaders.workbook.sheet.MAX_CELLS", 50_000)
    many = '<table:table-row table:number-rows-repeated="90000">' + cell("x") + "</table:table-row>"
    with pytest.raises(LoadError, match="more than 50,000 cells"):
        SpreadsheetLoader().load(ods(tmp_path / "b.ods", table(many)))
    monkeypatch.setattr(module, "MAX_UNCOMPRESSED", 10)
    with pytest.raises(LoadError, match="unpacked"):
        SpreadsheetLoader().load(ods(tmp_path / "c.ods", table(cell("a"))))


def test_a_damaged_one_is_refused(tmp_path: Path) -> None:
    path = ods(tmp_path / "a.ods", "<table:table><unclosed>")
    with pytest.raises(LoadError, match=r"a\.ods: broken workbook"):
        SpreadsheetLoader().load(path)
