"""One passage for all its copies and translations.

Owns which of them is shown, and what is cited behind it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from polyrag_cli.languages import UNDETERMINED
from polyrag_cli.strategies.base import Context, Query
from polyrag_cli.strategies.passages import read_chunks
from polyrag_cli.strategies.versions import Versions
from polyrag_cli.strategies.weighing import copy_key
from polyrag_cli.types import Chunk, Hit, SamePassage

COPY = "copy"
TRANSLATION = "translation"


@dataclass(slots=True)
class Distinct:
    """A passage that stands for all that say the same. found: the chunk that was ranked for it, with its score."""

    chunk: Chunk
    found: str
    score: float
    same: dict[str, SamePassage] = field(default_factory=dict)

    def add(self, kind: str, chunk: Chunk, language: str) -> None:
        """Cites a chunk behind this passage, once."""
        if chunk.chunk_id not in (self.chunk.chunk_id, *self.same):
            start = chunk.start - len(chunk.lead)
            self.same[chunk.chunk_id] = SamePassage(
                kind, chunk.document, chunk.chunk_id, chunk.heading, chunk.page, start, chunk.end, language
            )


def one_of_each(ranked: Sequence[tuple[str, float]], query: Query, context: Context) -> list[Distinct]:
    """The first `query.top_k` different passages of a ranking, in its order, copies and translations cited behind them.

    Of translations the one in the question's language is shown, whichever was found; without one, the one found.
    """
    versions = Versions(context, query.language)
    kept: dict[str, Distinct] = {}
    by_words: dict[tuple[str, str], Distinct] = {}
    for found, score in _read(ranked, query.top_k, context, versions):
        chunk = versions.preferred(found)
        same = kept.get(chunk.chunk_id) or by_words.get(copy_key(chunk)) or _translated(chunk, kept, versions)
        if same is None:
            if len(kept) == query.top_k:
                break
            same = kept[chunk.chunk_id] = by_words[copy_key(chunk)] = Distinct(chunk, found.chunk_id, score)
        kind = COPY if copy_key(found) == copy_key(same.chunk) else TRANSLATION
        same.add(kind, found, versions.language_of(found))
    return list(kept.values())


def _translated(chunk: Chunk, kept: Mapping[str, Distinct], versions: Versions) -> Distinct | None:
    """The passage kept that a chunk is the translation of, if any."""
    documents = {one.chunk.document for one in kept.values()}
    for document in versions.of(chunk.document):
        other = versions.counterpart(chunk, document) if document in documents else None
        if other is not None and other.chunk_id in kept:
            return kept[other.chunk_id]
    return None


def with_versions(hits: Sequence[Hit], context: Context) -> tuple[Hit, ...]:
    """The hits with what says the same in other languages cited behind them, whether it was found or not."""
    versions = Versions(context, UNDETERMINED)
    versions.look_up(sorted({hit.document for hit in hits}))
    wanted = [hit.chunk_id for hit in hits if versions.of(hit.document)]
    chunks = read_chunks(context, wanted) if wanted else {}
    return tuple(_with_versions(hit, chunks[hit.chunk_id], versions) if hit.chunk_id in chunks else hit for hit in hits)


def _with_versions(hit: Hit, chunk: Chunk, versions: Versions) -> Hit:
    passage = Distinct(chunk, chunk.chunk_id, hit.score, {one.chunk_id: one for one in hit.same})
    named = {one.document for one in hit.same}
    for other, language in versions.others(chunk):
        if other.document not in named:
            passage.add(TRANSLATION, other, language)
    return replace(hit, same=tuple(passage.same.values()))


def _read(
    ranked: Sequence[tuple[str, float]], size: int, context: Context, versions: Versions
) -> Iterator[tuple[Chunk, float]]:
    """The chunks of a ranking with their scores, read in batches; chunks that are gone are left out."""
    for first in range(0, len(ranked), max(1, size)):
        batch = ranked[first : first + max(1, size)]
        chunks = read_chunks(context, (i for i, _ in batch))
        versions.look_up(sorted({chunk.document for chunk in chunks.values()}))
        yield from ((chunks[i], score) for i, score in batch if i in chunks)
