"""Sentences of the passages found, with what a choice between them needs to know.

Owns the sentence's features.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from polyrag_cli.answering.bounds import Limit, limits
from polyrag_cli.answering.defining import defined
from polyrag_cli.answering.expected import Kind, full_names, kinds_of
from polyrag_cli.chunking.structural import HEADING_SEPARATOR
from polyrag_cli.chunking.windows import chunk_sentences
from polyrag_cli.languages import language as language_of
from polyrag_cli.strategies.base import Context, Query
from polyrag_cli.strategies.distinct import COPY
from polyrag_cli.strategies.passages import read_chunks, word_stems
from polyrag_cli.strategies.weighing import block_weights
from polyrag_cli.text.capitals import capital_names
from polyrag_cli.text.path_titles import path_title
from polyrag_cli.text.sentences import LIST_ITEM
from polyrag_cli.text.words import content_of, is_stopword, words
from polyrag_cli.types import Chunk, Hit

# A passage longer than this many sentences is read around its best window only.
MAX_SENTENCES = 80
# A heading of more words is a sentence of its own, and not shown with a quote.
_SHORT_HEADING = 10
_LEADS_IN = (":", "：")
# A label on a line of its own, as above a list: at most three words, no full stop.
_LABEL = re.compile(r"\w[\w'-]*(?: [\w'-]+){0,2}")
_ITEM = re.compile(LIST_ITEM)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence: document offsets, length in words, stems under every language, capitalised words.

    kinds: of answer that it may hold; limits: that it states; people: the words of each name given in full.
    defined: the stems of what it says the meaning of. leads_in: whether it announces what follows it; is_item: whether
    it is one of a list.
    """

    start: int
    end: int
    text: str
    length: int
    stems: frozenset[str]
    names: frozenset[str]
    kinds: frozenset[Kind]
    limits: tuple[Limit, ...]
    people: tuple[frozenset[str], ...] = ()
    leads_in: bool = False
    is_item: bool = False
    defined: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Passage:
    """A hit with its chunk's sentences; `cosines` is each sentence's, zeros without an embedder; `weights` each one's,
    below 1 where it stands in many documents.

    above_stems: of all that stands above it: headings, title, and the names of its file and folders; title_stems: of
    the document's title and file alone. heading: the innermost one, where it is short enough to be shown with a quote;
    heading_stems: its stems; heading_kinds: of answer that it may hold.
    """

    hit: Hit
    chunk: Chunk
    rank: int
    sentences: tuple[Sentence, ...]
    above_stems: frozenset[str]
    title_stems: frozenset[str]
    cosines: tuple[float, ...]
    heading: str = ""
    heading_stems: frozenset[str] = frozenset()
    heading_kinds: frozenset[Kind] = frozenset()
    weights: tuple[float, ...] = ()

    @property
    def heading_words(self) -> int:
        """How many words its heading has."""
        return len(self.heading.split())

    @property
    def walked(self) -> bool:
        """Whether a graph walk found it."""
        return "graph" in self.hit.source.split("+")

    @property
    def best(self) -> tuple[tuple[int, int], ...]:
        """Document offsets of what the retrieval found best in the passage; none when it found it as a whole."""
        hit, chunk = self.hit, self.chunk
        narrower = (hit.start, hit.end) != (chunk.start, chunk.end)
        return hit.quotes or (((hit.start, hit.end),) if narrower else ())


def passages(query: Query, hits: Sequence[Hit], context: Context) -> list[Passage]:
    """The hits' chunks as sentences, in rank order, each chunk once; chunks that are gone are left out."""
    distinct = list({hit.chunk_id: hit for hit in reversed(hits)}.values())[::-1]
    chunks = read_chunks(context, (hit.chunk_id for hit in distinct))
    cosines = _cosines(query, chunks, context)
    found = []
    for rank, hit in enumerate(distinct):
        if (chunk := chunks.get(hit.chunk_id)) is None:
            continue
        parts = analysed(chunk)
        values = cosines.get(hit.chunk_id, ())
        if len(values) != len(parts):
            values = (0.0,) * len(parts)
        if len(parts) > MAX_SENTENCES:
            best = hit.quotes[0][0] if hit.quotes else hit.start
            near = min(range(len(parts)), key=lambda i: abs(parts[i].start - best))
            low = max(0, min(near - MAX_SENTENCES // 2, len(parts) - MAX_SENTENCES))
            parts, values = parts[low : low + MAX_SENTENCES], values[low : low + MAX_SENTENCES]
        weights = _weights(parts, hit, chunk, context)
        heading, stems, kinds = _headed(chunk)
        named = above_stems(chunk), _title(chunk)
        found.append(Passage(hit, chunk, rank, parts, *named, values, heading, stems, kinds, weights))
    return found


def _weights(parts: Sequence[Sentence], hit: Hit, chunk: Chunk, context: Context) -> tuple[float, ...]:
    """The weight of the block that each sentence begins in; () where all weigh 1."""
    blocks = block_weights(chunk, 1 + sum(one.kind == COPY for one in hit.same), context)
    if not blocks:
        return ()
    return tuple(next((weight for start, end, weight in blocks if start <= s.start < end), 1.0) for s in parts)


@lru_cache(maxsize=2048)
def above_stems(chunk: Chunk) -> frozenset[str]:
    """The stems of what stands above a chunk: headings, title, and the names of its file and folders."""
    folders = path_title(chunk.document).folders
    return _title(chunk) | word_stems(" ".join((chunk.heading, *folders)), chunk.language)


@lru_cache(maxsize=2048)
def _title(chunk: Chunk) -> frozenset[str]:
    """The stems of what a chunk's document is called: by itself, and by its file."""
    return word_stems(f"{chunk.title} {path_title(chunk.document).title}", chunk.language)


@lru_cache(maxsize=2048)
def _headed(chunk: Chunk) -> tuple[str, frozenset[str], frozenset[Kind]]:
    heading = chunk.heading.split(HEADING_SEPARATOR)[-1] or chunk.title
    if len(heading.split()) > _SHORT_HEADING:
        return "", frozenset(), frozenset()
    return heading, word_stems(heading, chunk.language), kinds_of(heading, words(heading), chunk.language)


@lru_cache(maxsize=2048)
def analysed(chunk: Chunk) -> tuple[Sentence, ...]:
    """The sentences of a chunk."""
    spans = chunk_sentences(chunk)
    return tuple(_sentence(chunk, start, end) for start, end in spans)


def _sentence(chunk: Chunk, start: int, end: int) -> Sentence:
    text = chunk.text[start:end]
    item = _ITEM.match(text)
    tokens = words(text)
    stems = frozenset(stem for word in content_of(tokens, chunk.language) for stem in word.stems)
    marked = capital_names(tokens, language_of(chunk.language))
    capitals = [(i, word.folded) for i, word in enumerate(tokens) if marked[i]]
    names = frozenset(folded for i, folded in capitals if i > 0 or not is_stopword(folded, chunk.language))
    return Sentence(
        chunk.start + start,
        chunk.start + end,
        text,
        len(text.split()),
        stems,
        names,
        kinds_of(text, tokens, chunk.language),
        limits(text, chunk.language),
        full_names(text, chunk.language),
        text.endswith(_LEADS_IN) or (item is None and _LABEL.fullmatch(text) is not None),
        item is not None,
        defined(text, chunk.language),
    )


def _cosines(query: Query, chunks: Mapping[str, Chunk], context: Context) -> dict[str, tuple[float, ...]]:
    """For each chunk its sentences' cosines: the mean of the windows that hold the sentence."""
    if context.embedder.dimension == 0 or not query.vector.any() or not chunks:
        return {}
    found = {}
    for chunk_id, (windows, vectors) in context.stores.vector.windows(context.snapshot, list(chunks)).items():
        # A sum along each row by itself: a matrix product's bits would depend on the rows beside it.
        values = (vectors.astype(np.float64) * query.vector).sum(axis=1)
        # n windows of two sentences hold n + 1 sentences; a single window may hold one sentence or two.
        count = len(analysed(chunks[chunk_id]))
        if count <= 1 or len(windows) != count - 1:
            found[chunk_id] = tuple(round(float(v), 6) for v in values[:count])
            continue
        sums = np.zeros(count)
        sums[:-1] += values
        sums[1:] += values
        sums[1:-1] /= 2.0
        found[chunk_id] = tuple(round(float(v), 6) for v in sums)
    return found
