"""What every registered catalog promises."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from polyrag_cli import registry
from polyrag_cli.errors import LockTimeout, StoreError
from polyrag_cli.stores.base import Snapshot
from polyrag_cli.stores.catalog import Catalog, CatalogBackend, PassageCount
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.records import SourceRecord
from polyrag_cli.types import ChunkRoute
from tests.stores.corpus import chunk, document, every_chunk, stored


@pytest.fixture
def paths(tmp_path: Path) -> DataPaths:
    return DataPaths(tmp_path / "data")


@pytest.fixture(params=registry.names("catalog"))
def backend(request: pytest.FixtureRequest) -> CatalogBackend:
    found: CatalogBackend = registry.resolve("catalog", request.param)
    return found


@pytest.fixture
def catalog(backend: CatalogBackend, paths: DataPaths) -> Iterator[Catalog]:
    opened = backend.open(paths, create=True)
    yield opened
    opened.close()


def _source(document: str, path: str | None = None) -> SourceRecord:
    return SourceRecord("/root", path or document, document, "ab" * 32, 10, 1, "recipe", "added", "")


def test_absent_catalog_says_what_to_do(backend: CatalogBackend, paths: DataPaths) -> None:
    with pytest.raises(StoreError, match="polyrag ingest"):
        backend.open(paths, create=False)
    assert not paths.root.exists()


def test_commit_is_read_back_whole(catalog: Catalog) -> None:
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
        assert catalog.document(snapshot, record.document) == record
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
            catalog.document(snapshot, "no.md")


def test_replacing_a_document_leaves_no_old_chunk(catalog: Catalog) -> None:
    for texts in (["Old one.", "Old two."], ["New."]):
        with catalog.writer() as writer:
            catalog.put_document(writer, *document("a.md", texts))
    with catalog.snapshot() as snapshot:
        assert [found.chunk.text for found in every_chunk(catalog, snapshot)] == ["New."]


def test_removing_a_source_takes_all_its_documents(catalog: Catalog) -> None:
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


def test_removing_a_document_takes_its_chunks(catalog: Catalog) -> None:
    with catalog.writer() as writer:
        catalog.put_document(writer, *document("a.md", ["Gone."]))
        catalog.put_document(writer, *document("b.md", ["Stays."]))
        catalog.remove_document(writer, "a.md")
    with catalog.snapshot() as snapshot:
        assert catalog.counts(snapshot)["chunks"] == 1


def test_an_exception_undoes_everything(catalog: Catalog) -> None:
    with pytest.raises(RuntimeError, match="stop"), catalog.writer() as writer:
        catalog.put_document(writer, *document("a.md", ["Never."]))
        raise RuntimeError("stop")
    with catalog.snapshot() as snapshot:
        assert snapshot.generation == 0
        assert catalog.counts(snapshot)["documents"] == 0
    with catalog.writer() as writer:
        assert writer.generation == 1


def test_a_snapshot_does_not_see_later_commits(catalog: Catalog) -> None:
    with catalog.snapshot() as outer:
        with catalog.writer() as writer:
            catalog.put_document(writer, *document("a.md", ["Later."]))
        with catalog.snapshot() as inner:
            assert inner is outer
            assert catalog.documents(inner) == []
    with catalog.snapshot() as fresh:
        assert (fresh.generation, len(catalog.documents(fresh))) == (1, 1)


def test_after_commit_sees_the_new_state_under_the_lock(
    catalog: Catalog, backend: CatalogBackend, paths: DataPaths
) -> None:
    seen: list[tuple[int, int]] = []
    other = backend.open(paths, create=False)

    def look(snapshot) -> None:  # type: ignore[no-untyped-def]
        seen.append((snapshot.generation, catalog.counts(snapshot)["documents"]))
        with pytest.raises(LockTimeout), other.writer(timeout_s=0.05):
            pass

    with catalog.writer(after_commit=look) as writer:
        catalog.put_document(writer, *document("a.md", ["Text."]))
    other.close()
    assert seen == [(1, 1)]


def test_the_second_writer_waits_and_says_for_whom(catalog: Catalog, backend: CatalogBackend, paths: DataPaths) -> None:
    other = backend.open(paths, create=False)
    messages: list[str] = []
    with catalog.writer(), pytest.raises(LockTimeout, match="gave up"), other.writer(0.05, messages.append):
        pass
    other.close()
    assert len(messages) == 1
    assert "process" in messages[0]
    assert str(paths.root) in messages[0]


def test_threads_have_their_own_connections(catalog: Catalog) -> None:
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


def test_headings_come_once_each_in_order(catalog: Catalog) -> None:
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


def test_odd_text_is_stored(catalog: Catalog) -> None:
    text = "null \0 byte, lone \ud800 surrogate, 😀"
    with catalog.writer() as writer:
        catalog.put_document(writer, *document("a.md", [text]))
    with catalog.snapshot() as snapshot:
        assert catalog.document(snapshot, "a.md").text == text.replace("\ud800", "\ufffd")
        assert len(every_chunk(catalog, snapshot)[0].chunk.text) == len(text)


def test_derived_files_are_written_under_the_lock_and_commit_nothing(
    catalog: Catalog, backend: CatalogBackend, paths: DataPaths
) -> None:
    with catalog.writer():
        pass
    seen: list[int] = []

    def write(snapshot: Snapshot) -> None:
        with pytest.raises(LockTimeout), backend.open(paths, create=False).writer(timeout_s=0.0):
            pass
        seen.append(snapshot.generation)

    catalog.derive(write)
    with catalog.writer(), pytest.raises(LockTimeout):
        catalog.derive(write)
    assert seen == [1]


def test_it_is_there_once_it_was_made(backend: CatalogBackend, paths: DataPaths) -> None:
    assert not backend.exists(paths)
    backend.open(paths, create=True).close()
    assert backend.exists(paths)


def test_equal_tokens_mean_equal_content(catalog: Catalog) -> None:
    tokens = []
    for _ in range(3):
        with catalog.writer() as writer:
            pass
        with catalog.snapshot() as snapshot:
            assert (snapshot.commit, snapshot.generation) == (writer.commit, writer.generation)
            tokens.append(snapshot.commit)
        catalog.note("noted", snapshot.commit)
        with catalog.snapshot() as snapshot:
            assert catalog.meta(snapshot, "noted") == snapshot.commit == tokens[-1]
    assert len(set(tokens)) == 3 and all(tokens)


def test_files_are_told_by_hash_and_by_document(catalog: Catalog) -> None:
    record, chunks = document("d.jsonl#1", ["Text."])
    with catalog.writer() as writer:
        catalog.put_source(writer, _source("d.jsonl"))
        catalog.put_document(writer, replace(record, source="d.jsonl"), chunks)
    with catalog.snapshot() as snapshot:
        assert catalog.hashes(snapshot, ["gone.md", "d.jsonl"]) == {"gone.md": "", "d.jsonl": "ab" * 32}
        assert catalog.files_of(snapshot, ["d.jsonl#1", "gone.md"]) == {"d.jsonl#1": "d.jsonl"}
        assert catalog.hashes(snapshot, []) == catalog.files_of(snapshot, []) == {}


def test_homes_are_told_and_counted(catalog: Catalog) -> None:
    routes = [("graph", ("vectorial",)), ("graph", ()), ("vectorial", ()), ("graph", ())]
    chunks = [
        replace(stored(chunk(f"Text {n}.", ordinal=n)), route=ChunkRoute(home, also, (), 0.5))
        for n, (home, also) in enumerate(routes)
    ]
    with catalog.writer() as writer:
        catalog.put_document(writer, document("a.md", [])[0], chunks)
    ids = [one.chunk.chunk_id for one in chunks]
    with catalog.snapshot() as snapshot:
        assert catalog.homes(snapshot, [*ids, "unknown"]) == {
            i: (home, *also) for i, (home, also) in zip(ids, routes, strict=True)
        }
        assert catalog.tally(snapshot) == [
            PassageCount("a.md", "graph", False, 2),
            PassageCount("a.md", "graph", True, 1),
            PassageCount("a.md", "vectorial", False, 1),
        ]


def test_the_main_language_is_that_of_most_passages_the_first_by_name_of_equals(catalog: Catalog) -> None:
    def languages(*spoken: str) -> str:
        chunks = [stored(chunk(f"Text {n}.", ordinal=n, language=language)) for n, language in enumerate(spoken)]
        with catalog.writer() as writer:
            catalog.put_document(writer, document("a.md", [])[0], chunks)
        with catalog.snapshot() as snapshot:
            return catalog.main_language(snapshot)

    assert languages() == languages("und") == "und"
    assert languages("pt", "en") == "en"
    assert languages("und", "und", "und", "pt", "pt", "en") == "pt"


def test_what_counts_in_other_stores_is_committed_with_everything(catalog: Catalog) -> None:
    with catalog.writer() as writer:
        assert writer.versions("a store") == {}
        writer.set_version("a store", "gone.md", None)
        writer.set_version("a store", "a.md", "one")
        writer.set_version("another", "a.md", "its own")
        assert writer.versions("a store") == {"a.md": "one"}
    with catalog.snapshot() as old:
        with catalog.writer() as writer:
            writer.set_version("a store", "a.md", "two")
            writer.set_version("a store", "b.md", "new")
        with pytest.raises(RuntimeError, match="stop"), catalog.writer() as writer:
            writer.set_version("a store", "a.md", "never")
            raise RuntimeError("stop")
        assert old.versions("a store") == {"a.md": "one"}
    with catalog.snapshot() as snapshot:
        assert snapshot.versions("a store") == {"a.md": "two", "b.md": "new"}
        assert snapshot.versions("another") == {"a.md": "its own"}
    with catalog.writer() as writer:
        writer.set_version("a store", "a.md", None)
    with catalog.snapshot() as snapshot:
        assert snapshot.versions("a store") == {"b.md": "new"}


def test_the_fingerprint_is_that_of_the_content(backend: CatalogBackend, tmp_path: Path) -> None:
    def fingerprint(name: str, *texts: tuple[str, str], version: str = "") -> str:
        own = backend.open(DataPaths(tmp_path / name), create=True)
        for document_name, text in texts:
            with own.writer() as writer:
                own.put_document(writer, *document(document_name, [text]))
                if version:
                    writer.set_version("a store", document_name, version)
        with own.snapshot() as snapshot:
            found = own.fingerprint(snapshot)
        own.close()
        return found

    one, two = ("a.md", "Text."), ("b.md", "Other.")
    assert fingerprint("first", one, two) == fingerprint("second", two, one)
    assert fingerprint("third", one) != fingerprint("fourth", two)
    assert fingerprint("fifth", one, version="x") != fingerprint("sixth", one, version="y")
    assert fingerprint("seventh", one, two, version="x") == fingerprint("eighth", two, one, version="x")


def test_the_check_counts_what_there_is(catalog: Catalog) -> None:
    with catalog.writer() as writer:
        catalog.put_document(writer, *document("a.md", ["One.", "Two."]))
    with catalog.snapshot() as snapshot:
        assert catalog.check(snapshot) == "generation 1, 1 file, 1 document, 2 chunks"
