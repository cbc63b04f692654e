"""Owns reading what DuckDB reads: its own files, Parquet, and tables that another library holds in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from polyrag_cli.errors import LoadError
from polyrag_cli.loaders.database.table import Described, Reading
from polyrag_cli.types import ColumnType, Reference

# It reads the one file that it is given, and nothing that a file may name.
_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "threads": 2,
    "autoload_known_extensions": False,
    "autoinstall_known_extensions": False,
}
_BATCH = 10_000
_INTEGERS = tuple(f"{sign}{width}INT" for sign in ("", "U") for width in ("TINY", "SMALL", "BIG", "HUGE"))
_INTEGERS += ("INTEGER", "UINTEGER")
_NUMBERS = ("FLOAT", "DOUBLE", "DECIMAL")


def read_duckdb(path: Path) -> Reading:
    """The tables of a DuckDB file; views are named and left out.

    Raises LoadError when another program has it open for writing, or it can't be read.
    """
    import duckdb

    try:
        with closing(duckdb.connect(str(path), read_only=True, config=_CONFIG)) as connection:
            return _tables(connection)
    except duckdb.Error as error:
        raise _load_error(path.name, error) from error


def read_parquet(path: Path) -> Reading:
    """A Parquet file as one table. Raises LoadError when it is none, or a damaged one."""
    import duckdb

    reading = Reading()
    try:
        with closing(duckdb.connect(":memory:", config=_CONFIG)) as connection:
            relation = f"read_parquet({_literal(str(path))}, hive_partitioning = false)"
            _add(connection, reading, path.stem, relation)
    except duckdb.Error as error:
        raise LoadError(f"{path.name}: can't be read as Parquet ({_first_line(error)}).") from error
    return reading


def read_arrow_table(table: Any, name: str) -> Reading:
    """A table that pyarrow holds, as one table. name: what it is called."""
    import duckdb

    reading = Reading()
    with closing(duckdb.connect(":memory:", config=_CONFIG)) as connection:
        connection.register("held", table)
        _add(connection, reading, name, "held")
    return reading


def _tables(connection: Any) -> Reading:
    reading = Reading()
    tables = connection.execute(
        "SELECT schema_name, table_name FROM duckdb_tables()"
        " WHERE database_name = current_database() AND NOT internal ORDER BY ALL"
    ).fetchall()
    clashing = {name for name, count in Counter(name.lower() for _, name in tables).items() if count > 1}
    labels = {(schema, name): f"{schema}.{name}" if name.lower() in clashing else name for schema, name in tables}
    for (schema, name), label in labels.items():
        constraints = connection.execute(
            "SELECT constraint_type, constraint_column_names, referenced_table, referenced_column_names"
            " FROM duckdb_constraints() WHERE database_name = current_database() AND schema_name = ? AND table_name = ?"
            " ORDER BY ALL",
            [schema, name],
        ).fetchall()
        single = [(kind, columns[0]) for kind, columns, *_ in constraints if len(columns) == 1]
        keys = {column for kind, column in single if kind in ("PRIMARY KEY", "UNIQUE")}
        references = tuple(
            Reference(columns[0], labels.get((schema, other), other), others[0])
            for kind, columns, other, others in constraints
            if kind == "FOREIGN KEY" and len(columns) == len(others) == 1
        )
        _add(connection, reading, label, f"{_quoted(schema)}.{_quoted(name)}", keys, references)
    views = connection.execute(
        "SELECT view_name FROM duckdb_views() WHERE database_name = current_database() AND NOT internal ORDER BY ALL"
    ).fetchall()
    reading.left_out("view", [name for (name,) in views])
    return reading


def _add(
    connection: Any,
    reading: Reading,
    name: str,
    relation: str,
    keys: Iterable[str] = (),
    references: tuple[Reference, ...] = (),
) -> None:
    described = connection.execute(f"DESCRIBE SELECT * FROM {relation}").fetchall()
    columns = tuple(str(row[0]) for row in described)
    kinds = [str(row[1]) for row in described]
    blobs = [f"COUNT({_quoted(column)})" for column, kind in zip(columns, kinds, strict=True) if kind == "BLOB"]
    counted = f"SELECT COUNT(*), {' + '.join(blobs) or '0'} FROM {relation}"
    rows, binary = connection.execute(counted).fetchone()
    unique = tuple(column for column in columns if column in set(keys))
    shown = ", ".join(_text(column, kind) for column, kind in zip(columns, kinds, strict=True))

    def texts() -> Iterable[tuple[str, ...]]:
        cursor = connection.execute(f"SELECT {shown} FROM {relation}")
        while batch := cursor.fetchmany(_BATCH):
            yield from batch

    reading.add(Described(name, columns, tuple(map(_type, kinds)), rows, unique, references, binary), texts)


def _type(kind: str) -> ColumnType | None:
    if kind in _INTEGERS:
        return "integer"
    if kind.startswith(_NUMBERS):
        return None if kind.endswith("]") else "number"
    if kind == "BOOLEAN":
        return "boolean"
    if kind == "DATE":
        return "date"
    # Times of day that are all midnight are dates; the texts show it.
    return None if kind.startswith("TIMESTAMP") else "text"


def _text(column: str, kind: str) -> str:
    """A column's values as texts: a moment at midnight as a day, what isn't finite or isn't text as nothing."""
    name = _quoted(column)
    if kind == "BLOB":
        return "''"
    text = f"CAST({name} AS VARCHAR)"
    if kind.startswith("TIMESTAMP"):
        text = f"regexp_replace({text}, ' 00:00:00$', '')"
    if kind in ("FLOAT", "DOUBLE"):
        text = f"CASE WHEN isfinite({name}) THEN {text} END"
    return f"COALESCE({text}, '')"


def _load_error(name: str, error: Exception) -> LoadError:
    said = _first_line(error)
    if "set lock on file" in said or "different configuration" in said:
        return LoadError(f"{name}: another program has it open.", "Close it there, and ingest the file again.")
    if "encrypt" in said.lower():
        return LoadError(f"{name}: encrypted.", "Save a copy that isn't.")
    return LoadError(f"{name}: can't be read as a DuckDB database ({said}).")


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0].rstrip(".")[:200]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
