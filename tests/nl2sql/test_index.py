from __future__ import annotations

import gc
from dataclasses import replace

from polyrag_cli.nl2sql.index import SchemaIndex
from tests.nl2sql.tables import schema_of, typed

SCHEMAS = tuple(schema_of(table) for table in typed())


def test_indexes_of_one_schema_share_what_is_known_of_its_table() -> None:
    first, second = SchemaIndex(SCHEMAS), SchemaIndex(SCHEMAS[:2])
    assert all(any(entry is known for known in first.tables) for entry in second.tables)


def test_a_changed_schema_has_an_entry_of_its_own() -> None:
    index = SchemaIndex(SCHEMAS)
    changed = SchemaIndex([replace(schema, rows=1) for schema in SCHEMAS])
    assert all(entry.schema.rows == 1 for entry in changed.tables)
    assert all(entry.schema.rows > 1 for entry in index.tables)


def test_a_schema_in_the_place_of_a_forgotten_one_is_read_anew() -> None:
    for number in range(50):
        schema = replace(SCHEMAS[0], label=f"livro {number}")
        assert SchemaIndex([schema]).tables[0].label_words >= {"livro", str(number)}
        del schema
        gc.collect(0)


def test_money_is_revenue_before_amounts() -> None:
    entry = next(table for table in SchemaIndex(SCHEMAS).tables if table.schema.name == "pedidos")
    assert [column.column.name for column in entry.money] == ["valor"]


def test_values_are_found_by_a_near_spelling_of_a_word_or_the_whole() -> None:
    postings = SchemaIndex(SCHEMAS).postings
    assert postings.nearest_values(["ollinda"]) == ("Olinda",)
    assert postings.nearest_values(["valle"]) == ("Goran Vale", "Vale Verde")
    assert postings.nearest_values(["Serra Alto", "ollinda"]) == ("Serra Alta", "Olinda")
    assert postings.nearest_values(["zzzzzz"]) == ()
    # A word that is a value elsewhere is no nearest value of itself.
    assert postings.nearest_values(["olinda"]) == ()
