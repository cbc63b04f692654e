"""Answers to earlier questions, served again when a question asks the same and no source has changed.

Owns the index of cached questions and what makes an entry stale; the guard decides what is the same question.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.answering.guard import compare
from polyrag_cli.answering.records import answer_from_json, answer_to_json
from polyrag_cli.answering.slots import parse, verbatim_key
from polyrag_cli.config.sections import CacheSettings
from polyrag_cli.errors import StoreError
from polyrag_cli.providers.base import Embedder
from polyrag_cli.stores.activity import Activity, CacheEntry
from polyrag_cli.stores.backends import Stores
from polyrag_cli.stores.base import Snapshot
from polyrag_cli.types import Answer

if TYPE_CHECKING:
    import faiss

# Nearest entries that the guard looks at.
_CANDIDATES = 8
# Below this many entries a plain product is faster than importing FAISS (0.2 s).
_FAISS_FROM = 20_000
_WORDS_KEPT = 16_384


@dataclass(frozen=True, slots=True)
class _Index:
    """The entries of one configuration at one version of the activity file, with their vectors (n, d)."""

    version: int
    config_hash: str
    entries: tuple[CacheEntry, ...]
    verbatim: Mapping[str, int]
    vectors: NDArray[np.float32]
    nearest: faiss.IndexFlatIP | None


@dataclass(frozen=True, slots=True)
class CacheMatch:
    """Whether one question may be served another's answer, and why."""

    hit: bool
    cosine: float
    slots: Mapping[str, Any]
    cached_slots: Mapping[str, Any]
    reason: str


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
        self._index: _Index | None = None
        self._word_cosine = _word_cosines(embedder)

    def match(self, question: str, cached_question: str) -> CacheMatch:
        """Whether `question` may be served the answer to `cached_question`, and why not."""
        a, b = parse(question), parse(cached_question)
        cosine = self._cosine(self._embedder.embed_query(question), self._embedder.embed_query(cached_question))
        hit, reason = self._decide(question, cached_question, cosine)
        return CacheMatch(hit, cosine, a.as_json(), b.as_json(), reason)

    def lookup(self, question: str, vector: NDArray[np.float32], config_hash: str, snapshot: Snapshot) -> Answer | None:
        """The stored answer to the same question; None when there is none, or when a document behind it has changed.

        vector: the question's, (d,) float32 of unit length, or empty without an embedder; then repeats alone hit.
        """
        try:
            index = self._current(config_hash)
        except StoreError:
            # A cache that can't be read is no cache; the question is answered afresh.
            return None
        for position, cosine in self._candidates(index, question, vector):
            entry = index.entries[position]
            hit, _ = self._decide(question, entry.question, cosine)
            if hit and entry.sources == self._hashes(snapshot, entry.sources):
                return self._served(entry, cosine)
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
        entry = CacheEntry(
            entry_id=_entry_id(config_hash, answer.question),
            question=answer.question,
            vector=np.asarray(vector, dtype=np.float32),
            slots_json=json.dumps(parse(answer.question).as_json(), ensure_ascii=True, sort_keys=True),
            answer_json=answer_to_json(answer),
            sources=self._hashes(snapshot, documents),
            config_hash=config_hash,
            generation=snapshot.generation,
        )
        try:
            self._activity.put_entry(entry)
        except StoreError as error:
            return (f"answer not cached: {error.message}",)
        return ()

    def _hashes(self, snapshot: Snapshot, documents: Iterable[str]) -> dict[str, str]:
        return self._stores().catalog.hashes(snapshot, documents)

    # ------------------------------------------------------------ deciding
    def _decide(self, question: str, cached_question: str, cosine: float) -> tuple[bool, str]:
        if verbatim_key(question) == verbatim_key(cached_question):
            return True, "verbatim repeat"
        if self._embedder.dimension == 0:
            return False, "no embedder: verbatim repeats only"
        if cosine < self._settings.min_cosine:
            return False, f"cosine {cosine:.3f} is below {self._settings.min_cosine}"
        verdict = compare(parse(question), parse(cached_question), self._settings.max_unmatched, self._word_cosine)
        return verdict.same, verdict.reason or "same slots, every content word matched"

    @staticmethod
    def _cosine(a: NDArray[np.float32], b: NDArray[np.float32]) -> float:
        return round(float(np.clip(a @ b, -1.0, 1.0)), 6) if a.size and a.size == b.size else 0.0

    # ------------------------------------------------------------ candidates
    def _candidates(self, index: _Index, question: str, vector: NDArray[np.float32]) -> list[tuple[int, float]]:
        """Positions and cosines of entries worth a look: a verbatim repeat, then the nearest ones."""
        found: list[tuple[int, float]] = []
        repeat = index.verbatim.get(verbatim_key(question))
        if repeat is not None:
            found.append((repeat, 1.0))
        if not vector.size or index.vectors.shape != (len(index.entries), vector.size) or not index.entries:
            return found
        found += [(i, c) for i, c in _nearest(index, vector) if i != repeat and c >= self._settings.min_cosine]
        return found

    def _current(self, config_hash: str) -> _Index:
        with self._lock:
            version = self._activity.version
            index = self._index
            if index is None or index.version != version or index.config_hash != config_hash:
                index = self._index = _built(version, config_hash, self._activity.entries(config_hash))
            return index

    def _served(self, entry: CacheEntry, cosine: float) -> Answer | None:
        try:
            answer = answer_from_json(entry.answer_json)
        except StoreError:
            # Written by another version: the question is answered afresh, and that replaces the entry.
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


def _built(version: int, config_hash: str, entries: Sequence[CacheEntry]) -> _Index:
    sizes = {entry.vector.size for entry in entries}
    usable = len(sizes) == 1 and sizes != {0}
    vectors = np.stack([entry.vector for entry in entries]) if usable else np.zeros((0, 0), dtype=np.float32)
    nearest = None
    if len(vectors) >= _FAISS_FROM:
        import faiss

        nearest = faiss.IndexFlatIP(vectors.shape[1])
        nearest.add(np.ascontiguousarray(vectors))
    verbatim = {verbatim_key(entry.question): position for position, entry in enumerate(entries)}
    return _Index(version, config_hash, tuple(entries), verbatim, vectors, nearest)


def _nearest(index: _Index, vector: NDArray[np.float32]) -> list[tuple[int, float]]:
    """Positions and cosines of the nearest entries, newest first of equals."""
    k = min(_CANDIDATES, len(index.entries))
    if index.nearest is not None:
        values, positions = index.nearest.search(vector[None, :], k)
        pairs = list(zip(positions[0].tolist(), values[0].tolist(), strict=True))
    else:
        cosines = index.vectors @ vector
        top = np.argpartition(-cosines, k - 1)[:k]
        pairs = [(int(i), float(cosines[i])) for i in top]
    rounded = [(i, round(min(1.0, max(-1.0, c)), 6)) for i, c in pairs]
    return sorted(rounded, key=lambda pair: (-pair[1], -pair[0]))


def _word_cosines(embedder: Embedder) -> Any:
    """A function from two words to their cosine that keeps the words' vectors."""

    @lru_cache(maxsize=_WORDS_KEPT)
    def vector(word: str) -> NDArray[np.float32]:
        return embedder.embed_query(word)

    def cosine(a: str, b: str) -> float:
        return AnswerCache._cosine(vector(a), vector(b))

    return cosine


def _entry_id(config_hash: str, question: str) -> str:
    return hashlib.sha256(f"{config_hash}\0{verbatim_key(question)}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


# ---------------------------------------------------------------- what an answer rests on
def answer_documents(answer: Answer, snapshot: Snapshot, stores: Stores) -> tuple[str, ...]:
    """The source documents (files) behind an answer, sorted: of its passages, and of every table when it has SQL."""
    names = {hit.document for hit in answer.sources}
    if answer.sql is not None:
        # Which of the tables a statement reads matters less than that none is missed.
        names.update(table.document for table in stores.relational.refs(snapshot))
    files = stores.catalog.files_of(snapshot, names)
    return tuple(sorted({files.get(name, name) for name in names}))
