import math
from dataclasses import replace

import numpy as np
import pytest

from polyrag_cli.scoring.walk import NO_CHAIN, WalkGraph, WalkQuestion, WalkSettings, sentence_similarity, walk


def _graph() -> WalkGraph:
    """Three passages of one sentence each; entity 0 joins the first two, entity 1 is in the third alone."""
    return WalkGraph(
        passage_sentences=np.array([0, 1, 2, 3], np.int32),
        sentence_passage=np.array([0, 1, 2], np.int32),
        article=np.array([0, 1, 2], np.int32),
        link_indptr=np.array([0, 1, 2, 3], np.int32),
        link_entities=np.array([0, 0, 1], np.int32),
        link_strengths=np.array([0.8, 0.8, 0.9], np.float32),
        bearer_indptr=np.array([0, 2, 3], np.int32),
        bearer_sentences=np.array([0, 1, 2], np.int32),
        bearer_weights=np.array([0.5, 1.0, 1.0], np.float32),
        bearer_bonus=np.ones(3, np.float32),
        node_indptr=np.array([0, 1, 2, 3, 5, 6], np.int32),
        node_targets=np.array([3, 3, 4, 0, 1, 2], np.int32),
        node_weights=np.ones(6, np.float32),
    )


def _question(coverage: list[list[float]], weights: list[float], own: tuple[int, ...] = ()) -> WalkQuestion:
    return WalkQuestion(
        coverage=np.array(coverage, np.float32).reshape(3, len(weights)),
        weights=np.array(weights, np.float32),
        anchors=np.zeros(0, np.int32),
        anchor_weights=np.zeros(0, np.float32),
        own_entities=np.array(own, np.int32),
    )


def test_similarity_is_squared_above_the_median() -> None:
    found = sentence_similarity(np.array([0.1, 0.2, 0.4, 0.6, 0.8], np.float32), 5)
    assert found.tolist() == pytest.approx([0.0, 0.0, 0.0, 0.25, 1.0], abs=1e-6)


def test_similarity_of_unknown_sentences_is_zero() -> None:
    found = sentence_similarity(np.array([np.nan, 0.2, 0.4, 0.6], np.float32), 4)
    assert found.tolist() == pytest.approx([0.0, 0.0, 0.0, 1.0], abs=1e-6)


@pytest.mark.parametrize("cosines", [None, np.full(3, np.nan, np.float32), np.full(3, 0.5, np.float32)])
def test_similarity_without_differences_is_zero(cosines: np.ndarray | None) -> None:
    assert sentence_similarity(cosines, 3).tolist() == [0.0, 0.0, 0.0]


def test_a_linked_passage_comes_before_an_unlinked_one_that_covers_as_much() -> None:
    question = _question([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]], [0.6, 0.4])
    result = walk(_graph(), question)
    assert result.passages == (0, 1, 2)
    assert result.path == (0, 1)
    assert result.links == (0,)
    assert result.sentences == (0, 1, 2)


def test_the_gain_is_that_of_the_best_chain_over_the_best_sentence() -> None:
    # The chain covers .6 and .4 and is linked: 1 + .375·.8 − .4 = .9 against the .6 of its first sentence.
    assert walk(_graph(), _question([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]], [0.6, 0.4])).gain == pytest.approx(
        0.3, abs=1e-6
    )
    # The second sentence covers nothing: .9 against 1.
    assert walk(_graph(), _question([[1.0], [0.0], [0.0]], [1.0])).gain == pytest.approx(-0.1, abs=1e-6)
    # Nothing leads from passage 2.
    assert walk(_graph(), _question([[0.0], [0.0], [1.0]], [1.0])).gain == NO_CHAIN


def test_scores_by_hand() -> None:
    # Only passage 0 is covered; length costs .4 a sentence, so the path (0) of value 1 outweighs (0, 1) of
    # 1 + .375·.8 − .4 = .9: masses e^0 and e^(−2), the second on both passages.
    question = _question([[1.0], [0.0], [0.0]], [1.0])
    settings = WalkSettings(iterations=1, damping=0.5, rank_weight=1.0, sentence_weight=0.1)
    result = walk(_graph(), question, settings=settings)
    small = math.exp((0.9 - 1.0) / 0.05)
    seeds = ((1 + small) / (1 + 2 * small), small / (1 + 2 * small))
    # One step sends all of both passages to the entity; half teleports back.
    assert result.passages[:2] == (0, 1)
    assert result.scores[0] == pytest.approx(math.log(0.5 * seeds[0]) + 0.1, abs=1e-5)
    assert result.scores[1] == pytest.approx(math.log(0.5 * seeds[1]), abs=1e-5)


def test_a_passage_on_the_path_is_spoken_for_by_the_paths_sentence() -> None:
    # Passage 0 has sentences 0 and 1; the second covers more, the first shares a name with passage 1.
    graph = WalkGraph(
        passage_sentences=np.array([0, 2, 3], np.int32),
        sentence_passage=np.array([0, 0, 1], np.int32),
        article=np.array([0, 1], np.int32),
        link_indptr=np.array([0, 1, 1, 2], np.int32),
        link_entities=np.array([0, 0], np.int32),
        link_strengths=np.array([0.8, 0.8], np.float32),
        bearer_indptr=np.array([0, 2], np.int32),
        bearer_sentences=np.array([0, 2], np.int32),
        bearer_weights=np.ones(2, np.float32),
        bearer_bonus=np.ones(2, np.float32),
        node_indptr=np.array([0, 1, 2, 4], np.int32),
        node_targets=np.array([2, 2, 0, 1], np.int32),
        node_weights=np.ones(4, np.float32),
    )
    question = _question([[0.9, 0.0], [1.0, 0.0], [0.0, 1.0]], [0.6, 0.4])
    result = walk(graph, question)
    assert result.path == (0, 2)
    assert dict(zip(result.passages, result.sentences, strict=True)) == {0: 0, 1: 2}
    # Alone, the passage is spoken for by its best sentence.
    alone = walk(graph, _question([[0.9], [1.0], [0.0]], [1.0]))
    assert alone.path == (1,) and alone.sentences[alone.passages.index(0)] == 1


def test_a_passage_without_sentences_is_reached_by_its_names_and_nothing_speaks_for_it() -> None:
    graph = WalkGraph(
        **{
            **vars(_graph()),
            "passage_sentences": np.array([0, 1, 2, 2], np.int32),
            "sentence_passage": np.array([0, 1], np.int32),
            "link_indptr": np.array([0, 1, 2], np.int32),
            "node_indptr": np.array([0, 1, 2, 3, 6, 6], np.int32),
            "node_targets": np.array([3, 3, 3, 0, 1, 2], np.int32),
        }
    )
    question = _question([[1.0], [0.5], [0.0]], [1.0])
    result = walk(graph, replace(question, coverage=question.coverage[:2]))
    assert dict(zip(result.passages, result.sentences, strict=True))[2] == -1


def test_a_link_by_a_name_of_the_question_counts_half_when_links_are_named() -> None:
    both = WalkGraph(
        **{
            **vars(_graph()),
            "link_indptr": np.array([0, 2, 4, 4], np.int32),
            "link_entities": np.array([0, 1, 0, 1], np.int32),
            "link_strengths": np.array([0.8, 0.6, 0.8, 0.6], np.float32),
            "bearer_indptr": np.array([0, 2, 4], np.int32),
            "bearer_sentences": np.array([0, 1, 0, 1], np.int32),
            "bearer_weights": np.ones(4, np.float32),
            "bearer_bonus": np.ones(4, np.float32),
        }
    )
    coverage, weights = [[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]], [0.6, 0.4]
    assert walk(both, _question(coverage, weights)).links == (0,)
    assert walk(both, _question(coverage, weights, own=(0,))).links == (1,)


def test_named_entities_get_their_share_of_the_seeds() -> None:
    plain = _question([[1.0], [0.0], [0.0]], [1.0])
    named = WalkQuestion(
        plain.coverage, plain.weights, np.array([1], np.int32), np.ones(1, np.float32), np.zeros(0, np.int32)
    )
    assert 2 not in walk(_graph(), plain).passages
    assert 2 in walk(_graph(), named).passages


def test_later_passages_of_an_article_pay() -> None:
    graph = _graph()
    shared = WalkGraph(**{**vars(graph), "article": np.array([0, 0, 1], np.int32)})
    question = _question([[1.0], [0.9], [0.0]], [1.0])
    apart, together = walk(graph, question), walk(shared, question)
    assert apart.passages[:2] == together.passages[:2] == (0, 1)
    free = walk(shared, question, settings=WalkSettings(repeat_cost=0.0))
    assert together.scores[1] == pytest.approx(free.scores[1] - 0.05, abs=1e-6)
    assert together.scores[0] == free.scores[0]


def test_equal_passages_are_ordered_by_number() -> None:
    question = _question([[0.5], [0.5], [0.5]], [1.0])
    lonely = WalkGraph(
        **{**vars(_graph()), "link_indptr": np.zeros(4, np.int32), "node_weights": np.ones(6, np.float32)}
    )
    first, second, third = walk(lonely, question, settings=WalkSettings(damping=0.0)).passages
    assert (first, second, third) == (0, 1, 2)


def test_nothing_covered_finds_nothing() -> None:
    assert walk(_graph(), _question([[], [], []], [])).passages == ()


def test_similarity_alone_finds_passages() -> None:
    result = walk(_graph(), _question([[], [], []], []), np.array([0.1, 0.2, 0.9], np.float32))
    assert result.passages[0] == 2


def test_top_k_cuts_the_ranking() -> None:
    question = _question([[1.0], [0.8], [0.7]], [1.0])
    assert len(walk(_graph(), question, top_k=1).passages) == 1


def test_naming_the_touched_sentences_changes_nothing() -> None:
    question = _question([[1.0, 0.0], [0.0, 0.0], [0.0, 0.5]], [0.6, 0.4])
    cosines = np.array([0.1, 0.9, 0.2], np.float32)
    plain = walk(_graph(), question, cosines)
    assert walk(_graph(), replace(question, touched=np.array([0, 2])), cosines) == plain
    assert len(plain.passages) == 3
    # What isn't named isn't looked at.
    assert walk(_graph(), replace(question, touched=np.array([0])), cosines) != plain
