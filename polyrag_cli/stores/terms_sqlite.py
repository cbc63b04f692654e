"""Owns the vectors of the corpus's words: which word means nearly what another says."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.stores.base import Snapshot, TermStore, Transaction, Writer
from polyrag_cli.stores.catalog import META_EMBEDDER
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.packing import packed, unpacked
from polyrag_cli.stores.sqlite_schema import read_meta
from polyrag_cli.stores.sqlite_transactions import connection_of
from polyrag_cli.stores.word_vectors import WordVectors

Near = tuple[tuple[str, float], ...]
Embed = Callable[[Sequence[str]], NDArray[np.float32]]
_DECIMALS = 6
_MAX_KEPT = 20_000
# What a float32 product of unit vectors may be off by.
_SLACK = 1e-4


@dataclass(slots=True)
class _Commit:
    """The words of one commit in sorted order, their vectors, and the neighbours asked for so far."""

    token: str
    terms: tuple[str, ...]
    matrix: NDArray[np.float32]
    row_of: Mapping[str, int]
    near: dict[tuple[str, int, float], Near] = field(default_factory=dict)


class SQLiteTermStore(TermStore):
    """Words with the number of documents that hold them; thread-safe.

    Their vectors, float16 unit vectors, lie in the user's cache folder, since a word's vector is the same in every
    corpus of an embedder. A word whose last document is gone is no neighbour.
    """

    def __init__(self, paths: DataPaths) -> None:
        self._folder = paths.shared
        self._commit: _Commit | None = None
        self._lock = threading.Lock()

    def known(self, snapshot: Snapshot, terms: Iterable[str]) -> frozenset[str]:
        """Those of some words that have a vector."""
        words = sorted(terms)
        found, _ = self._vectors(snapshot).find(words)
        return frozenset(compress(words, found.tolist()))

    def add(self, writer: Writer, document: str, vectors: Mapping[str, NDArray[np.float16] | None]) -> None:
        """Stores a document's words in place of what it had; None for the vector of a word that has one."""
        self.remove(writer, document)
        if not vectors:
            return
        terms = sorted(vectors)
        connection = connection_of(writer)
        connection.execute("INSERT INTO document_terms VALUES (?, ?)", (document, packed(" ".join(terms))))
        connection.executemany(
            "INSERT INTO terms VALUES (?, 1) ON CONFLICT (term) DO UPDATE SET documents = documents + 1",
            [(term,) for term in terms],
        )
        given = {term: vector for term in terms if (vector := vectors[term]) is not None}
        if given:
            kept, words = self._vectors(writer), list(given)
            found, _ = kept.find(words)
            kept.keep({word: given[word] for word, there in zip(words, found.tolist(), strict=True) if not there})

    def remove(self, writer: Writer, document: str) -> None:
        """Forgets a document's words."""
        connection = connection_of(writer)
        query = "SELECT terms FROM document_terms WHERE document = ?"
        row = connection.execute(query, (document,)).fetchone()
        if row is None:
            return
        terms = json.dumps(unpacked(row[0]).split(" "))
        connection.execute("DELETE FROM document_terms WHERE document = ?", (document,))
        words = "(SELECT value FROM json_each(?))"
        connection.execute(f"UPDATE terms SET documents = documents - 1 WHERE term IN {words}", (terms,))
        connection.execute(f"DELETE FROM terms WHERE documents < 1 AND term IN {words}", (terms,))

    def check(self, snapshot: Snapshot) -> str:
        """How many words there are."""
        query = "SELECT count(*) FROM terms WHERE documents > 0"
        return f"{connection_of(snapshot).execute(query).fetchone()[0]} words"

    def nearest(
        self,
        snapshot: Snapshot,
        words: Sequence[str],
        embed: Embed,
        k: int,
        floor: float,
    ) -> list[Near]:
        """For each word (in lower case) at most k words of the corpus with a cosine of at least `floor`, best first.

        embed: gives the unit vectors of words that the corpus doesn't hold, and of those whose vectors aren't kept.
        Ties are broken by the word.
        """
        commit = self._current(snapshot, embed)
        if not commit.terms:
            return [() for _ in words]
        missing = [word for word in dict.fromkeys(words) if (word, k, floor) not in commit.near]
        if missing:
            found = self._search(commit, missing, embed, k, floor)
            with self._lock:
                if len(commit.near) > _MAX_KEPT:
                    commit.near.clear()
                commit.near.update({(word, k, floor): near for word, near in found.items()})
        else:
            found = {}
        return [found[word] if word in found else commit.near[word, k, floor] for word in words]

    def _current(self, snapshot: Snapshot, embed: Embed) -> _Commit:
        token = snapshot.commit
        commit = self._commit
        if commit is None or commit.token != token:
            query = "SELECT term FROM terms WHERE documents > 0 ORDER BY term"
            terms = tuple(term for (term,) in connection_of(snapshot).execute(query))
            matrix = self._matrix(self._vectors(snapshot), terms, embed)
            commit = _Commit(token, terms, matrix, {term: row for row, term in enumerate(terms)})
            self._commit = commit
        return commit

    @staticmethod
    def _matrix(kept: WordVectors, terms: Sequence[str], embed: Embed) -> NDArray[np.float32]:
        """The vectors of words, (n, d); those that aren't kept, as where the cache was emptied, are made and kept."""
        found, vectors = kept.find(terms)
        missing = [term for term, there in zip(terms, found.tolist(), strict=True) if not there]
        if not missing:
            return vectors.astype(np.float32)
        fresh = embed(missing).astype(np.float16)
        kept.keep(dict(zip(missing, fresh, strict=True)))
        matrix = np.empty((len(terms), fresh.shape[1]), dtype=np.float32)
        matrix[~found] = fresh
        if len(vectors):
            matrix[found] = vectors
        return matrix

    def _vectors(self, transaction: Transaction) -> WordVectors:
        """The file of the corpus's embedder; of the new one while it is being embedded again."""
        embedder = read_meta(connection_of(transaction), META_EMBEDDER) or ""
        return WordVectors(self._folder, embedder.rpartition(" in part ")[2])

    @staticmethod
    def _search(
        commit: _Commit,
        words: Sequence[str],
        embed: Embed,
        k: int,
        floor: float,
    ) -> dict[str, Near]:
        strangers = [word for word in words if word not in commit.row_of]
        fresh = dict(zip(strangers, embed(strangers), strict=True)) if strangers else {}
        vectors = [fresh[word] if word in fresh else commit.matrix[commit.row_of[word]] for word in words]
        rough = commit.matrix @ np.stack(vectors, axis=1)
        found: dict[str, Near] = {}
        for column, word in enumerate(words):
            values = np.ascontiguousarray(rough[:, column])
            bar = floor
            if len(values) > k:
                bar = max(bar, float(np.partition(values, len(values) - k)[len(values) - k]))
            rows = np.flatnonzero(values >= bar - _SLACK)
            # The product chooses; its bits depend on the words asked together, those of a sum along each row don't.
            exact = (commit.matrix[rows].astype(np.float64) * vectors[column]).sum(axis=1)
            pairs = zip(rows.tolist(), exact.tolist(), strict=True)
            near = [(commit.terms[row], min(1.0, round(cosine, _DECIMALS))) for row, cosine in pairs]
            near.sort(key=lambda pair: (-pair[1], pair[0]))
            found[word] = tuple(pair for pair in near[:k] if pair[1] >= floor)
        return found
