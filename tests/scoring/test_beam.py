import numpy as np
import pytest

from polyrag_cli.scoring.beam import WalkQuestion, WalkSettings, largest, links_from, search_paths
from polyrag_cli.scoring.walk_graph import WalkGraph, ranges


def _chain(articles: tuple[int, ...] = (0, 1, 2)) -> WalkGraph:
    """Sentences 0 – 1 – 2 of three passages: entity 0 joins 0 and 1, entity 1 joins 1 and 2 and titles passage 2."""
    return WalkGraph(
        passage_sentences=np.array([0, 1, 2, 3], np.int32),
        sentence_passage=np.array([0, 1, 2], np.int32),
        article=np.array(articles, np.int32),
        link_indptr=np.array([0, 1, 3, 4], np.int32),
        link_entities=np.array([0, 0, 1, 1], np.int32),
        link_strengths=np.array([0.8, 0.8, 0.6, 0.6], np.float32),
        bearer_indptr=np.array([0, 2, 4], np.int32),
        bearer_sentences=np.array([0, 1, 1, 2], np.int32),
        bearer_weights=np.array([0.5, 1.0, 1.0, 1.0], np.float32),
        bearer_bonus=np.array([1.0, 1.0, 1.0, 1.15], np.float32),
        node_indptr=np.zeros(6, np.int32),
        node_targets=np.zeros(0, np.int32),
        node_weights=np.zeros(0, np.float32),
    )


def _question() -> WalkQuestion:
    empty = np.zeros(0, np.int32)
    coverage = np.array([[1.0, 0.5], [0.0, 1.0], [0.0, 0.0]], np.float32)
    return WalkQuestion(coverage, np.array([0.6, 0.4], np.float32), empty, np.zeros(0, np.float32), empty)


def _paths(graph: WalkGraph, own: tuple[bool, bool] = (False, False)) -> dict[tuple[int, ...], float]:
    question = _question()
    question = WalkQuestion(
        question.coverage,
        question.weights,
        question.anchors,
        question.anchor_weights,
        np.flatnonzero(own).astype(np.int32),
    )
    base = np.array([0.8, 0.4, 0.0])
    found = search_paths(graph, question, base, np.zeros(3), WalkSettings())
    return {
        tuple(int(s) for s in row if s >= 0): float(value)
        for row, value in zip(found.sentences, found.values, strict=True)
    }


def test_values_by_hand() -> None:
    paths = _paths(_chain())
    assert paths[(0,)] == 0.8
    # New coverage .4·(1 − .5) = .2; link .8·1 over entity 0.
    assert paths[(0, 1)] == pytest.approx(0.8 + 0.2 + 0.375 * 0.8, abs=1e-6)
    # Sentence 2 covers nothing; its link .6·1·1.15 is strong enough to reach it.
    assert paths[(0, 1, 2)] == pytest.approx(0.8 + 0.2 + 0.375 * 0.8 + 0.375 * 0.69, abs=1e-6)


def test_a_set_of_sentences_comes_once() -> None:
    paths = _paths(_chain())
    # Walked from 1 to 0 the same two are worth .4 + .6 + .375·.4 only.
    assert (0, 1) in paths
    assert (1, 0) not in paths


def test_own_entities_link_by_half() -> None:
    assert _paths(_chain(), (True, False))[(0, 1)] == pytest.approx(0.8 + 0.2 + 0.375 * 0.4, abs=1e-6)


def _found(graph: WalkGraph, settings: WalkSettings) -> list[tuple[int, ...]]:
    question = _question()
    found = search_paths(graph, question, np.array([0.8, 0.4, 0.1]), np.zeros(3), settings)
    return [tuple(int(s) for s in row if s >= 0) for row in found.sentences]


def test_as_many_paths_are_begun_and_kept_as_the_settings_say() -> None:
    paths = _found(_chain(), WalkSettings())
    assert {len(path) for path in paths} == {1, 2, 3}
    assert {tuple(sorted(path)) for path in paths if len(path) == 2} == {(0, 1), (1, 2)}
    assert [path for path in _found(_chain(), WalkSettings(starts=1)) if len(path) == 1] == [(0,)]
    assert [path for path in _found(_chain(), WalkSettings(per_hop=1)) if len(path) == 2] == [(0, 1)]


def test_a_passage_begins_as_many_paths_as_the_settings_say() -> None:
    chain = _chain()
    together = WalkGraph(
        **{
            **vars(chain),
            "passage_sentences": np.array([0, 3], np.int32),
            "sentence_passage": np.zeros(3, np.int32),
            "article": np.zeros(1, np.int32),
        }
    )
    assert _found(together, WalkSettings()) == [(0,), (1,)]
    assert _found(together, WalkSettings(starts_per_passage=1)) == [(0,)]


def test_of_two_names_that_link_a_pair_the_stronger_counts() -> None:
    chain = _chain()
    # Sentences 0 and 1 share entity 1 too, more weakly than entity 0; it comes first for sentence 0.
    both = WalkGraph(
        **{
            **vars(chain),
            "link_indptr": np.array([0, 2, 4, 5], np.int32),
            "link_entities": np.array([1, 0, 0, 1, 1], np.int32),
            "link_strengths": np.array([0.2, 0.8, 0.8, 0.6, 0.6], np.float32),
            "bearer_indptr": np.array([0, 2, 5], np.int32),
            "bearer_sentences": np.array([0, 1, 0, 1, 2], np.int32),
            "bearer_weights": np.array([0.5, 1.0, 1.0, 1.0, 1.0], np.float32),
            "bearer_bonus": np.array([1.0, 1.0, 1.0, 1.0, 1.15], np.float32),
        }
    )
    assert _paths(both)[(0, 1)] == _paths(chain)[(0, 1)]


def test_links_inside_an_article_are_weak() -> None:
    rows, targets, links = links_from(_chain((0, 0, 2)), np.array([0]), np.zeros(2, bool), WalkSettings())
    found = {(int(r), int(t)): float(link) for r, t, link in zip(rows, targets, links, strict=True)}
    assert found[0, 1] == pytest.approx(0.3 * 0.8, abs=1e-6)


def test_a_path_never_returns_to_a_passage() -> None:
    graph = _chain()
    one_passage = WalkGraph(
        **{**vars(graph), "sentence_passage": np.zeros(3, np.int32), "passage_sentences": np.array([0, 3], np.int32)}
    )
    assert all(len(path) == 1 for path in _paths(one_passage))


def test_ranges() -> None:
    at, which = ranges(np.array([0, 2, 2, 5], np.int32), np.array([2, 1, 0]))
    assert at.tolist() == [2, 3, 4, 0, 1]
    assert which.tolist() == [0, 0, 0, 2, 2]


def test_largest_breaks_ties_by_position() -> None:
    assert largest(np.array([0.5, 0.9, 0.5, 0.5]), 3).tolist() == [1, 0, 2]
    assert largest(np.array([0.5]), 3).tolist() == [0]


@pytest.mark.parametrize("shift", [0, -2, -9])
def test_the_largest_are_those_of_a_full_sort(shift: int) -> None:
    random = np.random.default_rng(0)
    for _ in range(60):
        # Few different values, many of them 0 or below: ties at the border are the rule.
        values = np.maximum(random.integers(-4, 5, int(random.integers(1, 30))) + shift, shift - 1).astype(np.float64)
        order = np.argsort(-values, kind="stable").tolist()
        assert all(largest(values, n).tolist() == order[:n] for n in range(1, 33))
