"""A data directory with real stores, a model-free embedder and a router that is a plain rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from polyrag_cli.ingest.base import PipelineSettings
from polyrag_cli.ingest.pipeline import IngestPipeline
from polyrag_cli.providers.base import Embedder
from polyrag_cli.providers.hashing import HashingEmbedder
from polyrag_cli.registry import resolve
from polyrag_cli.stores.backends import Stores
from polyrag_cli.stores.catalog_sqlite import SQLiteCatalog
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.types import Chunk, ChunkRoute, FileReport, IngestReport


class NamedRouter:
    """Graph for chunks whose sentences all name an entity, vectorial for the rest."""

    def route_chunks(
        self, chunks: Sequence[Chunk], vectors: Sequence[NDArray[np.float32]], named: Sequence[Sequence[bool]]
    ) -> list[ChunkRoute]:
        assert len(chunks) == len(vectors) == len(named)
        homes = ["graph" if flags and all(flags) else "vectorial" for flags in named]
        return [ChunkRoute(home, (), ((home, 1.0),), 1.0, "rule") for home in homes]


class Corpus:
    """A catalog with everything that ingesting needs."""

    def __init__(self, root: Path) -> None:
        self.paths = DataPaths(root)
        self.catalog = SQLiteCatalog.open(self.paths, create=True)
        names = {"relational": "duckdb", "vector": "faiss", "lexical": "fts5", "graph": "sqlite", "shared": "sqlite"}
        self.stores = Stores(self.catalog, **{kind: resolve(kind, name)(self.paths) for kind, name in names.items()})
        self.embedder: Embedder = HashingEmbedder(64)
        self.settings = PipelineSettings(lock_timeout=60, data_dir=root)

    def pipeline(self, **changes: object) -> IngestPipeline:
        on_progress = changes.pop("on_progress", None)
        settings = replace(self.settings, **changes)  # type: ignore[arg-type]
        return IngestPipeline(self.catalog, self.stores, self.embedder, NamedRouter(), settings, on_progress)  # type: ignore[arg-type]

    def ingest(self, *paths: Path | str, **options: bool) -> dict[str, FileReport]:
        return by_name(self.pipeline().ingest(paths, **options))

    def fingerprint(self) -> str:
        with self.catalog.snapshot() as snapshot:
            return self.catalog.fingerprint(snapshot)

    def generation(self) -> int:
        with self.catalog.snapshot() as snapshot:
            return snapshot.generation

    def counts(self) -> dict[str, int]:
        with self.catalog.snapshot() as snapshot:
            return self.catalog.counts(snapshot)

    def text(self, document: str) -> str:
        with self.catalog.snapshot() as snapshot:
            return self.catalog.document(snapshot, document).text

    def documents(self) -> list[str]:
        with self.catalog.snapshot() as snapshot:
            return [record.document for record in self.catalog.documents(snapshot)]

    def found(self, query: str) -> list[str]:
        """Documents by their best window."""
        with self.catalog.snapshot() as snapshot:
            hits = self.stores.vector.search(snapshot, self.embedder.embed_query(query), 5)
            chunks = self.catalog.chunks(snapshot, [hit.chunk_id for hit in hits])
        return [chunks[hit.chunk_id].chunk.document for hit in hits]


def by_name(report: IngestReport) -> dict[str, FileReport]:
    assert [file.document for file in report.files] == sorted(file.document for file in report.files)
    return {file.document: file for file in report.files}


@pytest.fixture
def new_corpus(tmp_path: Path) -> Iterator[Callable[[str], Corpus]]:
    made: list[Corpus] = []

    def new(name: str = "data") -> Corpus:
        made.append(Corpus(tmp_path / name))
        return made[-1]

    yield new
    for corpus in made:
        corpus.catalog.close()


@pytest.fixture
def corpus(new_corpus: Callable[[str], Corpus]) -> Corpus:
    return new_corpus("data")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Four files of every kind of outcome: text, rules, a table, records."""
    folder = tmp_path / "in"
    (folder / "sub").mkdir(parents=True)
    (folder / "story.md").write_text("# Harbour\n\n## Morning\n\nThe gulls were loud. Nobody was awake yet.\n")
    (folder / "sub" / "fees.csv").write_text("ship;fee\nAda;10,5\nBea;20,0\n")
    (folder / "rules.txt").write_text("Harbour Office reports to Port Council.\n")
    (folder / "notes.jsonl").write_text(
        '{"id": 1, "title": "Buoy", "text": "Red buoys."}\n{"id": 2, "text": "Green."}\n'
    )
    return folder
