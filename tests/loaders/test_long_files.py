"""Which long files are staged, and which are left to the reader in memory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from polyrag_cli.loaders import long_files
from polyrag_cli.loaders.base import reading
from polyrag_cli.loaders.delimited import DelimitedLoader
from polyrag_cli.loaders.long_files import long_document
from polyrag_cli.stores import staged_rows
from polyrag_cli.stores.staged_values import StagedRawTable

Lines = list[str]


def lines(count: int = 1500) -> Lines:
    return ["id,day,note", *(f"{i},2024-01-{i % 28 + 1:02d},note {i}" for i in range(count))]


def staged(tmp_path: Path, text: Lines, encoding: str = "utf-8", end: str = "\n") -> StagedRawTable | None:
    path = tmp_path / "long.csv"
    path.write_bytes((end.join(text) + end).encode(encoding))
    document = long_document(path, "")
    if document is None:
        return None
    (table,) = document.tables
    assert isinstance(table, StagedRawTable)
    return table


def with_line(place: int, line: str) -> Lines:
    found = lines()
    found.insert(place, line)
    return found


def test_a_regular_file_is_staged_with_all_of_its_rows(tmp_path: Path) -> None:
    table = staged(tmp_path, lines())
    assert table is not None
    assert (table.staged.rows, table.staged.width, table.has_header) == (1500, 3, True)
    assert table.rows[0] == ("id", "day", "note")
    assert table.staged.window(1498, 1500)[1] == ("1499", "2024-01-16", "note 1499")
    assert table.dialect == "comma, utf-8: 1,501 of 1,501 rows have 3 cells"


@pytest.mark.parametrize(
    ("place", "line"),
    [
        (1400, "1,2024-01-01"),
        (1400, "1,2024-01-01,a,b"),
        (1400, '1,2024-01-01,"a"b'),
        (1400, '1,2024-01-01,"a'),
        (1400, ""),
        (1400, ",,"),
        (1400, "a line between"),
        (700, "1,2024-01-01"),
    ],
)
def test_a_file_with_a_record_of_another_shape_is_left_to_the_reader_in_memory(
    tmp_path: Path, place: int, line: str
) -> None:
    assert staged(tmp_path, with_line(place, line)) is None


def test_a_second_table_further_down_is_noticed(tmp_path: Path) -> None:
    second = [*lines()[:1450], "Other things,,", "city,mayor,people", *(f"Oslo,Ann,{i}" for i in range(80))]
    assert staged(tmp_path, second) is None


def test_what_repeats_or_ends_a_table_is_no_row(tmp_path: Path) -> None:
    text = [*lines(), "Source: the office,,", ",,", ",,", "", ""]
    text.insert(800, "id,day,note")
    text.insert(1450, "ID,Day,Note")
    table = staged(tmp_path, text)
    assert table is not None
    # Only rows whose first cell is the header's to the letter say it once more.
    assert table.staged.rows == 1501
    assert table.notes == ("below the table: Source: the office", "1 repeated header row left out")


def test_rows_of_one_cell_among_others_stay(tmp_path: Path) -> None:
    table = staged(tmp_path, with_line(1400, "77,,"))
    assert table is not None
    assert table.staged.window(1399, 1400) == [("77", "", "")]


def test_empty_lines_inside_cells_are_no_empty_lines(tmp_path: Path) -> None:
    table = staged(tmp_path, with_line(1400, '7,2024-01-01,"one\n\ntwo"'))
    assert table is not None
    assert table.staged.window(1399, 1400) == [("7", "2024-01-01", "one\n\ntwo")]


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16", "utf-8-sig"])
def test_other_encodings_are_staged_from_a_copy(tmp_path: Path, encoding: str) -> None:
    table = staged(tmp_path, with_line(1400, "7,2024-01-01,ação à noite é só até amanhã"), encoding, "\r\n")
    assert table is not None
    assert table.staged.window(1399, 1400)[0][2] == "ação à noite é só até amanhã"


def test_only_long_files_are_staged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.csv"
    path.write_text("\n".join(lines()))
    assert not isinstance(DelimitedLoader().load(path)[0].tables[0], StagedRawTable)
    monkeypatch.setattr(long_files, "LONG_BYTES", path.stat().st_size)
    assert isinstance(DelimitedLoader().load(path)[0].tables[0], StagedRawTable)


def test_whoever_asks_is_told_how_much_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staged_rows, "_POLL_S", 0.001)
    path = tmp_path / "a.csv"
    path.write_text("\n".join(lines(60_000)))
    told: list[float] = []
    tell: Callable[[float], None] = told.append
    token = reading.set(tell)
    try:
        assert long_document(path, "") is not None
    finally:
        reading.reset(token)
    assert told
    assert all(0 <= share <= 1 for share in told)
    assert told == sorted(told)


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    table = staged(tmp_path, with_line(1400, "7,2024-01-01,ação à noite"), "cp1252")
    assert table is not None
    del table
    assert staged(tmp_path, with_line(1400, "1,2")) is None
    assert list((tmp_path / "temporary").iterdir()) == []
