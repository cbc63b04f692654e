"""Owns the transactions of the SQLite catalog, and how the stores inside its file come by their connection."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field

from polyrag_cli.errors import ConfigError
from polyrag_cli.stores.base import Snapshot, Transaction, Work, Writer

# Made by the first store that needs it: a catalog whose stores are all in its own file has none.
_VERSIONS_DDL = """CREATE TABLE IF NOT EXISTS store_versions (
    store TEXT NOT NULL, document TEXT NOT NULL, version TEXT NOT NULL, PRIMARY KEY (store, document)
) WITHOUT ROWID"""


@dataclass(frozen=True, eq=False)
class SQLiteSnapshot(Snapshot):
    """A read transaction on a connection."""

    connection: sqlite3.Connection
    generation: int
    commit: str
    work: Work = field(default_factory=Work)

    def versions(self, store: str) -> Mapping[str, str]:
        """Which version of each document's content counts in a store that isn't part of the catalog."""
        return _versions(self.connection, store)


@dataclass(frozen=True, eq=False)
class SQLiteWriter(Writer):
    """A write transaction on a connection."""

    connection: sqlite3.Connection
    generation: int
    commit: str

    def versions(self, store: str) -> Mapping[str, str]:
        """Which version of each document's content counts, with what this transaction has set."""
        return _versions(self.connection, store)

    def set_version(self, store: str, document: str, version: str | None) -> None:
        """Records which version of a document's content counts from this commit on; None when there is none."""
        if version is not None:
            self.connection.execute(_VERSIONS_DDL)
            self.connection.execute(
                "INSERT OR REPLACE INTO store_versions VALUES (?, ?, ?)", (store, document, version)
            )
        elif has_versions(self.connection):
            self.connection.execute("DELETE FROM store_versions WHERE store = ? AND document = ?", (store, document))


def connection_of(transaction: Transaction) -> sqlite3.Connection:
    """The connection of a transaction of the SQLite catalog.

    Raises ConfigError for one of another catalog: a store whose rows lie in the SQLite file needs that file.
    """
    if isinstance(transaction, SQLiteSnapshot | SQLiteWriter):
        return transaction.connection
    raise ConfigError(
        f"a store that keeps its rows in the SQLite catalog can't work with a {type(transaction).__name__}.",
        "Choose stores that the catalog can work with: [stores] in polyrag.toml.",
    )


def has_versions(connection: sqlite3.Connection) -> bool:
    """Whether any store outside the catalog was ever written."""
    query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'store_versions'"
    return connection.execute(query).fetchone() is not None


def _versions(connection: sqlite3.Connection, store: str) -> Mapping[str, str]:
    if not has_versions(connection):
        return {}
    return dict(connection.execute("SELECT document, version FROM store_versions WHERE store = ?", (store,)))
