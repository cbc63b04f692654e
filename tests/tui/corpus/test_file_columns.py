from __future__ import annotations

import pytest
from rich.cells import cell_len

from polyrag_cli.engine.corpus import FileOverview
from polyrag_cli.tui.corpus.file_columns import COLUMNS, column_at, row_line, selected, title_line, title_lines
from polyrag_cli.types import FileReport

FILES = [
    FileOverview(FileReport("travessão.md", "added", "", 4, {"graph": 3, "vectorial": 1}, boundary=1), "pt", 1),
    FileOverview(FileReport("antigo.doc", "skipped", "legacy Word: convert to .docx"), "und", 0),
    FileOverview(FileReport("notes.jsonl", "added", "", 9, {"vectorial": 9}, warnings=("line 3: no text",)), "en", 9),
]


def _names(files: list[FileOverview]) -> list[str]:
    return [overview.file.document for overview in files]


def test_files_sort_by_any_column_and_by_name_among_equals() -> None:
    assert _names(selected(FILES, "", "name", False)) == ["antigo.doc", "notes.jsonl", "travessão.md"]
    assert _names(selected(FILES, "", "chunks", False)) == ["notes.jsonl", "travessão.md", "antigo.doc"]
    assert _names(selected(FILES, "", "status", True)) == ["antigo.doc", "travessão.md", "notes.jsonl"]
    assert _names(selected(FILES, "", "notes", False)) == ["antigo.doc", "notes.jsonl", "travessão.md"]


def test_the_filter_takes_all_words_in_any_case_and_accents() -> None:
    assert _names(selected(FILES, "TRAVESSAO md", "name", False)) == ["travessão.md"]
    assert selected(FILES, "travessao doc", "name", False) == []


@pytest.mark.parametrize("width", [24, 40, 64, 80, 100, 160])
def test_rows_fit_their_width_and_columns_are_found_by_position(width: int) -> None:
    title = title_line(width, "name", False)
    assert cell_len(title) <= max(width, 24)
    assert {cell_len(row_line(file, width)) for file in FILES} == {cell_len(title)}
    assert column_at(0, width) == "name"
    shown = [c for c in COLUMNS if c.from_width <= width]
    assert column_at(cell_len(title) - 1, width) == shown[-1].key


def test_what_is_known_of_a_file_stands_above_its_contents() -> None:
    assert title_lines(FILES[0]) == (
        "travessão.md\nadded · pt · 4 chunks (graph 3, vectorial 1) · 1 near the boundary: in both"
    )
    assert title_lines(FILES[1]) == "antigo.doc\nskipped\n! legacy Word: convert to .docx"
    assert "9 documents" in title_lines(FILES[2]) and "! line 3: no text" in title_lines(FILES[2])
