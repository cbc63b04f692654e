"""The language of questions and texts."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyrag_cli.languages import UNDETERMINED, all_languages
from polyrag_cli.text.language import detect, detect_table


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
        ("Wie viele Kunden haben wir und wo sind sie?", "de"),
        ("KR-07", "und"),
        ("OF01 OF02 OF03 prazo de entrega do pedido", "pt"),
        ("OF-01, OF-02, NO-3", "und"),
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
    assert detect(text) in {*(known.code for known in all_languages()), UNDETERMINED}


@pytest.mark.parametrize(
    ("labels", "cells", "language"),
    [
        # Codes that read like a function word, names, and a word that many rows repeat.
        ("codigo,oficina,cidade,vagas", ["OF01", "Ana da Silva", "Costura cênica", "OF02", "Costura cênica"], "pt"),
        ("receitaBruta,unidade,MES", ["12", "13"], "pt"),
        ("order_id,customerName,ship_date,amount", ["O-1", "Ana da Silva", "João dos Santos", "Rio do Sul"], "en"),
        ("nombre,fecha,precio", ["Ana"], "es"),
        ("nom,ville,prix,datum", ["Anne"], "und"),
        ("a,b,c", ["1", "2"], "und"),
        ("x1,x2", ["o rato roeu a roupa do rei de Roma", "o rei não gostou"], "pt"),
        # One word says nothing, and neither do names and cells that contradict each other.
        ("sku,kind", ["wooden", "wooden", "wooden"], "und"),
        ("name,price,quantity", ["o rato roeu a roupa do rei", "o rei não gostou"], "und"),
        ("valor,tipo,codigo", ["A", "B"], "und"),
        ("商品,価格", ["りんご"], "und"),
        ("", [], "und"),
    ],
)
def test_tables(labels: str, cells: list[str], language: str) -> None:
    assert detect_table(labels.split(","), cells) == language


def test_of_a_long_table_the_start_is_read() -> None:
    def cells() -> Iterator[str]:
        for number in range(400):
            yield f"the owner of number {number} has left"
        raise AssertionError("read on")

    assert detect_table(["x"], cells()) == "en"
