"""Owns stage 3: what the stores really hold that speaks for a route, read for one clause."""

from __future__ import annotations

import math
import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.config.sections import Route, RoutingSettings
from polyrag_cli.routing.base import CatalogReader
from polyrag_cli.routing.names import inner_names
from polyrag_cli.scoring import bm25
from polyrag_cli.stores.base import Snapshot, StoredChunk, Stores
from polyrag_cli.text.fold import fold
from polyrag_cli.text.stem import both_stems
from polyrag_cli.text.words import content_words, words
from polyrag_cli.types import Evidence

if TYPE_CHECKING:
    from polyrag_cli.nl2sql.index import SchemaIndex

_DECIMALS = 6
_GENERATIONS_KEPT = 2
_PASSAGES_KEPT = 4096
_TERMS_KEPT = 65536
_NAMED_HEADING = 0.34


@dataclass(frozen=True, slots=True)
class ClauseEvidence:
    """What speaks for each route, on a scale where 1 means that all content words of the clause are met.

    routes: the strongest item per route name; table, text: the strongest of the table and of the text routes.
    known: share (0–1, weighted by rarity) of the clause's content words that any store holds.
    unknown_names: names in the clause, as it spells them, that no store holds.
    """

    routes: Mapping[str, Evidence]
    table: float
    text: float
    known: float
    unknown_names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Term:
    """A content word of the clause: its stems, its rarity among the chunks, and whether any store holds it."""

    folded: str
    stems: tuple[str, ...]
    idf: float
    bm25_idf: float
    known: bool


@dataclass(frozen=True, slots=True)
class _Passage:
    """A chunk as evidence reads it: the routes that it is home to, its folded heading and text, and its name."""

    homes: tuple[str, ...]
    folded: str
    heading_stems: frozenset[str]
    label: str


@dataclass(slots=True)
class _Generation:
    """What is derived from one generation of the stores and kept while questions are asked of it."""

    schema: SchemaIndex | None
    passages: dict[str, _Passage] = field(default_factory=dict)
    terms: dict[str, _Term] = field(default_factory=dict)


class EvidenceReader:
    """Reads the evidence of every route for a clause; keeps what depends on the generation only."""

    def __init__(self, routes: Sequence[Route], settings: RoutingSettings) -> None:
        self._routes = tuple(routes)
        self._settings = settings
        self._names = {route.name for route in routes}
        self._free_homes = tuple(sorted(route.name for route in routes if route.store == "vector"))
        self._listeners = _listeners(routes)
        self._kept: OrderedDict[tuple[int, str], _Generation] = OrderedDict()
        self._lock = Lock()

    def read(
        self, text: str, vector: NDArray[np.float32] | None, snapshot: Snapshot, stores: Stores, catalog: CatalogReader
    ) -> ClauseEvidence:
        """The evidence for a clause; `vector` is its unit vector, None without an embedder."""
        generation = self._generation(snapshot, stores)
        table, table_words = self._table(text, generation)
        terms = self._terms(text, generation, snapshot, stores, table_words)
        mass = sum(term.idf for term in terms)
        known = sum(term.idf for term in terms if term.known) / mass if mass else 0.0
        passages = self._passages(text, vector, terms, known, snapshot, stores)
        items = self._text(text, passages, terms, generation, snapshot, stores, catalog)
        found: dict[str, Evidence] = dict(items)
        for route in self._routes:
            if route.store == "relational" and table is not None:
                found[route.name] = table
        strongest = max((item.score for item in items.values()), default=0.0)
        strangers = {term.folded for term in terms if not term.known}
        unknown = tuple(name.text for name in inner_names(text) if name.folded in strangers)
        return ClauseEvidence(found, table.score if table else 0.0, strongest, round(known, _DECIMALS), unknown)

    def _generation(self, snapshot: Snapshot, stores: Stores) -> _Generation:
        # The token tells apart two catalogs of one number, as after a backup was put back.
        key = (snapshot.generation, snapshot.commit)
        kept = self._kept.get(key)
        if kept is not None:
            return kept
        schemas = stores.relational.schemas(snapshot)
        index: SchemaIndex | None = None
        if schemas:
            from polyrag_cli.nl2sql.index import SchemaIndex

            index = SchemaIndex(schemas)
        made = _Generation(index)
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > _GENERATIONS_KEPT:
                self._kept.popitem(last=False)
        return made

    def _table(self, text: str, generation: _Generation) -> tuple[Evidence | None, frozenset[str]]:
        """The table that explains most of the clause, and the folded words that it explains."""
        if generation.schema is None:
            return None, frozenset()
        from polyrag_cli.nl2sql.evidence import table_evidence

        found = table_evidence(text, generation.schema)
        if not found:
            return None, frozenset()
        best = min(found, key=lambda item: (-round(item.coverage, _DECIMALS), item.table))
        if best.coverage <= 0.0:
            return None, frozenset()
        spoken = frozenset(fold(word) for word in best.words)
        coverage = float(best.coverage)
        if best.kind == "value" and len(spoken) == 1:
            # One value met by chance (a month's name, a word inside a label) never makes a table's question.
            coverage *= self._settings.lone_value_factor
        return Evidence(best.kind, best.name, round(coverage, _DECIMALS)), spoken

    def _terms(
        self, text: str, generation: _Generation, snapshot: Snapshot, stores: Stores, table_words: frozenset[str]
    ) -> list[_Term]:
        distinct = list(dict.fromkeys(word.folded for word in content_words(text)))
        kept = {folded: generation.terms.get(folded) for folded in distinct}
        missing = [folded for folded, term in kept.items() if term is None]
        if missing:
            stems = [stem for folded in missing for stem in both_stems(folded)]
            total, frequency = stores.lexical.document_frequency(snapshot, stems)
            read: dict[str, _Term] = {}
            for folded in missing:
                forms = both_stems(folded)
                df = max(frequency.get(stem, 0) for stem in forms)
                idf = math.log((total + 1) / (df + 0.5))
                read[folded] = _Term(folded, forms, idf, bm25.idf(total, df), df > 0)
            if len(generation.terms) + len(read) > _TERMS_KEPT:
                generation.terms.clear()
            generation.terms.update(read)
            kept.update(read)
        terms = [term for term in kept.values() if term is not None]
        return [replace(term, known=True) if term.folded in table_words else term for term in terms]

    def _passages(
        self,
        text: str,
        vector: NDArray[np.float32] | None,
        terms: list[_Term],
        known: float,
        snapshot: Snapshot,
        stores: Stores,
    ) -> dict[str, float]:
        """Text evidence per chunk found by words or meaning.

        .5·coverage + .25·BM25/Σidf + .25·cosine for the known part of the question, the cosine alone for the rest.
        """
        settings = self._settings
        lexical = {
            hit.chunk_id: hit for hit in stores.lexical.search(snapshot, text, int(settings.evidence_candidates))
        }
        cosines: dict[str, float] = {}
        if vector is not None:
            nearest = stores.vector.search(snapshot, vector, int(settings.evidence_candidates))
            cosines = {hit.chunk_id: max(0.0, float(hit.score)) for hit in nearest}
        # A chunk that isn't among the nearest is at most as near as the last of them.
        floor = min(cosines.values(), default=0.0)
        mass = sum(term.bm25_idf for term in terms)
        share = 1.0 - settings.cosine_weight
        scale = 1.0 if vector is not None or not share else 1.0 / share
        found: dict[str, float] = {}
        for chunk_id in sorted(lexical.keys() | cosines.keys()):
            cosine = cosines.get(chunk_id, floor)
            hit = lexical.get(chunk_id)
            coverage, bm25 = (hit.coverage, hit.score / mass if mass else 0.0) if hit else (0.0, 0.0)
            by_words = settings.coverage_weight * coverage + settings.bm25_weight * bm25
            mixed = scale * by_words + (settings.cosine_weight * cosine if vector is not None else 0.0)
            found[chunk_id] = known * mixed + ((1.0 - known) * cosine if vector is not None else 0.0)
        return found

    def _text(
        self,
        text: str,
        passages: dict[str, float],
        terms: list[_Term],
        generation: _Generation,
        snapshot: Snapshot,
        stores: Stores,
        catalog: CatalogReader,
    ) -> dict[str, Evidence]:
        """The strongest passage per text route, with the heading or entity that the clause shares with it."""
        found = [(name, fold(name), strength) for name, strength in stores.graph.match(snapshot, text)]
        entities = [(name, _whole(needle), strength) for name, needle, strength in found if needle]
        mass = sum(term.idf for term in terms)
        by_home: dict[str, Evidence] = {}
        for chunk_id, passage in self._known_passages(sorted(passages), generation, snapshot, catalog).items():
            item = self._weighed(passage, passages[chunk_id], terms, mass, entities)
            for home in passage.homes:
                if home not in by_home or item.score > by_home[home].score:
                    by_home[home] = item
        best: dict[str, Evidence] = {}
        for homes, names in self._listeners.items():
            heard = [by_home[home] for home in homes if home in by_home]
            if heard:
                # The first of equals: homes stand in the order of their names.
                best.update(dict.fromkeys(names, max(heard, key=lambda item: item.score)))
        return best

    def _weighed(
        self,
        passage: _Passage,
        base: float,
        terms: list[_Term],
        mass: float,
        entities: list[tuple[str, re.Pattern[str], float]],
    ) -> Evidence:
        """A passage's evidence, named after what the clause shares with it."""
        shared = 0.0
        if mass and passage.heading_stems:
            shared = sum(t.idf for t in terms if not passage.heading_stems.isdisjoint(t.stems)) / mass
        named = max(
            ((strength, name) for name, pattern, strength in entities if pattern.search(passage.folded)),
            key=lambda pair: (pair[0], len(pair[1]), pair[1]),
            default=None,
        )
        score = base + self._settings.heading_weight * shared
        if named is not None:
            score += self._settings.entity_weight * min(1.0, named[0])
        score = round(score, _DECIMALS)
        if named is not None:
            return Evidence("entity", named[1], score)
        return Evidence("heading" if shared >= _NAMED_HEADING else "text", passage.label, score)

    def _known_passages(
        self, ids: list[str], generation: _Generation, snapshot: Snapshot, catalog: CatalogReader
    ) -> dict[str, _Passage]:
        kept = {chunk_id: generation.passages.get(chunk_id) for chunk_id in ids}
        missing = [chunk_id for chunk_id, passage in kept.items() if passage is None]
        if missing:
            read = {i: self._passage(stored) for i, stored in catalog.chunks(snapshot, missing).items()}
            if len(generation.passages) + len(read) > _PASSAGES_KEPT:
                generation.passages.clear()
            generation.passages.update(read)
            kept.update(read)
        return {chunk_id: passage for chunk_id, passage in kept.items() if passage is not None}

    def _passage(self, stored: StoredChunk) -> _Passage:
        chunk = stored.chunk
        homes = tuple(home for home in (stored.route.home, *stored.route.also) if home in self._names)
        # A home that was configured away since the chunk was read leaves plain text.
        return _Passage(
            homes or self._free_homes,
            f"{fold(chunk.heading)}\n{fold(chunk.text)}",
            frozenset(stem for word in words(chunk.heading) for stem in both_stems(word.folded)),
            chunk.heading or chunk.title or chunk.document,
        )


def _listeners(routes: Sequence[Route]) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Homes whose passages speak for a route → those routes: its own; without chunk anchors all homes of its store."""
    found: dict[tuple[str, ...], list[str]] = {}
    for route in routes:
        if route.store == "relational":
            continue
        shared = {other.name for other in routes if other.store == route.store and not route.chunk_anchors}
        found.setdefault(tuple(sorted({route.name, *shared})), []).append(route.name)
    return {homes: tuple(names) for homes, names in found.items()}


def _whole(needle: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(needle)}(?!\w)")
