"""Owns the home of each chunk of a document: the same three stages as for a clause, read on statements."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.config.sections import Route, RoutingSettings
from polyrag_cli.routing.anchors import AnchorMatrix
from polyrag_cli.scoring.margin import margin
from polyrag_cli.scoring.tabularity import tabularity
from polyrag_cli.types import Chunk, ChunkRoute

_DECIMALS = 6


def chunk_homes(
    chunks: Sequence[Chunk],
    vectors: Sequence[NDArray[np.float32]],
    named: Sequence[Sequence[bool]],
    routes: Sequence[Route],
    anchors: AnchorMatrix,
    settings: RoutingSettings,
) -> list[ChunkRoute]:
    """The home of every chunk of one document, in order.

    vectors: per chunk, shape (sentences or windows, d), unit rows; empty without an embedder.
    named: per chunk, one value per sentence: whether it names an entity.
    routes: in the order of the anchor matrix's groups; some kinds gain by named sentences.
    """
    text_routes = [i for i, route in enumerate(routes) if not route.kind.has_rows]
    table_route = min((route.name for route in routes if route.kind.has_rows), default="")
    own = np.array(
        [_affinities(matrix, names, routes, anchors, settings) for matrix, names in zip(vectors, named, strict=True)]
    ).reshape(len(chunks), len(routes))
    mean = own.mean(axis=0) if len(chunks) else np.zeros(len(routes))
    found: list[ChunkRoute] = []
    for chunk, affinities in zip(chunks, own, strict=True):
        mixed = (1.0 - settings.document_weight) * affinities + settings.document_weight * mean
        home = _home([(routes[i], float(mixed[i])) for i in text_routes], settings)
        shape = 1.0 if chunk.kind == "table" else tabularity(chunk.text)
        if table_route and shape >= settings.tabularity_min:
            # Rows that no loader took for a table are in no SQL table: the text route has to answer from them.
            also = (home.home,) if chunk.kind != "table" and home.home else ()
            scores = ((table_route, round(shape, _DECIMALS)),)
            home = ChunkRoute(table_route, also, scores, round(shape, _DECIMALS), f"tabularity {shape:.2f}")
        found.append(home)
    return found


def _affinities(
    matrix: NDArray[np.float32],
    named: Sequence[bool],
    routes: Sequence[Route],
    anchors: AnchorMatrix,
    settings: RoutingSettings,
) -> NDArray[np.float64]:
    """Mean over sentences of nearest-anchor plus centroid cosine, and the share of named sentences for kinds that gain
    by names."""
    scores: NDArray[np.float64] = np.zeros(len(routes))
    if len(matrix) and matrix.shape[1] and anchors.centroids.shape[1] == matrix.shape[1]:
        by_sentence = anchors.best(matrix) + settings.centroid_weight * (matrix @ anchors.centroids.T)
        scores = by_sentence.mean(axis=0) / (1.0 + settings.centroid_weight)
    share = sum(named) / len(named) if len(named) else 0.0
    bonus = settings.named_weight * (share - settings.named_center)
    scores += np.array([bonus if route.kind.gains_by_names else 0.0 for route in routes])
    return scores


def _home(scored: Sequence[tuple[Route, float]], settings: RoutingSettings) -> ChunkRoute:
    if not scored:
        return ChunkRoute("", (), (), 0.0, "no text route is configured")
    ordered = sorted(
        ((route, round(score, _DECIMALS)) for route, score in scored), key=lambda pair: (-pair[1], pair[0].name)
    )
    gap = margin([score for _, score in ordered])
    also: tuple[str, ...] = ()
    reason = f"nearest to the statements of {ordered[0][0].name}, margin {gap:.2f}"
    if len(ordered) > 1 and gap < settings.chunk_margin:
        also = (ordered[1][0].name,)
        reason = f"between {ordered[0][0].name} and {also[0]}, margin {gap:.2f}"
    return ChunkRoute(ordered[0][0].name, also, tuple((route.name, score) for route, score in ordered), gap, reason)
