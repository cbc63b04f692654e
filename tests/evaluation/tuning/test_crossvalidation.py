"""The search and its estimates, on scores that are known."""

from collections.abc import Mapping

import numpy as np
import pytest

from polyrag_cli.evaluation.tuning.crossvalidation import Problem, coordinate_search, cross_validated

GRID = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
FOLDS = np.arange(40) % 5
ALL = np.ones(40, dtype=bool)


def problem(score: object, current: Mapping[str, float], **more: object) -> Problem:
    grids = dict.fromkeys(current, GRID)
    return Problem("made up", current, grids, score, np.ones(40), **more)  # type: ignore[arg-type]


def above(values: Mapping[str, float]) -> np.ndarray:
    """Right from x = 0.3 on; y only counts once x is there."""
    right = values["x"] >= 0.3
    return np.full(40, 0.5 * right + 0.5 * (right and values["y"] == 0.2))


def test_the_search_finds_parameters_that_depend_on_each_other() -> None:
    found = coordinate_search(problem(above, {"y": 0.0, "x": 0.0, "idle": 0.4}), ALL)
    assert found == {"x": 0.3, "y": 0.2, "idle": 0.4}


def test_of_equal_scores_the_value_nearest_to_the_current_one_wins() -> None:
    def score(values: Mapping[str, float]) -> np.ndarray:
        return np.full(40, float(values["x"] in (0.0, 0.2, 0.5)))

    assert coordinate_search(problem(score, {"x": 0.3}), ALL) == {"x": 0.2}


def test_what_another_parameter_made_needless_goes_back() -> None:
    def score(values: Mapping[str, float]) -> np.ndarray:
        return np.full(40, 1.0 if values["b"] == 0.1 else 0.5 if values["a"] == 0.1 else 0.0)

    assert coordinate_search(problem(score, {"a": 0.0, "b": 0.0}), ALL) == {"a": 0.0, "b": 0.1}


def test_what_may_not_stand_together_is_never_tried() -> None:
    tried = []

    def score(values: Mapping[str, float]) -> np.ndarray:
        tried.append(dict(values))
        return np.full(40, values["low"])

    found = coordinate_search(
        problem(score, {"low": 0.1, "high": 0.2}, allowed=lambda values: values["low"] <= values["high"]), ALL
    )
    assert found["low"] == 0.2
    assert all(values["low"] <= values["high"] for values in tried)


def test_a_real_gain_holds_out_of_fold() -> None:
    found = cross_validated(problem(above, {"x": 0.0, "y": 0.2}), FOLDS)
    assert (found.current, found.fitted, found.out_of_fold) == (0.0, 1.0, 1.0)
    assert (found.better, found.worse, found.changes) == (40, 0, {"x": 0.3})
    assert found.agreement == {"x": 1.0, "y": 1.0}
    assert found.improves


def test_out_of_fold_is_judged_with_parameters_that_never_saw_the_fold() -> None:
    # Every value is right on one fold alone: what fits the rest is always wrong on the one kept aside.
    def score(values: Mapping[str, float]) -> np.ndarray:
        return np.where(np.round(values["x"] * 10) - 1 == FOLDS, 1.0, 0.0)

    found = cross_validated(problem(score, {"x": 0.0}), FOLDS)
    assert found.current == 0.0
    assert found.fitted == pytest.approx(0.2)
    assert found.out_of_fold == 0.0
    assert not found.improves


def test_chance_fits_but_is_not_proposed() -> None:
    generator = np.random.default_rng(0)
    noise = {value: generator.integers(0, 2, 40).astype(float) for value in GRID}
    found = cross_validated(problem(lambda values: noise[values["x"]], {"x": 0.2}), FOLDS)
    assert found.fitted > found.out_of_fold
    assert found.fitted > found.current
    assert not found.improves


def test_a_gain_that_chance_explains_is_no_improvement() -> None:
    def score(values: Mapping[str, float]) -> np.ndarray:
        return np.where(np.arange(40) < 4, float(values["x"] >= 0.2), 1.0)

    found = cross_validated(problem(score, {"x": 0.0}), FOLDS)
    # Four questions better and none worse: 2 / 2**4.
    assert (found.better, found.worse, found.p) == (4, 0, 0.125)
    assert found.out_of_fold > found.current
    assert not found.improves


def test_questions_without_weight_count_nowhere() -> None:
    weights = np.array([1.0] * 10 + [0.0] * 30)
    made = Problem(
        "made up", {"x": 0.0}, {"x": GRID}, lambda v: np.where(np.arange(40) < 10, v["x"], 1 - v["x"]), weights
    )
    found = cross_validated(made, FOLDS)
    assert (found.questions, found.current, found.fitted, found.better) == (10, 0.0, 0.5, 10)


def test_flat_parameters_are_told_from_those_that_matter() -> None:
    found = cross_validated(problem(above, {"x": 0.0, "y": 0.2, "idle": 0.4}), FOLDS)
    flat = {item.parameter: item.flat for item in found.sensitivity}
    assert flat == {"x": False, "y": False, "idle": True}
    (y,) = (item for item in found.sensitivity if item.parameter == "y")
    assert dict(zip(y.values, y.scores, strict=True))[0.2] == 1.0
    assert min(y.scores) == 0.5
