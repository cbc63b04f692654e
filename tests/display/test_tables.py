from __future__ import annotations

from polyrag_cli.display.tables import card_lines
from polyrag_cli.types import Column, Relation, TableSchema, table_card

COLUMNS = (
    Column("dock", "Dock", "text", ("East", "North", "South", "West"), 4),
    Column(
        "fee",
        "Fee (R$)",
        "number",
        ("1.5", "20.0"),
        1200,
        nulls=3,
        unit="R$",
        notes=("2 cells without a number", "decimal comma"),
        unread=2,
        unread_samples=("n.n.", "a\nb"),
    ),
    Column("summary_row", "summary row", "boolean", ("false", "true"), 2, total=True),
)
TABLE = TableSchema(
    "moorings",
    "port.xlsx",
    "Moorings",
    COLUMNS,
    1000,
    notes=("2 cells without a number (fee)", "above the table: Spring"),
    place="Port!A2:B1002",
    dialect="semicolon, utf-8: 9 of 9 rows have 2 cells",
    keys=("dock",),
    total_rows=(7,),
)
RELATIONS = (
    Relation("moorings", "dock", "docks", "name", 0.995),
    Relation("ships", "berth", "moorings", "dock", 1.0, declared=True),
    Relation("ships", "line", "lines", "name", 1.0),
)


def test_a_card_says_where_a_table_is_from_how_it_was_read_and_what_was_not() -> None:
    assert card_lines(table_card(TABLE, RELATIONS)) == [
        "moorings  1,000 rows × 3  from port.xlsx › Port!A2:B1002",
        "  read as  semicolon, utf-8: 9 of 9 rows have 2 cells",
        "  keys     dock",
        "  unread   2 cells in 1 column; they count as empty",
        "  note     above the table: Spring",
        "",
        "  column       type     unit  empty  different  such as",
        "  dock         text             0 %          4  East, North, South",
        "  fee          number   R$    < 1 %      1,200  1.5, 20.0",
        "               “Fee (R$)” in the source",
        "               2 cells without a number",
        "               decimal comma",
        "               unread: “n.n.”, “a b”",
        "  summary_row  boolean          0 %          2  false, true",
        "               says which rows state totals",
        "",
        "  relations",
        "    dock → docks.name  > 99 % of the values",
        "    dock ← ships.berth  100 % of the values, declared by the database",
    ]


def test_a_hidden_table_is_told() -> None:
    table = TableSchema("t", "a.xlsx", "t", (Column("n", "n", "integer", (), 0),), 0, hidden=True)
    assert card_lines(table_card(table, ()))[1] == "  hidden   its workbook doesn't show this sheet"


def test_a_table_of_which_there_is_little_to_say() -> None:
    table = TableSchema("t", "a.csv", "t", (Column("n", "n", "integer", (), 0),), 0)
    assert card_lines(table_card(table, ())) == [
        "t  0 rows × 1  from a.csv",
        "",
        "  column  type     unit  empty  different  such as",
        "  n       integer          0 %          0",
    ]


def test_values_take_the_room_that_there_is() -> None:
    column = Column("dock", "Dock", "text", ("Easternmost Dock", "Northern Dock", "South"), 3)
    card = table_card(TableSchema("t", "a.csv", "t", (column,), 3), ())
    assert [card_lines(card, width)[3].partition("3  ")[2] for width in (100, 76, 65, 50)] == [
        "Easternmost Dock, Northern Dock, South",
        "Easternmost Dock, Northern Dock",
        "Easternmost Dock",
        "Eastern…",
    ]
