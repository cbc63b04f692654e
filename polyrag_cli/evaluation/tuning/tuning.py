"""Thresholds, evidence weights and fusion weights from labelled questions, with an honest estimate of each.

Owns which parameters are tuned, over which values and for what. Writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from polyrag_cli.config import Settings
from polyrag_cli.engine import Engine
from polyrag_cli.errors import UsageError
from polyrag_cli.evaluation.tuning.anchor_proposals import AnchorProposal, propose_anchors
from polyrag_cli.evaluation.tuning.crossvalidation import Problem, Scores, Tuned, Values, cross_validated
from polyrag_cli.evaluation.tuning.folds import alike_groups, stratified_folds
from polyrag_cli.evaluation.tuning.kept_passages import PassageRankings
from polyrag_cli.evaluation.tuning.kept_questions import (
    ALL_ROUTES,
    Decided,
    KeptQuestion,
    KeptQuestions,
    has_route,
)
from polyrag_cli.routing.moves import routed
from polyrag_cli.scoring.calibration import (
    ReliabilityBin,
    expected_calibration_error,
    margin_confidence,
    reliability,
)
from polyrag_cli.types import EvalItem

MIN_LABELLED = 20
MIN_ROUTES = 2
# With fewer questions that nothing answers, declining can't be judged; with fewer passages, fusion can't.
MIN_DECLINING = 5
MIN_PASSAGES = 10
RELIABILITY_BINS = 10

ROUTING_GRIDS: Mapping[str, tuple[float, ...]] = {
    "routing.table_weight": (0.5, 0.75, 1.0, 1.25, 1.5, 2.0),
    "routing.text_weight": (0.5, 0.75, 1.0, 1.25, 1.5, 2.0),
    "routing.aggregate_bonus": (0.0, 0.05, 0.1, 0.15, 0.2, 0.3),
    "routing.table_min": (0.2, 0.25, 0.3, 0.35, 0.4, 0.5),
    "routing.text_min": (0.05, 0.1, 0.15, 0.2, 0.3),
}
THRESHOLD_GRIDS: Mapping[str, tuple[float, ...]] = {
    "tau_high": (0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 0.8),
    "tau_low": (0.0, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4),
    "delta_margin": (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4),
}
DECLINING_GRIDS: Mapping[str, tuple[float, ...]] = {
    "routing.evidence_min": (0.1, 0.14, 0.17, 0.2, 0.23, 0.26, 0.29, 0.32, 0.36, 0.4),
    "routing.unknown_name_penalty": (0.0, 0.05, 0.1, 0.15, 0.2, 0.25),
}
SECOND_STORE_GRIDS: Mapping[str, tuple[float, ...]] = {
    "routing.boundary_margin": (0.0, 0.01, 0.02, 0.03, 0.05, 0.08, 0.1, 0.15, 0.2),
}
FUSION_GRIDS: Mapping[str, tuple[float, ...]] = {
    "retrieval.dense_weight": (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0),
    "retrieval.lexical_weight": (0.0, 0.1, 0.2, 0.3, 0.4, 0.6),
    "retrieval.soft_weight": (0.0, 0.1, 0.2, 0.3, 0.4, 0.6),
    "retrieval.home_bonus": (0.0, 0.05, 0.1, 0.15, 0.2, 0.3),
}


@dataclass(frozen=True, slots=True)
class TuneReport:
    """What a labelled set says about the settings.

    questions, judged: in the set, and of them with a labelled route. groups: questions apart from near-duplicates.
    tuned: one entry for routing, declining, second store and fusion, as far as the set allows.
    measures: name → (now, with what was found) of recall@5 and MRR over the questions with labelled passages.
    changes: dotted key → (now, proposed); empty when nothing is proposed. notes: what was left out and why.
    reliability: share of right routes by the final margin's confidence, (1 + margin) / 2; ece: its expected error.
    """

    questions: int
    judged: int
    groups: int
    folds: int
    seed: int
    tuned: tuple[Tuned, ...]
    measures: Mapping[str, tuple[float, float]]
    changes: Mapping[str, tuple[float, float]]
    reliability: tuple[ReliabilityBin, ...]
    ece: float
    anchors: tuple[AnchorProposal, ...]
    misrouted: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class _Work:
    """What a run keeps between its steps."""

    settings: Settings
    kept: KeptQuestions
    rankings: PassageRankings
    decided: Sequence[Decided]


def tune(
    engine: Engine,
    items: Sequence[EvalItem],
    folds: int = 5,
    seed: int = 0,
    on_step: Callable[[str], None] = lambda name: None,
) -> TuneReport:
    """Searches the parameters and judges what was found on questions kept aside.

    folds: at least 2. seed: of the folds' order. on_step: told what begins.

    Raises UsageError for a set that is too small, StoreError without a corpus.
    """
    _check(items, folds)
    on_step("reading the questions")
    kept = KeptQuestions(engine, items)
    decided = kept.decided({})
    work = _Work(engine.settings, kept, PassageRankings(engine, kept.questions, decided), decided)
    groups = alike_groups([item.question for item in items], np.array([question.vector for question in kept.questions]))
    split = stratified_folds([_label(item) for item in items], groups, folds, seed)
    problems, notes = _problems(work)
    tuned = []
    for problem in problems:
        on_step(problem.name)
        tuned.append(cross_validated(problem, split))
    changes, refused = _accepted(problems, tuned)
    bins = _reliability(kept.questions, decided)
    on_step("anchors")
    return TuneReport(
        questions=len(items),
        judged=sum(map(has_route, items)),
        groups=len(set(groups)),
        folds=folds,
        seed=seed,
        tuned=tuple(tuned),
        measures=_measures(work.rankings, problems, tuned),
        changes=_per_route(changes, engine.settings),
        reliability=bins,
        ece=expected_calibration_error(bins),
        anchors=propose_anchors(engine.settings, engine.embedder, kept.router({}), kept.questions, decided, groups),
        misrouted=tuple(
            item.question
            for item, clauses in zip(items, decided, strict=True)
            if has_route(item) and not routed(item, clauses)
        ),
        notes=(*notes, *refused),
    )


def _check(items: Sequence[EvalItem], folds: int) -> None:
    judged = [item for item in items if has_route(item)]
    routes = {route for item in judged for route in item.routes}
    if len(judged) < MIN_LABELLED or len(routes) < MIN_ROUTES:
        raise UsageError(
            f"the set has {len(judged)} questions with a labelled route, of {len(routes)} routes:"
            f" tuning needs {MIN_LABELLED} of {MIN_ROUTES}.",
            "Label more questions with `route:`.",
        )
    if not 2 <= folds <= len(judged):
        raise UsageError(
            f"{folds} folds are impossible.", f"From 2 to {len(judged)}, the number of labelled questions."
        )


def _label(item: EvalItem) -> str:
    """What a question is stratified by."""
    return "declines" if item.declines else "+".join(sorted(item.routes))


# ---------------------------------------------------------------- what is tuned
def _problems(work: _Work) -> tuple[list[Problem], list[str]]:
    kept, notes = work.kept, []
    pinned = _pinned(work.settings)
    if pinned:
        notes.append(f"not tuned, since the environment or a flag sets them: {', '.join(sorted(pinned))}")

    def problem(
        name: str, grids: Mapping[str, Sequence[float]], score: Callable[[Values], Scores], weights: Scores
    ) -> Problem:
        free = {key: grid for key, grid in grids.items() if key not in pinned}
        current = {key: _current(work.settings, key) for key in free}
        full = {key: tuple(sorted({*grid, current[key]})) for key, grid in free.items()}
        return Problem(name, current, full, score, weights, lambda values: _ordered(values, work.settings))

    def column(name: str) -> Callable[[Values], Scores]:
        return lambda values: kept.scores(values)[name]

    routed_weights = kept.routed_weights()
    problems = [problem("routing", _routing_grids(work.settings), column("routing"), routed_weights)]
    declines = sum(question.item.declines for question in kept.questions)
    if min(declines, len(kept.questions) - declines) >= MIN_DECLINING:
        problems.append(problem("declining", DECLINING_GRIDS, column("declining"), kept.declining_weights()))
    else:
        notes.append(f"declining isn't tuned: {declines} questions with `answer: null`, {MIN_DECLINING} are needed")
    problems.append(problem("second store", SECOND_STORE_GRIDS, column("second store"), routed_weights))
    weights = work.rankings.weights()
    if weights.sum() >= MIN_PASSAGES:
        problems.append(problem("fusion", FUSION_GRIDS, work.rankings.scores, weights))
    else:
        notes.append(
            f"fusion isn't tuned: {int(weights.sum())} questions of one clause with labelled passages,"
            f" {MIN_PASSAGES} are needed"
        )
    return [found for found in problems if found.grids], notes


def _routing_grids(settings: Settings) -> dict[str, Sequence[float]]:
    """Evidence weights, and thresholds shared by the routes where they are configured alike, else for each route."""
    grids: dict[str, Sequence[float]] = dict(ROUTING_GRIDS)
    for name, grid in THRESHOLD_GRIDS.items():
        shared = len({getattr(route, name) for route in settings.routes}) == 1
        owners = [ALL_ROUTES] if shared else sorted(route.name for route in settings.routes)
        grids.update({f"routes.{owner}.{name}": grid for owner in owners})
    return grids


def _current(settings: Settings, key: str) -> float:
    section, _, name = key.rpartition(".")
    if section == "routing":
        return float(getattr(settings.routing, name))
    if section == "retrieval":
        return float(getattr(settings.retrieval, name))
    owner = section.partition(".")[2]
    return float(next(getattr(r, name) for r in settings.routes if owner in (ALL_ROUTES, r.name)))


def _pinned(settings: Settings) -> set[str]:
    """The tunable keys that polyrag.toml can't set now; of a shared threshold, that of every route."""
    pinned = set()
    for key, _, origin in settings.listed():
        if origin == "flag" or origin.startswith("environment"):
            section, _, name = key.rpartition(".")
            routes = section.startswith("routes.") and name in THRESHOLD_GRIDS
            fixed = {*ROUTING_GRIDS, *DECLINING_GRIDS, *SECOND_STORE_GRIDS, *FUSION_GRIDS}
            pinned |= {key, f"routes.{ALL_ROUTES}.{name}"} if routes else {key} & fixed
    return pinned


def _ordered(values: Values, settings: Settings) -> bool:
    """Whether no route's tau_low is above its tau_high."""
    for route in settings.routes:
        low, high = (
            values.get(f"routes.{route.name}.{name}", values.get(f"routes.{ALL_ROUTES}.{name}", getattr(route, name)))
            for name in ("tau_low", "tau_high")
        )
        if low > high:
            return False
    return True


# ---------------------------------------------------------------- what is proposed
def _accepted(problems: Sequence[Problem], tuned: Sequence[Tuned]) -> tuple[dict[str, tuple[float, float]], list[str]]:
    """Changes whose out-of-fold estimate improves and that cost no other measure anything, and what was refused."""
    accepted: dict[str, float] = {}
    notes = []
    for problem, found in zip(problems, tuned, strict=True):
        if not found.improves:
            continue
        trial = {**accepted, **found.changes}
        harmed = [p.name for p in problems if _falls(p, trial)]
        if harmed:
            notes.append(f"{problem.name}: not proposed, since {', '.join(harmed)} would fall")
        else:
            accepted = trial
    now = {key: value for problem in problems for key, value in problem.current.items()}
    return {key: (now[key], value) for key, value in accepted.items()}, notes


def _falls(problem: Problem, values: Mapping[str, float]) -> bool:
    """Whether a measure over all its questions is lower with these changes."""
    if problem.name == "fusion":
        values = {key: value for key, value in values.items() if key.startswith("retrieval.")}
    else:
        values = {key: value for key, value in values.items() if not key.startswith("retrieval.")}
    before, after = problem.score({}), problem.score(values)
    return float(((after - before) * problem.weights).sum()) < -1e-9


def _per_route(changes: Mapping[str, tuple[float, float]], settings: Settings) -> dict[str, tuple[float, float]]:
    """The same changes by the keys of polyrag.toml."""
    found = {}
    for key, values in changes.items():
        names = [route.name for route in settings.routes] if f".{ALL_ROUTES}." in key else [""]
        found.update({key.replace(f".{ALL_ROUTES}.", f".{name}."): values for name in names})
    return found


def _measures(
    rankings: PassageRankings, problems: Sequence[Problem], tuned: Sequence[Tuned]
) -> dict[str, tuple[float, float]]:
    for problem, found in zip(problems, tuned, strict=True):
        if problem.name == "fusion":
            n = problem.weights.sum()
            now, then = rankings.measures(problem.current), rankings.measures(found.found)
            names = ("recall@5", "mrr")
            return {
                name: (round(float(a.sum() / n), 4), round(float(b.sum() / n), 4))
                for name, a, b in zip(names, now, then, strict=True)
            }
    return {}


def _reliability(questions: Sequence[KeptQuestion], decided: Sequence[Decided]) -> tuple[ReliabilityBin, ...]:
    """How often the route is right by final margin, over single clauses that scores decided."""
    cases: list[tuple[float, bool]] = [
        (margin_confidence(clauses[0].final_margin), routed(kept.item, clauses))
        for kept, clauses in zip(questions, decided, strict=True)
        if has_route(kept.item) and len(clauses) == 1 and clauses[0].scores
    ]
    return reliability([c for c, _ in cases], [right for _, right in cases], RELIABILITY_BINS, low=0.5)
