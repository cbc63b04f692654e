"""Answers to earlier questions, served again when a question asks the same and no source has changed.

Owns what makes an entry stale, and the order of looking; the guard decides what is the same question.
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.answering.cached_index import CachedIndex, key_of, sketch_of
from polyrag_cli.answering.corpus_words import CorpusWords
from polyrag_cli.answering.guard import Check, Verdict, compare, explain
from polyrag_cli.answering.records import answer_from_json, answer_to_json
from polyrag_cli.answering.slots import Slots, parse, verbatim_key
from polyrag_cli.config.sections import CacheSettings
from polyrag_cli.errors import StoreError
from polyrag_cli.providers.base import Embedder
from polyrag_cli.stores.activity import Activity, CacheEntry
from polyrag_cli.stores.backends import Stores
from polyrag_cli.stores.base import Snapshot
from polyrag_cli.types import Answer

# Entries whose exact cosine is taken, and those of them that the guard looks at.
_SKETCHED = 24
_CANDIDATES = 8
_WORDS_KEPT = 16_384
_DAY_S = 86_400.0
# An index of so many forgotten entries is read anew.
_FORGOTTEN = 1_000


@dataclass(frozen=True, slots=True)
class CacheMatch:
    """Whether one question may be served another's answer, and why; checks: slot by slot."""

    hit: bool
    cosine: float
    slots: Mapping[str, Any]
    cached_slots: Mapping[str, Any]
    reason: str
    checks: tuple[Check, ...] = ()


class AnswerCache:
    """The cache of one data directory; thread-safe.

    stores: gives what the answers rest on; asked only where there is a snapshot of it.
    """

    def __init__(
        self, activity: Activity, embedder: Embedder, settings: CacheSettings, stores: Callable[[], Stores]
    ) -> None:
        self._activity = activity
        self._embedder = embedder
        self._settings = settings
        self._stores = stores
        self._lock = threading.Lock()
        self._index: CachedIndex | None = None
        self._word_cosine = _word_cosines(embedder)
        self._words = CorpusWords(stores)

    def match(self, question: str, cached_question: str, snapshot: Snapshot | None = None) -> CacheMatch:
        """Whether `question` may be served the answer to `cached_question`, and why not.

        snapshot: of the corpus whose values and names count; None where it has none.
        """
        cosine = self._cosine(self._embedder.embed_query(question), self._embedder.embed_query(cached_question))
        a, b = self._parsed(question, cached_question, snapshot)
        verdict = self._decide(question, cached_question, cosine, snapshot)
        checks = explain(a, b, self._settings.max_unmatched, self._word_cosine).checks
        return CacheMatch(verdict.same, cosine, a.as_json(), b.as_json(), verdict.reason, checks)

    def lookup(self, question: str, vector: NDArray[np.float32], config_hash: str, snapshot: Snapshot) -> Answer | None:
        """The stored answer to the same question; None when there is none, or when a document behind it has changed.

        vector: the question's, (d,) float32 of unit length, or empty without an embedder; then repeats alone hit.
        """
        try:
            index = self._current(config_hash)
            for row, cosine in self._candidates(index, question, vector):
                entry = self._activity.rows([row]).get(row)
                if entry is None or not self._decide(question, entry.question, cosine, snapshot).same:
                    continue
                answer = self._served(entry, cosine, snapshot)
                if answer is not None:
                    with suppress(StoreError):
                        self._activity.note_use(row)
                    return answer
        except StoreError:
            # A cache that can't be read is no cache; the question is answered afresh.
            return None
        return None

    def remember(
        self, answer: Answer, vector: NDArray[np.float32], config_hash: str, snapshot: Snapshot
    ) -> tuple[str, ...]:
        """Keeps an answer for later; warnings where that fails.

        An answer whose documents can't be told isn't kept: nothing would show that it is out of date.
        """
        documents = answer_documents(answer, snapshot, self._stores())
        if not documents:
            return ()
        vector = np.asarray(vector, dtype=np.float32)
        verbatim = verbatim_key(answer.question)
        entry = CacheEntry(
            entry_id=_entry_id(config_hash, verbatim),
            question=answer.question,
            vector=vector,
            slots_json=json.dumps(parse(answer.question).as_json(), ensure_ascii=True, sort_keys=True),
            answer_json=answer_to_json(answer),
            sources=self._hashes(snapshot, documents),
            config_hash=config_hash,
            generation=snapshot.generation,
        )
        try:
            self._activity.put_entry(entry, key_of(verbatim), sketch_of(vector))
            if self.oldest() > 0:
                self._activity.forget_older(self.oldest())
        except StoreError as error:
            return (f"answer not cached: {error.message}",)
        return ()

    def _hashes(self, snapshot: Snapshot, documents: Iterable[str]) -> dict[str, str]:
        return self._stores().catalog.hashes(snapshot, documents)

    def oldest(self) -> float:
        """Before this Unix time an answer was kept too long ago; 0 where none is."""
        days = self._settings.max_age_days
        return time.time() - days * _DAY_S if days else 0.0

    # ------------------------------------------------------------ deciding
    def _decide(self, question: str, cached_question: str, cosine: float, snapshot: Snapshot | None) -> Verdict:
        if verbatim_key(question) == verbatim_key(cached_question):
            a, b = parse(question), parse(cached_question)
            if a.signs == b.signs and (a.tokens or b.tokens or question == cached_question):
                return Verdict(True, "verbatim repeat")
        if self._embedder.dimension == 0:
            return Verdict(False, "no embedder: verbatim repeats only")
        if cosine < self._settings.min_cosine:
            return Verdict(False, f"cosine {cosine:.3f} is below {self._settings.min_cosine}")
        verdict = self._compared(parse(question), parse(cached_question))
        if verdict.same and snapshot is not None:
            # Only who would be served pays for looking into the corpus.
            verdict = self._compared(*self._parsed(question, cached_question, snapshot))
        return Verdict(verdict.same, verdict.reason or "same slots, every content word matched")

    def _compared(self, a: Slots, b: Slots) -> Verdict:
        return compare(a, b, self._settings.max_unmatched, self._word_cosine)

    def _parsed(self, question: str, cached_question: str, snapshot: Snapshot | None) -> tuple[Slots, Slots]:
        values: frozenset[str] = frozenset()
        if snapshot is not None:
            values = self._words.telling(question, cached_question, snapshot)
        return parse(question, values), parse(cached_question, values)

    @staticmethod
    def _cosine(a: NDArray[np.float32], b: NDArray[np.float32]) -> float:
        return round(float(np.clip(a @ b, -1.0, 1.0)), 6) if a.size and a.size == b.size else 0.0

    # ------------------------------------------------------------ candidates
    def _candidates(
        self, index: CachedIndex, question: str, vector: NDArray[np.float32]
    ) -> Iterator[tuple[int, float]]:
        """Rows and cosines of entries worth a look: a verbatim repeat, then the nearest ones."""
        repeat = index.verbatim(key_of(verbatim_key(question)))
        if repeat is not None and index.created[repeat] >= self.oldest():
            yield repeat, 1.0
        rows = index.nearest(sketch_of(vector), _SKETCHED)
        fresh = [row for row in rows if row != repeat and index.created[row] >= self.oldest()]
        found = ((row, self._cosine(vector, other)) for row, other in self._activity.vectors(fresh).items())
        near = sorted((pair for pair in found if pair[1] >= self._settings.min_cosine), key=lambda p: (-p[1], -p[0]))
        yield from near[:_CANDIDATES]

    def _current(self, config_hash: str) -> CachedIndex:
        with self._lock:
            version = self._activity.version
            index = self._index
            if index is None or index.config_hash != config_hash or version < index.version:
                index = self._index = CachedIndex(-1, config_hash)
            if index.version != version:
                index.add(self._activity.keys(config_hash, index.last))
                index.version = version
                if len(index) > self._activity.count(config_hash) + _FORGOTTEN:
                    index = self._index = CachedIndex(version, config_hash)
                    index.add(self._activity.keys(config_hash))
            return index

    def _served(self, entry: CacheEntry, cosine: float, snapshot: Snapshot) -> Answer | None:
        """The answer of an entry while what it rests on is as it was; a new table counts for an answer with SQL."""
        try:
            answer = answer_from_json(entry.answer_json)
        except StoreError:
            # Written by another version: the question is answered afresh, and that replaces the entry.
            return None
        documents = set(entry.sources)
        if answer.sql is not None:
            documents.update(answer_documents(answer, snapshot, self._stores()))
        if entry.sources != self._hashes(snapshot, documents):
            return None
        return replace(
            answer,
            cached=True,
            trace_id="",
            took_ms=0.0,
            spans=(),
            matched_question=entry.question,
            matched_cosine=cosine,
        )


def _word_cosines(embedder: Embedder) -> Any:
    """A function from two words to their cosine that keeps the words' vectors."""

    @lru_cache(maxsize=_WORDS_KEPT)
    def vector(word: str) -> NDArray[np.float32]:
        return embedder.embed_query(word)

    def cosine(a: str, b: str) -> float:
        return AnswerCache._cosine(vector(a), vector(b))

    return cosine


def _entry_id(config_hash: str, verbatim: str) -> str:
    return hashlib.sha256(f"{config_hash}\0{verbatim}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


# ---------------------------------------------------------------- what an answer rests on
def answer_documents(answer: Answer, snapshot: Snapshot, stores: Stores) -> tuple[str, ...]:
    """The source documents (files) behind an answer, sorted: of its passages, of what says the same, and of every table
    when it has SQL."""
    names = {hit.document for hit in answer.sources}
    names.update(one.document for hit in answer.sources for one in hit.same)
    if answer.sql is not None:
        # Which of the tables a statement reads matters less than that none is missed.
        names.update(table.document for table in stores.relational.refs(snapshot))
    files = stores.catalog.files_of(snapshot, names)
    return tuple(sorted({files.get(name, name) for name in names}))
