"""Database files: SQLite and DuckDB."""

from __future__ import annotations

from pathlib import Path

from polyrag_cli.errors import LoadError, reason
from polyrag_cli.loaders.database.table import Reading
from polyrag_cli.types import LoadedDocument

_SQLITE = b"SQLite format 3\x00"
_DUCKDB = b"DUCK"


class DatabaseLoader:
    """Reads the tables of SQLite and DuckDB files, with their types, keys and foreign keys."""

    name = "database"
    version = "1"

    def load(self, path: Path) -> tuple[LoadedDocument, ...]:
        """One document with a table for each of the database's; () when it has none.

        Raises LoadError for what is no database, or one that is locked, encrypted or damaged.
        """
        try:
            with path.open("rb") as file:
                head = file.read(16)
        except OSError as error:
            raise LoadError(f"{path.name}: can't be read ({reason(error)}).") from error
        if not head:
            return ()
        return document(_read(path, head))


def _read(path: Path, head: bytes) -> Reading:
    """The tables of a database, told by what its file begins with: `.db` ends the names of many kinds."""
    if head == _SQLITE:
        from polyrag_cli.loaders.database.sqlite_file import read_sqlite

        return read_sqlite(path)
    if head[8:12] == _DUCKDB:
        from polyrag_cli.loaders.database.duckdb_file import read_duckdb

        return read_duckdb(path)
    raise LoadError(f"{path.name}: no SQLite or DuckDB database, or an encrypted one.")


def document(reading: Reading) -> tuple[LoadedDocument, ...]:
    """The document of tables that were read; () without any.

    Raises LoadError when all are left out.
    """
    if not reading.tables:
        if reading.warnings:
            raise LoadError(" ".join(reading.warnings))
        return ()
    return (LoadedDocument("", tables=tuple(reading.tables), warnings=tuple(reading.warnings)),)
