"""The weights of the confidence in a reading of a table from labelled questions, judged on tables kept aside.

Owns what a user chooses by: how often a figure is right against how many questions get one. Writes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from polyrag_cli.config.sections import TableConfidenceSettings
from polyrag_cli.errors import UsageError
from polyrag_cli.evaluation.tuning.held_out import BIAS, Cases, Estimate, Found, Numbers, Weights, found_on, numbered
from polyrag_cli.evaluation.tuning.table_cases import TableCase
from polyrag_cli.scoring.thresholds import right_at_least

MIN_TABLES = 2
# Of either kind, right and wrong.
MIN_READINGS = 10
SECTION = "table_confidence"
THRESHOLD = "answer.min_confidence"
_NAMES = tuple(field.name for field in fields(TableConfidenceSettings) if field.name != BIAS)
_STEPS = tuple(round(step / 20, 2) for step in range(20))


@dataclass(frozen=True, slots=True)
class Given:
    """What a threshold gives, as shares in [0, 1].

    coverage: of the answerable questions, those that get a figure; accuracy: those that get the right one. precision:
    of the figures given, also to questions without an answer, those that are right; None where none is given.
    """

    coverage: float
    accuracy: float
    precision: float | None


@dataclass(frozen=True, slots=True)
class TableTradeOff:
    """What one threshold gives, under the weights of now and out of fold."""

    threshold: float
    now: Given
    out_of_fold: Given


@dataclass(frozen=True, slots=True)
class TableTuneReport:
    """What labelled questions say about the confidence in readings of tables.

    questions, answerable: asked, and of them those with an answer. read: those whose best reading may answer; right:
    of these. tables, folds: tables asked of, and the parts that took turns at being kept aside, no table divided.
    weights_now, weights: by name. now, out_of_fold, fitted: see `held_out.Found`. curve: over answer.min_confidence.
    precision: how often a figure must be right; threshold: the least answer.min_confidence with which it is out of
    fold, None where there is none. changes: dotted key → (now, proposed), empty when nothing is proposed.
    """

    questions: int
    answerable: int
    read: int
    right: int
    tables: int
    folds: int
    weights_now: Weights
    weights: Weights
    now: Estimate
    out_of_fold: Estimate
    fitted: Estimate
    curve: tuple[TableTradeOff, ...]
    at_now: TableTradeOff
    precision: float
    threshold_now: float
    threshold: float | None
    changes: Mapping[str, tuple[float, float]]


def tune_tables(
    asked: Sequence[TableCase],
    settings: TableConfidenceSettings,
    min_confidence: float,
    folds: int = 5,
    precision: float = 0.85,
) -> TableTuneReport:
    """Fits the weights on all tables, and on all but each fold's to judge these.

    settings, min_confidence: those of now. folds: at most, from 2 on. precision: how often a figure must be right.

    Raises UsageError for fewer than two tables, or too few right or wrong readings.
    """
    read = [case for case in asked if case.evidence]
    _check(read)
    cases = Cases(
        _NAMES,
        np.array([[case.evidence[name] for name in _NAMES] for case in read]),
        np.array([float(case.right) for case in read]),
        numbered([case.table for case in read], folds),
    )
    now = {name: float(getattr(settings, name)) for name in (BIAS, *_NAMES)}
    try:
        found = found_on(cases, now)
    except ValueError as error:
        raise UsageError(
            "without one fold, all readings left are right, or all are wrong.", "Label questions of more tables."
        ) from error
    answerable = sum(case.answerable for case in asked)
    likely = found.likely.tolist()
    least = right_at_least(likely, [case.right for case in read], precision)
    threshold = None if least is None else math.ceil(round(least * 100, 4)) / 100

    def at(step: float) -> TableTradeOff:
        return TableTradeOff(
            step, _given(read, found.likely_now, step, answerable), _given(read, found.likely, step, answerable)
        )

    return TableTuneReport(
        questions=len(asked),
        answerable=answerable,
        read=len(read),
        right=sum(case.right for case in read),
        tables=len({case.table for case in read}),
        folds=len(found.per_fold),
        weights_now=now,
        weights=found.weights,
        now=found.now,
        out_of_fold=found.out_of_fold,
        fitted=found.fitted,
        curve=tuple(at(step) for step in _STEPS),
        at_now=at(min_confidence),
        precision=precision,
        threshold_now=min_confidence,
        threshold=threshold,
        changes=_changes(found, now, threshold, min_confidence) if found.improves else {},
    )


def _check(read: Sequence[TableCase]) -> None:
    if len({case.table for case in read}) < MIN_TABLES:
        raise UsageError(
            "the questions are read on fewer than two tables: one is always kept aside.", "Name more questions."
        )
    right = sum(case.right for case in read)
    if min(right, len(read) - right) < MIN_READINGS:
        raise UsageError(
            f"{right} readings are right and {len(read) - right} are wrong: {MIN_READINGS} of either kind are needed.",
            "Label questions with `answer` (values), also such as are hard or have none.",
        )


def _given(read: Sequence[TableCase], likely: Numbers, threshold: float, answerable: int) -> Given:
    given = [case for case, own in zip(read, likely.tolist(), strict=True) if own >= threshold]
    right = sum(case.right for case in given)
    covered = sum(case.answerable for case in given)
    of = max(1, answerable)
    return Given(round(covered / of, 4), round(right / of, 4), round(right / len(given), 4) if given else None)


def _changes(
    found: Found, now: Weights, threshold: float | None, min_confidence: float
) -> dict[str, tuple[float, float]]:
    weights = {f"{SECTION}.{name}": (now[name], weight) for name, weight in found.weights.items()}
    return weights if threshold is None else {**weights, THRESHOLD: (min_confidence, threshold)}
