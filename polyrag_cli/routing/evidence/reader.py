"""Owns the reading of evidence: which stores are asked for a clause, and what is kept between questions."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.config.sections import Route, RoutingSettings
from polyrag_cli.nl2sql.indexes import TableIndexes
from polyrag_cli.routing.base import CatalogReader
from polyrag_cli.routing.evidence.content import ContentWord, known_share, weighed_words
from polyrag_cli.routing.evidence.passages import (
    Passage,
    met_names,
    met_passages,
    passage,
    passage_evidence,
    strongest_by_home,
)
from polyrag_cli.routing.evidence.tables import best_table
from polyrag_cli.routing.inputs import ClauseEvidence
from polyrag_cli.routing.names import inner_names
from polyrag_cli.stores.backends import Stores
from polyrag_cli.stores.base import Snapshot
from polyrag_cli.text.utterance import Utterance
from polyrag_cli.types import Evidence

_DECIMALS = 6
_GENERATIONS_KEPT = 2
_PASSAGES_KEPT = 4096


@dataclass(slots=True)
class _Generation:
    """What is derived from one generation of the stores and kept while questions are asked of it."""

    has_tables: bool
    ingested: bool
    passages: dict[str, Passage] = field(default_factory=dict)
    words: dict[str, ContentWord] = field(default_factory=dict)


class EvidenceReader:
    """Reads the evidence of every route for a clause; keeps what depends on the generation only."""

    def __init__(self, routes: Sequence[Route], settings: RoutingSettings, tables: TableIndexes | None = None) -> None:
        """tables: the index of the tables, where others read it as well."""
        self._settings = settings
        self._tables = tables or TableIndexes()
        self._names = frozenset(route.name for route in routes)
        self._table_routes = tuple(route.name for route in routes if route.kind.has_rows)
        self._free_homes = tuple(sorted(route.name for route in routes if route.kind.is_free_text))
        self._listeners = _listeners(routes)
        self._kept: OrderedDict[tuple[int, str], _Generation] = OrderedDict()
        self._lock = Lock()

    def read(
        self,
        asked: Utterance,
        vector: NDArray[np.float32] | None,
        snapshot: Snapshot,
        stores: Stores,
        catalog: CatalogReader,
    ) -> ClauseEvidence:
        """The evidence for a clause; `vector` is its unit vector, None without an embedder."""
        generation = self._generation(snapshot, stores)
        index = self._tables.of(stores, snapshot) if generation.has_tables else None
        table, explained = best_table(asked, index, self._settings.lone_value_factor)
        content = weighed_words(asked, explained, stores.lexical, snapshot, generation.words)
        known = known_share(content)
        spoken = self._passages(asked, vector, content, known, generation, snapshot, stores, catalog)
        found = {**spoken, **(dict.fromkeys(self._table_routes, table) if table is not None else {})}
        strangers = {word.folded for word in content if not word.known}
        return ClauseEvidence(
            routes=found,
            table=table.score if table is not None else 0.0,
            text=max((item.score for item in spoken.values()), default=0.0),
            known=round(known, _DECIMALS),
            unknown_names=tuple(name.text for name in inner_names(asked) if name.folded in strangers),
            ingested=generation.ingested,
        )

    def _generation(self, snapshot: Snapshot, stores: Stores) -> _Generation:
        # The token tells apart two catalogs of one number, as after a backup was put back.
        key = (snapshot.generation, snapshot.commit)
        kept = self._kept.get(key)
        if kept is not None:
            return kept
        has_tables = bool(stores.relational.refs(snapshot))
        chunks, _ = stores.lexical.document_frequency(snapshot, [])
        made = _Generation(has_tables, bool(has_tables or chunks))
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > _GENERATIONS_KEPT:
                self._kept.popitem(last=False)
        return made

    def _passages(
        self,
        asked: Utterance,
        vector: NDArray[np.float32] | None,
        content: Sequence[ContentWord],
        known: float,
        generation: _Generation,
        snapshot: Snapshot,
        stores: Stores,
        catalog: CatalogReader,
    ) -> dict[str, Evidence]:
        """The strongest passage per text route, among those found by words or by meaning."""
        wanted = int(self._settings.evidence_candidates)
        lexical = stores.lexical.search(snapshot, asked, wanted)
        nearest = stores.vector.search(snapshot, vector, wanted) if vector is not None else None
        met = met_passages(lexical, nearest, content)
        names = met_names(stores.graph.match(snapshot, asked))
        passages = self._known_passages(list(met), generation, snapshot, catalog)
        by_home = strongest_by_home(
            {
                chunk_id: (read, passage_evidence(read, met[chunk_id], content, known, names, self._settings))
                for chunk_id, read in passages.items()
            }
        )
        best: dict[str, Evidence] = {}
        for homes, listening in self._listeners.items():
            heard = [by_home[home] for home in homes if home in by_home]
            if heard:
                # The first of equals: homes stand in the order of their names.
                best.update(dict.fromkeys(listening, max(heard, key=lambda item: item.score)))
        return best

    def _known_passages(
        self, ids: Sequence[str], generation: _Generation, snapshot: Snapshot, catalog: CatalogReader
    ) -> Mapping[str, Passage]:
        """The passages with these ids, in their order; those that no one read in this generation yet are read."""
        kept = {chunk_id: generation.passages.get(chunk_id) for chunk_id in ids}
        missing = [chunk_id for chunk_id, read in kept.items() if read is None]
        if missing:
            stored = catalog.chunks(snapshot, missing)
            read = {i: passage(chunk, self._names, self._free_homes) for i, chunk in stored.items()}
            if len(generation.passages) + len(read) > _PASSAGES_KEPT:
                generation.passages.clear()
            generation.passages.update(read)
            kept.update(read)
        return {chunk_id: found for chunk_id, found in kept.items() if found is not None}


def _listeners(routes: Sequence[Route]) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Homes whose passages speak for a route → those routes: its own; without chunk anchors all homes of its store."""
    found: dict[tuple[str, ...], list[str]] = {}
    for route in routes:
        if route.kind.has_rows:
            continue
        shared = {other.name for other in routes if other.store == route.store and not route.chunk_anchors}
        found.setdefault(tuple(sorted({route.name, *shared})), []).append(route.name)
    return {homes: tuple(names) for homes, names in found.items()}
