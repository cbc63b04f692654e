"""Owns the index of the tables that questions are asked of: one for all readers, made anew when a table changes."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

from polyrag_cli.stores.backends import Stores
from polyrag_cli.stores.base import Snapshot

if TYPE_CHECKING:
    from polyrag_cli.nl2sql.index import SchemaIndex
    from polyrag_cli.nl2sql.stored_index import CommitTables

# A question under way may still read the tables of the commit before.
_KEPT = 2


class TableIndexes:
    """The indexes of the last commits' tables, safe between threads."""

    def __init__(self) -> None:
        self._kept: list[tuple[tuple[int, str, int], CommitTables]] = []
        self._lock = Lock()

    def of(self, stores: Stores, snapshot: Snapshot) -> SchemaIndex:
        """Return the index of a snapshot's tables, to be used while it is open."""
        return self._of_commit(stores, snapshot).index(snapshot)

    def _of_commit(self, stores: Stores, snapshot: Snapshot) -> CommitTables:
        # Only who has tables pays for what reads them.
        from polyrag_cli.nl2sql.stored_index import CommitTables

        # What is kept of tables may be renewed between two commits.
        renewed = stores.table_words.state(snapshot) if stores.table_words is not None else 0
        state = snapshot.generation, snapshot.commit, renewed
        with self._lock:
            for known, tables in self._kept:
                if known == state:
                    return tables
            made = CommitTables(stores.relational, stores.table_words, snapshot)
            self._kept = [(state, made), *self._kept][:_KEPT]
            return made
