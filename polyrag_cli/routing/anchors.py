"""Owns the routes' anchors as vectors, and the cosine scores of stage 2."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.providers.base import Embedder
from polyrag_cli.scoring.similarity import normalize
from polyrag_cli.stores.npy_files import mapped
from polyrag_cli.whole_file import replacing

_DECIMALS = 6
_NEAREST = 3
# With more anchors than this, only those of the routes with the nearest mean anchor are compared one by one.
_ANCHORS_SCORED = 4096
_ROUTES_SHORTLISTED = 15


@dataclass(frozen=True, slots=True)
class AnchorScores:
    """Per route, in the matrix's order: the mean cosine of its three nearest anchors, and the nearest one's text."""

    scores: tuple[float, ...]
    nearest: tuple[str, ...]


class AnchorMatrix:
    """The anchors of all routes in one matrix.

    groups: one sequence of anchor texts per route; may be empty.
    vectors: shape (number of anchors, d), unit rows, in the order of the groups.
    """

    def __init__(self, groups: Sequence[Sequence[str]], vectors: NDArray[np.float32]) -> None:
        self._texts = [text for group in groups for text in group]
        self._vectors = vectors
        sizes = np.array([len(group) for group in groups], dtype=np.int64)
        self._width = int(sizes.max()) if len(sizes) else 0
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]) if len(sizes) else sizes
        slots = np.arange(self._width)[None, :]
        # Row r holds the positions of route r's anchors; absent ones point behind the end, at a cosine of -inf.
        self._positions = np.where(slots < sizes[:, None], starts[:, None] + slots, len(self._texts))
        self._counts = np.minimum(sizes, _NEAREST)
        self._means = np.zeros((len(sizes), vectors.shape[1]), dtype=np.float32)
        for route, (start, size) in enumerate(zip(starts, sizes, strict=True)):
            if size:
                self._means[route] = vectors[start : start + size].mean(axis=0)
        self.centroids: NDArray[np.float32] = normalize(self._means)

    def score(self, vector: NDArray[np.float32]) -> AnchorScores:
        """Each route's score and nearest anchor for a unit vector of shape (d,); 0 and "" without anchors."""
        routes = np.arange(len(self._positions))
        means = np.zeros(len(routes), dtype=np.float64)
        if len(self._texts) > _ANCHORS_SCORED and len(routes) > _ROUTES_SHORTLISTED:
            # The mean over all of a route's anchors never exceeds that over its nearest three.
            means = (self._means @ vector).astype(np.float64)
            routes = np.sort(np.argsort(-np.round(means, _DECIMALS), kind="stable")[:_ROUTES_SHORTLISTED])
        best, nearest = self._nearest(vector, routes)
        means[routes] = best
        texts = [""] * len(means)
        for route, position in zip(routes, nearest, strict=True):
            texts[route] = self._texts[position] if position < len(self._texts) else ""
        return AnchorScores(tuple(round(float(score), _DECIMALS) for score in means), tuple(texts))

    def best(self, vectors: NDArray[np.float32]) -> NDArray[np.float64]:
        """The nearest anchor's cosine per row and route, shape (n, routes); 0 without anchors."""
        if not self._width:
            return np.zeros((len(vectors), len(self._positions)))
        cosines = np.full((len(vectors), len(self._texts) + 1), -np.inf)
        cosines[:, :-1] = vectors @ self._vectors.T
        best: NDArray[np.float64] = cosines[:, self._positions].max(axis=2)
        return np.where(np.isfinite(best), best, 0.0)

    def _nearest(
        self, vector: NDArray[np.float32], routes: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Mean of the three highest cosines and the position of the highest, for some routes."""
        if not self._width or not len(routes):
            return np.zeros(len(routes)), np.full(len(routes), len(self._texts))
        cosines = np.full(len(self._texts) + 1, -np.inf)
        positions = self._positions[routes]
        if len(routes) == len(self._positions):
            cosines[:-1] = self._vectors @ vector
        else:
            wanted = positions[positions < len(self._texts)]
            cosines[wanted] = self._vectors[wanted] @ vector
        table = np.round(cosines[positions], _DECIMALS)
        ordered = -np.sort(-table, axis=1)[:, :_NEAREST]
        sums = np.where(np.isfinite(ordered), ordered, 0.0).sum(axis=1)
        nearest = positions[np.arange(len(routes)), table.argmax(axis=1)]
        return sums / np.maximum(self._counts[routes], 1), nearest


def anchor_matrix(groups: Sequence[Sequence[str]], embedder: Embedder, cache_dir: Path | None) -> AnchorMatrix:
    """The matrix of these anchors, its vectors read from the cache directory where they were embedded before."""
    texts = [text for group in groups for text in group]
    if not texts or not embedder.dimension:
        return AnchorMatrix([()] * len(groups), np.zeros((0, embedder.dimension), dtype=np.float32))
    key = hashlib.sha256(json.dumps([embedder.name, embedder.dimension, texts]).encode()).hexdigest()[:32]
    path = cache_dir / f"anchors-{key}.npy" if cache_dir is not None else None
    vectors = _read(path, (len(texts), embedder.dimension)) if path is not None else None
    if vectors is None:
        # One text a batch: what stands beside an anchor must not change its bits.
        vectors = np.vstack([embedder.embed([text]) for text in texts]).astype(np.float32)
        if path is not None:
            _write(path, vectors)
    return AnchorMatrix(groups, vectors)


def _read(path: Path, shape: tuple[int, int]) -> NDArray[np.float32] | None:
    stored = mapped(path, np.float32, axes=2)
    return None if stored is None or stored.shape != shape else np.array(stored)


def _write(path: Path, vectors: NDArray[np.float32]) -> None:
    """Keeps the vectors; a directory that can't be written only means that they are embedded again next time."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as temporary, temporary.open("wb") as file:
            np.save(file, vectors)
