from __future__ import annotations

from polyrag_cli.stores.catalog import Catalog
from polyrag_cli.stores.schema import commit_token, storable


def test_storable_keeps_offsets() -> None:
    assert storable("a\ud800b\udc00c") == "a\ufffdb\ufffdc"
    for text in ("plain", "ção 😀 \0"):
        assert storable(text) == text


def test_each_commit_has_its_own_token(catalog: Catalog) -> None:
    tokens = []
    for _ in range(3):
        with catalog.writer():
            pass
        with catalog.snapshot() as snapshot:
            tokens.append(commit_token(snapshot.connection))
    assert len(set(tokens)) == 3
    assert all(tokens)
