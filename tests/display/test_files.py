"""An ingested file in words."""

from __future__ import annotations

from polyrag_cli.display.files import by_route, contents, totals
from polyrag_cli.types import FileReport, IngestedTable


def test_a_file_says_what_went_where_and_why() -> None:
    report = FileReport(
        "a.md", "added", "", 6, {"graph": 2, "vectorial": 4}, (IngestedTable("prices", 40, 5),), ("decimal comma",), 1
    )
    assert contents(report) == (
        "1 table  40 rows × 5 · 6 chunks  vectorial 4, graph 2 · 1 near the boundary: in both · decimal comma"
    )
    assert contents(FileReport("b.doc", "skipped", "unknown kind")) == "unknown kind"


def test_routes_stand_by_size_and_then_by_name() -> None:
    assert by_route(FileReport("a.md", "added", "", 9, {"b": 2, "a": 2, "c": 1_005})) == "c 1,005, a 2, b 2"


def test_totals_name_states_that_occur_and_those_that_are_always_named() -> None:
    files = [
        FileReport("a.md", "added", "", 1, {"graph": 1}),
        FileReport("b.csv", "added", "", 0, {}, (IngestedTable("b", 2, 2),)),
        FileReport("c.bin", "failed", "unreadable"),
    ]
    assert totals(files, 1234.0, ("skipped",)) == "2 added, 0 skipped, 1 failed · 1 chunk, 1 table · 1.2 s"
