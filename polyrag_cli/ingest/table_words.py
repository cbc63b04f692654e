"""What questions find tables by, worked out ahead of the first question. Holds the lock for the writing alone."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from polyrag_cli.errors import StoreError
from polyrag_cli.nl2sql.indexes import TableIndexes
from polyrag_cli.nl2sql.stored_index import kept_table, version_of
from polyrag_cli.stores.backends import Stores
from polyrag_cli.stores.base import Snapshot
from polyrag_cli.stores.table_words import KeptTable, TableWordStore
from polyrag_cli.strategies.table_relations import parts_of
from polyrag_cli.strategies.table_relations import version_of as version_of_ties
from polyrag_cli.tracing import span
from polyrag_cli.types import TableKey, TableRef, TableSchema

# Tables of one transaction.
_AT_ONCE = 50


def keep_tables(stores: Stores) -> None:
    """Keeps what isn't kept yet of the tables that there are, or is damaged, and forgets what is of none of them.

    What can't be kept, or was changed by another process meanwhile, is worked out by whoever asks, or by the next run.
    """
    if stores.table_words is None:
        return
    with suppress(StoreError):
        _drop_damaged(stores, stores.table_words)
        tried: set[TableKey] = set()
        while _keep_some(stores, stores.table_words, tried):
            pass
        _keep_ties(stores, stores.table_words)
        with stores.catalog.aside() as writer:
            stores.table_words.sweep(writer)


def _keep_some(stores: Stores, words: TableWordStore, tried: set[TableKey]) -> bool:
    """Keeps some tables; whether there may be more.

    tried: the tables that had their turn, to which these are added: one that can't be kept doesn't come back and holds
    up none behind it.
    """
    with stores.catalog.snapshot() as snapshot:
        known = words.known(snapshot)
        refs = [
            ref
            for ref in stores.relational.refs(snapshot)
            if ref.key not in tried and known.get(ref.key, (0, ""))[1] != version_of(ref)
        ]
        if not refs:
            return False
        chosen = {ref.name: ref for ref in refs[:_AT_ONCE]}
        commit, schemas = snapshot.commit, stores.relational.schemas(snapshot, chosen)
    tried.update(ref.key for ref in chosen.values())
    with span("ingest.tables", tables=len(chosen)):
        made = [kept for schema in schemas if (kept := _kept(chosen[schema.name], schema)) is not None]
        with stores.catalog.aside() as writer:
            if writer.commit != commit:
                # Another process has committed: its run keeps all that there is then.
                return False
            words.put(writer, made)
    return len(refs) > _AT_ONCE


def _kept(ref: TableRef, schema: TableSchema) -> KeptTable | None:
    """What is to be kept of a table; None where that fails: whoever asks of it is told so."""
    try:
        return kept_table(ref, schema)
    except Exception:  # noqa: BLE001 - the boundary of a table: no other may be lost
        return None


def _drop_damaged(stores: Stores, words: TableWordStore) -> None:
    with stores.catalog.snapshot() as snapshot:
        if not words.damaged(snapshot):
            return
    with stores.catalog.aside() as writer:
        words.drop(writer, words.damaged(writer))


def _keep_ties(stores: Stores, words: TableWordStore) -> None:
    with stores.catalog.snapshot() as snapshot:
        version = version_of_ties(stores, snapshot)
        if not version or words.of(snapshot).all_ties(version):
            return
        parts, commit = _ties(stores, snapshot), snapshot.commit
    if parts:
        with stores.catalog.aside() as writer:
            if writer.commit == commit:
                words.put_ties(writer, version, parts)


def _ties(stores: Stores, snapshot: Snapshot) -> Mapping[str, str]:
    """What is to be kept of how tables hang together; nothing where that fails: whoever asks of it is told so."""
    try:
        return parts_of(stores, snapshot, TableIndexes().of(stores, snapshot))
    except Exception:  # noqa: BLE001 - the boundary of what may be kept: the files are committed, and to be reported
        return {}
