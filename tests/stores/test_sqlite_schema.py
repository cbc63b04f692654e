from __future__ import annotations

from polyrag_cli.stores.catalog_sqlite import SQLiteCatalog
from polyrag_cli.stores.sqlite_schema import storable


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
