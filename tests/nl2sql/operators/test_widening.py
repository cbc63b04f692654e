"""Changes between columns that hold a quantity of two years; every figure is worked out by hand."""

from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.tables import typed_tables
from tests.nl2sql.answers import line_of, outcome_of
from tests.nl2sql.tables import MemoryStore, raw

PORTS = """
port,country,2014_collisions,2015_collisions,2014_tonnage,2015_tonnage
Arlo,Norway,11,44,500,450
Bex,Norway,41,48,700,900
Cove,Spain,30,12,300,310
Dune,Spain,5,5,100,260
""".strip()
FRUIT = """
fruit,plot,2020,2021,2022
Plums,North,12.5,14.0,13.0
Plums,South,8.0,7.5,9.0
Pears,North,20.0,18.0,25.5
Quince,South,3.0,3.5,
""".strip()
CITIES = """
City,2014 sales,2015 sales
Leeds,10,30
Porto,40,15
Rome,10,12
Oslo,100,95
""".strip()
UPWARD = """
Lake,2014 visitors,2015 visitors
Elm,10,30
Fen,40,60
Grey,0,12
High,,8
""".strip()
STORE = MemoryStore(
    [
        *typed_tables([raw("accidents_by_port", PORTS, ",")], "accidents_by_port.csv"),
        *typed_tables([raw("city_sales", CITIES, ",")], "city_sales.csv"),
        *typed_tables([raw("lake_visitors", UPWARD, ",")], "lake_visitors.csv"),
        *typed_tables([raw("orchard_harvest", FRUIT, ",")], "orchard_harvest.csv"),
    ]
)
INDEX = SchemaIndex(STORE.schemas(None))
COVE = "Cove: -18 (2014_collisions 30, 2015_collisions 12)"
ARLO = "Arlo: 33 (2014_collisions 11, 2015_collisions 44)"


@pytest.mark.parametrize(
    ("language", "question", "line"),
    [
        # 44 - 11 = 33, 48 - 41 = 7, 12 - 30 = -18, 5 - 5 = 0
        ("en", "In which port did the number of collisions increase most from 2014 to 2015, and by how much?", ARLO),
        ("pt", "Em qual port as collisions mais aumentaram de 2014 para 2015?", ARLO),
        (
            "en",
            "Which port's collisions fell the most between 2014 and 2015?",
            COVE,
        ),
        ("pt", "Em qual port as collisions mais reduziram de 2014 para 2015?", COVE),
        ("es", "¿En qué port disminuyeron más las collisions de 2014 a 2015?", COVE),
        # 11 + 41 + 30 + 5 = 87, 44 + 48 + 12 + 5 = 109, 22 / 87 = 25.29 %
        (
            "en",
            "By how much did collisions increase between 2014 and 2015?",
            "22 (25.29%, 2014_collisions 87; 2015_collisions 109)",
        ),
        # 300 + 100 = 400, 310 + 260 = 570
        (
            "en",
            "What is the difference in tonnage between 2014 and 2015 in Spain?",
            "170 (42.5%, 2014_tonnage 400; 2015_tonnage 570)",
        ),
        # columns that are called nothing but their year: 12.5 + 8 = 20.5, 13 + 9 = 22
        ("en", "By how much did the plums harvest grow between 2020 and 2022?", "1.5 (7.32%, 2020 20.5; 2022 22)"),
        ("pt", "Quanto cresceu a harvest de pears de 2020 para 2022?", "5,5 (27,5%, 2020 20; 2022 25,5)"),
        # 30 - 10 = 20 (200 %), 15 - 40 = -25 (-62.5 %), 12 - 10 = 2 (20 %), 95 - 100 = -5 (-5 %)
        (
            "en",
            "Which city's sales fell least from 2014 to 2015?",
            "Oslo: -5 (2014 sales 100, 2015 sales 95)",
        ),
        ("en", "Which city's sales fell most from 2014 to 2015?", "Porto: -25 (2014 sales 40, 2015 sales 15)"),
        # 30 - 10 = 20, 60 - 40 = 20, 12 - 0 = 12
        ("en", "Which lake's visitors grew least from 2014 to 2015?", "Grey: 12 (2014 visitors 0, 2015 visitors 12)"),
        ("en", "Which city's sales grew least from 2014 to 2015?", "Rome: 2 (2014 sales 10, 2015 sales 12)"),
        (
            "en",
            "In which city did sales grow most in percent from 2014 to 2015?",
            "Leeds: 200% (2014 sales 10, 2015 sales 30)",
        ),
        (
            "en",
            "In which city did sales grow least in percent from 2014 to 2015?",
            "Rome: 20% (2014 sales 10, 2015 sales 12)",
        ),
        (
            "en",
            "By what percentage did sales decrease in Porto from 2014 to 2015?",
            "-62.5% (-25, 2014 sales 40; 2015 sales 15)",
        ),
        # the quince has no figure of 2022
        ("en", "Which fruit grew the least between 2020 and 2022?", "Plums: 1.5 (2020 20.5, 2022 22)"),
    ],
)
def test_changes_between_columns_of_years(language: str, question: str, line: str) -> None:
    assert line_of(language, question, INDEX, STORE) == line


@pytest.mark.parametrize(
    "question",
    [
        "How much did the harvest change from 2020 to 2023?",
        # They rose in Leeds and fell in Porto, and no lake's visitors fell.
        "By how much did sales decrease in Leeds from 2014 to 2015?",
        "By how much did sales increase in Porto from 2014 to 2015?",
        "Which lake's visitors fell most from 2014 to 2015?",
        # Of nothing there are no per cents.
        "In which lake did the visitors grow most in percent from 2014 to 2015?",
        "By what percentage did the visitors grow in Grey from 2014 to 2015?",
        "By what percentage did the visitors grow in High from 2014 to 2015?",
        "By how much did the quality of plums grow between 2020 and 2022?",
        "By how much did the number of pilots increase between 2014 and 2015?",
    ],
)
def test_what_no_columns_hold_is_declined(question: str) -> None:
    assert outcome_of("en", question, INDEX, STORE).chosen is None
