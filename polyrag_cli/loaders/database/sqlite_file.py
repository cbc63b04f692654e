"""Owns reading SQLite files: a consistent copy of them, however they are being used meanwhile."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from urllib.parse import quote

from polyrag_cli.errors import LoadError
from polyrag_cli.loaders.database.table import Described, Reading
from polyrag_cli.loaders.values import cell_text
from polyrag_cli.stores.scratch import scratch
from polyrag_cli.types import ColumnType, Reference

_WAIT_S = 5.0
# Columns of the header's two bytes that say how a file is written: 2 stands for a write-ahead log.
_JOURNAL = slice(18, 20)


def read_sqlite(path: Path) -> Reading:
    """The tables of an SQLite file; views and the tables of extensions are named and left out.

    Raises LoadError when it is locked or damaged.
    """
    with tempfile.TemporaryDirectory(prefix="polyrag-copy-", dir=scratch.get()) as folder:
        copy = Path(folder) / "copy.sqlite"
        try:
            _copy(path, copy)
            with closing(sqlite3.connect(copy)) as connection:
                connection.text_factory = _decoded
                return _read(connection)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            # Of a damaged file even the message may be none.
            raise _load_error(path.name, error) from error


def _copy(path: Path, copy: Path) -> None:
    """Copies a file as of one moment: what a write-ahead log holds is in it, what is being written isn't."""
    with closing(_opened(path)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)


def _opened(path: Path) -> sqlite3.Connection:
    """A connection that only reads; in a folder that can't be written, a log without content is done without."""
    address = f"file:{quote(str(path.resolve()))}?mode=ro"
    connection = sqlite3.connect(address, uri=True, timeout=_WAIT_S)
    try:
        connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
        return connection
    except sqlite3.OperationalError:
        connection.close()
        log = path.with_name(f"{path.name}-wal")
        with path.open("rb") as file:
            logged = file.read(100)[_JOURNAL] == b"\x02\x02"
        if not logged or (log.exists() and log.stat().st_size):
            raise
    return sqlite3.connect(f"{address}&immutable=1", uri=True)


def _decoded(content: bytes) -> str:
    return content.decode("utf-8", "replace")


def _load_error(name: str, error: Exception) -> LoadError:
    said = str(error)
    if "locked" in said or "busy" in said:
        return LoadError(f"{name}: another program is writing it.", "Ingest it again when that one is done.")
    if "not a database" in said:
        return LoadError(f"{name}: no SQLite database, or an encrypted one.")
    if "malformed" in said or "corrupt" in said or isinstance(error, UnicodeDecodeError):
        return LoadError(f"{name}: the database is damaged.", "`sqlite3 FILE .recover` may save a copy.")
    return LoadError(f"{name}: can't be read as an SQLite database ({said}).")


def _read(connection: sqlite3.Connection) -> Reading:
    reading = Reading()
    listed = [
        (name, kind)
        for _, name, kind, *_ in connection.execute("PRAGMA table_list").fetchall()
        if not name.lower().startswith("sqlite_")
    ]
    for name, kind in sorted(listed):
        if kind == "table":
            described = _described(connection, name)
            reading.add(described, partial(_rows, connection, described))
    reading.left_out("view", sorted(name for name, kind in listed if kind == "view"))
    reading.left_out("table of an extension", sorted(name for name, kind in listed if kind == "virtual"))
    return reading


def _rows(connection: sqlite3.Connection, described: Described) -> Iterator[tuple[str, ...]]:
    columns = (
        f"CASE {name} WHEN 0 THEN 'false' WHEN 1 THEN 'true' END"
        if kind == "boolean"
        else f"CASE WHEN typeof({name}) <> 'blob' THEN {name} END"
        for name, kind in zip(map(_quoted, described.columns), described.types, strict=True)
    )
    for row in connection.execute(f"SELECT {', '.join(columns)} FROM {_quoted(described.name)}"):
        yield tuple(map(cell_text, row))


def _binary(connection: sqlite3.Connection, table: str, columns: Sequence[str]) -> int:
    """How many values are no text."""
    counts = " + ".join(f"COALESCE(SUM(typeof({_quoted(column)}) = 'blob'), 0)" for column in columns)
    (count,) = connection.execute(f"SELECT {counts} FROM {_quoted(table)}").fetchone()
    return int(count)


def _described(connection: sqlite3.Connection, name: str) -> Described:
    (rows,) = connection.execute(f"SELECT COUNT(*) FROM {_quoted(name)}").fetchone()
    # Generated columns are columns too; hidden ones of extensions aren't.
    found = [row for row in connection.execute(f"PRAGMA table_xinfo({_quoted(name)})") if row[6] != 1]
    columns = tuple(str(row[1]) for row in found)
    types = tuple(_type(connection, name, str(row[1]), str(row[2])) for row in found)
    primary = [str(row[1]) for row in found if row[5]]
    keys = {*(primary if len(primary) == 1 else ()), *_unique(connection, name)}
    return Described(
        name,
        columns,
        types,
        rows,
        tuple(key for key in columns if key in keys),
        _references(connection, name),
        _binary(connection, name, columns),
    )


def _type(connection: sqlite3.Connection, table: str, column: str, declared: str) -> ColumnType | None:
    """Only what values don't show by themselves: that noughts and ones are a no and a yes."""
    if not declared.lower().startswith("bool"):
        return None
    name = _quoted(column)
    others = f"typeof({name}) <> 'integer' OR {name} NOT IN (0, 1)"
    found = f"SELECT 1 FROM {_quoted(table)} WHERE {name} IS NOT NULL AND ({others}) LIMIT 1"
    return "boolean" if connection.execute(found).fetchone() is None else None


def _unique(connection: sqlite3.Connection, table: str) -> set[str]:
    """Columns that are unique each by itself, in all rows."""
    found = set()
    for _, index, unique, _, filtered in connection.execute(f"PRAGMA index_list({_quoted(table)})").fetchall():
        columns = [name for _, _, name in connection.execute(f"PRAGMA index_info({_quoted(index)})")]
        if unique and not filtered and len(columns) == 1 and columns[0] is not None:
            found.add(str(columns[0]))
    return found


def _references(connection: sqlite3.Connection, table: str) -> tuple[Reference, ...]:
    """The foreign keys of one column."""
    rows = connection.execute(f"PRAGMA foreign_key_list({_quoted(table)})").fetchall()
    several = {number for number, position, *_ in rows if position > 0}
    found = []
    for number, _, other, column, other_column, *_ in rows:
        if number in several:
            continue
        if other_column is None:
            keys = [row[1] for row in connection.execute(f"PRAGMA table_xinfo({_quoted(other)})") if row[5]]
            other_column = keys[0] if len(keys) == 1 else None
        if other_column is not None:
            found.append(Reference(str(column), str(other), str(other_column)))
    return tuple(sorted(found, key=lambda one: (one.column, one.other, one.other_column)))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
