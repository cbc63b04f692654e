"""Owns BM25 search over folded, stemmed terms kept in FTS5.

FTS5 only keeps the postings and counts them; `scoring.bm25` scores. Terms are looked up in its vocabulary, so no query
string is ever built from a question. Must never import config or another store.
"""

from __future__ import annotations

import json
import math
import threading
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.scoring import bm25
from polyrag_cli.stores.base import DataPaths, LexicalHit, Snapshot, Writer
from polyrag_cli.stores.schema import commit_token
from polyrag_cli.text.stem import both_stems, stem, stems
from polyrag_cli.text.words import Word, content_words, words
from polyrag_cli.types import Chunk

K1 = 1.5
B = 0.75
# A question may be a whole page: the first terms are enough to find what it is about.
MAX_TERMS = 256
_MAX_TERM_LENGTH = 120
_LENGTH_BITS = 16
_LENGTH_MASK = (1 << _LENGTH_BITS) - 1
# Postings kept in memory for one commit.
_MAX_CACHED = 4_000_000
_MAX_CACHED_WORDS = 512

Ids = NDArray[np.int64]
Postings = tuple[Ids, NDArray[np.float64]]


@dataclass(slots=True)
class _Commit:
    """What is known of one commit: its number of chunks, their average length, and the postings met so far."""

    token: str
    chunks: int
    average: float
    postings: dict[str, Postings] = field(default_factory=dict)
    size: int = 0
    holders: dict[str, Ids] = field(default_factory=dict)
    degrees: dict[tuple[tuple[str, float], ...], Postings] = field(default_factory=dict)


class FTS5LexicalStore:
    """Exact BM25 (k1 = 1.5, b = 0.75) over a chunk's title, heading and text, thread-safe."""

    def __init__(self, paths: DataPaths) -> None:
        self._paths = paths
        self._commit: _Commit | None = None
        self._lock = threading.Lock()

    def replace(self, writer: Writer, document: str, chunks: Sequence[Chunk]) -> None:
        """Indexes a document's chunks in place of what it had."""
        self.remove(writer, document)
        highest = writer.connection.execute("SELECT max(id) FROM lexical_chunks").fetchone()[0] or 0
        number = highest >> _LENGTH_BITS
        rows, texts = [], []
        for offset, chunk in enumerate(chunks, start=1):
            terms, length = index_terms(chunk)
            row = (number + offset) << _LENGTH_BITS | min(length, _LENGTH_MASK)
            rows.append((row, document, chunk.chunk_id))
            texts.append((row, " ".join(terms)))
        writer.connection.executemany("INSERT INTO lexical_chunks (id, document, chunk_id) VALUES (?, ?, ?)", rows)
        writer.connection.executemany("INSERT INTO lexical (rowid, stems) VALUES (?, ?)", texts)

    def remove(self, writer: Writer, document: str) -> None:
        """Forgets a document's chunks."""
        owned = "SELECT id FROM lexical_chunks WHERE document = ?"
        writer.connection.execute(f"DELETE FROM lexical WHERE rowid IN ({owned})", (document,))
        writer.connection.execute("DELETE FROM lexical_chunks WHERE document = ?", (document,))

    def search(self, snapshot: Snapshot, text: str, k: int) -> list[LexicalHit]:
        """The k chunks with the highest BM25, rounded to 1e-6, ties by chunk id.

        A term is a word with its inflections under either language's stemmer; in scripts without spaces, each pair and
        triple of neighbouring characters. A question of function words alone is searched by those.
        """
        commit = self._current(snapshot)
        terms = [self._union(snapshot, commit, forms) for forms in query_terms(text)]
        idfs = [bm25.idf(commit.chunks, len(ids)) for ids, _ in terms]
        found = [(ids, tf, idf) for (ids, tf), idf in zip(terms, idfs, strict=True) if len(ids)]
        if not found or k < 1:
            return []
        total = sum(sorted(idfs))
        hits = self._score(snapshot, commit, found, _best(found, commit.average, k), total)
        return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))[:k]

    def soft_search(self, snapshot: Snapshot, words: Sequence[Sequence[tuple[str, float]]], k: int) -> list[LexicalHit]:
        """The k chunks with the highest soft coverage, rounded to 1e-6, ties by chunk id."""
        commit = self._current(snapshot)
        held = [self._degrees(snapshot, commit, forms) for forms in words[:MAX_TERMS]]
        idfs = [bm25.idf(commit.chunks, math.fsum(degrees)) for _, degrees in held]
        total = math.fsum(idfs)
        parts = [ids for ids, _ in held if len(ids)]
        if not parts or k < 1 or not total:
            return []
        rows = np.unique(np.concatenate(parts))
        sums = np.zeros(len(rows))
        for (ids, degrees), idf in zip(held, idfs, strict=True):
            sums[np.searchsorted(rows, ids)] += idf * degrees
        sums = np.round(sums, 6)
        if len(rows) > k:
            bar = np.partition(sums, len(rows) - k)[len(rows) - k]
            rows, sums = rows[sums >= bar], sums[sums >= bar]
        names = _chunk_ids(snapshot, rows)
        hits = [
            LexicalHit(names[row], score, round(min(score / total, 1.0), 6))
            for row, score in zip(rows.tolist(), sums.tolist(), strict=True)
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))[:k]

    def _degrees(self, snapshot: Snapshot, commit: _Commit, forms: Sequence[tuple[str, float]]) -> Postings:
        """The chunks that hold any of a word's forms, sorted by row id, with the likeness of the best one in each."""
        likeness: dict[str, float] = {}
        for form, value in forms:
            likeness[_term(form)] = max(value, likeness.get(_term(form), 0.0))
        key = tuple(sorted(likeness.items()))
        if (known := commit.degrees.get(key)) is not None:
            return known
        parts = [(self._holders(snapshot, commit, form), value) for form, value in key]
        ids = np.unique(np.concatenate([own for own, _ in parts])) if parts else np.zeros(0, dtype=np.int64)
        degrees = np.zeros(len(ids))
        for own, value in parts:
            places = np.searchsorted(ids, own)
            degrees[places] = np.maximum(degrees[places], value)
        with self._lock:
            if len(commit.degrees) >= _MAX_CACHED_WORDS:
                commit.degrees.clear()
            commit.degrees[key] = (ids, degrees)
        return ids, degrees

    def document_frequency(self, snapshot: Snapshot, stems: Sequence[str]) -> tuple[int, dict[str, int]]:
        """Number of chunks, and in how many each stem occurs (0 when in none)."""
        commit = self._current(snapshot)
        found: dict[str, int] = {}
        for term in dict.fromkeys(stems):
            postings, holders = commit.postings.get(_term(term)), commit.holders.get(_term(term))
            if postings is not None or holders is not None:
                found[term] = len(postings[0]) if postings is not None else len(holders) if holders is not None else 0
                continue
            row = snapshot.connection.execute("SELECT doc FROM lexical_terms WHERE term = ?", (_term(term),)).fetchone()
            found[term] = 0 if row is None else int(row[0])
        return commit.chunks, found

    def _current(self, snapshot: Snapshot) -> _Commit:
        token = commit_token(snapshot.connection)
        commit = self._commit
        if commit is None or commit.token != token:
            count, length = snapshot.connection.execute(
                "SELECT count(*), coalesce(sum(id & ?), 0) FROM lexical_chunks", (_LENGTH_MASK,)
            ).fetchone()
            commit = _Commit(token, count, length / count if count else 0.0)
            self._commit = commit
        return commit

    def _postings(self, snapshot: Snapshot, commit: _Commit, term: str) -> Postings:
        """The chunks that hold a term, sorted by row id, and how often each does."""
        known = commit.postings.get(term)
        if known is not None:
            return known
        # One string from SQLite and one pass of numpy: five times as fast as a row for each occurrence.
        joined = snapshot.connection.execute(
            "SELECT group_concat(doc) FROM lexical_instances WHERE term = ?", (term,)
        ).fetchone()[0]
        ids, counts = np.unique(np.fromstring(joined or "", dtype=np.int64, sep=","), return_counts=True)
        postings = (ids, counts.astype(np.float64))
        with self._lock:
            if commit.size > _MAX_CACHED:
                commit.postings.clear()
                commit.size = 0
            commit.postings[term] = postings
            commit.size += len(ids)
        return postings

    def _holders(self, snapshot: Snapshot, commit: _Commit, term: str) -> Ids:
        """The chunks that hold a term, sorted by row id, without how often: a third of the time of its postings."""
        if (postings := commit.postings.get(term)) is not None:
            return postings[0]
        if (known := commit.holders.get(term)) is not None:
            return known
        # One quoted string, which the index's tokenizer leaves whole. No term holds a NUL, which would end it.
        phrase = '"' + term.replace("\0", "").replace('"', '""') + '"'
        joined = snapshot.connection.execute(
            "SELECT group_concat(rowid) FROM lexical WHERE lexical MATCH ?", (phrase,)
        ).fetchone()[0]
        ids = np.sort(np.fromstring(joined or "", dtype=np.int64, sep=","))
        with self._lock:
            if commit.size > _MAX_CACHED:
                commit.holders.clear()
            commit.holders[term] = ids
            commit.size += len(ids)
        return ids

    def _union(self, snapshot: Snapshot, commit: _Commit, forms: Sequence[str]) -> Postings:
        """The postings of a word under any of its forms; a chunk's count is its largest."""
        parts = [self._postings(snapshot, commit, form) for form in forms]
        if len(parts) == 1:
            return parts[0]
        ids = np.unique(np.concatenate([part[0] for part in parts]))
        counts = np.zeros(len(ids))
        for own, tf in parts:
            places = np.searchsorted(ids, own)
            counts[places] = np.maximum(counts[places], tf)
        return ids, counts

    def _score(
        self,
        snapshot: Snapshot,
        commit: _Commit,
        terms: Sequence[tuple[Ids, NDArray[np.float64], float]],
        rows: Ids,
        total: float,
    ) -> list[LexicalHit]:
        """BM25 and coverage of some rows, by the one definition of the formula."""
        names = _chunk_ids(snapshot, rows)
        tf: dict[int, dict[str, int]] = {int(row): {} for row in rows}
        idfs = {}
        for number, (ids, counts, idf) in enumerate(terms):
            idfs[str(number)] = idf
            places = np.minimum(np.searchsorted(ids, rows), len(ids) - 1)
            for row, place in zip(rows.tolist(), places.tolist(), strict=True):
                if ids[place] == row:
                    tf[row][str(number)] = int(counts[place])
        hits = []
        for row, own in tf.items():
            score = bm25.score(own, own, row & _LENGTH_MASK, commit.average, idfs, K1, B)
            covered = sum(sorted(idfs[number] for number in own)) / total if total else 0.0
            hits.append(LexicalHit(names[row], round(score, 6), round(min(covered, 1.0), 6)))
        return hits


def _chunk_ids(snapshot: Snapshot, rows: Ids) -> dict[int, str]:
    query = "SELECT id, chunk_id FROM lexical_chunks WHERE id IN (SELECT value FROM json_each(?))"
    return dict(snapshot.connection.execute(query, (json.dumps(rows.tolist()),)).fetchall())


def _best(terms: Sequence[tuple[Ids, NDArray[np.float64], float]], average: float, k: int) -> Ids:
    """The rows whose BM25 may be among the k best: the same formula over arrays, only to choose candidates."""
    ids = np.unique(np.concatenate([own for own, _, _ in terms]))
    if len(ids) <= k:
        return ids
    scores = np.zeros(len(ids))
    for own, tf, idf in terms:
        length = (own & _LENGTH_MASK) / average if average else 1.0
        scores[np.searchsorted(ids, own)] += idf * tf * (K1 + 1.0) / (tf + K1 * (1.0 - B + B * length))
    bar = np.partition(scores, len(ids) - k)[len(ids) - k]
    chosen: Ids = ids[scores >= bar - 1e-5]
    return chosen


def index_terms(chunk: Chunk) -> tuple[list[str], int]:
    """A chunk's terms as they are indexed, and its length in words.

    A word gives its stem in the chunk's language, in Portuguese and English when that is another or unknown; a
    hyphenated one its whole form and its parts; characters of scripts without spaces their pairs and triples too.
    """
    languages = (chunk.language,) if chunk.language in ("pt", "en") else ("pt", "en", chunk.language)
    terms: list[str] = []
    length = 0
    for text in (chunk.title, chunk.heading, chunk.text):
        found = words(text)
        length += len(found)
        for word in found:
            terms.extend(_index_forms(word.text, word.folded, languages))
        for run in _unspaced_runs(found):
            terms.extend(_grams(run))
    return terms, length


@lru_cache(maxsize=131072)
def _index_forms(text: str, folded: str, languages: tuple[str, ...]) -> tuple[str, ...]:
    forms = [stem(folded, language) for language in languages]
    if "-" in folded:
        forms += [part for language in languages for part in stems(text, language)]
    return tuple(dict.fromkeys(_term(form) for form in forms))


def query_terms(text: str) -> list[tuple[str, ...]]:
    """A question's distinct terms, each with the forms under which the index may hold it; at most `MAX_TERMS`."""
    # A question longer than its first terms need is cut before it is split into words.
    text = text[: MAX_TERMS * 64]
    found = words(text)
    runs = _unspaced_runs(found)
    in_runs = {word.start for run in runs for word in run}
    chosen = content_words(text) or found
    terms: dict[tuple[str, ...], None] = {}
    for word in chosen:
        if word.start not in in_runs:
            for forms in _forms(word):
                terms[tuple(_term(form) for form in forms)] = None
    for run in runs:
        for gram in _grams(run):
            terms[(gram,)] = None
    return list(terms)[:MAX_TERMS]


def _forms(word: Word) -> list[tuple[str, ...]]:
    if "-" not in word.folded:
        return [both_stems(word.folded)]
    parts = stems(word.text, "pt"), stems(word.text, "en")
    if len(parts[0]) == len(parts[1]) > 0:
        return [tuple(dict.fromkeys(pair)) for pair in zip(*parts, strict=True)]
    return [both_stems(word.folded)]


def _term(form: str) -> str:
    return form[:_MAX_TERM_LENGTH]


def _unspaced_runs(found: Sequence[Word]) -> list[list[Word]]:
    """Neighbouring one-character words of scripts that put no spaces between words, two or more together."""
    runs: list[list[Word]] = []
    for word in found:
        if word.text.isascii() or unicodedata.category(word.text[0]) not in ("Lo", "Lm"):
            continue
        if runs and runs[-1][-1].end == word.start:
            runs[-1].append(word)
        else:
            runs.append([word])
    return [run for run in runs if len(run) > 1]


def _grams(run: Sequence[Word]) -> Iterator[str]:
    characters = [word.folded for word in run]
    for size in (2, 3):
        for start in range(len(characters) - size + 1):
            yield "".join(characters[start : start + size])
