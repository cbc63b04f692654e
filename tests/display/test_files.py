"""An ingested file in words."""

from __future__ import annotations

from polyrag_cli.display.files import contents
from polyrag_cli.types import FileReport, IngestedTable


def test_a_file_says_what_went_where_and_why() -> None:
    report = FileReport(
        "a.md", "added", "", 6, {"graph": 2, "vectorial": 4}, (IngestedTable("prices", 40, 5),), ("decimal comma",), 1
    )
    assert contents(report) == (
        "1 table  40 rows × 5 · 6 chunks  vectorial 4, graph 2 · 1 near the boundary: in both · decimal comma"
    )
    assert contents(FileReport("b.doc", "skipped", "unknown kind")) == "unknown kind"
