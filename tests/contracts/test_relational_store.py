"""What every registered relational store promises."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from polyrag_cli import registry
from polyrag_cli.errors import QueryRejected, StoreError
from polyrag_cli.stores.base import RelationalStore
from polyrag_cli.stores.catalog_sqlite import SQLiteCatalog
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.stores.records import TypedTable
from polyrag_cli.types import Column, Relation
from tests.stores.corpus import table

Opened = tuple[SQLiteCatalog, RelationalStore]


@pytest.fixture(params=registry.names("relational"))
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    paths = DataPaths(tmp_path / "it's [data] *")
    catalog = SQLiteCatalog.open(paths, create=True)
    yield catalog, registry.resolve("relational", request.param)(paths)
    catalog.close()


def _put(opened: Opened, document: str, *tables: TypedTable) -> list[str]:
    catalog, store = opened
    files = [(one, store.write(one)) for one in tables]
    with catalog.writer() as writer:
        return [schema.name for schema in store.add(writer, document, files)]


def test_a_table_is_queried_and_shown(opened: Opened) -> None:
    catalog, store = opened
    assert _put(opened, "a.csv", table()) == ["harvest"]
    with catalog.snapshot() as snapshot:
        rows = store.execute(snapshot, "SELECT crop, tons, price FROM harvest ORDER BY price")
        assert rows.columns == ("crop", "tons", "price")
        assert rows.rows == (("oats", 0, 0.0), ("rye", None, 0.5), ("maçã", 2, 1.0))
        assert not rows.truncated
        (schema,) = store.schemas(snapshot)
        assert (schema.name, schema.document, schema.label, schema.rows) == ("harvest", "a.csv", "Harvest", 3)
        assert (schema.heading, schema.notes) == ("Yields", ("a note",))
        assert schema.columns == table().columns
        assert store.source_cells(snapshot, "HARVEST") == [list(row) for row in table().source]
        with pytest.raises(StoreError, match="no table"):
            store.source_cells(snapshot, "other")


def test_every_type_comes_back_as_json_can_hold_it(opened: Opened) -> None:
    big = 2**80
    columns = (
        Column("select", "Select", "integer"),
        Column("when", "When", "date"),
        Column("ok", "Ok", "boolean"),
        Column("ratio", "Ratio", "number"),
        Column('odd "name"', "Odd", "text"),
    )
    cells = ((1, big), (datetime.date(2024, 2, 29), None), (True, False), (float("nan"), 1.5), ("a'b\ud800", "😀\0x"))
    _put(opened, "a.csv", TypedTable("types", "Types", columns, cells, (("a",),)))
    catalog, store = opened
    with catalog.snapshot() as snapshot:
        rows = store.execute(snapshot, 'SELECT "select", "when", ok, ratio, "odd ""name""" FROM types')
        total = store.execute(snapshot, 'SELECT sum("select") AS s, avg(ratio) AS a FROM types')
    assert rows.rows == ((1, "2024-02-29", True, None, "a'b?"), (big, None, False, 1.5, "😀\0x"))
    assert total.rows == ((big + 1, 1.5),)


def test_same_table_same_file(opened: Opened) -> None:
    _, store = opened
    assert store.write(table()) == store.write(table())
    assert store.write(table()) != store.write(table(offset=1))
    renamed = replace(table(), columns=(replace(table().columns[0], name="other"), *table().columns[1:]))
    assert store.write(renamed) != store.write(table())


def test_clashing_names_are_settled_whatever_the_order(opened: Opened) -> None:
    catalog, store = opened
    assert _put(opened, "b.csv", table()) == ["harvest"]
    (second,) = _put(opened, "a.csv", table("Harvest", offset=5))
    with catalog.snapshot() as snapshot:
        names = {schema.document: schema.name for schema in store.schemas(snapshot)}
        assert names["a.csv"] == second
        assert {name.rsplit("_", 1)[0] for name in names.values()} == {"harvest", "Harvest"}
        assert all(len(name.rsplit("_", 1)[1]) == 6 for name in names.values())
        rows = store.execute(snapshot, f"SELECT max(tons) FROM {names['a.csv']}")
        assert rows.rows == ((7,),)
    with catalog.writer() as writer:
        store.remove(writer, "a.csv")
    with catalog.snapshot() as snapshot:
        assert [schema.name for schema in store.schemas(snapshot)] == ["harvest"]


def test_replace_takes_the_place_of_all_tables(opened: Opened) -> None:
    catalog, store = opened
    _put(opened, "a.xlsx", table("one"), table("two"))
    _put(opened, "a.xlsx", table("three"))
    with catalog.snapshot() as snapshot:
        assert [schema.name for schema in store.schemas(snapshot)] == ["three"]


def test_an_empty_table(opened: Opened) -> None:
    catalog, store = opened
    _put(opened, "a.csv", TypedTable("empty", "Empty", (Column("a", "A", "text"),), ((),), (("A",),)))
    with catalog.snapshot() as snapshot:
        assert store.execute(snapshot, "SELECT count(*) AS n FROM empty").rows == ((0,),)


def test_rows_are_limited(opened: Opened) -> None:
    catalog, store = opened
    _put(opened, "a.csv", table(rows=50))
    with catalog.snapshot() as snapshot:
        cut = store.execute(snapshot, "SELECT price FROM harvest ORDER BY price", max_rows=7)
        whole = store.execute(snapshot, "SELECT price FROM harvest ORDER BY price", max_rows=50)
    assert (len(cut.rows), cut.truncated) == (7, True)
    assert (len(whole.rows), whole.truncated) == (50, False)


def test_only_named_tables_are_there(opened: Opened) -> None:
    catalog, store = opened
    _put(opened, "a.csv", table("one"))
    _put(opened, "b.csv", table("two"))
    with catalog.snapshot() as snapshot:
        assert len(store.execute(snapshot, "SELECT * FROM one JOIN two USING (crop)", ["one", "two"]).rows) == 3
        with pytest.raises(QueryRejected, match="two"):
            store.execute(snapshot, "SELECT * FROM two", ["one"])
        with pytest.raises(QueryRejected, match="three"):
            store.execute(snapshot, "SELECT 1", ["three"])


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE harvest",
        "SELECT 1; SELECT 2",
        "INSERT INTO harvest VALUES ('x', 1, 2)",
        "COPY harvest TO '/tmp/out.csv'",
        "ATTACH '/tmp/x.db'",
        "SET threads = 4",
        "PRAGMA version",
        "INSTALL httpfs",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM nowhere",
        "SELECT nothing FROM harvest",
        "SELECT FROM WHERE",
        "",
    ],
)
def test_anything_else_is_refused(opened: Opened, statement: str) -> None:
    catalog, store = opened
    _put(opened, "a.csv", table())
    with catalog.snapshot() as snapshot, pytest.raises(QueryRejected):
        store.execute(snapshot, statement)


def test_a_statement_that_fails_says_so(opened: Opened) -> None:
    catalog, store = opened
    _put(opened, "a.csv", table())
    with catalog.snapshot() as snapshot, pytest.raises(StoreError) as caught:
        store.execute(snapshot, "SELECT CAST(crop AS INTEGER) FROM harvest")
    assert "\n" not in str(caught.value)


def test_containment_is_counted_over_all_rows(opened: Opened) -> None:
    catalog, store = opened
    keys = TypedTable("towns", "Towns", (Column('a "key"', "Key", "text"),), (("x", "y", None),), (("Key",),))
    held = TypedTable("shops", "Shops", (Column("town", "Town", "text"),), (("x", "x", "z", None, "y"),), (("Town",),))
    _put(opened, "a.csv", keys, held)
    with catalog.snapshot() as snapshot:
        there = Relation("shops", "town", "towns", 'a "key"', 0.0)
        back = Relation("towns", 'a "key"', "shops", "town", 0.0)
        assert store.contained(snapshot, [there, back]) == [pytest.approx(2 / 3), 1.0]
