"""Names that configuration uses, mapped to classes, resolved only when asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from polyrag_cli.errors import ConfigError

_ENTRIES: dict[str, dict[str, str]] = {
    "embedder": {
        "use-m3": "polyrag_cli.providers.use_m3:UseM3Embedder",
        "hashing": "polyrag_cli.providers.hashing:HashingEmbedder",
        "none": "polyrag_cli.providers.none:NullEmbedder",
    },
    "catalog": {"sqlite": "polyrag_cli.stores.catalog_sqlite:SQLiteCatalog"},
    "relational": {"duckdb": "polyrag_cli.stores.relational_duckdb:DuckDBRelationalStore"},
    "vector": {
        "faiss": "polyrag_cli.stores.vector_faiss:FaissVectorStore",
        "numpy": "polyrag_cli.stores.vector_numpy:NumpyVectorStore",
    },
    "lexical": {"fts5": "polyrag_cli.stores.lexical_fts5:FTS5LexicalStore"},
    "graph": {
        "sqlite": "polyrag_cli.stores.graph_sqlite:SQLiteGraphStore",
        "json": "polyrag_cli.stores.graph_json:JSONGraphStore",
    },
    "terms": {"sqlite": "polyrag_cli.stores.terms_sqlite:SQLiteTermStore"},
    "labels": {"npy": "polyrag_cli.stores.labels_npy:LabelFiles"},
    "loader": {
        "markdown": "polyrag_cli.loaders.markdown:MarkdownLoader",
        "text": "polyrag_cli.loaders.plain:PlainTextLoader",
        "delimited": "polyrag_cli.loaders.delimited:DelimitedLoader",
        "spreadsheet": "polyrag_cli.loaders.spreadsheet:SpreadsheetLoader",
        "jsonl": "polyrag_cli.loaders.jsonl:JSONLLoader",
    },
    "strategy": {
        "text_to_sql": "polyrag_cli.strategies.text_to_sql:TextToSQLStrategy",
        "dense": "polyrag_cli.strategies.dense:DenseStrategy",
        "lexical": "polyrag_cli.strategies.lexical:LexicalStrategy",
        "hybrid": "polyrag_cli.strategies.hybrid:HybridStrategy",
        "graph_walk": "polyrag_cli.strategies.graph_walk:GraphWalkStrategy",
        "multi_query": "polyrag_cli.strategies.multi_query:MultiQueryStrategy",
        "diverse": "polyrag_cli.strategies.diverse:DiverseStrategy",
        "corrective": "polyrag_cli.strategies.corrective:CorrectiveStrategy",
        "direct": "polyrag_cli.strategies.direct:DirectStrategy",
    },
}

LOADER_SUFFIXES: dict[str, str] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".txt": "text",
    ".text": "text",
    ".log": "text",
    ".csv": "delimited",
    ".tsv": "delimited",
    ".xlsx": "spreadsheet",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}


def names(kind: str) -> tuple[str, ...]:
    """The registered names of one kind, sorted."""
    return tuple(sorted(_ENTRIES[kind]))


def resolve(kind: str, name: str) -> Any:
    """The class registered under a name.

    Raises ConfigError when nothing of that kind has the name.
    """
    try:
        target = _ENTRIES[kind][name]
    except KeyError:
        raise ConfigError(f"{name!r} is no {kind}.", f"Known: {', '.join(names(kind))}.") from None
    module, _, attribute = target.partition(":")
    return getattr(import_module(module), attribute)
