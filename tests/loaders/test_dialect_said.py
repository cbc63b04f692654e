from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from polyrag_cli.loaders.delimited import DelimitedLoader
from polyrag_cli.loaders.dialect_said import said_of
from polyrag_cli.loaders.quoting import Dialect


@pytest.mark.parametrize(
    ("dialect", "rows", "declared", "said"),
    [
        (Dialect(";"), [["a", "b"], [], ["1", "2"], ["3"]], False, "semicolon, utf-8: 2 of 3 rows have 2 cells"),
        (Dialect("\t", "'", "\\"), [["a", "b"]], False, "tab, quote ', escape \\, utf-8: the only row has 2 cells"),
        (Dialect("^"), [["a"], ["b"]], True, "“^”, utf-8: as its first line says"),
        (Dialect(","), [["a"], ["b"]], False, "comma, utf-8: 2 of 2 rows have 1 cell"),
    ],
)
def test_a_dialect_is_said_with_its_reason(dialect: Dialect, rows: list[list[str]], declared: bool, said: str) -> None:
    assert said_of(dialect, "utf-8", Counter(map(len, rows)), declared) == said


def test_a_table_says_how_its_file_was_read(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("sep=|\na|b\n1|2\n")
    assert DelimitedLoader().load(path)[0].tables[0].dialect.endswith(": as its first line says")
