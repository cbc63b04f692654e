from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from polyrag_cli.ingest.labels import keep_labels, label_texts
from polyrag_cli.providers.hashing import HashingEmbedder
from polyrag_cli.providers.none import NullEmbedder
from polyrag_cli.stores import labels_npy
from polyrag_cli.stores.labels_npy import LabelFiles
from tests.ingest.conftest import Corpus

TABLE = "linha;tipo;receita bruta\nAmieira;barco;120\nFoz;barco;75\nBarca;balsa;210\n"


class _Counting(HashingEmbedder):
    """Remembers what was embedded."""

    def __init__(self) -> None:
        super().__init__(64)
        self.seen: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.seen += texts
        return super().embed(texts)


@pytest.fixture
def tables(corpus: Corpus, tmp_path: Path) -> Path:
    corpus.stores = replace(corpus.stores, labels=LabelFiles(corpus.paths))
    folder = tmp_path / "tables"
    folder.mkdir()
    (folder / "travessias.csv").write_text(TABLE, encoding="utf-8")
    return folder


def _texts(corpus: Corpus) -> set[str]:
    with corpus.catalog.snapshot() as snapshot:
        return label_texts(corpus.stores.relational.schemas(snapshot))


def test_ingest_keeps_the_vectors_of_labels_kinds_and_names(corpus: Corpus, tables: Path) -> None:
    corpus.ingest(tables)
    texts = _texts(corpus)
    assert {"linha", "receita bruta", "barco", "travessias"} <= texts
    kept = LabelFiles(corpus.paths).of(corpus.embedder.name, 64).find(texts)
    made = corpus.embedder.embed(sorted(texts))
    assert {text: vector.tobytes() for text, vector in kept.items()} == {
        text: vector.tobytes() for text, vector in zip(sorted(texts), made, strict=True)
    }


def test_a_text_in_no_file_may_hold_a_table(corpus: Corpus, tables: Path) -> None:
    corpus.pipeline().ingest_text("# Portos\n\n| porto | vagas |\n|---|---|\n| Foz | 3 |\n| Cais | 4 |\n", "portos.md")
    assert "vagas" in _texts(corpus)
    assert LabelFiles(corpus.paths).of(corpus.embedder.name, 64).find(["vagas"])


def test_another_embedder_makes_its_own(corpus: Corpus, tables: Path) -> None:
    corpus.ingest(tables)
    corpus.embedder = HashingEmbedder(32)
    corpus.ingest(tables, reembed=True)
    assert LabelFiles(corpus.paths).of(corpus.embedder.name, 32).find(["linha"])["linha"].shape == (32,)


def test_only_what_is_missing_and_has_room_is_embedded(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    embedder, labels = _Counting(), LabelFiles(corpus.paths)
    keep_labels({"a", "b"}, embedder, labels)
    keep_labels({"a", "b", "c"}, embedder, labels)
    monkeypatch.setattr(labels_npy, "MAX_TEXTS", 4)
    keep_labels({"d", "e", "f"}, embedder, labels)
    keep_labels({"g"}, NullEmbedder(), labels)
    keep_labels({"g"}, embedder, None)
    assert embedder.seen == ["a", "b", "c", "d"]


def test_a_dry_run_keeps_nothing(corpus: Corpus, tables: Path) -> None:
    corpus.ingest(tables, dry_run=True)
    assert not list(corpus.paths.cache.glob("labels-*"))
