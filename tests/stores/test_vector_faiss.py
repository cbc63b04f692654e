from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from polyrag_cli.stores import vector_faiss
from polyrag_cli.stores.catalog_sqlite import SQLiteCatalog
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.records import WindowHit
from polyrag_cli.stores.vector_faiss import FaissVectorStore
from polyrag_cli.types import Window
from tests.stores.corpus import chunk, document, unit_vectors, windows

QUERIES = unit_vectors(8, seed=77)


def _fill(catalog: SQLiteCatalog, store: FaissVectorStore, first: int, count: int, seed: int = 1) -> None:
    vectors = unit_vectors(count * 2, seed=seed)
    with catalog.writer() as writer:
        for n in range(count):
            name = f"{first + n}.md"
            store.add(writer, name, windows(chunk("text", name), 2), vectors[2 * n : 2 * n + 2])


def _results(catalog: SQLiteCatalog, store: FaissVectorStore) -> list[list[WindowHit]]:
    with catalog.snapshot() as snapshot:
        return [store.search(snapshot, query, 10) for query in QUERIES]


def test_the_vectors_lie_in_the_catalog_alone(
    catalog: SQLiteCatalog, paths: DataPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = FaissVectorStore(paths)
    for step in range(3):
        _fill(catalog, store, step * 300, 300, seed=step)
    # Some rows die; more than are read at once are left.
    _fill(catalog, store, 100, 40, seed=8)
    expected = _results(catalog, FaissVectorStore(paths))
    assert not list(paths.cache.rglob("*"))
    monkeypatch.setattr(vector_faiss, "FAISS_WINDOWS", 1)
    assert _results(catalog, FaissVectorStore(paths)) == expected


def test_a_window_s_text_is_kept_where_its_chunk_says_something_else(catalog: SQLiteCatalog, paths: DataPaths) -> None:
    store = FaissVectorStore(paths)
    record, (stored,) = document("a.md", ["One sentence. Another one."])
    own, vectors = stored.chunk, unit_vectors(2)
    said = Window(own.chunk_id, 0, own.start, own.start + 13, "One sentence.")
    for windows_of, kept in (([said, replace(said, ordinal=1)], 0), ([said, replace(said, ordinal=1, text="else")], 1)):
        with catalog.writer() as writer:
            catalog.put_document(writer, record, [stored])
            store.add(writer, "a.md", windows_of, vectors)
        with catalog.snapshot() as snapshot:
            assert store.windows(snapshot, [own.chunk_id])[own.chunk_id][0] == tuple(windows_of)
            count = snapshot.connection.execute("SELECT count(texts) FROM windows").fetchone()[0]
        assert count == kept


def test_many_equal_vectors_are_ranked_by_id(
    catalog: SQLiteCatalog, paths: DataPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = FaissVectorStore(paths)
    same = np.repeat(unit_vectors(1), 200, axis=0)
    ids = []
    with catalog.writer() as writer:
        for n in range(200):
            own = chunk("text", f"{n}.md")
            ids.append(own.chunk_id)
            store.add(writer, f"{n}.md", windows(own, 1), same[n : n + 1])
    for limit in (10**9, 1):
        monkeypatch.setattr(vector_faiss, "FAISS_WINDOWS", limit)
        with catalog.snapshot() as snapshot:
            hits = FaissVectorStore(paths).search(snapshot, same[0], 5)
        assert [hit.chunk_id for hit in hits] == sorted(ids)[:5]


def test_one_chunk_with_most_of_the_best_windows(
    catalog: SQLiteCatalog, paths: DataPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = FaissVectorStore(paths)
    near = np.repeat(unit_vectors(1), 300, axis=0)
    with catalog.writer() as writer:
        store.add(writer, "near.md", windows(chunk("near", "near.md"), 300), near)
        for n, vector in enumerate(unit_vectors(9, seed=4)):
            store.add(writer, f"{n}.md", windows(chunk("far", f"{n}.md"), 1), vector[None])
    for limit in (10**9, 1):
        monkeypatch.setattr(vector_faiss, "FAISS_WINDOWS", limit)
        with catalog.snapshot() as snapshot:
            assert len(FaissVectorStore(paths).search(snapshot, near[0], 4)) == 4


@pytest.mark.parametrize("limit", [10**9, 1])
def test_a_question_searches_once_and_gets_what_each_search_alone_would_give(
    catalog: SQLiteCatalog, paths: DataPaths, monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    monkeypatch.setattr(vector_faiss, "FAISS_WINDOWS", limit)
    monkeypatch.setattr(vector_faiss, "_WINDOWS_KEPT", 64)
    store = FaissVectorStore(paths)
    for first, seed in ((0, 1), (100, 1), (200, 2), (300, 3)):
        # The second hundred says the same as the first: every score there is a tie, broken by id.
        _fill(catalog, store, first, 100, seed)
    searches = []
    top = vector_faiss._Matrix.top

    def counted(self: vector_faiss._Matrix, vector: vector_faiss.Floats, wanted: int) -> vector_faiss._Top:
        searches.append(wanted)
        return top(self, vector, wanted)

    monkeypatch.setattr(vector_faiss._Matrix, "top", counted)
    for query in QUERIES:
        alone = {}
        for k in (3, 8, 9, 200, 1000):
            with catalog.snapshot() as snapshot:
                alone[k] = store.search(snapshot, query, k)
        assert len(alone[1000]) == 400
        searches.clear()
        with catalog.snapshot() as snapshot:
            assert [store.search(snapshot, query, k) for k in (8, 3, 9, 8)] == [alone[k] for k in (8, 3, 9, 8)]
            assert len(searches) == 1
            assert [store.search(snapshot, query, k) for k in (200, 9, 1000)] == [alone[k] for k in (200, 9, 1000)]
        assert all(alone[k] == alone[1000][:k] for k in alone)
