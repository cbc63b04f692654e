"""Folds: every label in every fold, near-duplicates together, the same for the same seed."""

from collections import Counter

import numpy as np

from polyrag_cli.evaluation.tuning.folds import alike_groups, stratified_folds

NO_VECTORS = np.zeros((4, 0), dtype=np.float32)


def test_questions_with_most_words_in_common_are_one_group() -> None:
    questions = [
        "Quantos passageiros teve a linha Foz em janeiro?",
        "Quem autoriza a saída?",
        "quantos passageiros teve a linha Foz em fevereiro",
        "",
    ]
    assert alike_groups(questions, NO_VECTORS) == [0, 1, 0, 2]


def test_questions_with_a_high_cosine_are_one_group_and_groups_join() -> None:
    # 37° apart each: neighbours have a cosine of .8, the first and the last one of .28.
    angles = np.radians([0.0, 36.0, 72.0, 180.0])
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    assert alike_groups(["alpha", "beta", "gamma", "delta"], vectors) == [0, 0, 0, 1]


def test_every_label_is_spread_evenly() -> None:
    labels = ["graph"] * 10 + ["relational"] * 5 + ["vectorial"] * 20
    folds = stratified_folds(labels, list(range(35)), 5, seed=0)
    for fold in range(5):
        held = Counter(label for label, own in zip(labels, folds, strict=True) if own == fold)
        assert held == {"graph": 2, "relational": 1, "vectorial": 4}


def test_a_group_is_never_divided() -> None:
    groups = [0, 1, 2, 0, 1, 3, 4, 5, 0, 6]
    folds = stratified_folds(["a", "b"] * 5, groups, 3, seed=1)
    for group in set(groups):
        assert len({int(folds[i]) for i, own in enumerate(groups) if own == group}) == 1


def test_the_seed_alone_decides() -> None:
    labels = ["a", "b", "c"] * 10
    first, again, other = (stratified_folds(labels, list(range(30)), 5, seed).tolist() for seed in (0, 0, 1))
    assert first == again
    assert first != other
