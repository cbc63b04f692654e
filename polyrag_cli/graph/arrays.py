"""Owns the arrays that the walk runs on, and what they answer themselves: names in a question, neighbours.

Everything is numpy, CSR without scipy; strings are UTF-8 blobs with offsets, decoded one by one, so that a file of them
is mapped into memory and nothing is parsed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from polyrag_cli.scoring.walk_graph import WalkGraph

if TYPE_CHECKING:
    from polyrag_cli.graph.base import Neighbour
    from polyrag_cli.text.utterance import Utterance

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Strings:
    """A list of strings as one UTF-8 blob, shape (bytes,) uint8, and offsets, shape (n + 1,) int64."""

    blob: npt.NDArray[np.uint8]
    offsets: npt.NDArray[np.int64]

    @classmethod
    def of(cls, values: Sequence[str]) -> Strings:
        """The strings in their order; lone surrogates become question marks."""
        encoded = [value.encode("utf-8", "replace") for value in values]
        offsets = np.zeros(len(encoded) + 1, dtype=np.int64)
        np.cumsum([len(value) for value in encoded], out=offsets[1:])
        return cls(np.frombuffer(b"".join(encoded), dtype=np.uint8), offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, i: int) -> str:
        return self.blob[self.offsets[i] : self.offsets[i + 1]].tobytes().decode("utf-8")

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Position of each string."""
        raw, at = self.blob.tobytes(), self.offsets.tolist()
        return {raw[a:b].decode("utf-8"): i for i, (a, b) in enumerate(pairwise(at))}


@dataclass(frozen=True, eq=False)
class Matrix:
    """A sparse matrix by rows: `indptr` (rows + 1,), `indices` (m,) ascending inside a row, `data` (m,)."""

    indptr: Ints
    indices: Ints
    data: Floats

    def row(self, i: int) -> tuple[Ints, Floats]:
        """Column numbers and values of one row."""
        at = slice(int(self.indptr[i]), int(self.indptr[i + 1]))
        return self.indices[at], self.data[at]


@dataclass(frozen=True, eq=False)
class Relations:
    """Relations between entities, sorted: subject and object ids (r,), the passage (r,), the verb phrases."""

    subject: Ints
    object: Ints
    passage: Ints
    verb: Strings


@dataclass(frozen=True, eq=False)
class GraphArrays:
    """The graph of one generation.

    Passages are numbered by chunk id, sentences by passage and ordinal, entities and terms by their key.

    generation: the snapshot that it was built from.
    sentence_start, sentence_end: document offsets, shape (sentences,).
    entity_idf: ln(1 + passages/df); title_df: passages that an entity titles.
    mentions: entity × sentence, values in (0, 1]. titles: passage × entity, the weight of a title name.
    title_passages: the transpose of `titles`.
    postings: term × sentence, 1 in the sentence, 0.9 in its title. term_idf: BM25's, by passage.
    trigrams: codes (t,) sorted, and code × term, for words that no passage holds.
    """

    generation: int
    chunk_ids: Strings
    documents: Strings
    sentence_start: Ints
    sentence_end: Ints
    entity_keys: Strings
    entity_names: Strings
    entity_idf: Floats
    title_df: Ints
    mentions: Matrix
    titles: Matrix
    title_passages: Matrix
    terms: Strings
    term_idf: Floats
    postings: Matrix
    trigram_codes: npt.NDArray[np.int64]
    trigrams: Matrix
    relations: Relations
    walk: WalkGraph

    @property
    def passages(self) -> int:
        """Number of passages."""
        return len(self.chunk_ids)

    @property
    def sentences(self) -> int:
        """Number of sentences."""
        return len(self.sentence_start)

    def sentences_of(self, passage: int) -> range:
        """The numbers of a passage's sentences."""
        bounds = self.walk.passage_sentences
        return range(int(bounds[passage]), int(bounds[passage + 1]))

    def match(self, question: Utterance) -> list[tuple[str, float]]:
        """Names of the graph that a question holds, with their strength in (0, 1], the strongest first.

        Strength is the name's idf over the largest possible one, so that a name which every passage holds says little.
        """
        from polyrag_cli.graph.question import anchors

        top = float(np.log1p(max(1, self.passages)))
        found = [
            (self.entity_names[a.entity], round(min(1.0, float(self.entity_idf[a.entity]) / top), 6))
            for a in anchors(self, question)
        ]
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))

    def neighbours(self, name: str, k: int = 20) -> list[Neighbour]:
        """What an entity is linked to: its relations, then the k strongest co-mentions; empty for an unknown name."""
        from polyrag_cli.graph.gazetteer import key_of

        entity = self.entity_keys.index.get(key_of(name))
        if entity is None:
            return []
        related = self._related(entity)
        said = {neighbour.name for neighbour in related}
        return [*related, *(other for other in self._co_mentioned(entity, k) if other.name not in said)]

    def names(self, like: str = "", within: str = "", limit: int | None = 50) -> list[str]:
        """Names, those mentioned most first; see `GraphStore.names`."""
        from polyrag_cli.graph.gazetteer import key_of

        bounds = self.mentions.indptr
        counts = np.diff(bounds)
        chosen = range(len(self.entity_keys))
        if within:
            passage = self.chunk_ids.index.get(within)
            sentences = range(0) if passage is None else self.sentences_of(passage)
            at = np.flatnonzero((self.mentions.indices >= sentences.start) & (self.mentions.indices < sentences.stop))
            chosen = np.unique(np.searchsorted(bounds, at, side="right") - 1).tolist()
        part = key_of(like)
        ranked = []
        for entity in chosen:
            key = self.entity_keys[entity]
            if part in key:
                ranked.append((key != part, not key.startswith(part), -int(counts[entity]), key, entity))
        return [self.entity_names[entity] for *_, entity in sorted(ranked)[:limit]]

    def _related(self, entity: int) -> list[Neighbour]:
        from polyrag_cli.graph.base import Neighbour

        counted: dict[tuple[str, str, bool], int] = {}
        for i in np.flatnonzero((self.relations.subject == entity) | (self.relations.object == entity)).tolist():
            outward = int(self.relations.subject[i]) == entity
            other = int(self.relations.object[i] if outward else self.relations.subject[i])
            entry = (self.relations.verb[i], self.entity_names[other], outward)
            counted[entry] = counted.get(entry, 0) + 1
        ordered = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
        return [Neighbour(verb, other, float(n), outward) for (verb, other, outward), n in ordered]

    def _co_mentioned(self, entity: int, k: int) -> list[Neighbour]:
        from polyrag_cli.graph.base import Neighbour

        sentences, _ = self.mentions.row(entity)
        links = self.walk
        weights = np.zeros(len(self.entity_keys), dtype=np.float64)
        for s in sentences.tolist():
            others = links.link_entities[links.link_indptr[s] : links.link_indptr[s + 1]]
            weights[others] += self.entity_idf[others]
        weights[entity] = 0.0
        order = np.argsort(-np.round(weights, 6), kind="stable")[:k]
        found = [(i, round(float(weights[i]), 6)) for i in order.tolist()]
        return [Neighbour("", self.entity_names[i], weight) for i, weight in found if weight > 0]
