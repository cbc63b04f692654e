"""Weights are judged on what they were found without."""

from __future__ import annotations

import numpy as np
import pytest

from polyrag_cli.evaluation.tuning.held_out import Cases, found_on, likely_under, numbered


def cases(seed: int = 0, told: bool = True) -> Cases:
    """60 cases in three folds; told: whether the first feature tells the label, which the second never does."""
    drawn = np.random.default_rng(seed)
    labels = np.tile([0.0, 1.0], 30)
    told_by = labels if told else drawn.permutation(labels)
    features = np.column_stack([told_by + drawn.normal(size=60) * 0.5, drawn.normal(size=60)])
    return Cases(("told", "noise"), features, labels, np.repeat([0, 1, 2], 20))


NOTHING = {"bias": 0.0, "told": 0.0, "noise": 0.0}


def test_what_tells_the_label_gets_the_weight_and_holds_on_other_folds() -> None:
    found = found_on(cases(), NOTHING)
    assert found.weights["told"] > 1.0 > abs(found.weights["noise"])
    assert found.now.loss == pytest.approx(0.693147)
    assert found.now.auc == 0.5
    assert found.fitted.loss < found.out_of_fold.loss < found.now.loss
    assert found.improves
    assert sum(item.n for item in found.out_of_fold.reliability) == 60


def test_noise_fits_and_does_not_hold() -> None:
    held = [found_on(cases(seed, told=False), NOTHING) for seed in range(5)]
    assert all(found.fitted.loss <= found.now.loss for found in held)
    assert not any(found.improves for found in held)


def test_what_is_better_by_chance_is_no_improvement() -> None:
    found = found_on(cases(), found_on(cases(), NOTHING).weights | {"noise": 0.05})
    assert found.gain[0] < 0.0
    assert not found.improves


def test_each_case_is_judged_by_weights_found_without_its_fold() -> None:
    made = cases()
    found = found_on(made, NOTHING)
    other = Cases(made.names, made.features, np.where(made.folds == 1, 1.0 - made.labels, made.labels), made.folds)
    turned = found_on(other, NOTHING)
    # Labels of a fold change what the others are judged by, not what itself is.
    assert turned.per_fold[1] == found.per_fold[1]
    assert turned.likely[made.folds == 1].tolist() == found.likely[made.folds == 1].tolist()
    assert turned.per_fold[0] != found.per_fold[0]


def test_probabilities_are_those_of_the_named_weights() -> None:
    made = Cases(("b", "a"), np.array([[2.0, 3.0]]), np.ones(1), np.zeros(1, dtype=np.int64))
    # z = −5 + 2 · 1 + 3 · 1 = 0
    assert likely_under(made, {"bias": -5.0, "a": 1.0, "b": 1.0}).tolist() == [0.5]


def test_a_fold_without_which_one_label_is_left_is_refused() -> None:
    made = cases()
    split = Cases(made.names, made.features, made.labels, made.labels.astype(np.int64))
    with pytest.raises(ValueError, match="either kind"):
        found_on(split, NOTHING)


def test_groups_are_dealt_out_by_name_and_never_divided() -> None:
    assert numbered(["c", "a", "b", "a", "d"], 3).tolist() == [2, 0, 1, 0, 0]
    assert numbered(["c", "a"], 5).tolist() == [1, 0]
