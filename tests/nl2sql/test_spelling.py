from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.spelling import Spellings, Vocabulary, alike

LABELS = ("estoque", "anuncio", "quantidade", "qtd", "cod", "nota", "mes", "resultado", "duracao", "area", "categoria")


@pytest.mark.parametrize(
    ("word", "label", "quality"),
    [
        ("estoques", "estoque", 0.8),  # 14 of 15 letters pair up: 93
        ("categria", "categoria", 0.8),
        ("anunciou", "anuncio", 0.8),
        ("codigo", "cod", 0.7),
        ("notas", "nota", 0.0),  # a notion's own words are no abbreviations
        ("codex", "area", 0.0),
        ("q2", "qtd", 0.0),
    ],
)
def test_words_are_alike_by_letters_root_or_abbreviation(word: str, label: str, quality: float) -> None:
    assert alike(word, label) == quality


def test_the_vocabulary_finds_what_comparing_with_each_finds() -> None:
    vocabulary = Vocabulary(LABELS)
    for label in LABELS:
        for word in (label, label + "s", label[:-1], label + "izado", "x" + label, label[::-1], "codigos", "anunciou"):
            assert vocabulary.near(word) == sorted(other for other in LABELS if alike(word, other)), word


def test_values_of_a_near_spelling_come_best_first_and_folded() -> None:
    spellings = Spellings(("Maceió", "Macaé", "Natal", "Maceio"))
    assert spellings.nearest("maceio") == ("Maceio", "Maceió", "Macaé")
    assert spellings.nearest("maceio", 1) == ("Maceio",)
    assert spellings.nearest("Curitiba") == ()
