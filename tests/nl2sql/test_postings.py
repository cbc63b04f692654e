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
    assert POSTINGS.whole["serra", "alta"] == [ENERGY]
    assert POSTINGS.starts["mercado"] == 3
    assert POSTINGS.words["leeds"] == [STAFF]
    assert all(POSTINGS.stems[stem] == [STAFF] for stem in all_stems("engineering"))
    assert all(POSTINGS.column_stems[stem] == [ORDERS] for stem in all_stems("pedido"))
    assert POSTINGS.concepts["salary"] == [STAFF]
    assert POSTINGS.names["energia"] == [ENERGY]
    assert POSTINGS.labels["usina"] == [ENERGY]


def test_tables_stand_by_the_roles_of_their_columns() -> None:
    assert POSTINGS.money == [ORDERS]
    assert POSTINGS.dated == [ENERGY, ORDERS, STAFF]
    assert POSTINGS.with_date == POSTINGS.one_date == [ORDERS, STAFF]


def test_labels_of_several_words_stand_under_their_first_two_stems() -> None:
    index = SchemaIndex([schema_of(table) for table in domain_tables()])
    bookings = next(table for table in index.tables if table.schema.name == "hotel_bookings_2023")
    column = next(c for c in bookings.columns if c.column.name == "room_type")
    assert index.postings.headers["room", "type"] == [column.stems]
    assert ("room",) not in {key[:1] for key in POSTINGS.headers}


def test_a_word_spelled_like_a_label_finds_its_tables() -> None:
    assert POSTINGS.spelled_like("departamento") == [STAFF]
    assert POSTINGS.spelled_like("departamento") == [STAFF]
    assert POSTINGS.spelled_like("zumbarel") == []
