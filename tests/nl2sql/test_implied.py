from __future__ import annotations

from dataclasses import replace

import pytest

from polyrag_cli.nl2sql.implied import outside
from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.nl2sql.plans import Condition, Measure, Plan
from polyrag_cli.nl2sql.ranking import plan_question
from polyrag_cli.text.utterance import read
from tests.nl2sql.tables import MemoryStore, typed

INDEX = SchemaIndex(MemoryStore(typed()).schemas(None))
ORDERS = next(table for table in INDEX.tables if table.schema.name == "pedidos")
COUNT = Plan("pedidos", "count", measure=Measure("count"))


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
    assert outside(replace(COUNT, conditions=(condition,)), ORDERS) is expected


def test_a_verb_of_taking_part_restricts_nothing_beside_a_quantity() -> None:
    assert plan_question(read("Qual a quantidade total vendida em Natal?", "pt"), INDEX).plan is not None
    assert plan_question(read("Qual a quantidade total devolvida em Natal?", "pt"), INDEX).plan is None


def test_a_name_is_never_implied() -> None:
    outcome = plan_question(read("Qual a quantidade total de Natal no Porto Seguro?", "pt"), INDEX)
    assert outcome.plan is None
    assert "Seguro" in outcome.reason


def test_a_year_that_no_table_covers_is_told() -> None:
    outcome = plan_question(read("Quantos pedidos houve em 2019?", "pt"), INDEX)
    assert outcome.plan is None
    assert outcome.reason == "pedidos holds nothing of that time"
