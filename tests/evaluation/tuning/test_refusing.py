from __future__ import annotations

import numpy as np

from polyrag_cli.evaluation.tuning.answer_cases import AnswerCase
from polyrag_cli.evaluation.tuning.refusing import Shares, curve, over_all, shares, threshold_for

_SIGNS = {"coverage": 0.5, "cosine": 0.5, "unknown": 0.0, "size": 3.0}


def case(answerable: bool, right: bool | None = None, declined: bool = False, tags: tuple[str, ...] = ()) -> AnswerCase:
    return AnswerCase("a", "q", answerable, right, _SIGNS, declined, tags)


CASES = (case(True, True), case(True, False), case(False, tags=("far",)), case(False, tags=("near", "far")))


def test_shares_of_each_kind() -> None:
    found = shares(CASES, np.array([False, True, True, False]))
    assert found == Shares(refused=0.5, right_refused=0.0, declined=0.5, by_tag={"far": 0.5, "near": 0.0})


def test_a_kind_that_there_is_none_of_has_no_share() -> None:
    assert shares(CASES[2:], np.array([True, True])) == Shares(None, None, 1.0, {"far": 1.0, "near": 1.0})


def test_what_is_declined_anyway_and_what_has_no_signs_lies_below_any_threshold() -> None:
    cases = (case(True), case(True, declined=True), case(False))
    likely = over_all(cases, np.array([True, True, False]), np.array([0.7, 0.9]))
    assert likely.tolist() == [0.7, -1.0, -1.0]


def test_a_threshold_looks_at_the_answerable_questions_of_its_rows() -> None:
    likely = np.array([0.2, 0.6, 0.1, 0.9])
    assert threshold_for(CASES, likely, np.ones(4, dtype=bool), 0.5) == 0.6
    assert threshold_for(CASES, likely, np.array([True, False, True, True]), 0.5) == 0.2


def test_the_curve_only_ever_declines_more() -> None:
    steps = curve(CASES, np.array([0.5, 0.2, 0.4, 0.1]), np.array([0.9, 0.8, 0.3, 0.1]))
    assert [step.threshold for step in steps][:2] == [0.05, 0.1]
    refused = [step.now.refused or 0.0 for step in steps]
    assert refused == sorted(refused)
    assert steps[6].threshold == 0.35
    assert (steps[6].now.refused, steps[6].out_of_fold.refused, steps[6].out_of_fold.declined) == (0.5, 0.0, 1.0)
