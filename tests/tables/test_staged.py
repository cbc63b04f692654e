"""A table whose rows are staged is the table that it is in memory."""

from __future__ import annotations

import json
import random
import zlib
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

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


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 10**9),
    names=st.lists(st.sampled_from(sorted(COLUMNS)), min_size=2, max_size=8, unique=True),
    listed=st.sampled_from([10, 15_000]),
)
def test_staged_tables_are_those_in_memory(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, seed: int, names: list[str], listed: int
) -> None:
    monkeypatch.setattr(staged, "MOST_LISTED", listed)
    path = tmp_path_factory.mktemp("messy") / "orders.csv"
    path.write_bytes(written(random.Random(seed), names, 1400))
    check_equal(path, monkeypatch)
