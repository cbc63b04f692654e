"""Owns the search for parameters on a grid, and its honest estimate by cross-validation.

Knows nothing of what is tuned: scores come from a callable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.scoring.significance import mcnemar

MAX_SWEEPS = 4
# Means nearer to each other than this are equal.
_SAME = 1e-9
# A better out-of-fold estimate that chance gives in one of ten cases, or more often, is no improvement.
MAX_P = 0.1

Values = Mapping[str, float]
Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Problem:
    """What is tuned, and what it is tuned for.

    current: value of each parameter now. grids: values to try for each, the current one among them.
    score: parameters → one score in [0, 1] per question, shape (n,). weights: shape (n,), of the questions in a mean.
    allowed: whether parameters may stand together.
    """

    name: str
    current: Values
    grids: Mapping[str, Sequence[float]]
    score: Callable[[Values], Scores]
    weights: Scores
    allowed: Callable[[Values], bool] = lambda values: True


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """How the mean score over all questions changes with one parameter, the others as found."""

    parameter: str
    values: tuple[float, ...]
    scores: tuple[float, ...]

    @property
    def flat(self) -> bool:
        """Whether no value of the grid changes anything."""
        return max(self.scores) - min(self.scores) < _SAME


@dataclass(frozen=True, slots=True)
class Tuned:
    """What tuning found: three means over the same questions, and the parameters behind them.

    current: with the settings of now. fitted: with the parameters found on all questions, judged on the same ones.
    out_of_fold: each question judged with parameters that were found without it. better, worse: questions that score
    higher or lower out of fold than now; p: of such a difference by chance (McNemar's exact test).
    agreement: parameter → share of the folds that found the value found on all questions.
    """

    name: str
    questions: int
    current: float
    fitted: float
    out_of_fold: float
    better: int
    worse: int
    p: float
    found: Values
    changes: Values
    agreement: Values
    sensitivity: tuple[Sensitivity, ...] = field(default=())

    @property
    def improves(self) -> bool:
        """Whether the out-of-fold estimate is better than now by more than chance explains."""
        return bool(self.changes) and self.out_of_fold > self.current + _SAME and self.p <= MAX_P


def coordinate_search(problem: Problem, rows: NDArray[np.bool_]) -> dict[str, float]:
    """The parameters with the highest mean score over some questions, one parameter at a time until none moves.

    A parameter leaves its current value only for a higher score; of equal scores the value nearest to the current one
    wins, so that what doesn't matter stays. Parameters that turned out not to be needed go back.
    """
    best = dict(problem.current)
    top = _mean(problem, best, rows)
    for _ in range(MAX_SWEEPS):
        before = dict(best)
        for name, grid in problem.grids.items():
            current = problem.current[name]
            for value in sorted(grid, key=lambda v: (abs(v - current), v)):
                trial = {**best, name: value}
                score = _mean(problem, trial, rows) if problem.allowed(trial) else -1.0
                if score > top + _SAME:
                    best, top = trial, score
        if best == before:
            break
    return _needed(problem, best, top, rows)


def _needed(problem: Problem, best: dict[str, float], top: float, rows: NDArray[np.bool_]) -> dict[str, float]:
    """The same parameters, each back at its current value where that costs nothing."""
    for name, current in problem.current.items():
        trial = {**best, name: current}
        if best[name] != current and problem.allowed(trial) and _mean(problem, trial, rows) >= top - _SAME:
            best = trial
    return best


def cross_validated(problem: Problem, folds: NDArray[np.int64]) -> Tuned:
    """Searches on all questions, and once without each fold to judge that fold.

    folds: each question's fold, shape (n,).
    """
    everything = np.ones(len(folds), dtype=bool)
    found = coordinate_search(problem, everything)
    now = problem.score(problem.current)
    honest = np.zeros(len(folds))
    per_fold = []
    for fold in np.unique(folds):
        inside = folds == fold
        chosen = coordinate_search(problem, ~inside)
        honest[inside] = problem.score(chosen)[inside]
        per_fold.append(chosen)
    counted = problem.weights > 0
    better = int(np.count_nonzero((honest > now + _SAME) & counted))
    worse = int(np.count_nonzero((honest < now - _SAME) & counted))
    return Tuned(
        problem.name,
        int(np.count_nonzero(counted)),
        _weighted(now, problem.weights, everything),
        _mean(problem, found, everything),
        _weighted(honest, problem.weights, everything),
        better,
        worse,
        mcnemar(worse, better),
        found,
        {name: value for name, value in found.items() if value != problem.current[name]},
        {name: sum(c[name] == value for c in per_fold) / len(per_fold) for name, value in found.items()},
        tuple(_sensitivity(problem, name, found, everything) for name in problem.grids),
    )


def _sensitivity(problem: Problem, name: str, found: Values, rows: NDArray[np.bool_]) -> Sensitivity:
    trials = [{**found, name: value} for value in sorted(problem.grids[name])]
    kept = [trial for trial in trials if problem.allowed(trial)]
    return Sensitivity(name, tuple(trial[name] for trial in kept), tuple(_mean(problem, trial, rows) for trial in kept))


def _mean(problem: Problem, values: Values, rows: NDArray[np.bool_]) -> float:
    return _weighted(problem.score(values), problem.weights, rows)


def _weighted(scores: Scores, weights: Scores, rows: NDArray[np.bool_]) -> float:
    mass = float(weights[rows].sum())
    return round(float((scores * weights)[rows].sum()) / mass, 9) if mass else 0.0
