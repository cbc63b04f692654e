"""Labels that programs write in one word, and columns of per cents."""

from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.nl2sql.label_words import label_parts
from polyrag_cli.tables import typed_tables
from tests.nl2sql.answers import line_of, outcome_of
from tests.nl2sql.tables import MemoryStore, raw

# Of these twelve, five are nutty (5/12 = 41.67 %) and five hold chocolate: their win per cents are 61.5, 70.2, 66.6, 43
# and 45, on average 57.26; those of the others 40.1, 38.4, 44, 41, 42, 46 and 47, on average 42.64.
SNACKS = """
brandname,chocolate,nutty,winpercent,SharePalmOil
Nutbar,1,1,61.5,12.0
Fruitix,0,0,40.1,0.0
Darko,1,0,70.2,5.5
Krispa,1,0,66.6,20.0
Lemo,0,0,38.4,1.0
Grano,0,1,44.0,3.0
Alfa,0,0,41,1
Beta,0,0,42,2
Gamma,1,0,43,3
Delta,1,1,45,4
Eps,0,1,46,5
Zeta,0,1,47,6
""".strip()
# 1,200 + 300 + 500 = 2,000 shareholders, 70,000 + 20,000 + 15,000 = 105,000 of share capital
COMPANIES = """
Company,shareholders,Share capital,Market share
Arlo Ltd,1200,70000,45
Bex Ltd,300,20000,35
Cove Ltd,500,15000,20
""".strip()
STORE = MemoryStore(typed_tables([raw("snack_ranking", SNACKS, ",")], "snack_ranking.csv"))
FIRMS = MemoryStore(typed_tables([raw("companies", COMPANIES, ",")], "companies.csv"))
INDEX = SchemaIndex(STORE.schemas(None))


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("ShareWomen", ("share", "women")),
        ("HTTPCode", ("http", "code")),
        ("winpercent", ("win", "percent")),
        ("pct_women", ("pct", "women")),
        ("unitprice", ("unit", "price")),
        ("STARTDATE", ("start", "date")),
        ("shareholders", ("shareholders",)),
        ("Sharepoint sites", ("sharepoint", "sites")),
        ("percentile", ("percentile",)),
        ("proportional", ("proportional",)),
        ("warehouse", ("warehouse",)),
        ("showroom", ("showroom",)),
        ("workshop", ("workshop",)),
        ("Unit price", ("unit", "price")),
    ],
)
def test_words_of_labels(label: str, words: tuple[str, ...]) -> None:
    assert label_parts(label) == words


@pytest.mark.parametrize(
    ("language", "question", "line"),
    [
        ("en", "top 3 snacks by win percentage", "Darko: 70.2; Krispa: 66.6; Nutbar: 61.5 (highest winpercent)"),
        ("en", "What is the win percentage of Darko?", "70.2 (winpercent)"),
        ("en", "What is the average win percentage?", "48.73 (average of winpercent, 12 of 12 rows)"),
        ("en", "What percentage of palm oil does Krispa have?", "20 (SharePalmOil)"),
        ("pt", "Qual é o percentual de palm oil da Krispa?", "20 (SharePalmOil)"),
        ("en", "What percentage of snacks are nutty?", "41.67% (5 of 12, rows counted)"),
        ("en", "What share of snacks are nutty?", "41.67% (5 of 12, rows counted)"),
        (
            "en",
            "By how many points does the average win percentage of chocolate snacks exceed that of snacks without"
            " chocolate?",
            "14.62 (yes 57.26 against no 42.64, average of winpercent)",
        ),
    ],
)
def test_what_is_held_in_per_cent(language: str, question: str, line: str) -> None:
    assert line_of(language, question, INDEX, STORE) == line


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("How many shareholders are there in total?", "2,000 (sum of shareholders, 3 of 3 rows)"),
        ("What is the total share capital?", "105,000 (sum of Share capital, 3 of 3 rows)"),
        ("Which company has the highest market percentage?", "Arlo Ltd: 45 (highest Market share)"),
    ],
)
def test_what_may_say_per_cent_does_so_of_figures_of_0_to_100(question: str, line: str) -> None:
    assert line_of("en", question, SchemaIndex(FIRMS.schemas(None)), FIRMS) == line


def test_share_capital_is_no_percentage() -> None:
    question = "Which company has the highest percentage of capital?"
    assert outcome_of("en", question, SchemaIndex(FIRMS.schemas(None)), FIRMS).chosen is None
