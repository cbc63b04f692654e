"""Owns what a threshold on the answer's probability does to labelled questions, and what each folder's own would."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.evaluation.tuning.answer_cases import AnswerCase
from polyrag_cli.evaluation.tuning.held_out import Numbers
from polyrag_cli.scoring.thresholds import refusing_at_most

STEPS = tuple(round(step / 20, 2) for step in range(1, 20))
# What lies below any threshold.
_NEVER = -1.0


@dataclass(frozen=True, slots=True)
class Shares:
    """What becomes of questions, as shares of each kind, in [0, 1]; None for a kind that there is none of.

    refused: of the answerable ones; right_refused: of those whose quotes hold the facts. declined: of those that
    nothing answers. by_tag: the same for those with a tag.
    """

    refused: float | None
    right_refused: float | None
    declined: float | None
    by_tag: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class TradeOff:
    """What one threshold does, under the weights of now and out of fold."""

    threshold: float
    now: Shares
    out_of_fold: Shares


def over_all(cases: Sequence[AnswerCase], fit: NDArray[np.bool_], likely: Numbers) -> Numbers:
    """The probabilities of all cases, shape (n,): those of the cases that are fit for weights, and one below any
    threshold for what is declined for other reasons."""
    every = np.full(len(cases), _NEVER)
    every[fit] = likely
    every[[case.declined for case in cases]] = _NEVER
    return every


def threshold_for(cases: Sequence[AnswerCase], likely: Numbers, rows: NDArray[np.bool_], refuse: float) -> float:
    """The greatest threshold that refuses at most a share of the answerable questions among some rows."""
    among = zip(cases, likely.tolist(), rows.tolist(), strict=True)
    return refusing_at_most([own for case, own, inside in among if inside and case.answerable], refuse)


def shares(cases: Sequence[AnswerCase], refused: NDArray[np.bool_]) -> Shares:
    """What becomes of questions; refused: shape (n,)."""
    said = refused.tolist()
    pairs = list(zip(cases, said, strict=True))
    unanswerable = [(case, no) for case, no in pairs if not case.answerable]
    tags = sorted({tag for case, _ in unanswerable for tag in case.tags})
    return Shares(
        _share([no for case, no in pairs if case.answerable]),
        _share([no for case, no in pairs if case.answerable and case.right]),
        _share([no for _, no in unanswerable]),
        {tag: _share([no for case, no in unanswerable if tag in case.tags]) or 0.0 for tag in tags},
    )


def curve(cases: Sequence[AnswerCase], now: Numbers, out_of_fold: Numbers) -> tuple[TradeOff, ...]:
    """What each threshold from .05 to .95 does."""
    return tuple(TradeOff(step, shares(cases, now < step), shares(cases, out_of_fold < step)) for step in STEPS)


def _share(said: Sequence[bool]) -> float | None:
    return round(sum(said) / len(said), 4) if said else None
