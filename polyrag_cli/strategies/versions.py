"""Passages of versions of one document in several languages.

Owns which passage of a version says what a passage says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.chunking.structural import HEADING_SEPARATOR
from polyrag_cli.languages import UNDETERMINED
from polyrag_cli.scoring.versions import counterpart
from polyrag_cli.stores.shared import DocumentVersion
from polyrag_cli.strategies.base import Context
from polyrag_cli.types import Chunk

# Counterparts found before, by commit, which no two corpora share: questions of one subject meet the same passages.
_MOST_KEPT = 4096
_KEPT: dict[tuple[str, bool, str, str], Chunk | None] = {}

# Of two passages of documents that are cut differently. Translations of sentences have .87 in the mean, others .05.
_LEAST_COSINE = 0.4


@dataclass(frozen=True, slots=True)
class _Layout:
    """A document's chunks in order, the section of each, counted from 0, and each section's depth among headings."""

    chunks: Sequence[Chunk]
    sections: Sequence[int]
    depths: Sequence[int]

    def place(self, index: int) -> float:
        """Where the middle of a chunk stands in the document, 0 at its beginning and 1 at its end."""
        first, last = self.chunks[0].start, self.chunks[-1].end
        middle = (self.chunks[index].start + self.chunks[index].end) / 2.0
        return (middle - first) / (last - first) if last > first else 0.0


class Versions:
    """The versions of documents that passages were found in, read once for one question.

    language: of the question; a passage in it is preferred.
    """

    def __init__(self, context: Context, language: str) -> None:
        self._context = context
        self._language = language
        self._versions: dict[str, tuple[DocumentVersion, ...]] = {}
        self._languages: dict[str, str] = {}
        self._layouts: dict[str, _Layout] = {}
        self._means: dict[str, Mapping[str, NDArray[np.float64]]] = {}
        self._known: set[str] = set()

    def look_up(self, documents: Sequence[str]) -> None:
        """Reads which of some documents have versions."""
        shared = self._context.stores.shared
        new = [document for document in documents if document not in self._known]
        if shared is None or not new:
            return
        self._known.update(new)
        found = shared.versions(self._context.snapshot, new)
        self._versions.update(found)
        if found:
            self._languages.update(shared.languages(self._context.snapshot, found))

    def of(self, document: str) -> tuple[str, ...]:
        """The versions of a document in other languages, by language."""
        return tuple(version.document for version in self._versions.get(document, ()))

    def language_of(self, chunk: Chunk) -> str:
        """The language of a chunk's document, as far as that is a version of another."""
        return self._languages.get(chunk.document, chunk.language)

    def preferred(self, chunk: Chunk) -> Chunk:
        """The chunk in the question's language that says the same, where a version in it has one; else itself."""
        wanted = self._language
        if wanted in (UNDETERMINED, self.language_of(chunk)):
            return chunk
        version = next((v for v in self._versions.get(chunk.document, ()) if v.language == wanted), None)
        return chunk if version is None else self.counterpart(chunk, version.document) or chunk

    def others(self, chunk: Chunk) -> list[tuple[Chunk, str]]:
        """The chunks of the other versions that say the same, each with its language."""
        found = []
        for version in self._versions.get(chunk.document, ()):
            other = self.counterpart(chunk, version.document)
            if other is not None:
                found.append((other, version.language))
        return found

    def counterpart(self, chunk: Chunk, document: str) -> Chunk | None:
        """The chunk of a version that says what a chunk says, None where that can't be told.

        Where both have the same sections it is one of the same section; else the vectors have to say so.
        """
        key = self._context.snapshot.commit, self._context.embedder.dimension > 0, chunk.chunk_id, document
        if key not in _KEPT:
            if len(_KEPT) >= _MOST_KEPT:
                _KEPT.clear()
            _KEPT[key] = self._counterpart(chunk, document)
        return _KEPT[key]

    def _counterpart(self, chunk: Chunk, document: str) -> Chunk | None:
        own, other = self._layout(chunk.document), self._layout(document)
        at = next((i for i, one in enumerate(own.chunks) if one.chunk_id == chunk.chunk_id), None)
        if at is None:
            return None
        places: Sequence[int] = range(len(other.chunks))
        aligned = own.depths == other.depths
        if aligned:
            places = [i for i in places if other.sections[i] == own.sections[at]]
            if len(places) == 1:
                return other.chunks[places[0]]
        mean = self._mean(chunk.document).get(chunk.chunk_id)
        means = self._mean(document)
        cosines = [
            0.0
            if mean is None or (found := means.get(other.chunks[i].chunk_id)) is None
            else float((mean * found).sum())
            for i in places
        ]
        best = counterpart(cosines, [other.place(i) for i in places], own.place(at))
        return None if best is None or (not aligned and cosines[best] < _LEAST_COSINE) else other.chunks[places[best]]

    def _layout(self, document: str) -> _Layout:
        if document not in self._layouts:
            stored = self._context.stores.catalog.chunks_of(self._context.snapshot, document)
            self._layouts[document] = _layout([one.chunk for one in stored])
        return self._layouts[document]

    def _mean(self, document: str) -> Mapping[str, NDArray[np.float64]]:
        """Unit mean of each chunk's window vectors, by chunk id; nothing without an embedder."""
        if document not in self._means:
            context, ids = self._context, [chunk.chunk_id for chunk in self._layout(document).chunks]
            found = context.stores.vector.windows(context.snapshot, ids) if context.embedder.dimension else {}
            sums = {i: vectors.astype(np.float64).sum(axis=0) for i, (_, vectors) in found.items() if len(vectors)}
            self._means[document] = {i: total / (float((total**2).sum()) ** 0.5 or 1.0) for i, total in sums.items()}
        return self._means[document]


def _layout(chunks: Sequence[Chunk]) -> _Layout:
    sections: list[int] = []
    depths: list[int] = []
    heading: str | None = None
    for chunk in chunks:
        if chunk.heading != heading or chunk.lead:
            depths.append(chunk.heading.count(HEADING_SEPARATOR) + bool(chunk.heading))
            heading = chunk.heading
        sections.append(len(depths) - 1)
    return _Layout(chunks, sections, depths)
