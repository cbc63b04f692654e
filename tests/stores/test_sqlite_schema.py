from __future__ import annotations

import pytest

from polyrag_cli.errors import StoreError
from polyrag_cli.stores.catalog_sqlite import SQLiteCatalog
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.relational_duckdb import DuckDBRelationalStore
from polyrag_cli.stores.storable import storable
from tests.stores.corpus import document, table


def test_storable_keeps_offsets() -> None:
    assert storable("a\ud800b\udc00c") == "a\ufffdb\ufffdc"
    for text in ("plain", "ção 😀 \0"):
        assert storable(text) == text


def test_each_commit_has_its_own_token(catalog: SQLiteCatalog) -> None:
    tokens = []
    for _ in range(3):
        with catalog.writer() as writer:
            pass
        with catalog.snapshot() as snapshot:
            assert snapshot.commit == writer.commit
            tokens.append(snapshot.commit)
    assert len(set(tokens)) == 3
    assert all(tokens)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE chunks SET scores = '[[1, 2]]'",
        "UPDATE chunks SET also = '{'",
        "UPDATE documents SET warnings = 'x'",
        "UPDATE tables SET schema = '[]'",
        "UPDATE tables SET schema = '{\"rows\": 3}'",
    ],
)
def test_a_damaged_column_is_a_store_error(catalog: SQLiteCatalog, paths: DataPaths, damage: str) -> None:
    store = DuckDBRelationalStore(paths)
    file = store.write(table())
    with catalog.writer() as writer:
        catalog.put_document(writer, *document("a.md", ["Text."]))
        store.add(writer, "a.md", [(table(), file)])
        writer.connection.execute(damage)
    with catalog.snapshot() as snapshot, pytest.raises(StoreError, match="damaged row"):
        catalog.documents(snapshot)
        catalog.chunks_of(snapshot, "a.md")
        store.schemas(snapshot)
