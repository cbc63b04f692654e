"""Prefixes that turn a word round."""

from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.polarity import bases, negated_base, polarity, without_prefix

DENIED = [
    ("unresolved", "resolved"),
    ("resolved", "unresolved"),
    ("inativos", "ativo"),
    ("indisponiveis", "disponivel"),
    ("ilegais", "legal"),
    ("illegal", "legal"),
    ("irregular", "regular"),
    ("impago", "pago"),
    ("desligada", "ligado"),
    ("dissatisfied", "satisfied"),
    ("nonrefundable", "refundable"),
]
PLAIN = [
    ("interest", "interest"),
    ("discounts", "discount"),
    ("importado", "importados"),
    ("receita", "receitas"),
    ("unit", "units"),
    ("inscritos", "inscricoes"),
    ("region", "regional"),
    ("income", "interest"),
    ("resolved", "resolvido"),
]


@pytest.mark.parametrize(("word", "label"), DENIED)
def test_a_negating_prefix_makes_an_opposite_in_both_directions(word: str, label: str) -> None:
    assert polarity(word, label) == polarity(label, word) == "denied"


@pytest.mark.parametrize(("word", "label"), [("repaid", "paid"), ("revendas", "venda"), ("antivirus", "virus")])
def test_other_prefixes_make_another_word(word: str, label: str) -> None:
    assert polarity(word, label) == "other"


@pytest.mark.parametrize(("word", "label"), PLAIN)
def test_words_that_only_begin_so_are_themselves(word: str, label: str) -> None:
    assert polarity(word, label) == polarity(label, word) == ""


def test_what_is_left_of_a_word() -> None:
    assert bases("unpaid") == (("paid", True),)
    assert bases("repaid") == (("paid", False),)
    assert bases("un") == bases("r2d2") == ()
    assert bases("ilegal") == (("egal", True), ("legal", True))
    assert negated_base("inactive") == "active"
    assert negated_base("repaid") == negated_base("paid") == ""
    assert list(without_prefix("unpaid invoices")) == ["paid invoices", "unpaid voices"]
