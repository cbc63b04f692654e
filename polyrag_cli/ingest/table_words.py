"""What questions find tables by, worked out ahead of the first question. Holds the lock for the writing alone."""

from __future__ import annotations

from contextlib import suppress

from polyrag_cli.errors import StoreError
from polyrag_cli.nl2sql.stored_index import kept_table, version_of
from polyrag_cli.stores.backends import Stores
from polyrag_cli.stores.table_words import TableWordStore
from polyrag_cli.tables import kept_relations
from polyrag_cli.tracing import span

# Tables of one transaction.
_AT_ONCE = 50


def keep_tables(stores: Stores) -> None:
    """Keeps what isn't kept yet of the tables that there are, and forgets what is of none of them.

    What can't be kept, or was changed by another process meanwhile, is worked out by whoever asks, or by the next run.
    """
    if stores.table_words is None:
        return
    with suppress(StoreError):
        while _keep_some(stores, stores.table_words):
            pass
        _keep_relations(stores, stores.table_words)
        with stores.catalog.aside() as writer:
            stores.table_words.sweep(writer)


def _keep_some(stores: Stores, words: TableWordStore) -> bool:
    """Keeps some tables; whether there may be more."""
    with stores.catalog.snapshot() as snapshot:
        known = words.known(snapshot)
        refs = [ref for ref in stores.relational.refs(snapshot) if known.get(ref.key, (0, ""))[1] != version_of(ref)]
        if not refs:
            return False
        chosen = {ref.name: ref for ref in refs[:_AT_ONCE]}
        commit, schemas = snapshot.commit, stores.relational.schemas(snapshot, chosen)
    with span("ingest.tables", tables=len(chosen)):
        made = [kept_table(chosen[schema.name], schema) for schema in schemas]
        with stores.catalog.aside() as writer:
            if writer.commit != commit:
                # Another process has committed: its run keeps all that there is then.
                return False
            words.put(writer, made)
    return len(refs) > _AT_ONCE


def _keep_relations(stores: Stores, words: TableWordStore) -> None:
    with stores.catalog.snapshot() as snapshot:
        version = kept_relations.version_of(stores.relational, words, snapshot)
        if not version or words.of(snapshot).relations(version) is not None:
            return
        content = kept_relations.packed(kept_relations.work_out(stores.relational, snapshot))
        commit = snapshot.commit
    with stores.catalog.aside() as writer:
        if writer.commit == commit:
            words.put_relations(writer, version, content)
