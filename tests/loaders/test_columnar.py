from __future__ import annotations

import sys
from pathlib import Path

import duckdb
import pyarrow
import pytest
from pyarrow import feather, ipc

from polyrag_cli.errors import LoadError
from polyrag_cli.loaders.columnar import ArrowLoader, ParquetLoader
from polyrag_cli.tables import typed_tables
from polyrag_cli.types import LoadedDocument

TABLE = pyarrow.table({"ship": ["Ada", "Bea"], "code": ["12", "013"], "tons": [1.234, None], "crew": [3, 4]})


def checked(document: LoadedDocument) -> None:
    (table,) = typed_tables(document.tables, "fleet")
    assert [(column.name, column.type) for column in table.columns] == [
        ("ship", "text"),
        ("code", "text"),
        ("tons", "number"),
        ("crew", "integer"),
    ]
    assert table.cells == (("Ada", "Bea"), ("12", "013"), (1.234, None), (3, 4))


def test_parquet_keeps_its_types(tmp_path: Path) -> None:
    path = tmp_path / "it's a fleet=1.parquet"
    duckdb.from_arrow(TABLE).write_parquet(str(path))
    (document,) = ParquetLoader().load(path)
    assert document.tables[0].name == "it's a fleet=1"
    checked(document)


def test_feather_arrow_files_and_streams_keep_their_types(tmp_path: Path) -> None:
    feather.write_feather(TABLE, str(tmp_path / "a.feather"))
    with ipc.new_stream(str(tmp_path / "c.arrow"), TABLE.schema) as stream:
        stream.write_table(TABLE)
    for name in ("a.feather", "c.arrow"):
        checked(ArrowLoader().load(tmp_path / name)[0])


def test_arrow_without_pyarrow_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    feather.write_feather(TABLE, str(tmp_path / "a.feather"))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(LoadError, match=r"a\.feather: needs pyarrow") as raised:
        ArrowLoader().load(tmp_path / "a.feather")
    assert raised.value.hint == "Install it with: pip install 'polyrag[arrow]'"


def test_a_damaged_parquet_file_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    duckdb.from_arrow(TABLE).write_parquet(str(path))
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(LoadError, match=r"a\.parquet: can't be read as Parquet") as raised:
        ParquetLoader().load(path)
    assert "\n" not in raised.value.message
