"""What repeated blocks weigh, against values worked out by hand."""

from __future__ import annotations

import math

import pytest

from polyrag_cli.scoring.repetition import block_weight, passage_weight, weight_of


def test_a_block_weighs_less_the_more_documents_hold_it() -> None:
    # ln(100 / 10) / ln 100 = 1/2
    assert block_weight(100, 10) == 0.5
    assert block_weight(100, 100) == 0.0
    assert block_weight(81, 3) == 0.75
    assert block_weight(81, 9) == 0.5


@pytest.mark.parametrize(("documents", "holding"), [(100, 1), (100, 2), (1, 3), (0, 0)])
def test_what_is_not_repeated_weighs_in_full(documents: int, holding: int) -> None:
    assert block_weight(documents, holding) == 1.0


def test_a_passage_weighs_what_its_words_weigh() -> None:
    # (30 · 1 + 10 · 0.2) / 40
    assert passage_weight([(30, 1.0), (10, 0.2)]) == 0.8
    assert passage_weight([]) == 1.0
    assert passage_weight([(0, 0.2)]) == 1.0


def test_a_passage_by_its_blocks() -> None:
    # Of 40 words 10 stand in 10 of 100 documents: (30 + 10 · .5) / 40.
    assert weight_of([(7, 30), (8, 10)], 100, {8: 10}) == pytest.approx(0.875)
    assert weight_of([(8, 10)], 100, {8: 50}) == round(math.log(2) / math.log(100), 6)
