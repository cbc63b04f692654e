"""One index of the tables for all that read it."""

from __future__ import annotations

from dataclasses import replace

from polyrag_cli.nl2sql.indexes import TableIndexes
from tests.nl2sql.tables import schema_of, typed

SCHEMAS = tuple(schema_of(table) for table in typed())


def test_the_same_tables_have_one_index() -> None:
    indexes = TableIndexes()
    assert indexes.of(SCHEMAS) is indexes.of(SCHEMAS)
    assert [table.schema for table in indexes.of(SCHEMAS).tables] == sorted(SCHEMAS, key=lambda schema: schema.name)


def test_tables_that_changed_have_another_and_the_last_is_kept() -> None:
    indexes = TableIndexes()
    first = indexes.of(SCHEMAS)
    changed = indexes.of((replace(SCHEMAS[0], rows=1), *SCHEMAS[1:]))
    assert changed is not first
    assert indexes.of(SCHEMAS) is first
    indexes.of(SCHEMAS[:1])
    assert indexes.of(SCHEMAS) is not first
