"""Workbooks: sheets to tables, and workbooks that are none."""

import datetime
import zipfile
from pathlib import Path

import pytest
from openpyxl import Workbook, load_workbook

from polyrag_cli.errors import LoadError
from polyrag_cli.loaders.spreadsheet import SpreadsheetLoader
from polyrag_cli.loaders.workbook import sheet as sheets
from polyrag_cli.loaders.workbook import xlsx
from polyrag_cli.tables import typed_tables


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
    monkeypatch.setattr(sheets, "MAX_CELLS", 5)
    with pytest.raises(LoadError, match="more than 5 cells"):
        SpreadsheetLoader().load(path)
    monkeypatch.setattr(xlsx, "MAX_UNCOMPRESSED", 1000)
    with pytest.raises(LoadError, match="unpacked"):
        SpreadsheetLoader().load(path)


def test_what_stands_below_a_wide_gap_is_left_out_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sheets, "MAX_EMPTY_ROWS", 5)
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


def test_every_table_of_a_sheet_with_its_range(tmp_path: Path) -> None:
    rows: list[list[object]] = [
        [None, "Fruit", "Kg", None, "Animal", "Legs"],
        [None, "Apple", 5, None, "Cow", 4],
        [None, "Pear", 8, None, "Hen", 2],
        [],
        [None, "Tools"],
        [None, "Tool", "Price"],
        [None, "Saw", 12.5],
        [None, "Axe", 20],
    ]
    (document,) = SpreadsheetLoader().load(saved(tmp_path / "farm.xlsx", ("Farm", rows, [])))
    assert [(table.name, table.heading, table.place, table.rows[0]) for table in document.tables] == [
        ("farm", "Farm", "Farm!B1:C3", ("Fruit", "Kg")),
        ("Tools", "Tools", "Farm!B5:C8", ("Tool", "Price")),
        ("farm", "Farm", "Farm!E1:F3", ("Animal", "Legs")),
    ]


def test_a_hidden_sheet_is_read_and_named(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.xlsx", ("Open", [["a"], [1]], []), ("Old", [["b"], [2]], []))
    workbook = load_workbook(path)
    workbook["Old"].sheet_state = "hidden"
    workbook.save(path)
    (document,) = SpreadsheetLoader().load(path)
    assert [(table.name, table.hidden) for table in document.tables] == [("Open", False), ("Old", True)]
    assert document.warnings == ("Old: a hidden sheet, read like the others.",)


def test_columns_of_figures_say_so(tmp_path: Path) -> None:
    rows: list[list[object]] = [
        ["Name", "Weight", "Code", "Mixed", "Marked", "Words"],
        ["Ada", 1.234, "007", 5, 1.234, "oak"],
        ["Bea", 2.5, "12", "n/a", "1.234,5", 7],
        ["Cid", 3, "13", 6, 2, "elm"],
    ]
    (document,) = SpreadsheetLoader().load(saved(tmp_path / "a.xlsx", ("S", rows, [])))
    assert document.tables[0].types == (None, "number", None, "integer", "text", None)


def test_figures_have_a_decimal_point_in_every_language(tmp_path: Path) -> None:
    rows: list[list[object]] = [
        ["Cidade", "Peso médio do peixe"],
        ["São João", 1.234],
        ["Évora", 2.345],
        ["Óbidos", 7.5],
    ]
    (document,) = SpreadsheetLoader().load(saved(tmp_path / "peixe.xlsx", ("Peixe", rows, [])))
    (table,) = typed_tables(document.tables, "peixe.xlsx")
    assert table.cells[1] == (1.234, 2.345, 7.5)


def test_percent_and_currency_formats_are_kept(tmp_path: Path) -> None:
    rows: list[list[object]] = [["Item", "Share", "Price"], ["a", 0.125, 1234.5], ["b", 0.5, -2], ["c", 1, 0.1]]
    path = saved(tmp_path / "a.xlsx", ("S", rows, []))
    workbook = load_workbook(path)
    for row in (2, 3, 4):
        workbook["S"].cell(row, 2).number_format = "0.0%"
        workbook["S"].cell(row, 3).number_format = "[$€-407] #,##0.00"
    workbook.save(path)
    (document,) = SpreadsheetLoader().load(path)
    assert document.tables[0].rows[1:] == (
        ("a", "12.5%", "€ 1234.50"),
        ("b", "50.0%", "-€ 2.00"),
        ("c", "100.0%", "€ 0.10"),
    )
    (table,) = typed_tables(document.tables, "a.xlsx")
    assert [(column.type, column.unit) for column in table.columns[1:]] == [("number", "%"), ("number", "€")]
    assert table.cells[1:] == ((12.5, 50.0, 100.0), (1234.5, -2.0, 0.1))


def test_a_merged_figure_counts_once_and_a_merged_name_in_each_row(tmp_path: Path) -> None:
    rows: list[list[object]] = [
        ["Year", "Port", "Ship", "Crew"],
        [2023, "Faro", "Ada", 40],
        [None, None, "Bea", None],
        [2024, "Sines", "Cid", 12],
    ]
    path = saved(tmp_path / "a.xlsx", ("S", rows, ["A2:A3", "B2:B3", "D2:D3"]))
    (document,) = SpreadsheetLoader().load(path)
    assert document.tables[0].rows[2] == ("2023", "Faro", "Bea", "")


def test_errors_of_formulas_are_kept_and_counted(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.xlsx", ("S", [["Ship", "Tons"], ["Ada", "#DIV/0!"], ["Bea", 3], ["Cid", 4]], []))
    (document,) = SpreadsheetLoader().load(path)
    assert document.tables[0].rows[1] == ("Ada", "#DIV/0!")
    assert document.warnings == ("S: 1 cell holds an error instead of a value.",)
    (table,) = typed_tables(document.tables, "a.xlsx")
    assert table.cells[1] == (None, 3, 4) and "1 cell without a number" in table.columns[1].notes


def test_a_workbook_is_told_by_its_content(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.xlsx", ("S", [["a"], [1]], [])).rename(tmp_path / "a.xls")
    assert SpreadsheetLoader().load(path)[0].tables[0].rows == (("a",), ("1",))
    (tmp_path / "b.xls").write_text("a\tb\n1\t2\n")
    with pytest.raises(LoadError, match="no workbook") as raised:
        SpreadsheetLoader().load(tmp_path / "b.xls")
    assert "rename it to .csv" in str(raised.value.hint)


def test_several_tables_of_a_sheet_are_called_after_the_lines_above_them(tmp_path: Path) -> None:
    rows: list[list[object]] = [
        ["Revenue", None, None, "Costs"],
        ["Month", "Amount", None, "Month", "Amount"],
        ["Jan", 10, None, "Jan", 4],
        ["Feb", 20, None, "Feb", 5],
    ]
    (document,) = SpreadsheetLoader().load(saved(tmp_path / "a.xlsx", ("2025", rows, [])))
    assert [(table.name, table.heading) for table in document.tables] == [("Revenue", "Revenue"), ("Costs", "Costs")]


def test_numbers_stored_as_text_are_said(tmp_path: Path) -> None:
    rows: list[list[object]] = [["Item", "Price", "Code", "Kg"], ["a", "12,50", "007", 1], ["b", "7,25", "012", 2]]
    (document,) = SpreadsheetLoader().load(saved(tmp_path / "a.xlsx", ("S", rows, [])))
    assert document.tables[0].notes == ("numbers stored as text (Price)",)
