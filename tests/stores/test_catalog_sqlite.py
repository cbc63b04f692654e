from __future__ import annotations

import pytest

from polyrag_cli.errors import StoreError
from polyrag_cli.stores.catalog_sqlite import SQLiteCatalog
from polyrag_cli.stores.data_paths import DataPaths
from tests.stores.corpus import document


def test_a_catalog_deleted_underneath_is_noticed(catalog: SQLiteCatalog, paths: DataPaths) -> None:
    with catalog.writer() as writer:
        catalog.put_document(writer, *document("a.md", ["Text."]))
    for path in paths.root.glob("catalog.sqlite*"):
        path.unlink()
    with pytest.raises(StoreError, match="Nothing is ingested"), catalog.snapshot():
        pass
    with catalog.writer() as writer:
        assert writer.generation == 1
    with catalog.snapshot() as snapshot:
        assert catalog.documents(snapshot) == []


def test_another_layout_and_a_damaged_file_are_refused(catalog: SQLiteCatalog, paths: DataPaths) -> None:
    with catalog.writer() as writer:
        catalog.set_meta(writer, "schema_version", "999")
    with pytest.raises(StoreError, match="layout 999"):
        SQLiteCatalog.open(paths, create=True)
    catalog.close()
    paths.catalog.write_bytes(b"this is no database" * 100)
    for side in ("-wal", "-shm"):
        paths.catalog.with_name(paths.catalog.name + side).unlink(missing_ok=True)
    with pytest.raises(StoreError, match="damaged"):
        SQLiteCatalog.open(paths, create=False)


def test_an_sqlite_file_of_something_else_is_refused(paths: DataPaths) -> None:
    import sqlite3

    paths.root.mkdir()
    connection = sqlite3.connect(paths.catalog)
    connection.execute("CREATE TABLE other (a)")
    connection.close()
    with pytest.raises(StoreError, match="holds no corpus"):
        SQLiteCatalog.open(paths, create=False)
