"""MMR against values worked out by hand."""

import numpy as np

from polyrag_cli.scoring.mmr import mmr

RELEVANCE = np.array([0.9, 0.85, 0.5])
SIMILARITY = np.array([[1.0, 0.95, 0.1], [0.95, 1.0, 0.2], [0.1, 0.2, 1.0]])


def test_a_near_copy_comes_after_something_new() -> None:
    # after 0: item 1 is .7·.85 - .3·.95 = .31, item 2 is .7·.5 - .3·.1 = .32
    assert mmr(RELEVANCE, SIMILARITY, 3) == [0, 2, 1]


def test_lambda_one_is_relevance_alone() -> None:
    assert mmr(RELEVANCE, SIMILARITY, 3, mmr_lambda=1.0) == [0, 1, 2]


def test_negative_similarity_is_rewarded() -> None:
    similarity = np.array([[1.0, 0.0, -1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 1.0]])
    # after 0: item 1 is .35 - 0, item 2 is .28 + .3
    assert mmr(np.array([0.9, 0.5, 0.4]), similarity, 2) == [0, 2]


def test_every_chosen_item_counts_not_only_the_last() -> None:
    similarity = np.eye(4)
    similarity[0, 1] = similarity[1, 0] = 0.95
    # after 0 and 2: item 1 is .595 - .285 = .31, item 3 is .35
    assert mmr(np.array([0.9, 0.85, 0.6, 0.5]), similarity, 4) == [0, 2, 3, 1]


def test_ties_and_bounds() -> None:
    assert mmr(np.ones(3), np.eye(3), 2) == [0, 1]
    assert mmr(RELEVANCE, SIMILARITY, 10) == [0, 2, 1]
    assert mmr(np.zeros(0), np.zeros((0, 0)), 3) == []
    assert mmr(RELEVANCE, SIMILARITY, 0) == []
