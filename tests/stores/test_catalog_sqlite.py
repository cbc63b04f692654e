from __future__ import annotations

import threading

import pytest

from polyrag_cli.errors import LockTimeout, StoreError
from polyrag_cli.stores.base import DataPaths, Snapshot, SourceRecord
from polyrag_cli.stores.catalog_sqlite import SQLiteCatalog
from tests.stores.corpus import chunk, document, every_chunk, stored


def _source(document: str, path: str | None = None) -> SourceRecord:
    return SourceRecord("/root", path or document, document, "ab" * 32, 10, 1, "recipe", "added", "")


def test_absent_catalog_says_what_to_do(paths: DataPaths) -> None:
    with pytest.raises(StoreError, match="polyrag ingest"):
        SQLiteCatalog.open(paths, create=False)
    assert not paths.root.exists()


def test_commit_is_read_back_whole(catalog: SQLiteCatalog) -> None:
    record, chunks = document("notes/açúcar 🍬.md", ["First passage.", "Second passage."])
    with catalog.writer() as writer:
        assert writer.generation == 1
        catalog.put_source(writer, _source(record.document))
        catalog.put_document(writer, record, chunks)
        catalog.set_meta(writer, "embedder", "hashing")
    with catalog.snapshot() as snapshot:
        assert snapshot.generation == 1
        assert catalog.chunks_of(snapshot, record.document) == chunks
        assert every_chunk(catalog, snapshot) == chunks
        assert catalog.document_text(snapshot, record.document) == record.text
        (listed,) = catalog.documents(snapshot)
        assert (listed.title, listed.warnings, listed.text) == (record.title, record.warnings, "")
        assert catalog.sources(snapshot) == [_source(record.document)]
        assert catalog.source(snapshot, "/root", record.document) == _source(record.document)
        assert catalog.source(snapshot, "/other", record.document) is None
        assert catalog.meta(snapshot, "embedder") == "hashing"
        assert catalog.meta(snapshot, "nothing") is None
        ids = [chunks[1].chunk.chunk_id, "unknown", chunks[0].chunk.chunk_id]
        assert list(catalog.chunks(snapshot, ids)) == [ids[0], ids[2]]
        with pytest.raises(StoreError, match=r"no\.md"):
            catalog.document_text(snapshot, "no.md")


def test_replacing_a_document_leaves_no_old_chunk(catalog: SQLiteCatalog) -> None:
    for texts in (["Old one.", "Old two."], ["New."]):
        with catalog.writer() as writer:
            catalog.put_document(writer, *document("a.md", texts))
    with catalog.snapshot() as snapshot:
        assert [found.chunk.text for found in every_chunk(catalog, snapshot)] == ["New."]


def test_removing_a_source_takes_all_its_documents(catalog: SQLiteCatalog) -> None:
    with catalog.writer() as writer:
        catalog.put_source(writer, _source("d.jsonl"))
        for number in range(3):
            record, chunks = document(f"d.jsonl#{number}", [f"Record {number}."])
            catalog.put_document(writer, type(record)(record.document, "d.jsonl", "", "en", record.text), chunks)
        catalog.put_document(writer, *document("other.md", ["Stays."]))
    with catalog.writer() as writer:
        assert len(catalog.documents(writer, "d.jsonl")) == 3
        catalog.remove_source(writer, "d.jsonl")
    with catalog.snapshot() as snapshot:
        assert catalog.sources(snapshot) == []
        assert [found.document for found in catalog.documents(snapshot)] == ["other.md"]
        assert [found.chunk.text for found in every_chunk(catalog, snapshot)] == ["Stays."]


def test_removing_a_document_takes_its_chunks(catalog: SQLiteCatalog) -> None:
    with catalog.writer() as writer:
        catalog.put_document(writer, *document("a.md", ["Gone."]))
        catalog.put_document(writer, *document("b.md", ["Stays."]))
        catalog.remove_document(writer, "a.md")
    with catalog.snapshot() as snapshot:
        assert catalog.counts(snapshot)["chunks"] == 1


def test_an_exception_undoes_everything(catalog: SQLiteCatalog) -> None:
    with pytest.raises(RuntimeError, match="stop"), catalog.writer() as writer:
        catalog.put_document(writer, *document("a.md", ["Never."]))
        raise RuntimeError("stop")
    with catalog.snapshot() as snapshot:
        assert snapshot.generation == 0
        assert catalog.counts(snapshot)["documents"] == 0
    with catalog.writer() as writer:
        assert writer.generation == 1


def test_a_snapshot_does_not_see_later_commits(catalog: SQLiteCatalog) -> None:
    with catalog.snapshot() as outer:
        with catalog.writer() as writer:
            catalog.put_document(writer, *document("a.md", ["Later."]))
        with catalog.snapshot() as inner:
            assert inner is outer
            assert catalog.documents(inner) == []
    with catalog.snapshot() as fresh:
        assert (fresh.generation, len(catalog.documents(fresh))) == (1, 1)


def test_after_commit_sees_the_new_state_under_the_lock(catalog: SQLiteCatalog, paths: DataPaths) -> None:
    seen: list[tuple[int, int]] = []
    other = SQLiteCatalog.open(paths, create=False)

    def look(snapshot) -> None:  # type: ignore[no-untyped-def]
        seen.append((snapshot.generation, catalog.counts(snapshot)["documents"]))
        with pytest.raises(LockTimeout), other.writer(timeout_s=0.05):
            pass

    with catalog.writer(after_commit=look) as writer:
        catalog.put_document(writer, *document("a.md", ["Text."]))
    other.close()
    assert seen == [(1, 1)]


def test_the_second_writer_waits_and_says_for_whom(catalog: SQLiteCatalog, paths: DataPaths) -> None:
    other = SQLiteCatalog.open(paths, create=False)
    messages: list[str] = []
    with catalog.writer(), pytest.raises(LockTimeout, match="gave up"), other.writer(0.05, messages.append):
        pass
    other.close()
    assert len(messages) == 1
    assert "process" in messages[0]
    assert str(paths.root) in messages[0]


def test_threads_have_their_own_connections(catalog: SQLiteCatalog) -> None:
    with catalog.writer() as writer:
        catalog.put_document(writer, *document("a.md", ["Text."]))
    found: list[int] = []

    def read() -> None:
        with catalog.snapshot() as snapshot:
            found.append(len(catalog.documents(snapshot)))

    with catalog.snapshot():
        threads = [threading.Thread(target=read) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == [1, 1, 1, 1]


def test_headings_come_once_each_in_order(catalog: SQLiteCatalog) -> None:
    chunks = [
        stored(chunk("Intro.", ordinal=0)),
        stored(chunk("Zebra one.", ordinal=1, heading="Zebras")),
        stored(chunk("Zebra two.", ordinal=2, heading="Zebras")),
        stored(chunk("Ape.", ordinal=3, heading="Apes › Small")),
    ]
    record, _ = document("a.md", [])
    with catalog.writer() as writer:
        catalog.put_document(writer, record, chunks)
    with catalog.snapshot() as snapshot:
        assert catalog.headings(snapshot) == [
            ("a.md", "Zebras", chunks[1].chunk.chunk_id),
            ("a.md", "Apes › Small", chunks[3].chunk.chunk_id),
        ]


def test_odd_text_is_stored(catalog: SQLiteCatalog) -> None:
    text = "null \0 byte, lone \ud800 surrogate, 😀"
    with catalog.writer() as writer:
        catalog.put_document(writer, *document("a.md", [text]))
    with catalog.snapshot() as snapshot:
        assert catalog.document_text(snapshot, "a.md") == text.replace("\ud800", "\ufffd")
        assert len(every_chunk(catalog, snapshot)[0].chunk.text) == len(text)


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


def test_derived_files_are_written_under_the_lock_and_commit_nothing(catalog: SQLiteCatalog, paths: DataPaths) -> None:
    with catalog.writer():
        pass
    seen: list[int] = []

    def write(snapshot: Snapshot) -> None:
        with pytest.raises(LockTimeout), SQLiteCatalog.open(paths, create=False).writer(timeout_s=0.0):
            pass
        seen.append(snapshot.generation)

    catalog.derive(write)
    with catalog.writer(), pytest.raises(LockTimeout):
        catalog.derive(write)
    assert seen == [1]
