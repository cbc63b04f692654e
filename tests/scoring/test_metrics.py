"""Measures against values worked out by hand."""

import math

import pytest

from polyrag_cli.scoring.metrics import (
    contains_fact,
    contains_marker,
    ndcg_at_k,
    percentile,
    recall_at_k,
    reciprocal_rank,
)


@pytest.mark.parametrize(
    ("ranks", "k", "value"),
    [
        ([1], 10, 1.0),
        ([2], 10, 1 / math.log2(3)),
        ([1, 2], 10, 1.0),
        ([2, 1], 10, 1.0),
        # 1/log2(2) + 1/log2(5) over the ideal 1/log2(2) + 1/log2(3)
        ([1, 4], 10, (1 + 1 / math.log2(5)) / (1 + 1 / math.log2(3))),
        ([1, None], 10, 1 / (1 + 1 / math.log2(3))),
        # One source shows both: one gain, at the top.
        ([1, 1], 10, 1.0),
        ([3, 3], 10, 0.5),
        ([11], 10, 0.0),
        ([None], 10, 0.0),
        ([], 10, 1.0),
        # More things than places: the ideal has k places.
        ([1, 2, 3], 2, 1.0),
    ],
)
def test_ndcg_at_k(ranks: list[int | None], k: int, value: float) -> None:
    assert ndcg_at_k(ranks, k) == pytest.approx(value, abs=1e-12)


def test_recall_at_k() -> None:
    assert recall_at_k([2, None], 2) == 0.5
    assert recall_at_k([2], 1) == 0.0
    assert recall_at_k([1, 1, 5], 5) == 1.0
    assert recall_at_k([], 5) == 1.0


def test_reciprocal_rank() -> None:
    assert reciprocal_rank([None, 4, 2]) == 0.5
    assert reciprocal_rank([None]) == 0.0


def test_percentile() -> None:
    assert percentile([4, 1, 3, 2], 50) == 2.5
    assert percentile([1, 2, 3], 95) == pytest.approx(2.9)
    assert percentile([7], 99) == 7
    assert (percentile([1, 2], 0), percentile([1, 2], 100)) == (1, 2)


@pytest.mark.parametrize(("values", "q"), [([], 50), ([1.0], 101), ([1.0], -1)])
def test_percentile_of_nothing(values: list[float], q: float) -> None:
    with pytest.raises(ValueError, match="percentile"):
        percentile(values, q)


@pytest.mark.parametrize(
    ("answer", "fact"),
    [
        ("O total é 4.988.300 kg.", "4988300"),
        ("The total is 4,988,300", "4.988.300"),
        ("São 4 988 300 ao todo", "4988300"),
        ("Custa 12,5 reais", "12.5"),
        ("a inspeção FITOSSANITÁRIA, sempre", "Fitossanitaria"),
        ("leva três dias", "3"),
        ("takes 12 days", "twelve days"),
        ("em 2024 100 lojas", "2024"),
        ("prazo: 30 dias.", "30 dias"),
        ("subiu 12%", "12%"),
        # A sign at an end has no border of its own.
        ("12%deles", "12%"),
        ("custa R$5", "$5"),
        ("see _mark", "_mark"),
        ("see mark_ there", "mark_"),
    ],
)
def test_contains_fact(answer: str, fact: str) -> None:
    assert contains_fact(answer, fact)


@pytest.mark.parametrize(
    ("answer", "fact"),
    [
        ("em 2026", "2"),
        ("custa 2,5", "2"),
        ("custa 1.2", "2"),
        ("são 12.345", "345"),
        ("regionalização", "regional"),
        ("KR-07x", "KR-07"),
        ("book_mark", "_mark"),
        ("mark_up", "mark_"),
        ("qualquer coisa", ""),
        ("", "1"),
    ],
)
def test_does_not_contain_fact(answer: str, fact: str) -> None:
    assert not contains_fact(answer, fact)


def test_contains_marker() -> None:
    assert contains_marker("O  lote de\nEXPORTAÇÃO segue", "lote de exportacao")
    assert not contains_marker("lote", "lotes")
    assert not contains_marker("lote", " ")


def test_cents_of_zero_do_not_matter_and_versions_do() -> None:
    assert contains_fact("total: 8.151,00 reais", "8151")
    assert contains_fact("total: 8,151.00", "8.151")
    assert contains_fact("8151", "8151,00")
    assert not contains_fact("8151,05", "8151")
    assert not contains_fact("version 2.0.1", "2")
