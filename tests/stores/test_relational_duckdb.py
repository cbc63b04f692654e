from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest

from polyrag_cli.errors import QueryRejected
from polyrag_cli.stores.catalog_sqlite import SQLiteCatalog
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.records import MAX_TEXTS, MAX_VALUES
from polyrag_cli.stores.relational_duckdb import DuckDBRelationalStore, settled_names
from tests.stores.corpus import table


def _hex(document: str, digits: int = 6) -> str:
    return hashlib.sha256(document.encode()).hexdigest()[:digits]


def test_names_depend_on_the_set_of_tables_only() -> None:
    tables = [("a.csv", 0, "t"), ("b.csv", 0, "T"), ("c.csv", 0, "alone"), ("b.csv", 1, "other")]
    expected = {
        ("a.csv", 0): f"t_{_hex('a.csv')}",
        ("b.csv", 0): f"T_{_hex('b.csv')}",
        ("c.csv", 0): "alone",
        ("b.csv", 1): "other",
    }
    assert settled_names(tables) == expected
    assert settled_names(tables[::-1]) == expected


def test_names_that_still_clash_get_more_digits_then_a_number() -> None:
    taken = f"t_{_hex('a.csv')}"
    tables = [("a.csv", 0, "t"), ("a.csv", 1, "t"), ("a.csv", 2, "t"), ("z.csv", 0, taken)]
    assert settled_names(tables) == settled_names(tables[::-1])
    assert settled_names(tables) == {
        ("a.csv", 0): f"t_{_hex('a.csv', 12)}",
        ("a.csv", 1): f"t_{_hex('a.csv')}_2",
        ("a.csv", 2): f"t_{_hex('a.csv')}_3",
        ("z.csv", 0): taken,
    }


def test_replacing_a_document_reads_no_other_schema(catalog: SQLiteCatalog, paths: DataPaths) -> None:
    store = DuckDBRelationalStore(paths)
    file = store.write(table())
    with catalog.writer() as writer:
        assert [schema.name for schema in store.add(writer, "a.csv", [(table(), file)])] == ["harvest"]
        writer.connection.execute("UPDATE tables SET schema = 'unreadable'")
        assert store.add(writer, "text.md", []) == ()
        found = store.add(writer, "b.csv", [(table("other"), file), (table("Harvest"), file)])
    assert [(schema.name, schema.document, schema.rows) for schema in found] == [
        ("other", "b.csv", 3),
        (f"Harvest_{_hex('b.csv')}", "b.csv", 3),
    ]


@pytest.mark.parametrize(("position", "kept"), [(0, MAX_TEXTS), (1, MAX_VALUES)])
def test_distinct_values_are_sorted_and_capped_by_type(
    catalog: SQLiteCatalog, paths: DataPaths, position: int, kept: int
) -> None:
    store = DuckDBRelationalStore(paths)
    values = ("long" * 99, *(f"v{n:05d}" for n in range(kept + 500, 0, -1)))
    columns = [replace(c, values=values if i == position else ()) for i, c in enumerate(table().columns)]
    one = replace(table(), columns=tuple(columns))
    with catalog.writer() as writer:
        store.add(writer, "a.csv", [(one, store.write(one))])
    with catalog.snapshot() as snapshot:
        found = store.schemas(snapshot)[0].columns[position]
    assert found.values == tuple(f"v{n:05d}" for n in range(1, kept + 1))
    assert found.truncated_values


def test_trusted_statements_skip_the_words_but_not_the_sandbox(catalog: SQLiteCatalog, paths: DataPaths) -> None:
    store = DuckDBRelationalStore(paths)
    with catalog.writer() as writer:
        store.add(writer, "a.csv", [(table(), store.write(table()))])
    with catalog.snapshot() as snapshot:
        assert store.execute(snapshot, "SELECT max(tons) FROM harvest", ["harvest"], trusted=True).rows == ((2,),)
        for statement in (
            "DROP VIEW harvest",
            "SELECT * FROM read_text('/etc/hostname')",
            "SELECT nothing FROM harvest",
        ):
            with pytest.raises(QueryRejected):
                store.execute(snapshot, statement, ["harvest"], trusted=True)


def test_words_of_paths_come_with_the_tables(paths: DataPaths, catalog: SQLiteCatalog) -> None:
    store = DuckDBRelationalStore(paths)
    for document in ("2024/harvest.csv", "2025/harvest.csv"):
        with catalog.writer() as writer:
            store.add(writer, document, [(table(), store.write(table()))])
    with catalog.snapshot() as snapshot:
        assert [schema.path_words for schema in store.schemas(snapshot)] in (
            [("2024",), ("2025",)],
            [("2025",), ("2024",)],
        )
