"""Owns the router: what it reads for each clause of a question, and where clauses and chunks belong."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.config.sections import Route, RoutingSettings
from polyrag_cli.languages import UNDETERMINED
from polyrag_cli.nl2sql.indexes import TableIndexes
from polyrag_cli.providers.base import Embedder
from polyrag_cli.routing.anchors import AnchorMatrix, anchor_matrix
from polyrag_cli.routing.base import SCORED_CHARACTERS, CatalogReader
from polyrag_cli.routing.clauses import Clause, split
from polyrag_cli.routing.conclusion import conclude
from polyrag_cli.routing.evidence.reader import EvidenceReader
from polyrag_cli.routing.form import by_form
from polyrag_cli.routing.heuristics import aggregate_word
from polyrag_cli.routing.inputs import NO_SCORES, ClauseInputs
from polyrag_cli.stores.backends import Stores
from polyrag_cli.stores.base import Snapshot
from polyrag_cli.text.utterance import Utterance, read
from polyrag_cli.tracing import span
from polyrag_cli.types import Chunk, ChunkRoute, ClauseDecision, RouteDecision


class Router:
    """Decides by arithmetic alone where a clause or a chunk belongs.

    routes: at least one; their order doesn't matter. embedder: of dimension 0 when there is none.
    cache_dir: where anchor vectors are kept between processes; None keeps them in memory only.
    tables: the index of the tables, where others read it as well.
    """

    def __init__(
        self,
        routes: Sequence[Route],
        settings: RoutingSettings,
        embedder: Embedder,
        cache_dir: Path | None,
        tables: TableIndexes | None = None,
    ) -> None:
        self._routes = tuple(sorted(routes, key=lambda route: route.name))
        self._settings = settings
        self._embedder = embedder
        self._cache_dir = cache_dir
        self._evidence = EvidenceReader(self._routes, settings, tables)

    @cached_property
    def config_hash(self) -> str:
        """Sha256 over all that decides besides the corpus."""
        return _config_hash(self._routes, self._settings, self._embedder.name)

    @cached_property
    def _questions(self) -> AnchorMatrix:
        return anchor_matrix([route.question_anchors for route in self._routes], self._embedder, self._cache_dir)

    @cached_property
    def _statements(self) -> AnchorMatrix:
        return anchor_matrix([route.chunk_anchors for route in self._routes], self._embedder, self._cache_dir)

    def keep_anchors(self) -> None:
        """Embeds the anchors of questions ahead of the first question: the cache directory keeps them."""
        self._questions  # noqa: B018 - reading it embeds them

    def decide(
        self,
        question: Utterance,
        snapshot: Snapshot,
        stores: Stores,
        catalog: CatalogReader,
        vector: NDArray[np.float32] | None = None,
    ) -> RouteDecision:
        """The decision for a question, one entry per clause.

        vector: the question's unit vector, shape (d,), where the caller has it; clauses of a compound question are
        embedded here. The decision's `timings` are milliseconds for embed, score and evidence.
        """
        begun = perf_counter()
        timings = {"embed": 0.0, "score": 0.0, "evidence": 0.0}
        inputs = self.read(question, snapshot, stores, catalog, vector, timings)
        decided = tuple(self.conclude(read) for read in inputs)
        took = (perf_counter() - begun) * 1000.0
        return RouteDecision(question.text, decided, self.config_hash, snapshot.generation, took, timings)

    def read(
        self,
        question: Utterance,
        snapshot: Snapshot,
        stores: Stores,
        catalog: CatalogReader,
        vector: NDArray[np.float32] | None = None,
        timings: dict[str, float] | None = None,
    ) -> tuple[ClauseInputs, ...]:
        """What each clause of a question is decided from; `timings` is added to. Arguments as for `decide`."""
        clauses = split(question)
        spent = {"embed": 0.0, "score": 0.0, "evidence": 0.0} if timings is None else timings
        own = vector if len(clauses) == 1 else None
        return tuple(self._read(question, clause, snapshot, stores, catalog, own, spent) for clause in clauses)

    def conclude(self, inputs: ClauseInputs) -> ClauseDecision:
        """The decision that this router's thresholds and weights make of what was read, by a router of the same
        routes."""
        return conclude(inputs, self._routes, self._settings)

    def route_chunks(
        self, chunks: Sequence[Chunk], vectors: Sequence[NDArray[np.float32]], named: Sequence[Sequence[bool]]
    ) -> list[ChunkRoute]:
        """The home of every chunk of one document; see `chunk_homes.chunk_homes` for the arguments."""
        # Only ingesting asks what a chunk looks like.
        from polyrag_cli.routing.chunk_homes import chunk_homes

        return chunk_homes(chunks, vectors, named, self._routes, self._statements, self._settings)

    # ------------------------------------------------------------ one clause
    def _read(
        self,
        question: Utterance,
        clause: Clause,
        snapshot: Snapshot,
        stores: Stores,
        catalog: CatalogReader,
        vector: NDArray[np.float32] | None,
        timings: dict[str, float],
    ) -> ClauseInputs:
        asked = _scored_part(question, clause)
        form = by_form(asked)
        if form is not None:
            return ClauseInputs(clause, asked, form)
        begun = perf_counter()
        if vector is None and self._embedder.dimension:
            with span("embed.query", embedder=self._embedder.name):
                vector = self._embedder.embed_query(asked.text)
        embedded = perf_counter()
        anchors = NO_SCORES if vector is None or not vector.size else self._questions.score(vector)
        scored = perf_counter()
        known_vector = vector if vector is not None and vector.size else None
        evidence = self._evidence.read(asked, known_vector, snapshot, stores, catalog)
        timings["embed"] += (embedded - begun) * 1000.0
        timings["score"] += (scored - embedded) * 1000.0
        timings["evidence"] += (perf_counter() - scored) * 1000.0
        asks_figure = bool(aggregate_word(asked))
        return ClauseInputs(clause, asked, None, asks_figure, anchors, evidence)


def _scored_part(question: Utterance, clause: Clause) -> Utterance:
    """What is scored of a clause; in the question's language where its own words don't tell one."""
    text = " ".join(clause.text[:SCORED_CHARACTERS].split())
    if text == question.text:
        return question
    own = read(text)
    return own if own.language != UNDETERMINED else read(text, question.language)


def _config_hash(routes: Sequence[Route], settings: RoutingSettings, embedder: str) -> str:
    """Sha256 over all that decides besides the corpus: routes with anchors and thresholds, settings, embedder."""
    state = {"routes": [_state(route) for route in routes], "settings": asdict(settings), "embedder": embedder}
    return hashlib.sha256(json.dumps(state, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


def _state(route: Route) -> dict[str, object]:
    """All of a route that decides; that it is enabled goes without saying."""
    return {name: value for name, value in asdict(route).items() if name != "enabled"}
