"""Stems: inflections and spellings that must meet."""

import pytest

from polyrag_cli.languages import all_languages
from polyrag_cli.text.fold import fold_word
from polyrag_cli.text.stem import all_stems, stem, stems


@pytest.mark.parametrize(
    "family",
    [
        "operação operações operacao operacoes operar opera",
        "região regiões regiao",
        "armazém armazéns",
        "canal canais",
        "fácil fáceis",
        "papel papéis",
        "nível níveis nivel",
        "responsável responsáveis responsavel",
        "fornecedor fornecedores",
        "mês meses",
        "frequência frequências",
        "mão mãos",
        "lei leis",
        "vendeu vendas vendido vende",
        "contrato contratos contratado",
        "lençol lençóis",
        "atual atuais",
    ],
)
def test_portuguese_families(family: str) -> None:
    assert len({stem(fold_word(word), "pt") for word in family.split()}) == 1


@pytest.mark.parametrize("family", ["order orders ordered ordering", "company companies company's", "approve approved"])
def test_english_families(family: str) -> None:
    assert len({stem(fold_word(word), "en") for word in family.split()}) == 1


@pytest.mark.parametrize("pair", ["pais paz", "canal cano", "lei leito", "mel mil"])
def test_different_words_stay_apart(pair: str) -> None:
    first, second = pair.split()
    assert stem(first, "pt") != stem(second, "pt")


@pytest.mark.parametrize("word", ["1.234,56", "kr-07", "app_v2", "2025", "日", "हिन्दी"])
@pytest.mark.parametrize("language", ["pt", "en", "und"])
def test_figures_identifiers_and_other_scripts_are_unchanged(word: str, language: str) -> None:
    assert stem(word, language) == word


def test_unknown_language_strips_a_plain_plural() -> None:
    assert [stem(word, "und") for word in ("vendas", "class", "status", "mas")] == ["venda", "class", "status", "mas"]


def test_stems_of_a_text() -> None:
    assert stems("Quais são as regiões?", "pt") == stems("regiao", "pt")
    assert stems("What do the orders say?") == ["order", "say"]
    parts = [stem("servico", "pt"), "pos", stem("venda", "pt"), "kr-07"]
    assert stems("o serviço de pós-venda do KR-07", "pt") == parts
    assert stems("e-mail", "en") == stems("email", "en")
    assert stems("2020-2024", "pt") == ["2020", "2024"]


def test_all_stems() -> None:
    assert set(all_stems("orders")) == {stem("orders", known.code) for known in all_languages()} > {"order"}
    assert all_stems("kr-07") == ("kr-07",)
