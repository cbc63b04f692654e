"""Owns the vectors of the corpus's words: which word means nearly what another says."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.stores.base import Snapshot, TermStore, Writer
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.sqlite_transactions import connection_of

Near = tuple[tuple[str, float], ...]
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
    """Words with the number of documents that hold them, each with one float16 unit vector; thread-safe.

    A word whose last document is gone keeps its vector, so that it needn't be embedded again, but is no neighbour.
    """

    def __init__(self, paths: DataPaths) -> None:
        self._paths = paths
        self._commit: _Commit | None = None
        self._lock = threading.Lock()

    def known(self, snapshot: Snapshot, terms: Iterable[str]) -> frozenset[str]:
        """Those of some words that have a vector."""
        rows = connection_of(snapshot).execute(
            "SELECT term FROM term_vectors WHERE vector IS NOT NULL AND term IN (SELECT value FROM json_each(?))",
            (json.dumps(sorted(terms)),),
        )
        return frozenset(term for (term,) in rows)

    def add(self, writer: Writer, document: str, vectors: Mapping[str, NDArray[np.float16] | None]) -> None:
        """Stores a document's words in place of what it had; None for the vector of a word that has one."""
        self.remove(writer, document)
        if not vectors:
            return
        terms = sorted(vectors)
        connection_of(writer).execute("INSERT INTO document_terms VALUES (?, ?)", (document, " ".join(terms)))
        connection_of(writer).executemany(
            "INSERT INTO term_vectors VALUES (?, 1, ?) ON CONFLICT (term) DO UPDATE SET"
            " documents = documents + 1, vector = coalesce(vector, excluded.vector)",
            [(term, _blob(vectors[term])) for term in terms],
        )

    def remove(self, writer: Writer, document: str) -> None:
        """Forgets a document's words."""
        query = "SELECT terms FROM document_terms WHERE document = ?"
        row = connection_of(writer).execute(query, (document,)).fetchone()
        if row is None:
            return
        connection_of(writer).execute("DELETE FROM document_terms WHERE document = ?", (document,))
        connection_of(writer).execute(
            "UPDATE term_vectors SET documents = documents - 1 WHERE term IN (SELECT value FROM json_each(?))",
            (json.dumps(row[0].split(" ")),),
        )

    def clear(self, writer: Writer) -> None:
        """Forgets every vector, as when another embedder takes over; the words stay."""
        connection_of(writer).execute("UPDATE term_vectors SET vector = NULL")

    def check(self, snapshot: Snapshot) -> str:
        """How many words have a vector."""
        query = "SELECT count(*) FROM term_vectors WHERE documents > 0 AND vector IS NOT NULL"
        return f"{connection_of(snapshot).execute(query).fetchone()[0]} words"

    def nearest(
        self,
        snapshot: Snapshot,
        words: Sequence[str],
        embed: Callable[[Sequence[str]], NDArray[np.float32]],
        k: int,
        floor: float,
    ) -> list[Near]:
        """For each word (in lower case) at most k words of the corpus with a cosine of at least `floor`, best first.

        embed: gives the unit vectors of words that the corpus doesn't hold. Ties are broken by the word.
        """
        commit = self._current(snapshot)
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

    def _current(self, snapshot: Snapshot) -> _Commit:
        token = snapshot.commit
        commit = self._commit
        if commit is None or commit.token != token:
            rows = (
                connection_of(snapshot)
                .execute(
                    "SELECT term, vector FROM term_vectors WHERE documents > 0 AND vector IS NOT NULL ORDER BY term"
                )
                .fetchall()
            )
            terms = tuple(term for term, _ in rows)
            vectors = np.frombuffer(b"".join(blob for _, blob in rows), dtype=np.float16)
            matrix = vectors.reshape(len(terms), -1 if terms else 0).astype(np.float32)
            commit = _Commit(token, terms, matrix, {term: row for row, term in enumerate(terms)})
            self._commit = commit
        return commit

    @staticmethod
    def _search(
        commit: _Commit,
        words: Sequence[str],
        embed: Callable[[Sequence[str]], NDArray[np.float32]],
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


def _blob(vector: NDArray[np.float16] | None) -> bytes | None:
    return None if vector is None else vector.astype(np.float16).tobytes()
