from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from polyrag_cli.errors import LoadError
from polyrag_cli.loaders.database.loader import DatabaseLoader
from polyrag_cli.tables import typed_tables
from polyrag_cli.types import Reference

SCHEMA = """
CREATE TABLE ship (
    id INTEGER PRIMARY KEY, name VARCHAR UNIQUE, tons DECIMAL(12, 3), built TIMESTAMP, sails BOOLEAN, ports VARCHAR[],
    code VARCHAR, seen DATE, speed DOUBLE, noon TIME
);
CREATE TABLE crew (ship INTEGER REFERENCES ship (id), person VARCHAR);
CREATE VIEW fast AS SELECT * FROM ship;
INSERT INTO ship VALUES
    (1, 'Ada', 1.234, '1999-05-01', true, ['Faro', 'Sines'], '12', '2024-01-02', 1e20, '13:05'),
    (2, 'Bea', 2.500, '2001-01-01', false, NULL, '13', NULL, NULL, NULL);
INSERT INTO crew VALUES (1, 'Zoë'), (1, 'Ian');
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "fleet.duckdb"
    with duckdb.connect(str(found)) as connection:
        connection.execute(SCHEMA)
    return found


def test_tables_come_with_types_keys_and_foreign_keys(path: Path) -> None:
    (document,) = DatabaseLoader().load(path)
    crew, ship = document.tables
    assert ship.keys == ("id", "name") and crew.references == (Reference("ship", "ship", "id"),)
    assert ship.rows[1] == (
        "1", "Ada", "1.234", "1999-05-01", "true", "[Faro, Sines]", "12", "2024-01-02", "1e+20", "13:05:00",
    )  # fmt: skip
    assert document.warnings == ("1 view left out: fast.",)
    typed = {table.name: table for table in typed_tables(document.tables, "fleet.duckdb")}["ship"]
    assert [column.type for column in typed.columns] == [
        "integer", "text", "number", "date", "boolean", "text", "text", "date", "number", "text",
    ]  # fmt: skip
    assert (typed.cells[2], typed.cells[8]) == ((1.234, 2.5), (1e20, None))


def test_tables_of_several_schemas_are_told_apart(path: Path) -> None:
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE SCHEMA old; CREATE TABLE old.crew (person VARCHAR)")
    (document,) = DatabaseLoader().load(path)
    assert [table.name for table in document.tables] == ["main.crew", "ship", "old.crew"]


def test_a_file_that_another_program_has_open_is_refused(path: Path) -> None:
    held = f"import duckdb; c = duckdb.connect({str(path)!r}); print('held', flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", held], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        try:
            assert other.stdout is not None and other.stdout.readline() == b"held\n"
            with pytest.raises(LoadError, match=r"fleet\.duckdb: another program has it open"):
                DatabaseLoader().load(path)
        finally:
            other.communicate(b"\n")


def test_a_damaged_file_is_refused_in_one_line(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:64] + b"\xff" * (len(content) - 64))
    with pytest.raises(LoadError, match=r"fleet\.duckdb: can't be read as a DuckDB database") as raised:
        DatabaseLoader().load(path)
    assert "\n" not in raised.value.message
