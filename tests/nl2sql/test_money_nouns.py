"""What a table's own noun means where its rows are money, and fees, sales and frequencies; worked out by hand."""

from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.tables import typed_tables
from tests.nl2sql.answers import line_of, outcome_of
from tests.nl2sql.tables import MemoryStore, raw

# Fees: adults 3 × 60 = 180, juniors 2 × 25 = 50; 230 of all.
PLAYERS = """
player_id,name,birth_year,category,annual_fee,joined,paid
P1,Ada Moss,1988,adult,60.00,2010-03-01,yes
P2,Bruno Reyes,2009,junior,25.00,2019-05-02,no
P3,Clara Dunn,1979,adult,60.00,2012-04-07,yes
P4,Dinis Faria,2010,junior,25.00,2020-09-09,yes
P5,Elena Stone,1991,adult,60.00,2015-01-30,no
""".strip()

# Rent 3 × 500 = 1,500, cleaning 120 + 80 + 50 = 250, repairs 250 + 0 + 0 = 250; 2,000 of all.
EXPENSES = """
month,heading,value_eur
January,rent,500
January,cleaning,120
January,repairs,250
February,rent,500
February,cleaning,80
March,rent,500
March,cleaning,50
""".strip()

DESPESAS = """
mês;rubrica;valor_eur
janeiro;renda;500
janeiro;limpeza;120
janeiro;obras;250
fevereiro;renda;500
fevereiro;limpeza;80
março;renda;500
março;limpeza;50
""".strip()

KITES = """
kite,maker,built,worth_eur
Falcon,Alba,2015,680
Heron,Brenta,2023,890
Osprey,Alba,2023,720
Petrel,Corvo,2012,450
""".strip()

# Heron 3 times, Falcon twice, Petrel once; Ada 3, Bruno 2, Clara 1.
LOANS = """
loan_id,date,kite,borrower,hours
L1,2024-05-01,Heron,Ada Moss,1
L2,2024-05-03,Heron,Bruno Reyes,1
L3,2024-05-09,Falcon,Ada Moss,9
L4,2024-06-01,Heron,Ada Moss,2
L5,2024-06-02,Falcon,Bruno Reyes,8
L6,2024-06-07,Petrel,Clara Dunn,7
""".strip()

PICNICS = """
item;price;quantity
bread;3,00;4
cheese;5,00;2
""".strip()


def _store(name: str, text: str) -> MemoryStore:
    return MemoryStore(typed_tables([raw(name, text, ";" if ";" in text else ",")], f"{name}.csv"))


STORES = {
    name: _store(name, text)
    for name, text in {
        "players": PLAYERS,
        "expenses": EXPENSES,
        "despesas": DESPESAS,
        "kites": KITES,
        "loans": LOANS,
        "picnics": PICNICS,
    }.items()
}

ANSWERED = [
    # an asked total of fees adds them up, whatever rows have alike
    ("players", "en", "What is the total of the annual fees of the adults?", "180.00 ("),
    ("players", "en", "What is the sum of the annual fees of the juniors?", "50.00 ("),
    ("players", "en", "What is the total of the annual fees?", "230.00 ("),
    ("players", "en", "What is the annual fee of the adults?", "60.00 ("),
    # what the rows are is money
    ("expenses", "en", "What percentage of the expenses was for rent?", "75% (1,500 "),
    ("expenses", "en", "What is the total of the cleaning expenses?", "250 "),
    ("expenses", "en", "What is the total of the expenses?", "2,000 "),
    ("expenses", "en", "What is the difference between the cleaning expenses of January and March?", "70 "),
    ("expenses", "en", "How many expenses were there in January?", "3 ("),
    ("despesas", "pt", "Que percentagem das despesas foi para renda?", "75% (1.500 "),
    ("despesas", "pt", "Qual é o total das despesas de limpeza?", "250 "),
    ("despesas", "pt", "Qual é o total das despesas?", "2.000 "),
    ("despesas", "pt", "Qual é a diferença entre as despesas de limpeza de janeiro e de março?", "70 "),
    ("despesas", "pt", "Quantas despesas houve em janeiro?", "3 ("),
    # how often
    ("loans", "en", "Which kite was borrowed most often?", "Heron: 3 ("),
    ("loans", "en", "Which borrower took loans most often?", "Ada Moss: 3 ("),
    ("loans", "en", "Which kite was borrowed least often?", "Petrel: 1 ("),
    # by how much
    ("despesas", "pt", "Quanto se gastou a mais em limpeza em janeiro do que em março?", "70 "),
    ("despesas", "pt", "Quanto se gastou a menos em limpeza em março do que em janeiro?", "70 "),
]

DECLINED = [
    # prices beside numbers of things add up to nothing
    ("picnics", "en", "What is the total of the prices?"),
    # of what may be worth money, nothing says that it was sold
    ("kites", "en", "How many kites were sold?"),
    ("kites", "en", "How many kites were sold in 2023?"),
    ("kites", "pt", "Quantos kites foram vendidos em 2023?"),
    ("kites", "pt", "Quantos kites foram comprados?"),
    ("loans", "en", "How many kites were sold?"),
]


@pytest.mark.parametrize(("table", "language", "question", "begins"), ANSWERED)
def test_answers(table: str, language: str, question: str, begins: str) -> None:
    store = STORES[table]
    line = line_of(language, question, SchemaIndex(store.schemas(None)), store)
    assert line.startswith(begins), line


@pytest.mark.parametrize(("table", "language", "question"), DECLINED)
def test_declines_what_nothing_tells(table: str, language: str, question: str) -> None:
    store = STORES[table]
    chosen = outcome_of(language, question, SchemaIndex(store.schemas(None)), store).chosen
    assert chosen is None, chosen.sql
