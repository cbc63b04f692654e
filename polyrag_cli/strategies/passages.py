"""Passages by id, and hits made of them.

Owns the reading of chunks through a snapshot for strategies and answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from polyrag_cli.strategies.base import Context
from polyrag_cli.text.sentences import sentences
from polyrag_cli.text.stem import all_stems
from polyrag_cli.text.utterance import Utterance
from polyrag_cli.text.words import content_words
from polyrag_cli.types import Chunk, HeadScore, Hit


def read_chunks(context: Context, chunk_ids: Iterable[str]) -> dict[str, Chunk]:
    """The chunks with these ids; unknown ids are left out."""
    stored = context.stores.catalog.chunks(context.snapshot, chunk_ids)
    return {chunk_id: one.chunk for chunk_id, one in stored.items()}


def hits(
    context: Context,
    ranked: Sequence[tuple[str, float]],
    sources: Mapping[str, str],
    spans: Mapping[str, tuple[int, int]],
    question: Utterance,
    heads: Mapping[str, tuple[HeadScore, ...]] | None = None,
) -> tuple[Hit, ...]:
    """The ranked chunks as hits, in order, each with its best window as its quote; chunks that are gone are left out.

    sources: chunk id → names of the heads that found it. spans: chunk id → document offsets of its best window; where
    it is missing, the sentence with most of the question's words stands in. heads: chunk id → what each head says.
    """
    chunks = read_chunks(context, (chunk_id for chunk_id, _ in ranked))
    return tuple(
        hit_of(chunks[i], score, sources.get(i, ""), spans.get(i), question, (heads or {}).get(i, ()))
        for i, score in ranked
        if i in chunks
    )


def hit_of(
    chunk: Chunk,
    score: float,
    source: str,
    window: tuple[int, int] | None,
    question: Utterance,
    heads: tuple[HeadScore, ...] = (),
) -> Hit:
    """A chunk as a hit. window: its best window; None for the sentence with most of the question's words."""
    return Hit(
        document=chunk.document,
        chunk_id=chunk.chunk_id,
        heading=chunk.heading,
        page=chunk.page,
        start=chunk.start - len(chunk.lead),
        end=chunk.end,
        text=chunk.lead + chunk.text,
        score=round(score, 6),
        source=source,
        quotes=(window or best_sentence(chunk, question.stems),),
        heads=heads,
    )


def word_stems(text: str, code: str) -> frozenset[str]:
    """The stems, under every language, of the content words of a text. code: of its language."""
    return frozenset(stem for word in content_words(text, code) for stem in all_stems(word.folded))


def best_sentence(chunk: Chunk, wanted: frozenset[str]) -> tuple[int, int]:
    """Document offsets of the sentence that holds most of the wanted stems, the first of equals."""
    spans = sentences(chunk.text) or [(0, len(chunk.text))]
    counts = [len(wanted & word_stems(chunk.text[start:end], chunk.language)) for start, end in spans]
    start, end = spans[counts.index(max(counts))]
    return chunk.start + start, chunk.start + end
