"""BM25 against values worked out by hand."""

import math

import pytest

from polyrag_cli.scoring.bm25 import idf, score, term_score


def test_idf() -> None:
    # N = 10, n = 2: ln(8.5 / 2.5 + 1) = ln 4.4
    assert idf(10, 2) == pytest.approx(math.log(4.4))
    assert idf(10, 10) == pytest.approx(math.log(0.5 / 10.5 + 1))
    assert idf(10, 10) > 0


def test_term_score() -> None:
    # tf 2, average length: 2 · 2.5 / (2 + 1.5) = 5 / 3.5
    assert term_score(2, 10, 10, 1.0) == pytest.approx(5 / 3.5)
    # twice the average length: 1.5 · (0.25 + 1.5) = 2.625
    assert term_score(2, 20, 10, 2.0) == pytest.approx(2 * 5 / 4.625)
    assert term_score(0, 10, 10, 1.0) == 0.0
    assert term_score(1, 0, 0, 1.0) == pytest.approx(1.0)


def test_score_adds_distinct_known_terms() -> None:
    tf = {"a": 1, "b": 2, "c": 5}
    total = score(["b", "a", "a", "x"], tf, 10, 10, {"a": 1.0, "b": 0.5, "x": 9.0})
    assert total == pytest.approx(1.0 + 0.5 * 5 / 3.5)
    assert score(["a", "b"], tf, 10, 10, {"a": 1.0, "b": 0.5}) == total
    assert score([], tf, 10, 10, {}) == 0.0
    # A term that the document holds, without an idf.
    assert score(["a"], tf, 10, 10, {}) == 0.0


def test_an_absent_term_is_worth_nothing_whatever_k1_is() -> None:
    assert term_score(0, 10, 10, 1.0, k1=0.0) == 0.0
