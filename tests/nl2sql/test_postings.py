from __future__ import annotations

from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.text.stem import all_stems
from tests.nl2sql.domains import domain_tables
from tests.nl2sql.tables import schema_of, typed

INDEX = SchemaIndex([schema_of(table) for table in typed()])
POSTINGS = INDEX.postings
ENERGY, ORDERS, STAFF = range(3)


def test_tables_stand_under_their_cells_columns_and_names() -> None:
    assert [table.schema.name for table in INDEX.tables] == ["energia_2024", "pedidos", "staff"]
    assert POSTINGS.whole(("serra", "alta")) == {ENERGY: "Serra Alta"}
    assert POSTINGS.longest("mercado") == 3
    assert POSTINGS.words("leeds") == [STAFF]
    assert all(POSTINGS.stems.get(stem) == [STAFF] for stem in all_stems("engineering"))
    assert all(POSTINGS.column_stems.get(stem) == [ORDERS] for stem in all_stems("pedido"))
    assert POSTINGS.concepts.get("salary") == [STAFF]
    assert POSTINGS.names.get("energia") == [ENERGY]
    assert POSTINGS.labels.get("usina") == [ENERGY]


def test_tables_stand_by_the_roles_of_their_columns() -> None:
    assert POSTINGS.roles.get("money") == [ORDERS]
    assert POSTINGS.roles.get("dated") == [ENERGY, ORDERS, STAFF]
    assert POSTINGS.roles.get("with_date") == POSTINGS.roles.get("one_date") == [ORDERS, STAFF]


def test_labels_of_several_words_stand_under_their_first_two_stems() -> None:
    index = SchemaIndex([schema_of(table) for table in domain_tables()])
    bookings = next(table for table in index.tables if table.schema.name == "hotel_bookings_2023")
    column = next(c for c in bookings.columns if c.column.name == "room_type")
    assert index.postings.headers("room", "type") == [column.stems]
    assert POSTINGS.headers("room", "type") == []


def test_a_word_spelled_like_a_label_finds_its_tables() -> None:
    assert POSTINGS.spelled_like("departamento") == [STAFF]
    assert POSTINGS.spelled_like("departamento") == [STAFF]
    assert POSTINGS.spelled_like("zumbarel") == []
