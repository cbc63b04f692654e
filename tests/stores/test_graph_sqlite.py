from __future__ import annotations

import os
import time
from functools import partial

import pytest

from polyrag_cli.errors import StoreError
from polyrag_cli.graph.arrays_file import flatten
from polyrag_cli.graph.mentions import passage_graph
from polyrag_cli.stores import graph_sqlite
from polyrag_cli.stores.catalog_sqlite import SQLiteCatalog
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.graph_sqlite import SQLiteGraphStore
from polyrag_cli.stores.packing import unpacked
from polyrag_cli.text.utterance import read
from polyrag_cli.types import Chunk
from tests.graph import corpus
from tests.graph.corpus import build_arrays


def _fill(catalog: SQLiteCatalog, store: SQLiteGraphStore, chunks: list[Chunk], refresh: bool = True) -> None:
    with catalog.writer(after_commit=partial(store.refresh, last=True) if refresh else None) as writer:
        for chunk in chunks:
            catalog.put_document(writer, *corpus.stored(chunk))
            store.add(writer, chunk.document, [passage_graph(chunk)])


def _names(
    catalog: SQLiteCatalog, store: SQLiteGraphStore, question: str = "Tove Aldgate of Mill Brindle"
) -> list[str]:
    with catalog.snapshot() as snapshot:
        return [name for name, _ in store.arrays(snapshot).match(read(question))]


def _bits(catalog: SQLiteCatalog, store: SQLiteGraphStore) -> tuple[bytes, ...]:
    with catalog.snapshot() as snapshot:
        arrays = store.arrays(snapshot)
    return (arrays.walk.node_weights.tobytes(), arrays.postings.data.tobytes(), arrays.mentions.data.tobytes())


def test_an_empty_catalog_has_an_empty_graph(catalog: SQLiteCatalog, paths: DataPaths) -> None:
    store = SQLiteGraphStore(paths)
    with catalog.snapshot() as snapshot:
        assert store.arrays(snapshot).passages == 0
    with catalog.writer() as writer:
        store.remove(writer, "unknown.md")


def test_what_is_stored_comes_back_whole(catalog: SQLiteCatalog, paths: DataPaths) -> None:
    store = SQLiteGraphStore(paths)
    _fill(catalog, store, corpus.chunks())
    passages = [passage_graph(chunk) for chunk in corpus.chunks()]
    with catalog.snapshot() as snapshot:
        found = flatten(store.arrays(snapshot))
    expected = flatten(build_arrays(passages, 1))
    assert {name: (array.dtype, array.tobytes()) for name, array in found.items()} == {
        name: (array.dtype, array.tobytes()) for name, array in expected.items()
    }


def test_what_the_catalog_holds_is_not_stored_again(catalog: SQLiteCatalog, paths: DataPaths) -> None:
    _fill(catalog, SQLiteGraphStore(paths), corpus.chunks())
    with catalog.snapshot() as snapshot:
        query = "SELECT content, text FROM graph_passages JOIN chunks USING (chunk_id) WHERE chunk_id = ?"
        content, text = snapshot.connection.execute(query, (f"{8:016x}",)).fetchone()
        (file,) = paths.cache.glob("graph-*.arrays")
    assert unpacked(content, text).startswith('["regra k 7 limites","k-7 limit regr",')
    assert b"sacas" not in content
    assert b"sacas por dia" not in file.read_bytes()


def test_a_passage_whose_chunk_is_gone_is_left_out(catalog: SQLiteCatalog, paths: DataPaths) -> None:
    store = SQLiteGraphStore(paths)
    chunks = corpus.chunks()
    _fill(catalog, store, chunks, refresh=False)
    with catalog.writer() as writer:
        catalog.remove_document(writer, chunks[4].document)
    left = [*chunks[:4], *chunks[5:]]
    with catalog.snapshot() as snapshot:
        found = flatten(store.arrays(snapshot))
    expected = flatten(build_arrays([passage_graph(chunk) for chunk in left], 2))
    assert {name: array.tobytes() for name, array in found.items()} == {
        name: array.tobytes() for name, array in expected.items()
    }


def test_replace_and_remove(catalog: SQLiteCatalog, paths: DataPaths) -> None:
    store = SQLiteGraphStore(paths)
    chunks = corpus.chunks()
    _fill(catalog, store, chunks)
    assert _names(catalog, store) == ["Mill Brindle", "Tove Aldgate"]
    with catalog.writer() as writer:
        store.add(writer, chunks[0].document, [])
        store.remove(writer, chunks[1].document)
    assert _names(catalog, store) == []
    with catalog.snapshot() as snapshot:
        left = snapshot.connection.execute("SELECT count(*) FROM graph_passages").fetchone()[0]
    assert left == len(chunks) - 2


def test_reader_with_an_older_snapshot_sees_its_own_graph(catalog: SQLiteCatalog, paths: DataPaths) -> None:
    store = SQLiteGraphStore(paths)
    chunks = corpus.chunks()
    _fill(catalog, store, chunks[:3])
    with catalog.snapshot() as old:
        assert store.arrays(old).passages == 3
    _fill(catalog, store, chunks[3:])
    with catalog.snapshot() as new:
        assert store.arrays(new).passages == len(chunks)


def test_the_cache_changes_nothing(catalog: SQLiteCatalog, paths: DataPaths) -> None:
    _fill(catalog, SQLiteGraphStore(paths), corpus.chunks())
    (file,) = paths.cache.glob("graph-*.arrays")
    cached = _bits(catalog, SQLiteGraphStore(paths))
    file.unlink()
    assert _bits(catalog, SQLiteGraphStore(paths)) == cached


@pytest.mark.parametrize("damage", [b"", b"PRGRAPH2", b"nonsense" * 20])
def test_a_damaged_cache_file_is_passed_over(catalog: SQLiteCatalog, paths: DataPaths, damage: bytes) -> None:
    _fill(catalog, SQLiteGraphStore(paths), corpus.chunks())
    (file,) = paths.cache.glob("graph-*.arrays")
    file.write_bytes(damage)
    assert _names(catalog, SQLiteGraphStore(paths)) == ["Mill Brindle", "Tove Aldgate"]


def test_order_of_ingest_changes_nothing(catalog: SQLiteCatalog, paths: DataPaths) -> None:
    _fill(catalog, SQLiteGraphStore(paths), corpus.chunks())
    other_paths = DataPaths(paths.root.parent / "other")
    other = SQLiteCatalog.open(other_paths, create=True)
    try:
        for chunk in reversed(corpus.chunks()):
            _fill(other, SQLiteGraphStore(other_paths), [chunk])
        assert _bits(other, SQLiteGraphStore(other_paths)) == _bits(catalog, SQLiteGraphStore(paths))
        with catalog.snapshot() as one, other.snapshot() as two:
            assert catalog.fingerprint(one) == other.fingerprint(two)
    finally:
        other.close()


def test_a_file_that_serves_one_commit_is_written_at_the_end_of_a_run(catalog: SQLiteCatalog, paths: DataPaths) -> None:
    store = SQLiteGraphStore(paths)
    _fill(catalog, store, corpus.chunks()[:2], refresh=False)
    catalog.derive(partial(store.refresh, last=False))
    assert not list(paths.cache.glob("graph-*"))
    catalog.derive(partial(store.refresh, last=True))
    assert len(list(paths.cache.glob("graph-*.arrays"))) == 1


def test_only_old_files_are_swept(catalog: SQLiteCatalog, paths: DataPaths) -> None:
    store = SQLiteGraphStore(paths)
    chunks = corpus.chunks()
    _fill(catalog, store, chunks[:2])
    (first,) = paths.cache.glob("graph-*.arrays")
    _fill(catalog, store, chunks[2:4])
    assert first.exists()
    # And what a process left that was killed while it wrote.
    left = paths.cache / ".graph-1-ab.arrays-00ff00ff.tmp"
    left.touch()
    past = time.time() - 3600
    for file in (first, left):
        os.utime(file, (past, past))
    _fill(catalog, store, chunks[4:])
    assert not first.exists()
    assert not left.exists()
    assert len(list(paths.cache.glob("graph-*"))) == 2


def test_a_failed_write_leaves_no_file(
    catalog: SQLiteCatalog, paths: DataPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SQLiteGraphStore(paths)
    _fill(catalog, store, corpus.chunks(), refresh=False)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with catalog.snapshot() as snapshot, pytest.raises(OSError, match="No space"):
        store.refresh(snapshot, last=True)
    assert list(paths.cache.glob("graph-*")) == []
    assert _names(catalog, store) == ["Mill Brindle", "Tove Aldgate"]


def test_a_damaged_row_is_said(catalog: SQLiteCatalog, paths: DataPaths) -> None:
    _fill(catalog, SQLiteGraphStore(paths), corpus.chunks(), refresh=False)
    with catalog.writer() as writer:
        query = "SELECT chunk_id, content FROM graph_passages ORDER BY chunk_id LIMIT 1"
        chunk_id, content = writer.connection.execute(query).fetchone()
        flipped = content[:-9] + bytes([content[-9] ^ 16]) + content[-8:]
        writer.connection.execute("UPDATE graph_passages SET content = ? WHERE chunk_id = ?", (flipped, chunk_id))
    with catalog.snapshot() as snapshot, pytest.raises(StoreError, match="damaged row"):
        SQLiteGraphStore(paths).check(snapshot)


def test_lone_surrogates_are_stored(catalog: SQLiteCatalog, paths: DataPaths) -> None:
    text = "The mill \ud800 of Tove Aldgate."
    _fill(catalog, SQLiteGraphStore(paths), [Chunk("e" * 16, "x.md", 0, 0, len(text), text)])
    assert _names(catalog, SQLiteGraphStore(paths)) == ["Tove Aldgate"]


def test_whoever_has_to_build_leaves_the_file_for_the_others(
    catalog: SQLiteCatalog, paths: DataPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    _fill(catalog, SQLiteGraphStore(paths), corpus.chunks(), refresh=False)
    assert not list(paths.cache.glob("graph-*"))
    built = _bits(catalog, SQLiteGraphStore(paths))
    (left,) = paths.cache.glob("graph-*")
    # A commit finds its file there already, and writes no other.
    written = left.stat().st_mtime_ns
    catalog.derive(partial(SQLiteGraphStore(paths).refresh, last=True))
    assert [file.stat().st_mtime_ns for file in paths.cache.glob("graph-*")] == [written]
    monkeypatch.setattr(graph_sqlite, "_build", None)
    assert _bits(catalog, SQLiteGraphStore(paths)) == built


def test_a_reader_beside_a_writer_leaves_one_file_and_none_of_the_writers(
    catalog: SQLiteCatalog, paths: DataPaths
) -> None:
    chunks = corpus.chunks()
    reader, writer = SQLiteGraphStore(paths), SQLiteGraphStore(paths)
    _fill(catalog, writer, chunks[:1])
    for chunk in chunks[1:4]:
        _fill(catalog, writer, [chunk], refresh=False)
        assert len(_bits(catalog, reader)) == 3
    generations = sorted(file.name.split("-")[1] for file in paths.cache.glob("graph-*"))
    assert generations == ["1", "4"]


def test_a_reader_that_cannot_write_still_reads(catalog: SQLiteCatalog, paths: DataPaths) -> None:
    paths.cache.write_text("a file where the folder should be", encoding="utf-8")
    store = SQLiteGraphStore(paths)
    _fill(catalog, store, corpus.chunks(), refresh=False)
    assert _names(catalog, store) == ["Mill Brindle", "Tove Aldgate"]
    with catalog.snapshot() as snapshot, pytest.raises(OSError, match=r"cache"):
        store.refresh(snapshot, last=True)
