"""Another embedder: refused, then moved to, with an interruption between."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from polyrag_cli.errors import StoreError
from polyrag_cli.providers.hashing import HashingEmbedder
from polyrag_cli.stores.catalog import META_EMBEDDER
from tests.ingest.conftest import Corpus, by_name


def recorded(corpus: Corpus) -> str | None:
    with corpus.catalog.snapshot() as snapshot:
        return corpus.catalog.meta(snapshot, META_EMBEDDER)


def test_another_embedder_is_refused_with_the_command(corpus: Corpus, folder: Path) -> None:
    corpus.ingest(folder)
    corpus.embedder = HashingEmbedder(32)
    with pytest.raises(StoreError, match=r"embedded with hashing-64-1, not with hashing-32-1.*--reembed"):
        corpus.ingest(folder)
    with pytest.raises(StoreError, match="--reembed"):
        corpus.pipeline().ingest_text("x", "y")
    assert recorded(corpus) == "hashing-64-1"


def test_reembedding_equals_a_fresh_ingest(new_corpus: Callable[[str], Corpus], folder: Path) -> None:
    corpus, fresh = new_corpus("data"), new_corpus("fresh")
    corpus.ingest(folder)
    corpus.embedder = fresh.embedder = HashingEmbedder(32)
    report = by_name(corpus.pipeline().ingest([], reembed=True))
    assert {(file.status, file.reason) for file in report.values()} == {("updated", "embedded again")}
    assert recorded(corpus) == "hashing-32-1"
    fresh.ingest(folder)
    assert corpus.fingerprint() == fresh.fingerprint()
    assert {file.status for file in corpus.ingest(folder).values()} == {"unchanged"}
    assert corpus.pipeline().ingest([], reembed=True).files == ()


def test_an_interrupted_run_is_mixed_refused_and_resumed(new_corpus: Callable[[str], Corpus], folder: Path) -> None:
    corpus, fresh = new_corpus("data"), new_corpus("fresh")
    corpus.ingest(folder)
    corpus.embedder = fresh.embedder = HashingEmbedder(32)

    def interrupt(done: int, total: int, name: str, chunks: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        corpus.pipeline(on_progress=interrupt).ingest([], reembed=True)
    assert recorded(corpus) == "hashing-64-1 in part hashing-32-1"
    with pytest.raises(StoreError, match="--reembed"):
        corpus.ingest(folder)
    report = by_name(corpus.pipeline().ingest([], reembed=True))
    assert sorted(report) == ["story.md", "sub/fees.csv"]
    fresh.ingest(folder)
    assert corpus.fingerprint() == fresh.fingerprint()


def test_going_back_after_an_interruption(corpus: Corpus, folder: Path) -> None:
    corpus.ingest(folder)
    before = corpus.fingerprint()
    corpus.embedder = HashingEmbedder(32)

    def interrupt(done: int, total: int, name: str, chunks: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        corpus.pipeline(on_progress=interrupt).ingest([], reembed=True)
    corpus.embedder = HashingEmbedder(64)
    assert [file.document for file in corpus.pipeline().ingest([], reembed=True).files] == ["notes.jsonl"]
    assert corpus.fingerprint() == before
