"""Tabularity orders texts by how much they look like a table."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyrag_cli.scoring.tabularity import tabularity

TABLES = [
    "mes;loja;valor\njan;Norte;1.234,50\nfev;Sul;980,00\nmar;Sul;1.100,10",
    "month,store,value\nJan,North,1234.5\nFeb,South,980\nMar,South,1100",
    "| mês | valor |\n|---|---|\n| jan | 10 |\n| fev | 12 |",
    "a\tb\tc\n1\t2\t3\n4\t5\t6",
    "item      qtd   preço\ncaneta      3    2,50\nlápis      10    1,20",
]
PROSE = [
    "A loja abriu em março, vendeu pouco no início, e depois cresceu.\nEm abril, porém, tudo mudou.",
    "In 2024 the company sold 1,200 units, 300 more than in 2023.",
    "One line; another clause; a third.",
    "- pão\n- leite\n- café",
    "",
]


@pytest.mark.parametrize("text", TABLES)
def test_tables_are_high(text: str) -> None:
    assert tabularity(text) > 0.6


@pytest.mark.parametrize("text", PROSE)
def test_prose_is_low(text: str) -> None:
    assert tabularity(text) < 0.25


def test_worked_out() -> None:
    # every line delimited, all with one tab, two figures of four tokens: .45 + .35 + .2 · .5
    assert tabularity("a\t1\nb\t2") == pytest.approx(0.9)


def test_a_rule_between_rows_is_no_row() -> None:
    assert tabularity("| a | 1 |\n|---|---|\n| b | 2 |") == tabularity("| a | 1 |\n| b | 2 |")


def test_a_line_between_rows_that_holds_nothing_is_no_row() -> None:
    assert tabularity("a\t1\n\nb\t2") == tabularity("a\t1\n \nb\t2") == tabularity("a\t1\nb\t2")


def test_signs_that_prose_has_too_count_as_far_as_their_number_is_regular() -> None:
    # 1, 2 and 3 delimiters: a third of the lines has the usual number of cells.
    irregular = ["a{0}b", "a{0}b{0}c", "a{0}b{0}c{0}d"]
    assert tabularity("\n".join(irregular).format(";")) == pytest.approx((0.45 + 0.35 / 3) / 3, abs=1e-6)
    assert tabularity("\n".join(irregular).format("\t")) == pytest.approx(0.45 + 0.35 / 3, abs=1e-6)


def test_a_table_within_prose_is_between() -> None:
    assert tabularity(PROSE[0]) < tabularity(PROSE[0] + "\n" + TABLES[0]) < tabularity(TABLES[0])


@given(st.text("a1,;|\t \n.-"))
def test_range(text: str) -> None:
    assert 0.0 <= tabularity(text) <= 1.0
