"""Labelled questions with all that they are decided from, read once: deciding again costs microseconds.

Owns what a decision is worth against its labels. Writes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.config.sections import Route
from polyrag_cli.engine import Engine, check_question
from polyrag_cli.evaluation.tuning.crossvalidation import Values
from polyrag_cli.routing.inputs import ClauseInputs
from polyrag_cli.routing.moves import routed
from polyrag_cli.routing.router import Router
from polyrag_cli.text.utterance import read
from polyrag_cli.types import ClauseDecision, EvalItem

# What asking a second store in vain costs, of what missing the right one costs.
SECOND_STORE_COST = 0.25
ALL_ROUTES = "*"

Scores = NDArray[np.float64]
Decided = tuple[ClauseDecision, ...]


@dataclass(frozen=True, slots=True)
class KeptQuestion:
    """One question: its labels, what each of its clauses is decided from, and its unit vector, shape (d,)."""

    item: EvalItem
    clauses: tuple[ClauseInputs, ...]
    vector: NDArray[np.float32]


class KeptQuestions:
    """Questions of one corpus, decided again under any thresholds and weights."""

    def __init__(self, engine: Engine, items: Sequence[EvalItem]) -> None:
        self._routes = engine.settings.routes
        self._settings = engine.settings.routing
        self._embedder = engine.embedder
        self._known: dict[tuple[tuple[str, float], ...], Mapping[str, Scores]] = {}
        self.questions: tuple[KeptQuestion, ...] = tuple(self._read(engine, items))

    def _read(self, engine: Engine, items: Sequence[EvalItem]) -> list[KeptQuestion]:
        kept = []
        with engine.snapshot() as snapshot:
            for item in items:
                asked = read(check_question(item.question))
                vector = engine.embedder.embed_query(asked.text)
                clauses = engine.router.read(asked, snapshot, engine.stores, engine.catalog, vector)
                kept.append(KeptQuestion(item, clauses, vector))
        return kept

    def router(self, values: Values) -> Router:
        """A router with some parameters replaced; values: dotted keys of polyrag.toml, "*" for every route."""
        routes = [replace(route, **_of_route(route, values)) for route in self._routes]
        settings: dict[str, Any] = {
            key.partition(".")[2]: value for key, value in values.items() if key.startswith("routing.")
        }
        return Router(routes, replace(self._settings, **settings), self._embedder, None)

    def decided(self, values: Values) -> list[Decided]:
        """The clauses' decisions of every question."""
        router = self.router(values)
        return [tuple(router.conclude(inputs) for inputs in kept.clauses) for kept in self.questions]

    def scores(self, values: Values) -> Mapping[str, Scores]:
        """What the decisions are worth: one score per question for "routing", "declining" and "second store"."""
        key = tuple(sorted(values.items()))
        if key not in self._known:
            decided = self.decided(values)
            pairs = [(kept.item, decision) for kept, decision in zip(self.questions, decided, strict=True)]
            self._known[key] = {
                "routing": np.array([routed(item, decision) for item, decision in pairs], dtype=np.float64),
                "declining": np.array([_declined(item, decision) for item, decision in pairs], dtype=np.float64),
                "second store": np.array([_reached(item, decision) for item, decision in pairs], dtype=np.float64),
            }
        return self._known[key]

    def routed_weights(self) -> Scores:
        """1 for each question whose route is labelled, else 0."""
        return np.array([float(has_route(kept.item)) for kept in self.questions])

    def declining_weights(self) -> Scores:
        """Questions that nothing answers and those that something does weigh the same in sum."""
        declines = np.array([kept.item.declines for kept in self.questions])
        weights = np.zeros(len(declines))
        for side in (declines, ~declines):
            if side.any():
                weights[side] = len(declines) / (2.0 * side.sum())
        return weights


def has_route(item: EvalItem) -> bool:
    """Whether a question's route can be judged."""
    return bool(item.routes) and not item.declines


def _declined(item: EvalItem, decision: Sequence[ClauseDecision]) -> bool:
    """Whether evidence is called too little exactly when nothing answers."""
    return item.declines != any(clause.answerable for clause in decision)


def _reached(item: EvalItem, decision: Sequence[ClauseDecision]) -> float:
    """1 when every labelled route is asked, first or second; less for second stores asked."""
    asked = {name for clause in decision for name in (clause.route, *clause.also)}
    second = sum(bool(clause.also) for clause in decision) / len(decision)
    return max(0.0, float(set(item.routes) <= asked) - SECOND_STORE_COST * second)


def _of_route(route: Route, values: Values) -> dict[str, Any]:
    """The parameters that hold for one route: those of every route, then its own."""
    found: dict[str, Any] = {}
    for name in (ALL_ROUTES, route.name):
        prefix = f"routes.{name}."
        found.update({key.removeprefix(prefix): value for key, value in values.items() if key.startswith(prefix)})
    return found
