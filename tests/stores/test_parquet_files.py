from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from polyrag_cli.errors import StoreError
from polyrag_cli.stores.catalog_sqlite import SQLiteCatalog
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.parquet_files import ParquetFiles, sweep
from polyrag_cli.stores.records import TypedTable
from polyrag_cli.stores.relational_duckdb import DuckDBRelationalStore
from polyrag_cli.types import Column
from tests.stores.corpus import document, table


def _age(path: Path, seconds: float) -> None:
    then = time.time() - seconds
    os.utime(path, (then, then))


def test_only_old_unreferenced_files_are_swept(catalog: SQLiteCatalog, paths: DataPaths) -> None:
    store = DuckDBRelationalStore(paths)
    used, unused, young = (store.write(table(offset=n)) for n in range(3))
    with catalog.writer() as writer:
        store.add(writer, "a.csv", [(table(), used)])
    (paths.cache / "vectors").mkdir(parents=True)
    left = [paths.tables / "x.tmp", paths.cache / "vectors" / "y.tmp"]
    for path in left:
        path.touch()
    for path in (*left, paths.tables / used, paths.tables / unused):
        _age(path, 700)
    deleted: list[tuple[str, ...]] = []
    with catalog.writer(after_commit=lambda snapshot: deleted.append(sweep(snapshot, paths))):
        pass
    assert deleted == [tuple(sorted([unused, "x.tmp", "y.tmp"]))]
    assert sorted(path.name for path in paths.tables.iterdir()) == sorted([used, young])


def test_writing_again_makes_an_old_file_young(tmp_path: Path) -> None:
    files = ParquetFiles(tmp_path)
    path = files.path(files.write(table()))
    _age(path, 7000)
    files.write(table())
    assert time.time() - path.stat().st_mtime < 60


def test_a_file_swept_before_its_commit_is_written_again(catalog: SQLiteCatalog, paths: DataPaths) -> None:
    store = DuckDBRelationalStore(paths)
    name = store.write(table())
    (paths.tables / name).unlink()
    with catalog.writer() as writer:
        store.add(writer, "a.csv", [(table(), name)])
    assert (paths.tables / name).exists()


def test_a_disk_that_refuses_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = ParquetFiles(tmp_path)
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(StoreError, match="disk is full"):
        files.write(table())
    assert list(tmp_path.iterdir()) == []


def test_wide_integers_keep_every_digit(catalog: SQLiteCatalog, paths: DataPaths) -> None:
    cells: tuple[object, ...] = (10**26 - 1, -(2**63) - 1, 2**53 + 1, 1, None)
    wide = TypedTable("ids", "ids", (Column("n", "n", "integer"),), (cells,), (("n",),))
    store = DuckDBRelationalStore(paths)
    with catalog.writer() as writer:
        store.add(writer, "ids.csv", [(wide, store.write(wide))])
    with catalog.snapshot() as snapshot:
        assert store.execute(snapshot, "SELECT n FROM ids").rows == tuple((cell,) for cell in cells)


@pytest.mark.parametrize("keep", [0, 3, 40])
def test_a_broken_file_is_found_refused_and_written_again(catalog: SQLiteCatalog, paths: DataPaths, keep: int) -> None:
    store = DuckDBRelationalStore(paths)
    record, chunks = document("a.csv", ["text"])
    name = store.write(table())
    with catalog.writer() as writer:
        catalog.put_document(writer, record, chunks)
        store.add(writer, "a.csv", [(table(), name)])
    path = paths.tables / name
    whole = path.read_bytes()
    with catalog.snapshot() as snapshot:
        assert store.lost(snapshot) == frozenset()
        path.write_bytes(whole[:keep])
        assert store.lost(snapshot) == {"a.csv"}
        with pytest.raises(StoreError, match="is damaged") as raised:
            store.execute(snapshot, "SELECT count(*) FROM harvest")
        assert name in str(raised.value)
        assert store.write(table()) == name
        assert store.lost(snapshot) == frozenset()
        assert store.execute(snapshot, "SELECT count(*) FROM harvest").rows == ((3,),)
