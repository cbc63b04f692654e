from __future__ import annotations

from polyrag_cli.tui.corpus.table_card import rows_text, table_text
from polyrag_cli.types import Column, TableSchema

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


def test_columns_types_and_notes_are_said() -> None:
    text = table_text(SCHEMA, [["Linha", "receita"], ["Foz", "640,00"]]).plain
    assert "6 rows from travessias.csv" in text
    assert "linha   text          2 distinct “Linha”" in text
    assert "receita number        6 distinct · R$" in text
    assert "! one row had a cell too many" in text
    assert "first 1 row, as in the source" in text
