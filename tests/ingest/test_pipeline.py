"""Files into every store at once, again and again."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from polyrag_cli.config.sections import ChunkingSettings
from polyrag_cli.errors import LockTimeout, ProviderError, StoreError, UsageError
from polyrag_cli.ingest import pipeline
from polyrag_cli.providers.hashing import HashingEmbedder
from polyrag_cli.stores.base import Snapshot
from polyrag_cli.text.utterance import read
from polyrag_cli.tracing import trace
from polyrag_cli.types import IngestedTable
from tests.ingest.conftest import Corpus, by_name


def test_every_store_gets_its_part(corpus: Corpus, folder: Path) -> None:
    report = corpus.ingest(folder)
    assert {name: (file.status, file.chunks, file.routes) for name, file in report.items()} == {
        "notes.jsonl": ("added", 2, {"vectorial": 2}),
        "rules.txt": ("added", 1, {"graph": 1}),
        "story.md": ("added", 1, {"vectorial": 1}),
        "sub/fees.csv": ("added", 0, {}),
    }
    assert report["sub/fees.csv"].tables == (IngestedTable("fees", 2, 2),)
    assert corpus.documents() == ["notes.jsonl#1", "notes.jsonl#2", "rules.txt", "story.md", "sub/fees.csv"]
    counts = corpus.counts()
    assert (counts["sources"], counts["chunks"], counts["windows"], counts["tables"]) == (4, 4, 4, 1)
    assert corpus.found("The gulls were loud")[0] == "story.md"
    with corpus.catalog.snapshot() as snapshot:
        rows = corpus.stores.relational.execute(snapshot, "SELECT SUM(fee) FROM fees")
        assert rows.rows == ((30.5,),)
        assert corpus.stores.lexical.search(snapshot, read("gulls"), 5)
        (stored,) = corpus.catalog.chunks_of(snapshot, "story.md")
    assert (stored.chunk.heading, stored.chunk.title, stored.route.home) == ("Morning", "Harbour", "vectorial")


def test_twice_is_the_same_and_writes_nothing(corpus: Corpus, folder: Path) -> None:
    corpus.ingest(folder)
    before = corpus.fingerprint(), corpus.generation()
    assert {file.status for file in corpus.ingest(folder).values()} == {"unchanged"}
    assert (corpus.fingerprint(), corpus.generation()) == before


def test_order_threads_and_commits_do_not_matter(new_corpus: Callable[[str], Corpus], folder: Path) -> None:
    one, two = new_corpus("one"), new_corpus("two")
    one.pipeline(threads=1, commit_chunks=1).ingest([folder])
    for name in ("story.md", "sub/fees.csv", "rules.txt", "notes.jsonl"):
        two.pipeline(threads=4).ingest([folder / name])
    three = new_corpus("three")
    three.pipeline(threads=4).ingest([folder])
    assert one.fingerprint() == two.fingerprint() == three.fingerprint()
    assert one.generation() > three.generation() == 1


def test_tables_count_in_the_bounds_of_a_commit(corpus: Corpus, tmp_path: Path) -> None:
    small, large = tmp_path / "small", tmp_path / "large"
    for folder, rows in ((small, 1), (large, 200)):
        folder.mkdir()
        for number in range(6):
            lines = "".join(f"ship {row};{row}\n" for row in range(rows))
            (folder / f"fees{number}.csv").write_text(f"ship;fee\n{lines}")
    pipeline = corpus.pipeline(commit_chunks=6)
    # 2 cells each: one chunk a table; then 400 cells: five chunks a table.
    pipeline.ingest([small])
    assert corpus.generation() == 1
    pipeline.ingest([large])
    assert corpus.generation() == 1 + 6


def test_derived_files_are_written_at_the_end_and_whenever_the_run_has_doubled(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in").mkdir()
    for number in range(40):
        (tmp_path / "in" / f"{number:02}.md").write_text(f"Ship {number} left the harbour.\n")
    written: dict[str, list[tuple[int, bool]]] = {"vector": [], "relational": [], "lexical": [], "graph": []}
    for kind, refreshed in written.items():

        def refresh(snapshot: Snapshot, *, last: bool, into: list[tuple[int, bool]] = refreshed) -> None:
            into.append((snapshot.generation, last))

        monkeypatch.setattr(getattr(corpus.stores, kind), "refresh", refresh)
    monkeypatch.setattr("polyrag_cli.ingest.pipeline._REFRESH_CHUNKS", 3)
    corpus.pipeline(commit_chunks=1).ingest([tmp_path / "in"])
    assert corpus.generation() == 40
    each = [(3, False), (6, False), (12, False), (24, False), (40, True)]
    assert written == dict.fromkeys(written, each)


def test_a_changed_file_replaces_its_whole_earlier_version(
    new_corpus: Callable[[str], Corpus], corpus: Corpus, folder: Path
) -> None:
    corpus.ingest(folder)
    (folder / "story.md").write_text("# Harbour\n\nFog came in from the sea.\n")
    (folder / "notes.jsonl").write_text('{"id": 2, "text": "Green."}\n{"id": 3, "text": "Blue."}\n')
    (folder / "sub" / "fees.csv").write_text("ship;fee\nAda;11,5\n")
    report = corpus.ingest(folder)
    assert [file.status for file in report.values()] == ["updated", "unchanged", "updated", "updated"]
    assert corpus.documents() == ["notes.jsonl#2", "notes.jsonl#3", "rules.txt", "story.md", "sub/fees.csv"]
    fresh = new_corpus("fresh")
    fresh.ingest(folder)
    assert corpus.fingerprint() == fresh.fingerprint()


def test_vanished_files_are_removed_and_reported(
    new_corpus: Callable[[str], Corpus], corpus: Corpus, folder: Path
) -> None:
    corpus.ingest(folder)
    for name in ("story.md", "notes.jsonl", "sub/fees.csv"):
        (folder / name).unlink()
    assert {name: file.status for name, file in corpus.ingest(folder).items()} == {
        "notes.jsonl": "removed",
        "rules.txt": "unchanged",
        "story.md": "removed",
        "sub/fees.csv": "removed",
    }
    fresh = new_corpus("fresh")
    fresh.ingest(folder)
    assert corpus.fingerprint() == fresh.fingerprint()
    assert corpus.found("The gulls were loud") == ["rules.txt"]


def test_a_file_that_breaks_keeps_its_earlier_version(corpus: Corpus, folder: Path) -> None:
    corpus.ingest(folder)
    before = corpus.fingerprint()
    (folder / "story.md").write_bytes(b"\x7fELF" + bytes(100))
    report = corpus.ingest(folder)
    assert report["story.md"].status == "failed"
    assert report["story.md"].reason == (
        "binary file (a program), not text. Give it the suffix of its format. The earlier version stays."
    )
    assert corpus.fingerprint() == before


def test_a_file_that_becomes_empty_loses_its_content(corpus: Corpus, folder: Path) -> None:
    corpus.ingest(folder)
    (folder / "story.md").write_bytes(b"")
    for _ in range(2):
        report = corpus.ingest(folder)
        assert (report["story.md"].status, report["story.md"].reason) == ("skipped", "empty file")
    assert "story.md" not in corpus.documents()


def test_dry_run_writes_nothing(corpus: Corpus, folder: Path) -> None:
    report = corpus.ingest(folder, dry_run=True)
    assert {file.status for file in report.values()} == {"added"}
    assert report["sub/fees.csv"].tables == (IngestedTable("fees", 2, 2),)
    assert corpus.generation() == 0
    assert list(corpus.paths.tables.glob("*")) == []


def test_skip_graph_leaves_the_graph_out_until_the_next_ingest(corpus: Corpus, folder: Path) -> None:
    corpus.ingest(folder, skip_graph=True)
    assert corpus.counts().get("graph_passages", 0) == 0
    assert corpus.ingest(folder)["rules.txt"].status == "updated"
    assert corpus.counts()["graph_passages"] == 4


def test_other_settings_make_files_new(corpus: Corpus, folder: Path) -> None:
    corpus.ingest(folder)
    report = corpus.pipeline(recipe="other anchors").ingest([folder])
    assert {file.status for file in report.files} == {"updated"}


def test_progress_is_told(corpus: Corpus, folder: Path) -> None:
    told: list[tuple[int, int, str, int]] = []
    corpus.pipeline(on_progress=lambda *values: told.append(values)).ingest([folder])
    assert told[-1] == (4, 4, "sub/fees.csv", 4)
    assert [values[0] for values in told] == sorted(values[0] for values in told)
    assert {values[1] for values in told} == {4}


def test_spans_of_every_stage_reach_the_trace(corpus: Corpus, folder: Path) -> None:
    with trace("ingest") as recorded:
        corpus.ingest(folder)
    names = {record.name for record in recorded.records()}
    assert names == {"ingest", "ingest.load", "ingest.chunk", "ingest.embed", "ingest.route", "ingest.commit"}


def test_text_without_a_file(corpus: Corpus) -> None:
    pipeline = corpus.pipeline()
    assert pipeline.ingest_text("# A\n\nOne.\x00", "note.txt").files[0].status == "added"
    assert corpus.text("note.txt") == "A\n\nOne."
    assert pipeline.ingest_text("# A\n\nOne.\x00", "note.txt").files[0].status == "unchanged"
    report = pipeline.ingest_text("# A\n\nOne.", "note.txt", "Title").files[0]
    assert (report.status, report.chunks) == ("updated", 1)
    with corpus.catalog.snapshot() as snapshot:
        assert corpus.catalog.documents(snapshot)[0].title == "Title"
    assert pipeline.ingest_text(" ", "note.txt").files[0].reason == "no text and no table in it"
    assert corpus.documents() == []


def test_text_never_takes_a_files_name(corpus: Corpus, folder: Path) -> None:
    corpus.ingest(folder)
    assert corpus.pipeline().ingest_text("Other.", "story.md").files[0].document == "text/story.md"
    assert "text/story.md" not in corpus.ingest(folder)


def test_remove(corpus: Corpus, folder: Path) -> None:
    corpus.ingest(folder)
    corpus.pipeline().remove("notes.jsonl")
    assert corpus.documents() == ["rules.txt", "story.md", "sub/fees.csv"]
    with pytest.raises(UsageError, match=r"notes\.jsonl: no such document"):
        corpus.pipeline().remove("notes.jsonl")


def test_a_failing_embedder_stops_everything(corpus: Corpus, folder: Path) -> None:
    class Broken(HashingEmbedder):
        def embed_windows(self, sentences, spans):  # type: ignore[no-untyped-def]
            raise ProviderError("no model")

    corpus.embedder = Broken(64)
    with pytest.raises(ProviderError, match="no model"):
        corpus.ingest(folder)
    assert corpus.documents() == []


def test_an_interruption_leaves_what_is_committed(corpus: Corpus, folder: Path) -> None:
    def interrupt(done: int, total: int, name: str, chunks: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    threads = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        corpus.pipeline(on_progress=interrupt, commit_chunks=1).ingest([folder])
    assert threading.active_count() == threads
    assert corpus.documents() == ["notes.jsonl#1", "notes.jsonl#2", "rules.txt"]
    assert {file.status for file in corpus.ingest(folder).values()} == {"added", "unchanged"}


@pytest.mark.parametrize(("most", "files"), [(5_000, 1), (0, 0)])
def test_an_interrupted_run_writes_the_derived_files_where_that_is_quick(
    corpus: Corpus, folder: Path, monkeypatch: pytest.MonkeyPatch, most: int, files: int
) -> None:
    def interrupt(done: int, total: int, name: str, chunks: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(pipeline, "_QUICK_CHUNKS", most)
    with pytest.raises(KeyboardInterrupt):
        corpus.pipeline(on_progress=interrupt, commit_chunks=1).ingest([folder])
    generation = corpus.generation()
    assert len(list(corpus.paths.cache.glob(f"graph-{generation}-*.arrays"))) == files


def test_another_writer_is_waited_for_only_so_long(corpus: Corpus, folder: Path) -> None:
    with corpus.catalog.writer(), pytest.raises(LockTimeout):
        corpus.pipeline(lock_timeout=0.1).ingest([folder])


def test_a_commit_that_fails_as_a_whole_is_tried_file_by_file(
    corpus: Corpus, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = corpus.stores.lexical.add

    def refuse(writer, document, chunks):  # type: ignore[no-untyped-def]
        if document == "story.md":
            raise StoreError("disk full")
        replace(writer, document, chunks)

    monkeypatch.setattr(corpus.stores.lexical, "add", refuse)
    report = corpus.ingest(folder)
    assert (report["story.md"].status, report["story.md"].reason) == ("failed", "disk full")
    assert corpus.documents() == ["notes.jsonl#1", "notes.jsonl#2", "rules.txt", "sub/fees.csv"]


def test_a_name_that_another_process_took_meanwhile(corpus: Corpus, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text(f"Text of {name}.")
    pipeline = corpus.pipeline()
    known = pipeline._known
    corpus.ingest(tmp_path / "one")
    pipeline._known = list  # type: ignore[method-assign, assignment]
    report = by_name(pipeline.ingest([tmp_path / "two"]))
    assert report["a.txt"].status == "failed"
    assert corpus.text("a.txt") == "Text of one."
    pipeline._known = known  # type: ignore[method-assign]
    assert by_name(pipeline.ingest([tmp_path / "two"]))["two/a.txt"].status == "added"


def test_a_file_that_changes_while_it_is_read(corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from polyrag_cli.loaders.plain import PlainTextLoader

    path = tmp_path / "a.txt"
    path.write_text("0")
    load = PlainTextLoader.load

    def load_and_write(self, location):  # type: ignore[no-untyped-def]
        documents = load(self, location)
        with path.open("a") as file:
            file.write("more")
        return documents

    monkeypatch.setattr(PlainTextLoader, "load", load_and_write)
    assert corpus.ingest(path)["a.txt"].reason.startswith("it changes while it is read.")


def test_long_documents_are_cut_with_a_warning(corpus: Corpus, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("word " * 1000)
    chunking = ChunkingSettings(max_document_chars=2000)
    report = corpus.pipeline(chunking=chunking).ingest([tmp_path / "a.txt"]).files[0]
    assert report.warnings == ("Only the first 2,000 characters are indexed; 3,000 are left out.",)
    assert len(corpus.text("a.txt")) == 2000


def test_the_working_directory_does_not_matter(corpus: Corpus, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus.ingest(folder)
    monkeypatch.chdir(folder / "sub")
    assert corpus.ingest("fees.csv")["sub/fees.csv"].status == "unchanged"
    assert corpus.ingest(os.fspath(Path("../story.md")))["story.md"].status == "unchanged"


@pytest.mark.parametrize("keep", [None, 0, 30])
def test_a_file_whose_rows_were_lost_is_read_again(corpus: Corpus, folder: Path, keep: int | None) -> None:
    corpus.ingest(folder)
    before = corpus.fingerprint()
    (rows,) = corpus.paths.tables.glob("*.parquet")
    rows.unlink() if keep is None else rows.write_bytes(rows.read_bytes()[:keep])
    report = corpus.ingest(folder)
    assert {name for name, file in report.items() if file.status != "unchanged"} == {"sub/fees.csv"}
    assert report["sub/fees.csv"].status == "updated"
    assert corpus.fingerprint() == before
    with corpus.catalog.snapshot() as snapshot:
        assert corpus.stores.relational.execute(snapshot, "SELECT SUM(fee) FROM fees").rows == ((30.5,),)


def test_a_document_that_is_only_tables_has_their_language(corpus: Corpus, tmp_path: Path) -> None:
    (tmp_path / "pedidos.csv").write_text("codigo,cidade,vagas\nOF01,Ubá,3\nOF02,Ubá,4\nOF03,Ubá,5\n", encoding="utf-8")
    (tmp_path / "orders.jsonl").write_text('{"order_id": 1, "customerName": "Ana da Silva", "amount": 3}\n')
    (tmp_path / "codes.csv").write_text("a,b\nOF01,3\nTO02,4\n")
    # Its passages tell a document's language, whatever its table holds.
    (tmp_path / "notes.md").write_text(
        "# Notes\n\nThe orders of the week are these.\n\n| codigo | cidade |\n|---|---|\n| 1 | Ubá |\n"
    )
    corpus.ingest(tmp_path)
    with corpus.catalog.snapshot() as snapshot:
        languages = {record.document: record.language for record in corpus.catalog.documents(snapshot)}
    assert languages == {"codes.csv": "und", "notes.md": "en", "orders.jsonl": "en", "pedidos.csv": "pt"}
