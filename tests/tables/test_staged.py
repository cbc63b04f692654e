"""A table whose rows are staged is the table that it is in memory."""

from __future__ import annotations

import json
import random
import zlib
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from polyrag_cli.loaders import delimited, long_files
from polyrag_cli.loaders.delimited import DelimitedLoader
from polyrag_cli.stores.parquet_files import ParquetFiles
from polyrag_cli.stores.staged_files import packed_layout, source_rows, write_staged
from polyrag_cli.tables import staged, typed_tables
from polyrag_cli.types import LoadedDocument
from tests.tables.messy_tables import COLUMNS, written


def in_memory(path: Path, monkeypatch: pytest.MonkeyPatch) -> LoadedDocument:
    with monkeypatch.context() as patch:
        patch.setattr(delimited, "is_long", lambda path: False)
        return DelimitedLoader().load(path)[0]


def check_equal(path: Path, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the file was staged; then everything known of its table, and every cell, is what it is in memory."""
    long = long_files.long_document(path, "\t" if path.suffix == ".tsv" else "")
    if long is None:
        return False
    held = in_memory(path, monkeypatch)
    assert long.warnings == held.warnings
    assert len(held.tables) == 1
    table, expected = typed_tables(long.tables, path.name)[0], typed_tables(held.tables, path.name)[0]
    assert table.staged is not None
    assert replace(table, staged=None) == replace(expected, cells=(), source=())
    assert table.rows == expected.rows
    files = ParquetFiles(path.parent / "tables")
    name = write_staged(files, table, table.staged)
    found = duckdb.sql(f"SELECT * FROM '{files.path(name)}'").fetchall()
    for place, column in enumerate(expected.columns):
        assert [row[place] for row in found] == list(expected.cells[place]), column.name
    layout = json.loads(zlib.decompress(packed_layout(table, table.staged)))
    assert source_rows(files, name, layout, None) == [list(row) for row in expected.source]
    assert source_rows(files, name, layout, 3) == [list(row) for row in expected.source[:3]]
    return True


def check_seeds(seeds: range, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of columns of all kinds; most of them are staged, or the check would check nothing."""
    found = 0
    for seed in seeds:
        r = random.Random(seed)
        names = r.sample(sorted(COLUMNS), r.randint(2, 8))
        # With few listed texts, most columns are told by what all of their cells match.
        monkeypatch.setattr(staged, "MOST_LISTED", r.choice([10, 15_000]))
        path = folder / "orders.csv"
        path.write_bytes(written(r, names, 1400))
        found += check_equal(path, monkeypatch)
    assert found > 0.8 * len(seeds)


def test_staged_tables_are_those_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_seeds(range(6), tmp_path, monkeypatch)


@pytest.mark.long
def test_many_staged_tables_are_those_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_seeds(range(6, 300), tmp_path, monkeypatch)
