"""Owns BM25 search over folded, stemmed terms kept in FTS5.

FTS5 only keeps the postings and counts them; `scoring.bm25` scores. Terms are looked up in its vocabulary, so no
query string is ever built from a question.
"""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.scoring import bm25
from polyrag_cli.stores.base import LexicalStore, Snapshot, Writer
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.lexical_terms import MAX_TERMS, clipped, index_terms, query_terms
from polyrag_cli.stores.packing import packed, unpacked
from polyrag_cli.stores.recent import Recent
from polyrag_cli.stores.records import LexicalHit
from polyrag_cli.stores.sqlite_transactions import connection_of
from polyrag_cli.text.utterance import Utterance
from polyrag_cli.types import Chunk

K1 = 1.5
B = 0.75
_LENGTH_BITS = 16
_LENGTH_MASK = (1 << _LENGTH_BITS) - 1
# Postings kept in memory for one commit.
_MAX_CACHED = 6_000_000
# Routing asks for a few chunks, a head for the same question's best fifty: what is kept of the first serves the second.
_SUMS_KEPT = 256
_PLACES_KEPT = 4096
_QUESTIONS_KEPT = 16
# The most that a sum in floating point may differ from the rounded score.
_SLACK = 1e-5

Ids = NDArray[np.int64]
Doubles = NDArray[np.float64]
# Places among the commit's rows, ascending, and how often or to what degree each holds a term.
Postings = tuple[Ids, Doubles]


@dataclass(frozen=True, slots=True)
class _Word:
    """A term of a question: the places of the chunks that hold it, ascending, its idf, and its BM25 share in each."""

    places: Ids
    idf: float
    shares: Doubles


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is known about one question: the places with the `most` highest sums, and those that nearly equal the last
    of them; the hits of those that were scored; its `k` best hits in order.
    """

    places: Ids
    sums: Doubles
    most: int
    scored: Mapping[int, LexicalHit]
    k: int
    hits: tuple[LexicalHit, ...]


@dataclass(slots=True)
class _Commit:
    """What is known of one commit: its chunks' row ids, ascending, their average length, and the postings met so far.

    A place is an index into `rows`. size: postings kept in all; words: by their forms; degrees: with their sum.
    """

    token: str
    rows: Ids
    average: float
    size: int = 0
    postings: dict[str, Postings] = field(default_factory=dict)
    holders: dict[str, Ids] = field(default_factory=dict)
    words: dict[tuple[str, ...], _Word] = field(default_factory=dict)
    degrees: dict[tuple[tuple[str, float], ...], tuple[Ids, Doubles, float]] = field(default_factory=dict)
    asked: Recent[Utterance, _Asked] = field(default_factory=lambda: Recent(_QUESTIONS_KEPT))

    def make_room(self, more: int) -> None:
        """Forgets all postings when `more` of them would be too many; called under the store's lock."""
        if self.size + more > _MAX_CACHED:
            for kept in (self.postings, self.holders, self.words, self.degrees):
                kept.clear()
            self.size = 0
        self.size += more


class FTS5LexicalStore(LexicalStore):
    """Exact BM25 (k1 = 1.5, b = 0.75) over a chunk's title, heading and text, thread-safe."""

    def __init__(self, paths: DataPaths) -> None:
        self._paths = paths
        self._commit: _Commit | None = None
        self._lock = threading.Lock()

    def add(self, writer: Writer, document: str, chunks: Sequence[Chunk]) -> None:
        """Indexes a document's chunks in place of what it had."""
        self.remove(writer, document)
        highest = connection_of(writer).execute("SELECT max(id) FROM lexical_chunks").fetchone()[0] or 0
        number = highest >> _LENGTH_BITS
        rows, texts = [], []
        for offset, chunk in enumerate(chunks, start=1):
            terms, length = index_terms(chunk)
            row = (number + offset) << _LENGTH_BITS | min(length, _LENGTH_MASK)
            rows.append((row, chunk.chunk_id))
            texts.append((row, " ".join(terms)))
        if rows:
            connection = connection_of(writer)
            connection.executemany("INSERT INTO lexical_chunks (id, chunk_id) VALUES (?, ?)", rows)
            connection.executemany("INSERT INTO lexical (rowid, stems) VALUES (?, ?)", texts)
            stems = packed("\n".join(text for _, text in texts))
            held = (document, rows[0][0], rows[-1][0], stems)
            connection.execute("INSERT INTO lexical_documents (document, first, last, stems) VALUES (?, ?, ?, ?)", held)

    def remove(self, writer: Writer, document: str) -> None:
        """Forgets a document's chunks: FTS5, which keeps postings alone, has to be told what it was given."""
        connection = connection_of(writer)
        query = "SELECT first, last, stems FROM lexical_documents WHERE document = ?"
        found = connection.execute(query, (document,)).fetchone()
        if found is None:
            return
        *ends, stems = found
        ids = connection.execute("SELECT id FROM lexical_chunks WHERE id BETWEEN ? AND ? ORDER BY id", ends).fetchall()
        rows = [(row, text) for (row,), text in zip(ids, unpacked(stems).split("\n"), strict=True)]
        connection.executemany("INSERT INTO lexical (lexical, rowid, stems) VALUES ('delete', ?, ?)", rows)
        connection.execute("DELETE FROM lexical_chunks WHERE id BETWEEN ? AND ?", ends)
        connection.execute("DELETE FROM lexical_documents WHERE document = ?", (document,))

    def search(self, snapshot: Snapshot, question: Utterance, k: int) -> list[LexicalHit]:
        """The k chunks with the highest BM25, rounded to 1e-6, ties by chunk id.

        A term is a word with its inflections under either language's stemmer; in scripts without spaces, each pair and
        triple of neighbouring characters. A question of function words alone is searched by those.
        """
        commit = self._current(snapshot)
        if k < 1:
            return []
        asked = commit.asked.get(snapshot, question)
        if asked is None or (asked.k < k and len(asked.hits) == asked.k):
            asked = self._searched(snapshot, commit, question, k, asked)
            if len(asked.places) <= _PLACES_KEPT:
                commit.asked.put(snapshot, question, asked)
        return list(asked.hits[:k])

    def soft_search(self, snapshot: Snapshot, words: Sequence[Sequence[tuple[str, float]]], k: int) -> list[LexicalHit]:
        """The k chunks with the highest soft coverage, rounded to 1e-6, ties by chunk id."""
        commit = self._current(snapshot)
        held = [self._degrees(snapshot, commit, forms) for forms in words[:MAX_TERMS]]
        idfs = [bm25.idf(len(commit.rows), degree) for _, _, degree in held]
        total = math.fsum(idfs)
        if k < 1 or not total or not any(len(places) for places, _, _ in held):
            return []
        sums = np.zeros(len(commit.rows))
        for (places, degrees, _), idf in zip(held, idfs, strict=True):
            sums[places] += idf * degrees
        # Two slack units: rounding moves a sum, and that of the last that counts, by half a unit each.
        places = _highest(sums, k, 2e-6)
        scores = np.round(sums[places], 6)
        rows = commit.rows[places]
        names = _chunk_ids(snapshot, rows)
        ranked = sorted((-score, names[row]) for row, score in zip(rows.tolist(), scores.tolist(), strict=True))[:k]
        return [LexicalHit(name, -score, round(min(-score / total, 1.0), 6)) for score, name in ranked]

    def _degrees(
        self, snapshot: Snapshot, commit: _Commit, forms: Sequence[tuple[str, float]]
    ) -> tuple[Ids, Doubles, float]:
        """The places that hold any of a word's forms, with the likeness of the best one in each, and the sum of all."""
        likeness: dict[str, float] = {}
        for form, value in forms:
            likeness[clipped(form)] = max(value, likeness.get(clipped(form), 0.0))
        key = tuple(sorted(likeness.items()))
        if (known := commit.degrees.get(key)) is not None:
            return known
        best = np.zeros(len(commit.rows))
        for form, value in key:
            own = self._holders(snapshot, commit, form)
            best[own] = np.maximum(best[own], value)
        places = np.flatnonzero(best)
        degrees = best[places]
        found = places, degrees, math.fsum(degrees.tolist())
        with self._lock:
            commit.make_room(len(places))
            commit.degrees[key] = found
        return found

    def document_frequency(self, snapshot: Snapshot, stems: Sequence[str]) -> tuple[int, dict[str, int]]:
        """Number of chunks, and in how many each stem occurs (0 when in none)."""
        commit = self._current(snapshot)
        found: dict[str, int] = {}
        for term in dict.fromkeys(stems):
            postings, holders = commit.postings.get(clipped(term)), commit.holders.get(clipped(term))
            if postings is not None or holders is not None:
                found[term] = len(postings[0]) if postings is not None else len(holders) if holders is not None else 0
                continue
            row = (
                connection_of(snapshot)
                .execute("SELECT doc FROM lexical_terms WHERE term = ?", (clipped(term),))
                .fetchone()
            )
            found[term] = 0 if row is None else int(row[0])
        return len(commit.rows), found

    def check(self, snapshot: Snapshot) -> str:
        """How many passages are indexed."""
        return f"{len(self._current(snapshot).rows)} passages indexed"

    def _current(self, snapshot: Snapshot) -> _Commit:
        token = snapshot.commit
        commit = self._commit
        if commit is None or commit.token != token:
            rows = _numbers(snapshot, "SELECT group_concat(id) FROM lexical_chunks")
            rows.sort()
            commit = _Commit(token, rows, int((rows & _LENGTH_MASK).sum()) / len(rows) if len(rows) else 0.0)
            self._commit = commit
        return commit

    def _postings(self, snapshot: Snapshot, commit: _Commit, term: str) -> Postings:
        """The places that hold a term, and how often each does."""
        known = commit.postings.get(term)
        if known is not None:
            return known
        found = _numbers(snapshot, "SELECT group_concat(doc) FROM lexical_instances WHERE term = ?", term)
        ids, counts = np.unique(found, return_counts=True)
        postings = np.searchsorted(commit.rows, ids), counts.astype(np.float64)
        with self._lock:
            commit.make_room(len(ids))
            commit.postings[term] = postings
        return postings

    def _holders(self, snapshot: Snapshot, commit: _Commit, term: str) -> Ids:
        """The places that hold a term, without how often: a third of the time of its postings."""
        if (postings := commit.postings.get(term)) is not None:
            return postings[0]
        if (known := commit.holders.get(term)) is not None:
            return known
        # One quoted string, which the index's tokenizer leaves whole. No term holds a NUL, which would end it.
        phrase = '"' + term.replace("\0", "").replace('"', '""') + '"'
        ids = _numbers(snapshot, "SELECT group_concat(rowid) FROM lexical WHERE lexical MATCH ?", phrase)
        places = np.searchsorted(commit.rows, np.sort(ids))
        with self._lock:
            commit.make_room(len(places))
            commit.holders[term] = places
        return places

    def _word(self, snapshot: Snapshot, commit: _Commit, forms: tuple[str, ...]) -> _Word:
        """A word under any of its forms; a chunk holds it as often as it holds the most frequent of them."""
        if (known := commit.words.get(forms)) is not None:
            return known
        counts = np.zeros(len(commit.rows))
        for form in forms:
            own, tf = self._postings(snapshot, commit, form)
            counts[own] = np.maximum(counts[own], tf)
        places = np.flatnonzero(counts)
        idf = bm25.idf(len(commit.rows), len(places))
        tf = counts[places]
        relative = (commit.rows[places] & _LENGTH_MASK) / commit.average if commit.average else 1.0
        # `bm25.term_score` over arrays, operation by operation: the same bits.
        word = _Word(places, idf, idf * tf * (K1 + 1.0) / (tf + K1 * (1.0 - B + B * relative)))
        with self._lock:
            commit.make_room(len(places))
            commit.words[forms] = word
        return word

    def _searched(
        self, snapshot: Snapshot, commit: _Commit, question: Utterance, k: int, asked: _Asked | None
    ) -> _Asked:
        """The k best chunks for a question; from what is known of it already, where that is enough."""
        words = [self._word(snapshot, commit, forms) for forms in query_terms(question)]
        total = sum(sorted(word.idf for word in words))
        found = [word for word in words if len(word.places)]
        if asked is None or asked.most < k:
            most = max(k, _SUMS_KEPT)
            places, sums = _summed(found, len(commit.rows), most)
        else:
            places, sums, most = asked.places, asked.sums, asked.most
        chosen = _highest(sums, k, _SLACK)
        scored = dict(asked.scored) if asked is not None else {}
        missing = np.array([place for place in places[chosen].tolist() if place not in scored], dtype=np.int64)
        scored |= _score(snapshot, commit, found, missing, total)
        hits = sorted(scored.values(), key=lambda hit: (-hit.score, hit.chunk_id))[:k]
        return _Asked(places, sums, most, scored, k, tuple(hits))


def _numbers(snapshot: Snapshot, query: str, *values: str) -> Ids:
    """The numbers that a query gives as one string: five times as fast as a row for each."""
    return np.fromstring(connection_of(snapshot).execute(query, values).fetchone()[0] or "", dtype=np.int64, sep=",")


def _highest(sums: Doubles, k: int, slack: float) -> Ids:
    """Where the sums above 0 are that reach the k-th highest but for `slack`."""
    if len(sums) > k:
        bar = float(np.partition(sums, len(sums) - k)[len(sums) - k]) - slack
        if bar > 0.0:
            return np.flatnonzero(sums >= bar)
    return np.flatnonzero(sums)


def _summed(words: Sequence[_Word], chunks: int, most: int) -> tuple[Ids, Doubles]:
    """The places with the `most` highest sums of their words' shares, and those that nearly equal the last."""
    sums = np.zeros(chunks)
    for word in words:
        sums[word.places] += word.shares
    places = _highest(sums, most, 2 * _SLACK)
    return places, sums[places]


def _score(
    snapshot: Snapshot, commit: _Commit, words: Sequence[_Word], places: Ids, total: float
) -> dict[int, LexicalHit]:
    """BM25 and coverage of the chunks in some places."""
    ordered = sorted(words, key=lambda word: word.idf)
    shares = np.zeros((len(places), len(ordered)))
    for number, word in enumerate(ordered):
        at = np.minimum(np.searchsorted(word.places, places), len(word.places) - 1)
        held = word.places[at] == places
        shares[held, number] = word.shares[at[held]]
    rows = commit.rows[places]
    names = _chunk_ids(snapshot, rows)
    idfs = [word.idf for word in ordered]
    hits = {}
    for place, row, own in zip(places.tolist(), rows.tolist(), shares.tolist(), strict=True):
        covered = sum(idf for idf, share in zip(idfs, own, strict=True) if share) / total if total else 0.0
        hits[place] = LexicalHit(names[row], round(math.fsum(own), 6), round(min(covered, 1.0), 6))
    return hits


def _chunk_ids(snapshot: Snapshot, rows: Ids) -> dict[int, str]:
    query = "SELECT id, chunk_id FROM lexical_chunks WHERE id IN (SELECT value FROM json_each(?))"
    return dict(connection_of(snapshot).execute(query, (json.dumps(rows.tolist()),)).fetchall())
