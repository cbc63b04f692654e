"""Rows that share a rank are all stated, each with its figure; nouns that cells hold are no name of the table."""

from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.tables import typed_tables
from tests.nl2sql.answers import line_of, outcome_of
from tests.nl2sql.tables import MemoryStore, raw

LIGHTS = """
Lighthouse;Height (m);Built
Gull Point;32;1891
Cape Dole;41;1874
Sable Rock;18;1933
North Skerry;41;1902
""".strip()
# Chapel Field 9.5 + 31 = 40.5, Lower Meadow 18.5 + 22 = 40.5, Old Quarry 27.5 + 27.5 = 55
HIVES = """
Hive;Apiary;Honey (kg)
H1;Lower Meadow;18.5
H2;Lower Meadow;22.0
H3;Chapel Field;9.5
H4;Chapel Field;31.0
H5;Old Quarry;27.5
H6;Old Quarry;27.5
""".strip()
BIRDS = """
Ave;Espécie;Peso (g)
Zéfiro;Falcão-peregrino;720
Brisa;Gavião;480
Trovão;Harpia;4600
Faísca;Falcão-peregrino;690
""".strip()
STORE = MemoryStore(
    [
        *typed_tables([raw("lighthouses", LIGHTS, ";")], "lighthouses.csv"),
        *typed_tables([raw("hives", HIVES, ";")], "hives.csv"),
        *typed_tables([raw("falcoaria", BIRDS, ";")], "falcoaria.csv"),
    ]
)
INDEX = SchemaIndex(STORE.schemas(None))


@pytest.mark.parametrize(
    ("language", "question", "line"),
    [
        ("en", "Which lighthouse is the tallest?", "Cape Dole: 41 m; North Skerry: 41 m (highest Height)"),
        ("en", "Which lighthouse is the oldest?", "Cape Dole: 1874 (lowest Built)"),
        ("pt", "Qual lighthouse é a mais alta?", "Cape Dole: 41 m; North Skerry: 41 m (maior Height)"),
        (
            "en",
            "Which apiary had the least honey?",
            "Chapel Field: 40.5 kg; Lower Meadow: 40.5 kg (lowest sum of Honey)",
        ),
        ("en", "Which hive gave the least honey?", "H3: 9.5 kg (lowest Honey)"),
        ("pt", "Quantas aves há na falcoaria?", "4 (4 de 4 linhas)"),
    ],
)
def test_superlatives_state_rows_and_figures(language: str, question: str, line: str) -> None:
    assert line_of(language, question, INDEX, STORE) == line


def test_a_kind_of_bird_is_no_name_of_the_table() -> None:
    # Declined, though two would be right: never all rows of the table "falcoaria".
    assert outcome_of("pt", "Quantos falcões temos?", INDEX, STORE).chosen is None
