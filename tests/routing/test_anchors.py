from pathlib import Path

import numpy as np
import pytest
from memory_corpus import NoEmbedder, TopicEmbedder

from polyrag_cli.routing import anchors
from polyrag_cli.routing.anchors import AnchorMatrix, anchor_matrix


def unit(*angles: float) -> np.ndarray:
    return np.array([[np.cos(a), np.sin(a)] for a in angles], dtype=np.float32)


EAST = np.array([1.0, 0.0], dtype=np.float32)


def test_a_score_is_the_mean_of_the_three_nearest_anchors() -> None:
    # Cosines .8, .6, .5 and .1: the mean of the first three is 1.9 / 3.
    matrix = AnchorMatrix([("a", "b", "c", "d")], unit(*np.arccos([0.5, 0.8, 0.1, 0.6])))
    found = matrix.score(EAST)
    assert found.scores == pytest.approx((0.633333,), abs=2e-6)
    assert found.nearest == ("b",)


def test_a_route_with_fewer_anchors_is_scored_by_those_it_has() -> None:
    matrix = AnchorMatrix([("one", "two"), (), ("three",)], unit(*np.arccos([0.9, 0.5, 0.2])))
    found = matrix.score(EAST)
    assert found.scores == pytest.approx((0.7, 0.0, 0.2), abs=2e-6)
    assert found.nearest == ("one", "", "three")


def test_nearest_anchor_per_sentence_and_centroid() -> None:
    matrix = AnchorMatrix([("a", "b"), ()], np.array([[1, 0], [0, 1]], dtype=np.float32))
    assert matrix.best(unit(0.0, np.pi / 4)).tolist() == pytest.approx(np.array([[1, 0], [0.7071068, 0]]))
    assert matrix.centroids.tolist() == pytest.approx(np.array([[0.7071068, 0.7071068], [0, 0]]))


def test_many_anchors_are_shortlisted_without_changing_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    centres = rng.normal(size=(40, 16))
    vectors = np.repeat(centres, 5, axis=0) + rng.normal(scale=0.3, size=(200, 16))
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    groups = [tuple(f"{route}-{i}" for i in range(5)) for route in range(40)]
    every = AnchorMatrix(groups, vectors).score(vectors[77])
    monkeypatch.setattr(anchors, "_ANCHORS_SCORED", 100)
    short = AnchorMatrix(groups, vectors).score(vectors[77])
    assert int(np.argmax(every.scores)) == int(np.argmax(short.scores)) == 77 // 5
    assert short.scores[15] == pytest.approx(every.scores[15], abs=2e-6)
    assert sum(text != "" for text in short.nearest) == 15


def test_vectors_are_embedded_once_and_kept(tmp_path: Path) -> None:
    first, second = TopicEmbedder(), TopicEmbedder()
    before = anchor_matrix([("total count", "history")], first, tmp_path).score(first.embed_query("total"))
    after = anchor_matrix([("total count", "history")], second, tmp_path).score(second.embed_query("total"))
    assert first.embedded == ["total count", "history"]
    assert second.embedded == []
    assert before == after
    assert [path.suffix for path in tmp_path.iterdir()] == [".npy"]


@pytest.mark.parametrize("damage", [b"", b"\x93NUMPY broken", b"PK\x03\x04 broken", None])
def test_a_damaged_file_is_made_again(tmp_path: Path, damage: bytes | None) -> None:
    anchor_matrix([("history",)], TopicEmbedder(), tmp_path)
    (path,) = tmp_path.iterdir()
    if damage is None:
        np.save(path, np.zeros((7, 2), dtype=np.float32))
    else:
        path.write_bytes(damage)
    again = TopicEmbedder()
    anchor_matrix([("history",)], again, tmp_path)
    assert again.embedded == ["history"]
    assert np.load(path).shape == (1, again.dimension)


def test_other_anchors_and_embedders_have_other_files(tmp_path: Path) -> None:
    other = TopicEmbedder()
    other.name = "elsewhere"
    for groups, embedder in (([("a",)], TopicEmbedder()), ([("b",)], TopicEmbedder()), ([("a",)], other)):
        anchor_matrix(groups, embedder, tmp_path)
    assert len(list(tmp_path.iterdir())) == 3


def test_a_directory_that_refuses_costs_only_the_cache(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a directory")
    embedder = TopicEmbedder()
    matrix = anchor_matrix([("history",)], embedder, blocked / "cache")
    assert matrix.score(embedder.embed_query("history")).scores == (1.0,)


def test_without_an_embedder_there_is_nothing_to_compare(tmp_path: Path) -> None:
    assert anchor_matrix([("history",), ("total",)], NoEmbedder(), tmp_path).centroids.shape == (2, 0)
    assert list(tmp_path.iterdir()) == []
