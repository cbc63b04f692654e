from __future__ import annotations

from polyrag_cli.nl2sql.algebra import Condition
from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.nl2sql.linked_items import linked_items
from polyrag_cli.tables import typed_tables
from tests.nl2sql.operators.staff import parsed
from tests.nl2sql.tables import ORDERS, raw, schema_of

TABLE = SchemaIndex([schema_of(table) for table in typed_tables([raw("pedidos", ORDERS, ";")], "pedidos.csv")]).tables[
    0
]


def conditions(question: str) -> list[tuple[Condition, ...]]:
    _, groups, _ = linked_items(parsed(question, "pt"), TABLE, None)
    return [group[0].conditions for group in groups]


def test_the_name_of_a_column_of_yes_and_no_says_a_state() -> None:
    assert conditions("Quantos pedidos foram entregues?") == [(Condition("entregue", "=", (True,)),)]


def test_a_figure_behind_the_name_of_what_numbers_rows_restricts_although_no_row_has_it() -> None:
    assert conditions("Quem fez o pedido 9999?") == [(Condition("pedido", "=", (9999,)),)]
    assert conditions("Quem fez o pedido acima de 9999?") == []


def test_bounds_are_left_to_what_reads_them() -> None:
    assert conditions("Quantos pedidos houve em fevereiro de 2024?") == []


def test_columns_are_items_but_those_of_yes_and_no() -> None:
    columns, _, _ = linked_items(parsed("Qual a cidade dos entregues?", "pt"), TABLE, None)
    assert {TABLE.columns[item.position].column.name for item in columns} == {"cidade"}
