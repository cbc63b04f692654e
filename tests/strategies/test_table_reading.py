"""How a question was read on a table, as it is told; scores and links are worked out by hand."""

from __future__ import annotations

import pytest

from polyrag_cli.types import LinkedSpan
from tests.strategies.test_text_to_sql import priced, retrieve


def test_the_reading_names_its_links_and_its_score_adds_up() -> None:
    reading = retrieve("Qual o valor total dos pedidos de Natal?").reading
    assert reading is not None and reading.operator == "aggregate"
    assert LinkedSpan("Natal", "whole", "cidade", 1.1, ("Natal",)) in reading.spans
    assert LinkedSpan("valor", "column", "valor (R$)", 1.0) in reading.spans
    assert reading.score == pytest.approx(2 * reading.coverage + reading.links + reading.prior, abs=1e-5)
    assert 0 <= reading.margin <= 1
    assert 0 <= reading.confidence <= 1


def test_what_is_left_open_is_offered_with_its_statements() -> None:
    found = retrieve("Qual a ferramenta mais barata?", store=priced("78"))
    assert found.reading is None
    assert [other.shown[0] for other in found.alternatives[:2]] == ["lanterna", "martelo"]
    assert all("ferramentas" in other.sql for other in found.alternatives)


def test_unexplained_words_leave_nothing_to_offer() -> None:
    assert retrieve("Quantos pedidos foram cancelados?").alternatives == ()
