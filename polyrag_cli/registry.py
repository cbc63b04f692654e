"""Names that configuration uses, mapped to classes, resolved only when asked for; other packages add theirs.

A package adds backends, loaders, embedders and strategies through entry points in its pyproject.toml:

    [project.entry-points."polyrag.stores"]
    "vector.qdrant" = "my_package.qdrant:QdrantVectorStore"    # kind and name; then: [stores] vector = "qdrant"

    [project.entry-points."polyrag.loaders"]
    docx = "my_package.docx:DocxLoader"                        # the class says for which files: suffixes = (".docx",)

    [project.entry-points."polyrag.embedders"]
    mine = "my_package.mine:MyEmbedder"

    [project.entry-points."polyrag.strategies"]
    newest = "my_package.newest:NewestFirstStrategy"

    [project.entry-points."polyrag.sql_writers"]
    mine = "my_package.mine:MySqlWriter"

Each class is one of the Protocols in `stores.base`, `stores.catalog`, `loaders.base`, `providers.base`,
`providers.sql_writer` or `strategies.base`, and is made as the ones here are: a store with the data directory's
`DataPaths`, an embedder and a writer of SQL by their `from_options`, a loader and a strategy without arguments.
Installed packages are looked through only for a name or an ending that isn't PolyRAG's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from polyrag_cli.errors import ConfigError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_ENTRIES: dict[str, dict[str, str]] = {
    "embedder": {
        "use-m3": "polyrag_cli.providers.use_m3:UseM3Embedder",
        "hashing": "polyrag_cli.providers.hashing:HashingEmbedder",
        "none": "polyrag_cli.providers.none:NullEmbedder",
    },
    "sql_writer": {"replay": "polyrag_cli.providers.sql_replay:ReplayingSqlWriter"},
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
    "table_words": {"sqlite": "polyrag_cli.stores.table_words_sqlite:SQLiteTableWords"},
    "shared": {"sqlite": "polyrag_cli.stores.shared_sqlite:SQLiteSharedStore"},
    "labels": {"npy": "polyrag_cli.stores.labels_npy:LabelFiles"},
    "loader": {
        "markdown": "polyrag_cli.loaders.markdown:MarkdownLoader",
        "html": "polyrag_cli.loaders.html:HTMLLoader",
        "text": "polyrag_cli.loaders.plain:PlainTextLoader",
        "delimited": "polyrag_cli.loaders.delimited:DelimitedLoader",
        "spreadsheet": "polyrag_cli.loaders.spreadsheet:SpreadsheetLoader",
        "jsonl": "polyrag_cli.loaders.jsonl:JSONLLoader",
        "json": "polyrag_cli.loaders.json_records:JSONLoader",
        "database": "polyrag_cli.loaders.database.loader:DatabaseLoader",
        "parquet": "polyrag_cli.loaders.columnar:ParquetLoader",
        "arrow": "polyrag_cli.loaders.columnar:ArrowLoader",
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

_SUFFIXES: dict[str, str] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdown": "markdown",
    ".mkd": "markdown",
    ".mdx": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".txt": "text",
    ".text": "text",
    ".log": "text",
    ".csv": "delimited",
    ".tsv": "delimited",
    ".xlsx": "spreadsheet",
    ".xlsm": "spreadsheet",
    ".xls": "spreadsheet",
    ".ods": "spreadsheet",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".sqlite": "database",
    ".sqlite3": "database",
    ".db": "database",
    ".db3": "database",
    ".duckdb": "database",
    ".ddb": "database",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
}

_STORES = "polyrag.stores"
_STORE_KINDS = ("catalog", "relational", "vector", "lexical", "graph", "terms", "shared", "table_words", "labels")
_GROUPS = {
    **dict.fromkeys(_STORE_KINDS, _STORES),
    "embedder": "polyrag.embedders",
    "loader": "polyrag.loaders",
    "strategy": "polyrag.strategies",
    "sql_writer": "polyrag.sql_writers",
}


def names(kind: str) -> tuple[str, ...]:
    """PolyRAG's own names of one kind, sorted."""
    return tuple(sorted(_ENTRIES[kind]))


def known(kind: str) -> tuple[str, ...]:
    """The names of one kind, other packages' included, PolyRAG's own first.

    Raises ConfigError when two packages take one name.
    """
    return (*names(kind), *_foreign(kind))


def resolve(kind: str, name: str) -> Any:
    """The class registered under a name.

    Raises ConfigError when nothing of that kind has the name, or when another package's class can't be loaded.
    """
    target = _ENTRIES[kind].get(name)
    if target is not None:
        module, _, attribute = target.partition(":")
        return getattr(import_module(module), attribute)
    entry = _foreign(kind).get(name)
    if entry is None:
        raise ConfigError(f"{name!r} is no {kind}.", f"Known: {', '.join(known(kind))}.")
    return _loaded(kind, name, entry)


class _LoaderSuffixes(Mapping[str, str]):
    """The loader of each file name ending, in lower case; those of other packages are asked for the endings left."""

    def __getitem__(self, suffix: str) -> str:
        # What has no ending is nobody's, and no reason to look around.
        return _SUFFIXES[suffix] if suffix in _SUFFIXES or not suffix else _foreign_suffixes()[suffix]

    def __iter__(self) -> Iterator[str]:
        yield from _SUFFIXES
        yield from _foreign_suffixes()

    def __len__(self) -> int:
        return len(_SUFFIXES) + len(_foreign_suffixes())


LOADER_SUFFIXES: Mapping[str, str] = _LoaderSuffixes()


# ---------------------------------------------------------------- other packages
@cache
def _foreign(kind: str) -> Mapping[str, EntryPoint]:
    """What other packages register of one kind, by name.

    Raises ConfigError when a name is taken twice, or a store doesn't say its kind.
    """
    from importlib.metadata import entry_points

    group = _GROUPS[kind]
    found: dict[str, EntryPoint] = {}
    for entry in sorted(entry_points(group=group), key=lambda entry: (entry.name, _package(entry))):
        name = _name_of(entry, kind) if group == _STORES else entry.name
        if name is None:
            continue
        if name in _ENTRIES[kind]:
            raise ConfigError(
                f"The package {_package(entry)} registers the {kind} {name!r}, which PolyRAG has itself.",
                "Uninstall it, or have it choose another name.",
            )
        if name in found:
            raise ConfigError(
                f"The packages {_package(found[name])} and {_package(entry)} both register the {kind} {name!r}.",
                "Uninstall one of them.",
            )
        found[name] = entry
    return found


def _name_of(entry: EntryPoint, kind: str) -> str | None:
    """The name of a store of one kind; None for one of another kind."""
    own, _, name = entry.name.partition(".")
    if own not in _STORE_KINDS or not name:
        raise ConfigError(
            f"The package {_package(entry)} registers the store {entry.name!r}, which doesn't say its kind.",
            f"It is named KIND.NAME, with {', '.join(_STORE_KINDS[:-1])} or {_STORE_KINDS[-1]} for KIND.",
        )
    return name if own == kind else None


def _loaded(kind: str, name: str, entry: EntryPoint) -> Any:
    try:
        return entry.load()
    except Exception as error:
        what = str(error).partition("\n")[0] or type(error).__name__
        raise ConfigError(
            f"The {kind} {name!r} of the package {_package(entry)} can't be loaded: {what}.",
            "Update the package, or uninstall it.",
        ) from error


@cache
def _foreign_suffixes() -> Mapping[str, str]:
    """The loader of each file name ending that other packages read.

    Raises ConfigError when one says none, or when an ending is taken.
    """
    found: dict[str, str] = {}
    for name, entry in _foreign("loader").items():
        suffixes = getattr(_loaded("loader", name, entry), "suffixes", ())
        if not suffixes or not all(isinstance(one, str) and one[:1] == "." and one == one.lower() for one in suffixes):
            raise ConfigError(
                f"The loader {name!r} of the package {_package(entry)} doesn't say which files it reads.",
                'Its class needs file name endings in lower case: suffixes = (".docx",).',
            )
        for suffix in suffixes:
            if suffix in _SUFFIXES or suffix in found:
                raise ConfigError(
                    f"The loader {name!r} of the package {_package(entry)} reads {suffix}, which the loader"
                    f" {_SUFFIXES.get(suffix) or found[suffix]!r} reads.",
                    "Uninstall one of them.",
                )
            found[suffix] = name
    return found


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else entry.module
