"""PageRank against a solved system, and its invariants."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyrag_cli.scoring.pagerank import personalized_pagerank


def test_two_nodes_that_point_at_each_other() -> None:
    # p0 = .15 + .85 p1, p1 = .85 p0  →  p0 = 1 / 1.85
    ranks = personalized_pagerank(
        np.array([0, 1, 2]), np.array([1, 0]), np.array([3.0, 0.1]), np.array([5.0, 0.0]), iterations=500
    )
    assert ranks == pytest.approx([1 / 1.85, 0.85 / 1.85], abs=1e-8)


def test_edge_weights_share_the_mass() -> None:
    # node 0 gives 3:1 to 1 and 2; both dangle, so their mass returns to 0: p0 = 1 - .85 p0
    ranks = personalized_pagerank(
        np.array([0, 2, 2, 2]), np.array([1, 2]), np.array([3.0, 1.0]), np.array([1.0, 0.0, 0.0]), iterations=500
    )
    assert ranks == pytest.approx([1 / 1.85, 0.6375 / 1.85, 0.2125 / 1.85], abs=1e-8)


def test_one_iteration() -> None:
    ranks = personalized_pagerank(
        np.array([0, 1, 2]), np.array([1, 0]), np.ones(2), np.array([1.0, 0.0]), damping=0.7, iterations=1
    )
    assert ranks == pytest.approx([0.3, 0.7])


def test_a_small_change_ends_it() -> None:
    edges = (np.array([0, 1, 2]), np.array([1, 0]), np.ones(2), np.array([1.0, 0.0]))
    once = personalized_pagerank(*edges, damping=0.7, iterations=1)
    assert personalized_pagerank(*edges, damping=0.7, iterations=9, tolerance=2.1).tolist() == once.tolist()
    assert personalized_pagerank(*edges, damping=0.7, iterations=9, tolerance=0.1).tolist() != once.tolist()


def test_without_seeds_or_edges() -> None:
    none = np.zeros(0, dtype=np.int64)
    assert personalized_pagerank(np.zeros(3, dtype=np.int64), none, np.zeros(0), np.zeros(2)).tolist() == [0.0, 0.0]
    seeds = np.array([1.0, 3.0])
    ranks = personalized_pagerank(np.zeros(3, dtype=np.int64), none, np.zeros(0), seeds)
    assert ranks == pytest.approx([0.25, 0.75])


@given(st.lists(st.lists(st.integers(0, 5), max_size=6), min_size=6, max_size=6), st.integers(0, 5))
def test_mass_is_kept_and_only_reachable_nodes_have_some(edges: list[list[int]], seed: int) -> None:
    indptr = np.cumsum([0, *map(len, edges)])
    indices = np.array([target for row in edges for target in row], dtype=np.int64)
    ranks = personalized_pagerank(indptr, indices, np.ones(len(indices)), np.eye(6)[seed], iterations=50)
    assert ranks.sum() == pytest.approx(1.0)
    reached = {seed}
    for _ in range(6):
        reached |= {target for node in reached for target in edges[node]}
    assert {i for i in range(6) if ranks[i] > 0} == reached
