"""A corpus in memory: stores over a few passages, and an embedder whose cosines can be worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from polyrag_cli.config.sections import Route
from polyrag_cli.scoring import bm25
from polyrag_cli.stores.backends import Stores
from polyrag_cli.stores.base import Snapshot
from polyrag_cli.stores.records import LexicalHit, StoredChunk, WindowHit
from polyrag_cli.text.stem import all_stems
from polyrag_cli.text.utterance import Utterance
from polyrag_cli.text.words import content_words, words
from polyrag_cli.types import Chunk, ChunkRoute, Column, TableRef, TableSchema

TOPICS = (
    ("total", "average", "count", "sum", "litres", "quantos"),
    ("history", "began", "story", "why", "advice", "começou"),
    ("approve", "rule", "depends", "requires", "quem", "who"),
)


class TopicEmbedder:
    """One axis a topic, plus one for every other word: the vector counts words, then has unit length."""

    name = "topics"
    dimension = len(TOPICS) + 1

    def __init__(self) -> None:
        self.embedded: list[str] = []

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        self.embedded.extend(texts)
        return np.array([self._vector(text) for text in texts], dtype=np.float32).reshape(-1, self.dimension)

    def embed_query(self, text: str) -> np.ndarray:
        return self._vector(text)

    def _vector(self, text: str) -> np.ndarray:
        counts = np.zeros(self.dimension, dtype=np.float32)
        for word in words(text):
            axes = [i for i, topic in enumerate(TOPICS) if word.folded in topic or word.text.lower() in topic]
            counts[axes[0] if axes else -1] += 1.0
        length = math.sqrt(float((counts**2).sum()))
        return counts / length if length else counts


class NoEmbedder:
    name = "none"
    dimension = 0

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        return np.zeros((len(texts), 0), dtype=np.float32)

    def embed_query(self, text: str) -> np.ndarray:
        return np.zeros(0, dtype=np.float32)


@dataclass(frozen=True, eq=False)
class MemorySnapshot(Snapshot):
    generation: int
    commit: str

    def versions(self, store: str) -> dict[str, str]:
        return {}


class MemoryCorpus:
    """Passages with their homes, tables and entity names; everything that a Router reads."""

    def __init__(
        self,
        passages: Sequence[tuple[str, str, str, tuple[str, ...]]],
        tables: Sequence[TableSchema] = (),
        entities: Sequence[str] = (),
        embedder: Any = None,
    ) -> None:
        self.embedder = embedder or TopicEmbedder()
        self.tables, self.entities, self.token, self.schema_reads = tuple(tables), tuple(entities), "one", 0
        self.stored: dict[str, StoredChunk] = {}
        for number, (heading, text, home, also) in enumerate(passages):
            chunk = Chunk(f"c{number:02d}", "notes.md", number, 0, len(text), text, heading)
            self.stored[chunk.chunk_id] = StoredChunk(chunk, ChunkRoute(home, also, (), 0.5))
        self.stores = Stores(
            catalog=self,
            relational=SimpleNamespace(schemas=self._schemas, refs=self._refs),
            table_words=None,
            vector=SimpleNamespace(search=self._nearest),
            lexical=SimpleNamespace(search=self._lexical, document_frequency=self._frequency),
            graph=SimpleNamespace(match=self._match),
        )

    def snapshot(self, generation: int = 1) -> Snapshot:
        return MemorySnapshot(generation, self.token)

    def chunks(self, snapshot: Snapshot, chunk_ids: Sequence[str], /) -> dict[str, StoredChunk]:
        return {i: self.stored[i] for i in chunk_ids if i in self.stored}

    def _schemas(self, snapshot: Snapshot, names: Collection[str] | None = None) -> tuple[TableSchema, ...]:
        return tuple(schema for schema in self.tables if names is None or schema.name in names)

    def _refs(self, snapshot: Snapshot) -> tuple[TableRef, ...]:
        self.schema_reads += 1
        refs = (TableRef(s.name, s.document, i, s.file, s.path_words) for i, s in enumerate(self.tables))
        return tuple(sorted(refs, key=lambda ref: ref.name))

    def _match(self, snapshot: Snapshot, question: Utterance) -> list[tuple[str, float]]:
        return [(name, 1.0) for name in self.entities if name.lower() in question.text.lower()]

    def _nearest(self, snapshot: Snapshot, vector: np.ndarray, k: int) -> list[WindowHit]:
        hits = [
            WindowHit(i, 0, 0, 1, round(float(self.embedder.embed_query(s.chunk.text) @ vector), 6))
            for i, s in self.stored.items()
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))[:k]

    def _terms(self, chunk_id: str) -> list[str]:
        chunk = self.stored[chunk_id].chunk
        return [all_stems(word.folded)[0] for word in content_words(f"{chunk.heading} {chunk.text}")]

    def _frequency(self, snapshot: Snapshot, stems: Sequence[str]) -> tuple[int, dict[str, int]]:
        held = [set(self._terms(i)) for i in self.stored]
        return len(held), {stem: sum(stem in terms for terms in held) for stem in stems}

    def _lexical(self, snapshot: Snapshot, question: Utterance, k: int) -> list[LexicalHit]:
        terms = sorted({word.stems[0] for word in question.content})
        total, df = self._frequency(snapshot, terms)
        idfs = {term: bm25.idf(total, df[term]) for term in terms}
        lengths = {i: len(self._terms(i)) for i in self.stored}
        average = sum(lengths.values()) / max(1, total)
        hits = []
        for i in self.stored:
            own = self._terms(i)
            tf = {term: own.count(term) for term in terms if term in own}
            if tf:
                covered = sum(idfs[term] for term in tf) / sum(idfs.values())
                hits.append(LexicalHit(i, bm25.score(terms, tf, lengths[i], average, idfs), covered))
        return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))[:k]


def column(name: str, *values: str) -> Column:
    kind = "text" if values else "number"
    return Column(name, name, kind, values, len(values))  # type: ignore[arg-type]


HONEY = TableSchema(
    "harvest", "harvest.csv", "harvest", (column("apiary", "Ridge", "Orchard"), column("litres")), rows=12
)
PASSAGES = (
    ("Beginnings", "The story began with one hive on a roof and no advice at all.", "vectorial", ()),
    ("Swarms", "Our advice on a swarm: stay calm and call the warden.", "vectorial", ()),
    ("Rule H2", "Rule H2 requires that the Warden Board approve every new hive.", "graph", ()),
    ("Extractor", "The Extractor depends on the Boiler House for steam.", "graph", ()),
)


def default_routes(**changes: Any) -> list[Route]:
    thresholds = {"tau_high": 0.95, "tau_low": 0.1, "delta_margin": 0.6, **changes}
    return [
        Route("relational", "relational", "text_to_sql", **thresholds, question_anchors=("total", "average", "count")),
        Route("vectorial", "vector", "auto", **thresholds, question_anchors=("history",), chunk_anchors=("story",)),
        Route("graph", "graph", "graph_walk", **thresholds, question_anchors=("approve",), chunk_anchors=("requires",)),
    ]
