"""The weights of an answer's probability from labelled questions about several folders, judged folder by folder.

Owns which weights are fitted, and when a change is proposed. Writes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from polyrag_cli.answering.probability import Signs
from polyrag_cli.config.sections import AnswerProbabilitySettings
from polyrag_cli.errors import UsageError
from polyrag_cli.evaluation.tuning.answer_cases import AnswerCase
from polyrag_cli.evaluation.tuning.held_out import (
    BIAS,
    Cases,
    Estimate,
    Found,
    Numbers,
    Weights,
    found_on,
    likely_under,
)
from polyrag_cli.evaluation.tuning.refusing import Shares, TradeOff, curve, over_all, shares, threshold_for
from polyrag_cli.scoring.logistic import log_loss, roc_auc

MIN_FOLDERS = 2
# Of either kind, all folders together.
MIN_QUESTIONS = 10
SECTION = "answer_probability"
THRESHOLD = "answer.min_probability"
_NAMES = ("coverage", "cosine", "unknown", "size")
_WORDS = "words_"


@dataclass(frozen=True, slots=True)
class FolderFigures:
    """One folder, judged by weights and a threshold that were found on the others.

    questions, unanswerable: how many. loss_now, loss, auc_now, auc: under the weights of now and under those found.
    threshold: that refuses no more than the share asked for of the others' answerable questions.
    """

    folder: str
    questions: int
    unanswerable: int
    loss_now: float
    loss: float
    auc_now: float | None
    auc: float | None
    threshold: float
    shares: Shares


@dataclass(frozen=True, slots=True)
class AnswerTuneReport:
    """What labelled folders say about the answer's probability.

    dense: whether cosines are among the signs; without, other weights are tuned. declined_before: questions that are
    declined whatever the probability. refuse: the share of answerable questions that may be refused.
    weights_now, weights: by name. now, out_of_fold, fitted: see `held_out.Found`. folders: one for each.
    kept_aside_now, kept_aside: all folders together, each by the others' threshold, under the weights of now and those
    found on the others. curve: over answer.min_probability. threshold: what to put there under the weights found.
    changes: dotted key → (now, proposed), empty when nothing is proposed.
    """

    dense: bool
    questions: int
    unanswerable: int
    declined_before: int
    refuse: float
    weights_now: Weights
    weights: Weights
    now: Estimate
    out_of_fold: Estimate
    fitted: Estimate
    folders: tuple[FolderFigures, ...]
    kept_aside_now: Shares
    kept_aside: Shares
    curve: tuple[TradeOff, ...]
    threshold_now: float
    threshold: float
    changes: Mapping[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class _Work:
    """All cases, those of them that have signs, and what was found on these; folders in the order of the folds."""

    asked: Sequence[AnswerCase]
    fit: np.ndarray[tuple[int], np.dtype[np.bool_]]
    cases: Cases
    folders: Sequence[str]
    now: Weights
    found: Found
    refuse: float

    @property
    def likely_now(self) -> Numbers:
        return over_all(self.asked, self.fit, self.found.likely_now)

    @property
    def likely(self) -> Numbers:
        return over_all(self.asked, self.fit, self.found.likely)


def tune_answers(
    asked: Sequence[AnswerCase],
    settings: AnswerProbabilitySettings,
    min_probability: float,
    dense: bool,
    refuse: float = 0.08,
) -> AnswerTuneReport:
    """Fits the weights on all folders, and on all but each one to judge that one.

    settings, min_probability: those of now. dense: whether the folders were embedded. refuse: the share of answerable
    questions that may be refused.

    Raises UsageError for fewer than two folders, or too few questions of either kind.
    """
    work = _worked(asked, settings, dense, refuse)
    found = work.found
    likely_now, likely = work.likely_now, work.likely
    figures, refused_now, refused = _by_folder(work)
    everyone = np.ones(len(asked), dtype=bool)
    threshold = _floored(threshold_for(asked, likely, everyone, refuse))
    return AnswerTuneReport(
        dense=dense,
        questions=len(asked),
        unanswerable=sum(not case.answerable for case in asked),
        declined_before=int(np.count_nonzero(likely < 0)),
        refuse=refuse,
        weights_now=work.now,
        weights=found.weights,
        now=found.now,
        out_of_fold=found.out_of_fold,
        fitted=found.fitted,
        folders=figures,
        kept_aside_now=shares(asked, refused_now),
        kept_aside=shares(asked, refused),
        curve=curve(asked, likely_now, likely),
        threshold_now=min_probability,
        threshold=threshold,
        changes=_changes(work, threshold, min_probability, dense) if found.improves else {},
    )


def _worked(asked: Sequence[AnswerCase], settings: AnswerProbabilitySettings, dense: bool, refuse: float) -> _Work:
    names = _NAMES if dense else tuple(name for name in _NAMES if name != "cosine")
    prefix = "" if dense else _WORDS
    fit = np.array([set(case.signs) == set(names) for case in asked], dtype=bool)
    kept = [case for case, own in zip(asked, fit, strict=True) if own]
    folders = sorted({case.folder for case in kept})
    _check(kept, folders)
    places = np.array([folders.index(case.folder) for case in kept], dtype=np.int64)
    labels = np.array([float(case.answerable) for case in kept])
    cases = Cases(names, np.array([_terms(case, names) for case in kept]), labels, places)
    now = {name: float(getattr(settings, prefix + name)) for name in (BIAS, *names)}
    try:
        return _Work(asked, fit, cases, folders, now, found_on(cases, now), refuse)
    except ValueError as error:
        raise UsageError(
            "without one of the folders, all questions left are of one kind: answerable, or not.",
            "Label questions of both kinds in several folders.",
        ) from error


def _check(kept: Sequence[AnswerCase], folders: Sequence[str]) -> None:
    if len(folders) < MIN_FOLDERS:
        raise UsageError(
            f"{len(folders)} folder has questions to fit weights to: {MIN_FOLDERS} are needed, one is always kept"
            " aside.",
            "Name several: polyrag tune answers FOLDER=QUESTIONS FOLDER=QUESTIONS",
        )
    no = sum(not case.answerable for case in kept)
    if min(no, len(kept) - no) < MIN_QUESTIONS:
        raise UsageError(
            f"{len(kept) - no} questions that something answers and {no} that nothing does: {MIN_QUESTIONS} of either"
            " kind are needed.",
            "Label what nothing answers with `answer: null`.",
        )


def _terms(case: AnswerCase, names: Sequence[str]) -> list[float]:
    """What the weights of these names are multiplied by, as the engine has it."""
    signs = Signs(**{name: case.signs.get(name, 0.0) for name in _NAMES})
    terms = dict(zip(_NAMES, signs.terms, strict=True))
    return [terms[name] for name in names]


def _by_folder(
    work: _Work,
) -> tuple[
    tuple[FolderFigures, ...],
    np.ndarray[tuple[int], np.dtype[np.bool_]],
    np.ndarray[tuple[int], np.dtype[np.bool_]],
]:
    """Each folder's figures, and which of all questions are refused by the thresholds of now and of what was found."""
    likely_now, likely = work.likely_now, work.likely
    refused_now, refused = np.zeros(len(work.asked), dtype=bool), np.zeros(len(work.asked), dtype=bool)
    figures = []
    for place, folder in enumerate(work.folders):
        inside = np.array([case.folder == folder for case in work.asked])
        others = over_all(work.asked, work.fit, likely_under(work.cases, work.found.per_fold[place]))
        threshold = threshold_for(work.asked, others, ~inside, work.refuse)
        refused[inside] = likely[inside] < threshold
        refused_now[inside] = likely_now[inside] < threshold_for(work.asked, likely_now, ~inside, work.refuse)
        own = work.cases.folds == place
        labels = work.cases.labels[own]
        now, then = work.found.likely_now[own], work.found.likely[own]
        held = [case for case in work.asked if case.folder == folder]
        figures.append(
            FolderFigures(
                folder=folder,
                questions=len(held),
                unanswerable=sum(not case.answerable for case in held),
                loss_now=log_loss(now, labels),
                loss=log_loss(then, labels),
                auc_now=roc_auc(now, labels),
                auc=roc_auc(then, labels),
                threshold=round(threshold, 4),
                shares=shares(held, refused[inside]),
            )
        )
    return tuple(figures), refused_now, refused


def _changes(work: _Work, threshold: float, min_probability: float, dense: bool) -> dict[str, tuple[float, float]]:
    prefix = "" if dense else _WORDS
    weights = work.found.weights
    found = {f"{SECTION}.{prefix}{name}": (work.now[name], weight) for name, weight in weights.items()}
    return {**found, THRESHOLD: (min_probability, threshold)}


def _floored(threshold: float) -> float:
    """A threshold as a configuration holds it: what passed still does."""
    return math.floor(round(threshold * 100, 4)) / 100
