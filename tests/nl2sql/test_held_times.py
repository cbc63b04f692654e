from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.algebra import Condition
from polyrag_cli.nl2sql.held_times import beyond
from polyrag_cli.nl2sql.index import SchemaIndex
from tests.nl2sql.answers import outcome_of
from tests.nl2sql.tables import MemoryStore, typed

STORE = MemoryStore(typed())
INDEX = SchemaIndex(STORE.schemas(None))
ORDERS = next(table for table in INDEX.tables if table.schema.name == "pedidos")


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (Condition("data", "year", (2024,)), False),
        (Condition("data", "year", (2021,)), True),
        (Condition("data", "year", (2021, 2025)), False),
        (Condition("data", "between", ("2023-01-01", "2023-12-31")), True),
        (Condition("data", "between", ("2023-01-01", "2024-01-31")), False),
        (Condition("data", "=", ("2030-01-01",)), True),
        (Condition("data", "month", (12,)), False),
        (Condition("cidade", "=", ("Natal",)), False),
    ],
)
def test_outside_the_years_of_a_table(condition: Condition, expected: bool) -> None:
    entry = next(entry for entry in ORDERS.columns if entry.column.name == condition.column)
    assert beyond(condition, entry) is expected


def test_a_verb_of_taking_part_restricts_nothing_beside_a_quantity() -> None:
    assert outcome_of("pt", "Qual a quantidade total vendida em Natal?", INDEX, STORE).chosen is not None
    assert outcome_of("pt", "Qual a quantidade total devolvida em Natal?", INDEX, STORE).chosen is None


def test_a_name_is_never_implied() -> None:
    outcome = outcome_of("pt", "Qual a quantidade total de Natal no Porto Seguro?", INDEX, STORE)
    assert outcome.chosen is None
    assert "Seguro" in outcome.reason


def test_a_year_that_no_table_covers_is_told() -> None:
    outcome = outcome_of("pt", "Quantos pedidos houve em 2019?", INDEX, STORE)
    assert outcome.chosen is None
    assert outcome.reason == "pedidos holds nothing of that time"
