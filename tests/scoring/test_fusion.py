"""Fusion against values worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyrag_cli.scoring.fusion import min_max, rrf, weighted


def test_rrf() -> None:
    fused = rrf([["a", "b", "c"], ["b", "a"], ["d"]])
    # a and b: 1/61 + 1/62 each, tie by id; d: 1/61; c: 1/63
    assert [identifier for identifier, _ in fused] == ["a", "b", "d", "c"]
    assert dict(fused) == pytest.approx({"a": 1 / 61 + 1 / 62, "b": 1 / 61 + 1 / 62, "d": 1 / 61, "c": 1 / 63})


def test_rrf_with_another_k_and_a_repeated_id() -> None:
    assert rrf([["a", "a", "b"]], k=1) == [("a", 1 / 2), ("b", 1 / 3)]
    assert rrf([]) == []


@given(st.lists(st.permutations("abcde"), max_size=4))
def test_rrf_does_not_depend_on_the_order_of_rankings(rankings: list[list[str]]) -> None:
    assert rrf(rankings) == rrf(rankings[::-1])


def test_min_max() -> None:
    assert min_max({"a": 2.0, "b": 4.0, "c": 3.0}) == {"a": 0.0, "b": 1.0, "c": 0.5}
    assert min_max({"a": 7.0, "b": 7.0}) == {"a": 1.0, "b": 1.0}
    assert min_max({}) == {}


def test_weighted() -> None:
    fused = weighted([{"a": 0.0, "b": 10.0, "c": 5.0}, {"c": 2.0, "a": 1.0}], [0.7, 0.3])
    # b .7; c .35 + .3 = .65; a 0
    assert fused == [("b", 0.7), ("c", 0.65), ("a", 0.0)]


def test_weighted_breaks_ties_by_id() -> None:
    assert weighted([{"b": 1.0, "a": 1.0}], [1.0]) == [("a", 1.0), ("b", 1.0)]


def test_weighted_needs_a_weight_for_each_head() -> None:
    with pytest.raises(ValueError, match="zip"):
        weighted([{"a": 1.0}], [])
