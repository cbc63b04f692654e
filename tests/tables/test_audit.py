from __future__ import annotations

from polyrag_cli.tables.audit import total_rows


def test_totals_are_found_by_their_first_text() -> None:
    rows = [["Norte", "1"], ["Subtotal", "1"], ["Sul", "2"], ["Leste", "3"], ["Oeste", "4"], ["", "Total geral", "10"]]
    assert total_rows(rows) == (1, 5)


def test_a_name_that_only_contains_the_word_is_no_total() -> None:
    assert total_rows([["Total Energies", "1"], ["Other", "2"]]) == ()


def test_a_category_called_total_is_no_total() -> None:
    assert total_rows([["total", "1"], ["total", "2"], ["parcial", "3"]]) == ()
