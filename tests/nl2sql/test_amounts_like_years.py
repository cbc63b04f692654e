"""Figures that look like years and bound a quantity, beside years that are years."""

from __future__ import annotations

import pytest

from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.tables import typed_tables
from polyrag_cli.types import RawTable
from tests.nl2sql.answers import line_of
from tests.nl2sql.tables import MemoryStore

ROWS = (
    ("Pedido", "Região", "Lucro", "Data"),
    ("A1", "Ilhas", "2055", "2021-01-28"),
    ("A2", "Ilhas", "90", "2022-04-07"),
    ("A3", "Serra", "3000", "2023-05-02"),
    ("A4", "Vale", "1999", "2020-06-30"),
)
STORE = MemoryStore(typed_tables([RawTable("pedidos", ROWS)], "pedidos.csv"))
INDEX = SchemaIndex(STORE.schemas(None))


@pytest.mark.parametrize(
    ("question", "line"),
    [
        # Profits of 2,055, 90 and 1,999 are at most 2,055; all but that of 90 are at least 1,999.
        ("Quantos pedidos com lucro de no máximo 2055?", "3 (3 de 4 linhas)"),
        ("Quantos pedidos com lucro de pelo menos 1999?", "3 (3 de 4 linhas)"),
        # The orders of 2020 and 2021; the profit of 2020 alone.
        ("Quantos pedidos até 2021?", "2 (2 de 4 linhas)"),
        ("Qual foi o lucro em 2020?", "1.999 (soma de Lucro, 1 de 4 linhas)"),
    ],
)
def test_a_year_behind_a_quantity_and_a_comparison_is_an_amount(question: str, line: str) -> None:
    assert line_of("pt", question, INDEX, STORE) == line
