from __future__ import annotations

from polyrag_cli.types import Column, Relation, TableSchema, table_card


def test_a_card_holds_shares_samples_and_the_relations_of_its_table() -> None:
    values = tuple(f"v{n}" for n in range(9))
    column = Column("a", "A", "text", values, 9, nulls=1, unread=4, unread_samples=("?",))
    table = TableSchema("t", "a.csv", "t", (column, column), 3, total_rows=(1, 2))
    own, foreign = Relation("t", "a", "b", "c", 0.5), Relation("x", "y", "b", "c", 1.0)
    card = table_card(table, (own, foreign))
    assert card.columns[0].null_share == 0.333333
    assert card.columns[0].samples == ("v0", "v1", "v2")
    assert (card.unread, card.total_rows, card.relations) == (8, 2, (own,))
