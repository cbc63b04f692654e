from __future__ import annotations

import shutil
from functools import partial

import numpy as np
import pytest

from polyrag_cli.stores import vector_faiss
from polyrag_cli.stores.catalog_sqlite import SQLiteCatalog
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.records import WindowHit
from polyrag_cli.stores.vector_faiss import SEGMENT_ROWS, FaissVectorStore
from tests.stores.corpus import chunk, unit_vectors, windows

QUERIES = unit_vectors(8, seed=77)


def _fill(catalog: SQLiteCatalog, store: FaissVectorStore, first: int, count: int, seed: int = 1) -> None:
    vectors = unit_vectors(count * 2, seed=seed)
    with catalog.writer(after_commit=partial(store.refresh, last=True)) as writer:
        for n in range(count):
            name = f"{first + n}.md"
            store.add(writer, name, windows(chunk("text", name), 2), vectors[2 * n : 2 * n + 2])


def _results(catalog: SQLiteCatalog, store: FaissVectorStore) -> list[list[WindowHit]]:
    with catalog.snapshot() as snapshot:
        return [store.search(snapshot, query, 10) for query in QUERIES]


def test_cache_changes_nothing(catalog: SQLiteCatalog, paths: DataPaths, monkeypatch: pytest.MonkeyPatch) -> None:
    store = FaissVectorStore(paths)
    for step in range(3):
        _fill(catalog, store, step * 300, 300, seed=step)
    # Some rows die, some are newer than every segment.
    _fill(catalog, store, 100, 40, seed=8)
    segments = list((paths.cache / "vectors").glob("*.npy"))
    assert segments
    expected = _results(catalog, FaissVectorStore(paths))

    for segment in segments:
        shutil.copy(segment, segment.with_name("0" * 32 + segment.name[32:]))
    assert _results(catalog, FaissVectorStore(paths)) == expected

    segments[0].write_bytes(segments[0].read_bytes()[:-100])
    assert _results(catalog, FaissVectorStore(paths)) == expected

    shutil.rmtree(paths.cache)
    assert _results(catalog, FaissVectorStore(paths)) == expected

    monkeypatch.setattr(vector_faiss, "FAISS_WINDOWS", 1)
    assert _results(catalog, FaissVectorStore(paths)) == expected


def test_segments_are_used_and_stay_few(
    catalog: SQLiteCatalog, paths: DataPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = FaissVectorStore(paths)
    _fill(catalog, store, 0, SEGMENT_ROWS - 1)
    assert not list(paths.cache.rglob("*.npy"))
    for step in range(6):
        _fill(catalog, store, 1000 * (step + 1), SEGMENT_ROWS, seed=step)
    assert 1 <= len(list(paths.cache.rglob("*.npy"))) <= 3
    assert not list(paths.cache.rglob("*.tmp"))
    read = vector_faiss._stored
    asked: list[int] = []

    def count(snapshot, rows, dimension):  # type: ignore[no-untyped-def]
        asked.append(len(rows))
        return read(snapshot, rows, dimension)

    monkeypatch.setattr(vector_faiss, "_stored", count)
    _results(catalog, FaissVectorStore(paths))
    assert sum(asked) < SEGMENT_ROWS


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


def test_a_cache_that_cannot_be_written_is_no_failure(catalog: SQLiteCatalog, paths: DataPaths) -> None:
    paths.cache.write_text("a file where the folder should be", encoding="utf-8")
    store = FaissVectorStore(paths)
    _fill(catalog, store, 0, SEGMENT_ROWS + 1)
    assert len(_results(catalog, store)[0]) == 10


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


def test_a_reader_leaves_a_segment_of_what_no_writer_wrote(
    catalog: SQLiteCatalog, paths: DataPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = FaissVectorStore(paths)
    monkeypatch.setattr(store, "refresh", lambda snapshot, last: None)
    _fill(catalog, store, 0, SEGMENT_ROWS - 1)
    expected = _results(catalog, FaissVectorStore(paths))
    assert not list(paths.cache.rglob("*.npy"))
    _fill(catalog, store, 1000, 2 * SEGMENT_ROWS, seed=2)
    expected = _results(catalog, FaissVectorStore(paths))
    (left,) = paths.cache.rglob("*.npy")
    # Another process finds all in it, and so leaves nothing.
    assert _results(catalog, FaissVectorStore(paths)) == expected
    assert list(paths.cache.rglob("*.npy")) == [left]
    # Few new rows beside many kept ones are read from the catalog.
    _fill(catalog, store, 3000, 20, seed=3)
    assert len(_results(catalog, FaissVectorStore(paths))) == len(QUERIES)
    assert list(paths.cache.rglob("*.npy")) == [left]


def test_readers_beside_a_writer_leave_few_segments(catalog: SQLiteCatalog, paths: DataPaths) -> None:
    store, reader = FaissVectorStore(paths), FaissVectorStore(paths)
    for step in range(8):
        vectors = unit_vectors(SEGMENT_ROWS, seed=step)
        with catalog.writer() as writer:
            for n, vector in enumerate(vectors):
                name = f"{step}-{n}.md"
                store.add(writer, name, windows(chunk("text", name), 1), vector[None])
        _results(catalog, reader)
    assert 4 <= len(list(paths.cache.rglob("*.npy"))) <= 6
    expected = _results(catalog, reader)
    _fill(catalog, store, 9000, SEGMENT_ROWS, seed=9)
    assert len(list(paths.cache.rglob("*.npy"))) < 6
    assert _results(catalog, FaissVectorStore(paths)) != expected
