"""Owns the relations between the tables of a corpus: worked out once for each commit, for all readers."""

from __future__ import annotations

from threading import Lock

from polyrag_cli.stores.backends import Stores
from polyrag_cli.stores.base import Snapshot
from polyrag_cli.types import Relation

# A question under way may still read the tables of the commit before.
_KEPT = 2


class TableRelations:
    """The relations of the last commits, safe between threads."""

    def __init__(self) -> None:
        self._kept: list[tuple[str, tuple[Relation, ...]]] = []
        self._lock = Lock()

    def of(self, stores: Stores, snapshot: Snapshot) -> tuple[Relation, ...]:
        """Return the relations between the tables of a snapshot, as `relations_of` gives them."""
        # Only who has tables pays for what compares them.
        from polyrag_cli.tables.kept_relations import related

        with self._lock:
            for commit, relations in self._kept:
                if commit == snapshot.commit:
                    return relations
            made = related(stores.relational, stores.table_words, snapshot)
            self._kept = [(snapshot.commit, made), *self._kept][:_KEPT]
            return made
