"""The language of questions and texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyrag_cli.text.language import detect


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("qual regiao vendeu mais", "pt"),
        ("Quem aprova compras?", "pt"),
        ("Quanto faturamos em março?", "pt"),
        ("Por que a entrega atrasou?", "pt"),
        ("Liste os fornecedores", "pt"),
        ("which region sold most", "en"),
        ("Who approves purchases?", "en"),
        ("total sales by region", "en"),
        ("Why was the delivery late?", "en"),
        ("¿Quién aprueba las compras?", "es"),
        ("cual region vendio mas", "es"),
        ("Quel est le chiffre d'affaires de la région ?", "und"),
        ("Wie viele Kunden haben wir und wo sind sie?", "und"),
        ("KR-07", "und"),
        ("12 34", "und"),
        ("Кто утверждает закупки?", "und"),
        ("日本語", "und"),
        ("", "und"),
    ],
)
def test_detects(text: str, language: str) -> None:
    assert detect(text) == language


@given(st.text())
def test_any_text_has_an_answer(text: str) -> None:
    assert detect(text) in {"pt", "en", "es", "und"}
