from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from polyrag_cli.errors import LoadError
from polyrag_cli.loaders.database import sqlite_file, table
from polyrag_cli.loaders.database.loader import DatabaseLoader
from polyrag_cli.tables import typed_tables
from polyrag_cli.types import RawTable, Reference

SCHEMA = """
CREATE TABLE Customer (
    id INTEGER PRIMARY KEY, "E-mail" TEXT UNIQUE, zip TEXT, joined DATE, active BOOLEAN, weight REAL
);
CREATE TABLE "Order Lines" (
    line INTEGER, customer REFERENCES Customer, shop TEXT REFERENCES shop (code), price TEXT,
    a INTEGER, b INTEGER, FOREIGN KEY (a, b) REFERENCES pair (a, b), UNIQUE (line, customer)
);
CREATE TABLE shop (code TEXT PRIMARY KEY, photo BLOB);
CREATE TABLE pair (a INTEGER, b INTEGER, PRIMARY KEY (a, b));
CREATE UNIQUE INDEX some ON Customer (weight) WHERE weight > 2;
CREATE VIEW rich AS SELECT * FROM Customer;
CREATE VIRTUAL TABLE found USING fts5 (words);
INSERT INTO Customer VALUES (1, 'a@x', '0123', '2024-01-02', 1, 1.234), (2, 'b@x', '0456', NULL, 0, 2.5);
INSERT INTO "Order Lines" VALUES (1, 2, '100', '7.5', 1, 1), (1, 1, '200', '8.25', 1, 1);
INSERT INTO shop VALUES ('100', x'00'), ('200', NULL);
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "a shop?#.sqlite"
    with closing(sqlite3.connect(found)) as connection:
        connection.executescript(SCHEMA)
    return found


def tables(path: Path) -> dict[str, RawTable]:
    (document,) = DatabaseLoader().load(path)
    return {found.name: found for found in document.tables}


def test_tables_come_with_values_keys_and_foreign_keys(path: Path) -> None:
    found = tables(path)
    customer, lines = found["Customer"], found["Order Lines"]
    assert customer.rows == (
        ("id", "E-mail", "zip", "joined", "active", "weight"),
        ("1", "a@x", "0123", "2024-01-02", "true", "1.234"),
        ("2", "b@x", "0456", "", "false", "2.5"),
    )
    assert customer.keys == ("id", "E-mail") and customer.place == "table Customer"
    assert lines.references == (Reference("customer", "Customer", "id"), Reference("shop", "shop", "code"))
    assert lines.keys == () and found["pair"].keys == ()


def test_types_are_those_of_the_values(path: Path) -> None:
    typed = {found.name: found for found in typed_tables(tuple(tables(path).values()), path.name)}
    assert [column.type for column in typed["customer"].columns] == [
        "integer", "text", "text", "date", "boolean", "number",
    ]  # fmt: skip
    # Keys stay texts although they could be read as numbers: both sides of a relation must agree.
    lines = {column.name: column.type for column in typed["order_lines"].columns}
    assert (lines["shop"], lines["price"]) == ("text", "number")
    assert typed["shop"].columns[0].type == "text"
    assert typed["customer"].cells[5] == (1.234, 2.5)


def test_what_is_left_out_is_said(path: Path) -> None:
    (document,) = DatabaseLoader().load(path)
    assert document.warnings == (
        "shop: 1 binary value left out.",
        "1 view left out: rich.",
        "1 table of an extension left out: found.",
    )


def test_what_a_write_ahead_log_holds_is_read_and_nothing_is_written(path: Path) -> None:
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("INSERT INTO shop VALUES ('300', NULL)")
        writer.commit()
        before = path.read_bytes()
        assert [row[0] for row in tables(path)["shop"].rows] == ["code", "100", "200", "300"]
        assert path.read_bytes() == before


@pytest.fixture
def sealed(path: Path) -> Iterator[Path]:
    """A file with an empty write-ahead log in a folder that nobody may write to."""
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
    path.parent.chmod(0o500)
    yield path
    path.parent.chmod(0o700)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_read(sealed: Path) -> None:
    assert len(tables(sealed)["shop"].rows) == 3


def test_a_file_that_is_being_written_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_file, "_WAIT_S", 0.05)
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN EXCLUSIVE")
        with pytest.raises(LoadError, match="another program is writing it"):
            DatabaseLoader().load(path)


def test_damaged_and_foreign_files_are_refused_in_one_line(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:5000] + b"\xff" * 4000 + content[9000:])
    with pytest.raises(LoadError, match="damaged"):
        DatabaseLoader().load(path)
    path.write_bytes(content.replace(b"CREATE TABLE shop", b"CREATE TAB\xb2E shop"))
    with pytest.raises(LoadError, match="damaged"):
        DatabaseLoader().load(path)
    path.write_bytes(content[:300])
    with pytest.raises(LoadError, match=r"a shop\?#\.sqlite: "):
        DatabaseLoader().load(path)
    path.write_bytes(os.urandom(4096))
    with pytest.raises(LoadError, match="no SQLite or DuckDB database, or an encrypted one"):
        DatabaseLoader().load(path)


def test_a_table_too_large_is_left_out_and_said(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "MAX_CELLS", 8)
    (document,) = DatabaseLoader().load(path)
    assert [found.name for found in document.tables] == ["pair", "shop"]
    assert document.warnings[0] == "Customer is left out: 2 rows are more than the 8 cells that are read of a file."
    monkeypatch.setattr(table, "MAX_CELLS", 1)
    with pytest.raises(LoadError, match="Customer is left out"):
        DatabaseLoader().load(path)


def test_a_database_without_tables_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "none.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 1")
    assert DatabaseLoader().load(path) == ()
