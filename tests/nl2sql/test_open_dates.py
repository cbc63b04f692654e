"""Times that a question leaves open: nothing is read of them, as a figure of another time would answer beside it."""

from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.nl2sql.open_dates import open_date
from polyrag_cli.nl2sql.question import take_apart
from polyrag_cli.tables import typed_tables
from polyrag_cli.text.utterance import read
from tests.nl2sql.answers import outcome_of
from tests.nl2sql.tables import ORDERS, MemoryStore, raw

STORE = MemoryStore(typed_tables([raw("pedidos", ORDERS, ";")], "pedidos.csv"))
INDEX = SchemaIndex(STORE.schemas(None))


@pytest.mark.parametrize(
    ("code", "question", "words"),
    [
        ("en", "What was the revenue this month?", "this month"),
        ("en", "What was the revenue last year?", "last year"),
        ("en", "How many orders were there in the last 3 months?", "last 3 months"),
        ("en", "How many orders came in yesterday?", "yesterday"),
        ("pt", "Quantos pedidos houve no mês passado?", "mês passado"),
        ("pt", "Qual foi a receita neste ano?", "neste ano"),
        ("es", "¿Cuántos pedidos hubo el año pasado?", "año pasado"),
        ("de", "Wie viele Bestellungen gab es letzten Monat?", "letzten Monat"),
        ("en", "How many orders were placed after 10 March?", "10 March"),
        ("en", "How many orders were placed on March 10?", "March 10"),
        ("pt", "Quantos pedidos houve em 20 de fevereiro?", "20 de fevereiro"),
    ],
)
def test_what_depends_on_today_or_on_a_year_is_declined_and_named(code: str, question: str, words: str) -> None:
    assert open_date(take_apart(read(question, code))) == words
    outcome = outcome_of(code, question, INDEX, STORE)
    assert outcome.chosen is None
    assert f"“{words}” leaves open" in outcome.reason


@pytest.mark.parametrize(
    ("code", "question"),
    [
        ("en", "How many orders were there in March?"),
        ("en", "How many orders were placed on 10 March 2024?"),
        ("en", "How many orders were there between 20 February and 11 March 2024?"),
        ("en", "Which order was the last?"),
        ("en", "What are the top 5 months?"),
        ("pt", "Quantos pedidos houve em fevereiro de 2024?"),
        ("pt", "Quais foram os últimos 3 pedidos?"),
        ("es", "¿Cuántas visitas hubo por la mañana?"),
    ],
)
def test_a_time_that_is_told_stays(code: str, question: str) -> None:
    assert open_date(take_apart(read(question, code))) == ""
