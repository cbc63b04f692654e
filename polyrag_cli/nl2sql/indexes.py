"""Owns the index of the tables that questions are asked of: one for all readers, made anew when a table changes."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from polyrag_cli.nl2sql.index import SchemaIndex
    from polyrag_cli.types import TableSchema

# A question under way may still read the tables of the commit before.
_KEPT = 2


class TableIndexes:
    """The index of each of the last sets of tables, safe between threads."""

    def __init__(self) -> None:
        self._kept: list[tuple[tuple[TableSchema, ...], SchemaIndex]] = []
        self._lock = Lock()

    def of(self, schemas: tuple[TableSchema, ...]) -> SchemaIndex:
        """Return the index of these tables."""
        # Only who has tables pays for what reads them.
        from polyrag_cli.nl2sql.index import SchemaIndex

        with self._lock:
            for known, index in self._kept:
                if known == schemas:
                    return index
            made = SchemaIndex(schemas)
            self._kept = [(schemas, made), *self._kept][:_KEPT]
            return made
