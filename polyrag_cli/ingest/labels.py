"""Vectors of the labels of tables, made ahead of the first question."""

from __future__ import annotations

from collections.abc import Iterable, Set

from polyrag_cli.nl2sql.index import TableEntry
from polyrag_cli.providers.base import Embedder
from polyrag_cli.stores.base import LabelStore
from polyrag_cli.tracing import span
from polyrag_cli.types import TableSchema


def label_texts(schemas: Iterable[TableSchema]) -> set[str]:
    """The texts that questions about some tables are compared with by meaning."""
    return {text for schema in schemas if schema.columns for text in TableEntry(schema).meanings}


def keep_labels(texts: Set[str], embedder: Embedder, labels: LabelStore | None) -> None:
    """Embeds those of some texts that aren't kept yet; called without the writer lock.

    Raises ProviderError when the embedder fails.
    """
    if not texts or labels is None or embedder.dimension == 0:
        return
    kept = labels.of(embedder.name, embedder.dimension)
    # No more than are kept, so that nothing is embedded in vain.
    missing = sorted(texts - kept.find(texts).keys())[: kept.room()]
    if missing:
        with span("ingest.labels", texts=len(missing)):
            kept.keep(dict(zip(missing, embedder.embed(missing), strict=True)))
