from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np
import pytest

from polyrag_cli.errors import StoreError
from polyrag_cli.graph.mentions import passage_graph
from polyrag_cli.stores.base import GraphStore, VectorStore
from polyrag_cli.stores.catalog_sqlite import SQLiteCatalog
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.document_files import DocumentFiles
from polyrag_cli.stores.faults import StaleSnapshot
from polyrag_cli.stores.graph_json import JSONGraphStore
from polyrag_cli.stores.graph_sqlite import SQLiteGraphStore
from polyrag_cli.stores.vector_faiss import FaissVectorStore
from polyrag_cli.stores.vector_numpy import NumpyVectorStore
from polyrag_cli.text.utterance import read
from tests.graph import corpus
from tests.stores.corpus import chunk, unit_vectors, windows


@pytest.fixture
def files(paths: DataPaths) -> DocumentFiles:
    return DocumentFiles(paths.root / "things", "thing.file", ".thing")


def _on_disk(paths: DataPaths, folder: str = "things") -> list[Path]:
    return sorted((paths.root / folder).iterdir())


def test_equal_content_is_one_file_and_a_snapshot_names_its_own(
    catalog: SQLiteCatalog, paths: DataPaths, files: DocumentFiles
) -> None:
    with catalog.writer() as writer:
        files.write(writer, "b", b"same")
        files.write(writer, "a", b"same")
    assert len(_on_disk(paths)) == 1
    with catalog.snapshot() as old:
        with catalog.writer() as writer:
            files.write(writer, "a", b"new")
            files.remove(writer, "b")
        assert [(name, files.read(version)) for name, version in files.versions(old)] == [
            ("a", b"same"),
            ("b", b"same"),
        ]
    with catalog.snapshot() as snapshot:
        assert [(name, files.read(version)) for name, version in files.versions(snapshot)] == [("a", b"new")]


def test_what_a_failed_commit_wrote_is_named_by_nobody(
    catalog: SQLiteCatalog, paths: DataPaths, files: DocumentFiles
) -> None:
    with pytest.raises(RuntimeError), catalog.writer() as writer:
        files.write(writer, "a", b"never")
        raise RuntimeError
    with catalog.snapshot() as snapshot:
        assert files.versions(snapshot) == []
    assert len(_on_disk(paths)) == 1


def test_only_old_files_that_nothing_names_are_swept(
    catalog: SQLiteCatalog, paths: DataPaths, files: DocumentFiles
) -> None:
    with catalog.writer() as writer:
        files.write(writer, "a", b"old")
        files.write(writer, "b", b"kept")
    with catalog.writer() as writer:
        files.write(writer, "a", b"new")
    catalog.derive(files.sweep)
    assert len(_on_disk(paths)) == 3
    for path in _on_disk(paths):
        os.utime(path, (time.time() - 3600,) * 2)
    with catalog.writer() as writer:
        # Written again for a commit to come: young, and therefore safe.
        files.write(writer, "c", b"old")
    with catalog.writer() as writer:
        files.remove(writer, "c")
    catalog.derive(files.sweep)
    assert len(_on_disk(paths)) == 3
    for path in _on_disk(paths):
        os.utime(path, (time.time() - 3600,) * 2)
    catalog.derive(files.sweep)
    assert sorted(path.read_bytes() for path in _on_disk(paths)) == [b"kept", b"new"]


@pytest.mark.parametrize("damage", ["gone", "torn"])
def test_lost_content_is_told_and_written_again(
    catalog: SQLiteCatalog, paths: DataPaths, files: DocumentFiles, damage: str
) -> None:
    with catalog.writer() as writer:
        files.write(writer, "a", b"content")
        files.write(writer, "b", b"sound")
    with catalog.snapshot() as snapshot:
        assert files.lost(snapshot) == frozenset()
        path = files.path(dict(files.versions(snapshot))["a"])
        if damage == "gone":
            path.unlink()
            with pytest.raises(StaleSnapshot, match="is gone"):
                files.read(dict(files.versions(snapshot))["a"])
        else:
            path.write_bytes(b"con")
        assert files.lost(snapshot) == {"a"}
    with catalog.writer() as writer:
        files.write(writer, "a", b"content")
    with catalog.snapshot() as snapshot:
        assert files.lost(snapshot) == frozenset()


@pytest.mark.parametrize("content", [b"", b"no json", b"[1]\n", b'[["a"]]', b"{}\n\0\0", b"[]\n\0\0"])
def test_a_damaged_file_of_a_store_is_a_store_error(catalog: SQLiteCatalog, paths: DataPaths, content: bytes) -> None:
    vector, graph = NumpyVectorStore(paths), JSONGraphStore(paths)
    one = chunk("the river")
    with catalog.writer() as writer:
        vector.add(writer, one.document, windows(one, 2), unit_vectors(2))
        graph.add(writer, one.document, [passage_graph(one)])
    for folder in ("vectors", "graph"):
        (path,) = _on_disk(paths, folder)
        path.write_bytes(content)
    with catalog.snapshot() as snapshot:
        with pytest.raises(StoreError, match="is damaged"):
            vector.check(snapshot)
        with pytest.raises(StoreError, match="is damaged"):
            graph.check(snapshot)
        assert vector.lost(snapshot) == graph.lost(snapshot) == {one.document}


def _vector_stores(paths: DataPaths) -> list[VectorStore]:
    return [FaissVectorStore(paths), NumpyVectorStore(paths)]


def test_vectors_in_files_are_searched_bit_for_bit_like_those_in_the_catalog(
    catalog: SQLiteCatalog, paths: DataPaths
) -> None:
    stores = _vector_stores(paths)
    with catalog.writer() as writer:
        for number in range(40):
            one = chunk(f"text {number % 30}", f"{number:02}.md")
            vectors = unit_vectors(3, seed=number % 25)
            for store in stores:
                store.add(writer, one.document, windows(one, 3), vectors)
    with catalog.snapshot() as snapshot:
        for query in unit_vectors(20, seed=99):
            for k in (1, 7, 40, 100):
                one_way, other = (store.search(snapshot, query, k) for store in stores)
                assert one_way == other
        ids = [hit.chunk_id for hit in one_way]
        both = [store.windows(snapshot, ids) for store in stores]
        assert list(both[0]) == list(both[1])
        for chunk_id in ids:
            assert both[0][chunk_id][0] == both[1][chunk_id][0]
            assert np.array_equal(both[0][chunk_id][1], both[1][chunk_id][1])


def test_a_new_commit_reads_new_files_alone(
    catalog: SQLiteCatalog, paths: DataPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = NumpyVectorStore(paths)
    read: list[str] = []
    original = DocumentFiles.read

    def counting(self: DocumentFiles, version: str) -> bytes:
        read.append(version)
        return original(self, version)

    monkeypatch.setattr(DocumentFiles, "read", counting)
    for number in range(4):
        one = chunk(f"text {number}", f"{number}.md")
        with catalog.writer() as writer:
            store.add(writer, one.document, windows(one, 1), unit_vectors(1, seed=number))
        with catalog.snapshot() as snapshot:
            assert len(store.search(snapshot, unit_vectors(1)[0], 9)) == number + 1
    assert len(read) == 4


def test_a_graph_in_files_is_walked_like_one_in_the_catalog(catalog: SQLiteCatalog, paths: DataPaths) -> None:
    stores: list[GraphStore] = [SQLiteGraphStore(paths), JSONGraphStore(paths)]
    with catalog.writer() as writer:
        for one in corpus.chunks():
            catalog.put_document(writer, *corpus.stored(one))
            for store in stores:
                store.add(writer, one.document, [passage_graph(one)])
    question = "Who built the chapel of the village where the owner of Mill Brindle was born?"
    with catalog.snapshot() as snapshot:
        a, b = ((s.content(snapshot), s.walk(snapshot, read(question, "en"), (), 0.7, 9)) for s in stores)
    assert a == b
