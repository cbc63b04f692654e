"""A table's own name asks for its rows, whatever columns other words call alike; so do words that only join."""

from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.tables import typed_tables
from tests.nl2sql.answers import line_of
from tests.nl2sql.tables import MemoryStore, raw

VISITS = """
Visit;City;Seller;Visitors;Cost;Date
1001;Leeds;Ana Moss;40;12.50;2022-03-01
1002;Porto;Bruno Reyes;7;99.00;2022-05-09
1003;Leeds;Bruno Reyes;12;30.25;2023-01-17
1004;Leeds;Clara Dunn;5;45.75;2023-02-02
1005;Porto;Ana Moss;9;21.00;2023-02-02
""".strip()
TOWNS = """
Visita;Cidade;Visitantes
1001;Leeds;40
1002;Porto;7
1003;Leeds;12
1004;Faro;5
""".strip()


def _line(language: str, question: str, name: str, text: str) -> str:
    store = MemoryStore(typed_tables([raw(name, text, ";")], f"{name}.csv"))
    return line_of(language, question, SchemaIndex(store.schemas(None)), store)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many visits?", "5 ("),
        ("How many visitors were there?", "73 ("),
        ("How many visits per city?", "Leeds: 3; Porto: 2 ("),
        ("What share of the visits are in Leeds?", "60% (3 of 5, "),
        ("How many more visits does Porto have than Leeds?", "-1 ("),
        ("How many visits are there where the city is Leeds?", "3 ("),
        ("What is the average cost where the seller is Bruno Reyes?", "64.63 ("),
        ("What is the total cost with cost above 25?", "175.00 ("),
        # Two came last, and the order of the rows doesn't choose.
        ("Which city has the latest date?", "Leeds: 2023-02-02; Porto: 2023-02-02 ("),
        ("Which cities have more than 2 visits?", "Leeds: 3"),
    ],
)
def test_answers(question: str, answer: str) -> None:
    assert _line("en", question, "visits", VISITS).startswith(answer)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Quantas visitas existem?", "4 ("),
        ("Quantas visitas existem com visitantes de até 12?", "3 ("),
        ("Qual o percentual dos visitantes em Leeds?", "81,25% ("),
        ("Quantas visitas por cidade?", "Faro: 1; Leeds: 2; Porto: 1 ("),
        ("Leeds tem total de visitantes maior do que Porto?", "Sim: Leeds 52; Porto 7 ("),
        ("O total de visitantes de Faro é maior ou menor que o de Porto?", "menor: Faro 5; Porto 7 ("),
    ],
)
def test_answers_in_portuguese(question: str, answer: str) -> None:
    assert _line("pt", question, "visitas", TOWNS).startswith(answer)
