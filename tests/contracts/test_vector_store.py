"""What every registered vector store promises."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from polyrag_cli import registry
from polyrag_cli.errors import StoreError
from polyrag_cli.stores.base import VectorStore
from polyrag_cli.stores.catalog_sqlite import SQLiteCatalog
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.types import Window
from tests.stores.corpus import chunk, unit_vectors, windows

Opened = tuple[SQLiteCatalog, VectorStore]


@pytest.fixture(params=registry.names("vector"))
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    paths = DataPaths(tmp_path)
    catalog = SQLiteCatalog.open(paths, create=True)
    yield catalog, registry.resolve("vector", request.param)(paths)
    catalog.close()


def _window(chunk_id: str, ordinal: int = 0) -> Window:
    return Window(chunk_id, ordinal, ordinal * 10, ordinal * 10 + 9, f"window {ordinal} of {chunk_id}")


def _unit(*values: float) -> NDArray[np.float32]:
    vector = np.array(values, dtype=np.float32)
    return vector / np.linalg.norm(vector)


def test_the_best_window_of_each_chunk_counts(opened: Opened) -> None:
    catalog, store = opened
    vectors = np.stack([_unit(1, 0, 0), _unit(0.6, 0.8, 0), _unit(0, 1, 0), _unit(0, 0, 1)])
    with catalog.writer() as writer:
        store.add(writer, "a", [_window("one"), _window("one", 1), _window("two"), _window("three")], vectors)
    with catalog.snapshot() as snapshot:
        hits = store.search(snapshot, _unit(0, 1, 0), 2)
        assert [(hit.chunk_id, hit.ordinal) for hit in hits] == [("two", 0), ("one", 1)]
        assert hits[0].score == 1.0
        assert hits[1].score == pytest.approx(0.8, abs=5e-4)
        assert (hits[1].start, hits[1].end) == (10, 19)
        assert hits[1].score == round(hits[1].score, 6)


def test_ties_are_broken_by_chunk_id_and_window_order(opened: Opened) -> None:
    catalog, store = opened
    same = np.repeat(_unit(1, 2, 3)[None], 4, axis=0)
    with catalog.writer() as writer:
        store.add(writer, "z", [_window("c"), _window("c", 1)], same[:2])
        store.add(writer, "a", [_window("b"), _window("a")], same[2:])
    with catalog.snapshot() as snapshot:
        hits = store.search(snapshot, _unit(1, 2, 3), 10)
    assert [(hit.chunk_id, hit.ordinal) for hit in hits] == [("a", 0), ("b", 0), ("c", 0)]


def test_search_agrees_with_the_definition(opened: Opened) -> None:
    catalog, store = opened
    vectors = unit_vectors(300)
    own = [window for n in range(100) for window in windows(chunk(f"text {n}", "a"), 3)]
    with catalog.writer() as writer:
        store.add(writer, "a", own, vectors)
    exact = vectors.astype(np.float16).astype(np.float64)
    for query in unit_vectors(5, seed=9):
        scores = exact @ query.astype(np.float64)
        best: dict[str, float] = {}
        for window, score in zip(own, scores, strict=True):
            best[window.chunk_id] = max(best.get(window.chunk_id, -2.0), round(float(score), 6))
        expected = sorted(best.items(), key=lambda item: (-item[1], item[0]))[:7]
        with catalog.snapshot() as snapshot:
            found = store.search(snapshot, query, 7)
        assert [(hit.chunk_id, hit.score) for hit in found] == expected


def test_replace_and_remove(opened: Opened) -> None:
    catalog, store = opened
    with catalog.writer() as writer:
        store.add(writer, "a", [_window("old")], _unit(1, 0)[None])
        store.add(writer, "b", [_window("other")], _unit(0, 1)[None])
    with catalog.snapshot() as snapshot:
        assert len(store.search(snapshot, _unit(1, 1), 9)) == 2
    with catalog.writer() as writer:
        store.add(writer, "a", [_window("new")], _unit(1, 0)[None])
        store.remove(writer, "b")
        store.remove(writer, "never was there")
    with catalog.snapshot() as snapshot:
        assert [hit.chunk_id for hit in store.search(snapshot, _unit(1, 1), 9)] == ["new"]
        assert store.windows(snapshot, ["old", "other"]) == {}


def test_windows_come_back_with_their_vectors(opened: Opened) -> None:
    catalog, store = opened
    vectors = unit_vectors(3)
    own = [_window("one"), _window("one", 1), Window("two", 0, 5, 9, "ação 😀\ud800")]
    with catalog.writer() as writer:
        store.add(writer, "a", own, vectors)
    with catalog.snapshot() as snapshot:
        found = store.windows(snapshot, ["two", "unknown", "one", "two"])
    assert list(found) == ["two", "one"]
    assert found["one"][0] == tuple(own[:2])
    assert found["two"][0][0].text == "ação 😀\ufffd"
    assert found["one"][1].dtype == np.float32
    assert np.array_equal(found["one"][1], vectors[:2].astype(np.float16).astype(np.float32))


def test_nothing_to_find(opened: Opened) -> None:
    catalog, store = opened
    with catalog.snapshot() as snapshot:
        assert store.search(snapshot, _unit(1, 0), 5) == []
    with catalog.writer(after_commit=partial(store.refresh, last=True)) as writer:
        store.add(writer, "empty", [], np.zeros((0, 2), dtype=np.float32))
        store.add(writer, "a", [_window("one")], _unit(1, 0)[None])
    with catalog.snapshot() as snapshot:
        assert store.search(snapshot, np.zeros(0, dtype=np.float32), 5) == []
        assert store.search(snapshot, np.zeros(2, dtype=np.float32), 5) == []
        assert store.search(snapshot, _unit(1, 0), 0) == []
        assert store.windows(snapshot, []) == {}


def test_windows_without_vectors_are_kept_for_an_embedder_of_none(opened: Opened) -> None:
    catalog, store = opened
    with catalog.writer(after_commit=partial(store.refresh, last=True)) as writer:
        store.add(writer, "a", [_window("one"), _window("one", 1)], np.zeros((2, 0), dtype=np.float32))
    with catalog.snapshot() as snapshot:
        assert store.search(snapshot, np.zeros(0, dtype=np.float32), 5) == []
        found, vectors = store.windows(snapshot, ["one"])["one"]
    assert (len(found), vectors.shape) == (2, (2, 0))


def test_wrong_sizes_are_refused(opened: Opened) -> None:
    catalog, store = opened
    with pytest.raises(StoreError, match="2 windows came with 1"), catalog.writer() as writer:
        store.add(writer, "a", [_window("one"), _window("two")], _unit(1, 0)[None])
    with catalog.writer() as writer:
        store.add(writer, "a", [_window("one")], _unit(1, 0)[None])
    with catalog.snapshot() as snapshot, pytest.raises(StoreError, match="--reembed"):
        store.search(snapshot, _unit(1, 0, 0), 5)


def test_an_old_snapshot_is_searched_as_it_was(opened: Opened) -> None:
    catalog, store = opened
    with catalog.writer() as writer:
        store.add(writer, "a", [_window("old")], _unit(1, 0)[None])
    with catalog.snapshot() as snapshot:
        with catalog.writer(after_commit=partial(store.refresh, last=True)) as writer:
            store.add(writer, "a", [_window("new")], _unit(1, 0)[None])
        assert [hit.chunk_id for hit in store.search(snapshot, _unit(1, 0), 5)] == ["old"]
    with catalog.snapshot() as snapshot:
        assert [hit.chunk_id for hit in store.search(snapshot, _unit(1, 0), 5)] == ["new"]
