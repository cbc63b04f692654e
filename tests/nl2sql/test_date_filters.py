"""Restrictions by dates: ranges whose ends have an article, and whose first day has no year of its own."""

from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.algebra import Condition
from polyrag_cli.nl2sql.deciding import Candidate
from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.tables import typed_tables
from tests.nl2sql.answers import answered, outcome_of
from tests.nl2sql.tables import ORDERS, MemoryStore, raw

STORE = MemoryStore(typed_tables([raw("pedidos", ORDERS, ";")], "pedidos.csv"))
INDEX = SchemaIndex(STORE.schemas(None))
RANGE = Condition("data", "between", ("2024-02-20", "2024-03-11"))


def conditions(chosen: Candidate) -> list[Condition]:
    return [condition for restriction in chosen.reading.scope.chosen for condition in restriction.conditions]


@pytest.mark.parametrize(
    ("code", "question"),
    [
        ("pt", "Quantos pedidos houve entre 20 de fevereiro e 11 de março de 2024?"),
        ("pt", "Quantos pedidos houve entre o 20 de fevereiro e o 11 de março de 2024?"),
        ("pt", "Quantos pedidos houve de 20 de fevereiro a 11 de março de 2024?"),
        ("es", "¿Cuántos pedidos hubo entre el 20 de febrero y el 11 de marzo de 2024?"),
        ("es", "¿Cuántos pedidos hubo entre el 20 de febrero de 2024 y el 11 de marzo de 2024?"),
        ("en", "How many pedidos were there between the 20th of February and the 11th of March 2024?"),
        ("en", "How many pedidos were there between February 20 and March 11, 2024?"),
        ("en", "How many pedidos were there from 20 February to 11 March 2024?"),
    ],
)
def test_a_range_of_days(code: str, question: str) -> None:
    chosen = answered(code, question, INDEX, STORE)
    assert conditions(chosen) == [RANGE]
    assert chosen.rows.rows == ((3,),)


@pytest.mark.parametrize(
    ("code", "question"),
    [
        # Two days are no range, a month hasn't 31 days because another has, and 20xy is no day.
        ("es", "¿Cuántos pedidos hubo el 20 de febrero y el 11 de marzo de 2024?"),
        ("es", "¿Cuántos pedidos hubo entre el 31 de febrero y el 11 de marzo de 2024?"),
        ("en", "How many pedidos were there between 20xy February and 11 March 2024?"),
    ],
)
def test_no_range(code: str, question: str) -> None:
    outcome = outcome_of(code, question, INDEX, STORE)
    assert outcome.chosen is None or RANGE not in conditions(outcome.chosen)
