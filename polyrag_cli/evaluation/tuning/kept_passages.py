"""Labelled questions with what each retrieval head says, read once: fusing again costs microseconds.

Owns what a fused ranking is worth against its labels. Writes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.config.sections import RetrievalSettings
from polyrag_cli.engine import Engine
from polyrag_cli.evaluation.tuning.crossvalidation import Values
from polyrag_cli.evaluation.tuning.kept_questions import Decided, KeptQuestion
from polyrag_cli.scoring.metrics import contains_marker, recall_at_k, reciprocal_rank
from polyrag_cli.strategies.base import Context, Query
from polyrag_cli.strategies.heads import HeadScores, fused, read_heads, with_home_bonus
from polyrag_cli.strategies.passages import read_chunks
from polyrag_cli.types import Chunk, EvalItem

RECALL_AT = 5
# A rank beyond it counts as not found.
DEPTH = 10

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class KeptPassages:
    """One question's candidates: what the heads say, their homes, and for each label the chunks that satisfy it."""

    heads: HeadScores
    homes: Mapping[str, tuple[str, ...]]
    route: str
    wanted: tuple[frozenset[str], ...]

    def ranks(self, settings: RetrievalSettings) -> list[int | None]:
        """For each label the rank, from 1, of the first chunk that satisfies it; None behind the tenth."""
        scores = fused(self.heads, settings)
        ranked = with_home_bonus(scores, self.homes, self.route, settings.home_bonus)[:DEPTH]
        order = [chunk_id for chunk_id, _ in ranked]
        return [next((i for i, chunk_id in enumerate(order, 1) if chunk_id in ids), None) for ids in self.wanted]


class PassageRankings:
    """The hybrid rankings of questions whose right passages are labelled, under any fusion weights."""

    def __init__(self, engine: Engine, questions: Sequence[KeptQuestion], decided: Sequence[Decided]) -> None:
        """decided: each question's decision now; it says whose home is preferred."""
        self._settings = engine.settings.retrieval
        self._known: dict[tuple[tuple[str, float], ...], tuple[Scores, Scores]] = {}
        tables = frozenset(route.name for route in engine.settings.routes if route.kind.has_rows)
        with engine.snapshot() as snapshot:
            context = Context(snapshot, engine.stores, engine.embedder, self._settings)
            self._kept = [
                _read(kept, decision[0].route, context) if is_judged(kept, tables) else None
                for kept, decision in zip(questions, decided, strict=True)
            ]

    def weights(self) -> Scores:
        """1 for each question that is judged, else 0."""
        return np.array([float(kept is not None) for kept in self._kept])

    def scores(self, values: Values) -> Scores:
        """Mean of recall@5 and the reciprocal rank for each question, 0 where it isn't judged.

        values: "retrieval.<weight>" → value.
        """
        recall, rank = self.measures(values)
        return (recall + rank) / 2.0

    def measures(self, values: Values) -> tuple[Scores, Scores]:
        """Recall@5 and the reciprocal rank for each question."""
        key = tuple(sorted(values.items()))
        if key not in self._known:
            weights: dict[str, Any] = {name.partition(".")[2]: value for name, value in values.items()}
            settings = replace(self._settings, **weights)
            ranks = [None if kept is None else kept.ranks(settings) for kept in self._kept]
            self._known[key] = (
                np.array([0.0 if r is None else recall_at_k(r, RECALL_AT) for r in ranks]),
                np.array([0.0 if r is None else reciprocal_rank(r) for r in ranks]),
            )
        return self._known[key]


def is_judged(kept: KeptQuestion, table_routes: frozenset[str]) -> bool:
    """Whether a question asks text for one thing, and says which passages are right.

    table_routes: names of the routes that answer with rows.
    """
    item = kept.item
    only_tables = bool(item.routes) and table_routes.issuperset(item.routes)
    return bool(item.relevant or item.gold) and len(kept.clauses) == 1 and not only_tables


def _read(kept: KeptQuestion, route: str, context: Context) -> KeptPassages:
    query = Query(kept.clauses[0].asked, kept.vector, RECALL_AT)
    heads = read_heads(query, context, max(context.settings.candidates, query.top_k))
    ids = sorted({*heads.dense, *heads.lexical, *heads.soft})
    homes = context.stores.catalog.homes(context.snapshot, ids)
    return KeptPassages(heads, homes, route, _wanted(kept.item, ids, context))


def _wanted(item: EvalItem, ids: Sequence[str], context: Context) -> tuple[frozenset[str], ...]:
    """For each marker, or else each document, of the labels the candidates that satisfy it."""
    chunks = read_chunks(context, ids)
    if item.relevant:
        return tuple(
            frozenset(i for i, chunk in chunks.items() if contains_marker(_shown(chunk), marker))
            for marker in item.relevant
        )
    return tuple(frozenset(i for i, chunk in chunks.items() if chunk.document == name) for name in item.gold)


def _shown(chunk: Chunk) -> str:
    """A passage as a source shows it."""
    return f"{chunk.heading}\n{chunk.lead}{chunk.text}"
