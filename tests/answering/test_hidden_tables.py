from __future__ import annotations

from pathlib import Path

from openpyxl import Workbook

from polyrag_cli import Engine


def test_a_figure_from_a_hidden_sheet_says_so(tmp_path: Path) -> None:
    workbook = Workbook()
    for title, rows in {
        "Quays": [["Quay", "Boats"], ["Alpha", 120]],
        "Staff": [["Pilot", "Salary"], ["Ugo", 1200]],
    }.items():
        sheet = workbook.create_sheet(title)
        for row in rows:
            sheet.append(row)
    workbook.remove(workbook.worksheets[0])
    workbook["Staff"].sheet_state = "hidden"
    workbook.save(tmp_path / "port.xlsx")
    with Engine.open(tmp_path / "data", overrides={"embedder.name": "hashing"}) as engine:
        engine.ingest([tmp_path / "port.xlsx"])
        shown = engine.ask("What is the number of boats of Alpha?", route="relational")
        hidden = engine.ask("What is the salary of Ugo?", route="relational")
    notice = "staff: a sheet that its workbook hides"
    assert shown.answer is not None and notice not in shown.warnings
    assert hidden.answer is not None and notice in hidden.warnings
