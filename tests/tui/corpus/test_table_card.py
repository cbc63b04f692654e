from __future__ import annotations

from polyrag_cli.tui.corpus.table_card import rows_text, table_text
from polyrag_cli.types import Column, TableSchema, table_card

SCHEMA = TableSchema(
    "travessias",
    "travessias.csv",
    "travessias",
    (Column("linha", "Linha", "text", distinct=2), Column("receita", "receita", "number", distinct=6, unit="R$")),
    6,
    notes=("one row had a cell too many",),
)


def test_rows_stand_in_aligned_columns_whatever_their_script() -> None:
    assert rows_text([["linha", "n"], ["渡し", "[b]1[/b]"], ["Foz"]]).plain.splitlines() == [
        "linha │ n       ",
        "──────┼─────────",
        "渡し  │ [b]1[/b]",
        "Foz   │         ",
    ]


def test_the_audit_card_stands_above_the_first_rows() -> None:
    lines = table_text(table_card(SCHEMA, ()), [["Linha", "receita"], ["Foz", "640,00"]]).plain.splitlines()
    assert lines[:2] == ["travessias  6 rows × 2  from travessias.csv", "  note     one row had a cell too many"]
    assert lines[-4:] == ["first 1 row, as in the source", "Linha │ receita", "──────┼────────", "Foz   │ 640,00 "]
