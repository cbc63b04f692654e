from __future__ import annotations

import pytest

from polyrag_cli.config.sections import RetrievalSettings
from polyrag_cli.strategies.multi_query import MultiQueryStrategy, sub_queries
from polyrag_cli.text.utterance import read
from tests.strategies.library import Library, decision


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Quais as diferenças entre cães, gatos e peixes?", ("Quais as diferenças entre cães", "gatos", "peixes")),
        ("prós e contras do trabalho remoto", ("prós", "contras do trabalho remoto")),
        ("Is Alba Longa older or Vila Torta?", ("Is Alba Longa older ?", "Is older or Vila Torta?")),
        ("What is it?", ()),
        ("honey", ()),
    ],
)
def test_parts(question: str, parts: tuple[str, ...]) -> None:
    assert sub_queries(read(question)) == parts


def test_no_more_than_four_parts() -> None:
    assert len(sub_queries(read(", ".join(f"coisa{i} grande" for i in range(20)), "pt"))) == 4


def test_both_sides_of_a_comparison_are_found(library: Library) -> None:
    with library.context(RetrievalSettings(home_bonus=0.0)) as context:
        question = library.query("Compare the red apples and the jars of honey", top_k=2)
        hits = MultiQueryStrategy().retrieve(question, decision(), context).hits
    assert {hit.heading for hit in hits} == {"Apples", "Honey"}
