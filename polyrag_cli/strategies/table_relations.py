"""Owns the relations between the tables of a corpus, and how these hang together by them: one for each commit, for all
readers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from polyrag_cli.stores.backends import Stores
from polyrag_cli.stores.base import Snapshot
from polyrag_cli.types import Relation

if TYPE_CHECKING:
    from polyrag_cli.nl2sql.index import SchemaIndex
    from polyrag_cli.nl2sql.kept_ties import CommitTies
    from polyrag_cli.nl2sql.ties import MemoryTies, Ties

# A question under way may still read the tables of the commit before.
_KEPT = 2


@dataclass
class _Commit:
    """What is known of a commit's tables so far. version: under which it may be kept, "" for nowhere."""

    state: tuple[str, int]
    version: str
    relations: tuple[Relation, ...] | None = None
    kept: CommitTies | None = None
    made: MemoryTies | None = None


class TableRelations:
    """The relations of the last commits, safe between threads."""

    def __init__(self) -> None:
        self._known: list[_Commit] = []
        self._lock = Lock()

    def of(self, stores: Stores, snapshot: Snapshot) -> tuple[Relation, ...]:
        """Return the relations between the tables of a snapshot, as `relations_of` gives them."""
        with self._lock:
            return _relations(self._commit(stores, snapshot), stores, snapshot)

    def leading(self, stores: Stores, snapshot: Snapshot, table: str) -> tuple[Relation, ...]:
        """Return the relations of one table's own columns."""
        from polyrag_cli.tables import kept_relations

        with self._lock:
            commit = self._commit(stores, snapshot)
            part = _part(commit, stores, snapshot)
            if commit.relations is None and _kept(commit, part) is not None:
                content = part(kept_relations.part_of(table))
                return kept_relations.unpacked(content) if content is not None else ()
            return tuple(r for r in _relations(commit, stores, snapshot) if r.table == table)

    def ties(self, stores: Stores, snapshot: Snapshot, index: SchemaIndex) -> Ties:
        """Return how the tables of a snapshot hang together, to be used while it is open. index: of its tables."""
        from polyrag_cli.nl2sql.kept_ties import KeptTies

        with self._lock:
            commit = self._commit(stores, snapshot)
            part = _part(commit, stores, snapshot)
            kept = _kept(commit, part)
            if kept is not None:
                return KeptTies(kept, part)
            if commit.made is None:
                commit.made = _worked_out(_relations(commit, stores, snapshot), index)
            return commit.made

    def _commit(self, stores: Stores, snapshot: Snapshot) -> _Commit:
        words = stores.table_words
        state = snapshot.commit, words.state(snapshot) if words is not None else 0
        for commit in self._known:
            if commit.state == state:
                return commit
        made = _Commit(state, version_of(stores, snapshot))
        self._known = [made, *self._known][:_KEPT]
        return made


def version_of(stores: Stores, snapshot: Snapshot) -> str:
    """Return under which version it is kept how the tables of a snapshot hang together; "" for none."""
    # Only who has tables pays for what compares them.
    from polyrag_cli.nl2sql import kept_ties
    from polyrag_cli.tables import kept_relations

    version = kept_relations.version_of(stores.relational, stores.table_words, snapshot)
    return f"{version}-{kept_ties.version()}" if version else ""


def parts_of(stores: Stores, snapshot: Snapshot, index: SchemaIndex) -> dict[str, str]:
    """Return what is to be kept of how the tables of a snapshot hang together, worked out from their rows."""
    from polyrag_cli.nl2sql import kept_ties
    from polyrag_cli.tables import kept_relations

    relations = kept_relations.work_out(stores.relational, snapshot)
    return kept_relations.packed(relations) | kept_ties.packed(_worked_out(relations, index))


def _worked_out(relations: tuple[Relation, ...], index: SchemaIndex) -> MemoryTies:
    from polyrag_cli.nl2sql.tying import tied

    return tied(index.named({name for r in relations for name in (r.table, r.other)}), relations)


def _part(commit: _Commit, stores: Stores, snapshot: Snapshot) -> Callable[[str], str | None]:
    """What reads what is kept through a snapshot, part by part."""
    kept = stores.table_words.of(snapshot) if stores.table_words is not None and commit.version else None
    return lambda name: kept.ties(commit.version, name) if kept is not None else None


def _kept(commit: _Commit, part: Callable[[str], str | None]) -> CommitTies | None:
    from polyrag_cli.nl2sql.kept_ties import CommitTies

    if commit.made is None and commit.kept is None:
        commit.kept = CommitTies.of(part)
    return commit.kept if commit.kept is not None and not commit.kept.gone else None


def _relations(commit: _Commit, stores: Stores, snapshot: Snapshot) -> tuple[Relation, ...]:
    from polyrag_cli.tables import kept_relations

    if commit.relations is None:
        if stores.table_words is not None and _kept(commit, _part(commit, stores, snapshot)) is not None:
            commit.relations = kept_relations.all_unpacked(stores.table_words.of(snapshot).all_ties(commit.version))
        else:
            commit.relations = kept_relations.work_out(stores.relational, snapshot)
    return commit.relations
