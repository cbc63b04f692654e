"""Owns the stores of one data directory as a whole, and the record of which backends its corpus is kept in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from polyrag_cli.errors import StoreError
from polyrag_cli.stores.base import (
    GraphStore,
    LabelStore,
    LexicalStore,
    RelationalStore,
    Store,
    TermStore,
    Transaction,
    VectorStore,
    Writer,
)
from polyrag_cli.stores.catalog import Catalog
from polyrag_cli.stores.shared import SharedStore
from polyrag_cli.stores.table_words import TableWordStore

META_BACKENDS = "backends"
"""Catalog key: the backends that the corpus is kept in, as `vector = faiss, …`."""
_FIRST_BACKENDS = "graph = sqlite, lexical = fts5, relational = duckdb, vector = faiss"


@dataclass(frozen=True, slots=True)
class Stores:
    """The catalog and the four stores of one data directory, the vectors of its words and labels, what its
    documents share, and what questions find tables by, where they are kept.

    backends: the registered name of each store, by kind; recorded with the corpus, which no other ones can read.
    """

    catalog: Catalog
    relational: RelationalStore
    vector: VectorStore
    lexical: LexicalStore
    graph: GraphStore
    terms: TermStore | None = None
    shared: SharedStore | None = None
    labels: LabelStore | None = None
    table_words: TableWordStore | None = None
    backends: Mapping[str, str] = field(default_factory=dict)

    def each(self) -> Mapping[str, Store]:
        """The stores that hold a part of each document, by kind."""
        kinds: dict[str, Store] = {
            "vector": self.vector,
            "relational": self.relational,
            "lexical": self.lexical,
            "graph": self.graph,
        }
        if self.terms is not None:
            kinds["terms"] = self.terms
        if self.shared is not None:
            kinds["shared"] = self.shared
        return kinds

    def check_backends(self, transaction: Transaction) -> None:
        """Raises StoreError when the corpus is kept in other backends than these."""
        recorded = self.catalog.meta(transaction, META_BACKENDS)
        if recorded is None and transaction.generation == isinstance(transaction, Writer):
            # Nothing was committed yet.
            return
        # What was committed before backends were recorded is in those that there were.
        kept = _named(recorded or _FIRST_BACKENDS)
        other = [kind for kind, name in self.backends.items() if kept.get(kind, name) != name]
        if other:
            raise StoreError(
                f"The corpus is kept in {_listed(other, kept)}, the settings name {_listed(other, self.backends)}.",
                "Name those in [stores], or ingest into another folder with --data DIR.",
            )

    def note_backends(self, writer: Writer) -> None:
        """Records with the corpus which backends it is kept in. Raises StoreError when it is kept in others."""
        self.check_backends(writer)
        if self.backends and self.catalog.meta(writer, META_BACKENDS) is None:
            self.catalog.set_meta(writer, META_BACKENDS, _listed(sorted(self.backends), self.backends))


def _named(listed: str) -> dict[str, str]:
    return {kind: name for kind, _, name in (part.partition(" = ") for part in listed.split(", "))}


def _listed(kinds: Iterable[str], backends: Mapping[str, str]) -> str:
    return ", ".join(f"{kind} = {backends[kind]}" for kind in kinds)
