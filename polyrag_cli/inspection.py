"""What is in the stores and whether they are well: the engine's answers to `corpus` and `doctor`."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from polyrag_cli.display.text import counted
from polyrag_cli.errors import PolyRAGError, StoreError, UsageError
from polyrag_cli.ingest.base import META_EMBEDDER
from polyrag_cli.providers.base import Embedder
from polyrag_cli.stores.base import DataPaths, Snapshot, StoredChunk, Stores
from polyrag_cli.stores.catalog import Catalog
from polyrag_cli.types import FileReport, IngestedTable

LOCK_TIMEOUT_S = 60.0


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that `doctor` looked at; detail: figures when ok, else what is wrong and what to do."""

    name: str
    ok: bool
    detail: str


def files(catalog: Catalog, stores: Stores, snapshot: Snapshot) -> tuple[FileReport, ...]:
    """Every ingested file with its state, chunks by home route and tables, by document name."""
    rows = snapshot.connection.execute("SELECT document, source FROM documents")
    return _reports(catalog, stores, snapshot, dict(rows.fetchall()), {})


def _reports(
    catalog: Catalog,
    stores: Stores,
    snapshot: Snapshot,
    source_of: Mapping[str, str],
    warnings: Mapping[str, Sequence[str]],
) -> tuple[FileReport, ...]:
    """The files' reports. source_of: each document's file; warnings: those of a file."""
    homes: dict[str, Counter[str]] = defaultdict(Counter)
    boundary: Counter[str] = Counter()
    for document, home, also, count in snapshot.connection.execute(
        "SELECT document, home, also, count(*) FROM chunks GROUP BY document, home, also"
    ):
        source = source_of.get(document, document)
        homes[source][home] += count
        boundary[source] += count if also not in (None, "", "[]") else 0
    tables: dict[str, list[IngestedTable]] = defaultdict(list)
    for schema in stores.relational.schemas(snapshot):
        source = source_of.get(schema.document, schema.document)
        tables[source].append(IngestedTable(schema.name, schema.rows, len(schema.columns)))
    return tuple(
        FileReport(
            document=record.document,
            status=record.status,  # type: ignore[arg-type]
            reason=record.reason,
            chunks=sum(homes[record.document].values()),
            routes=dict(sorted(homes[record.document].items())),
            tables=tuple(tables[record.document]),
            warnings=tuple(warnings.get(record.document, ())),
            boundary=boundary[record.document],
        )
        for record in sorted(catalog.sources(snapshot), key=lambda r: r.document)
    )


@dataclass(frozen=True, slots=True)
class FileOverview:
    """A file as a list shows it, its warnings included.

    language: that most of its documents are in, "und" when none says; documents: how many it holds.
    """

    file: FileReport
    language: str
    documents: int


def overview(catalog: Catalog, stores: Stores, snapshot: Snapshot) -> tuple[FileOverview, ...]:
    """Every ingested file with what there is to know about it, by document name."""
    languages: dict[str, dict[str, int]] = defaultdict(dict)
    warnings: dict[str, list[str]] = defaultdict(list)
    source_of: dict[str, str] = {}
    rows = snapshot.connection.execute("SELECT document, source, language, warnings FROM documents ORDER BY document")
    for document, source, language, noted in rows:
        source_of[document] = source
        languages[source][language] = languages[source].get(language, 0) + 1
        if noted != "[]":
            key = document.removeprefix(source)
            warnings[source] += [f"{key}: {warning}" if key else warning for warning in json.loads(noted)]
    return tuple(
        FileOverview(file, _main(languages.get(file.document, {})), sum(languages.get(file.document, {}).values()))
        for file in _reports(catalog, stores, snapshot, source_of, warnings)
    )


def _main(languages: Mapping[str, int]) -> str:
    """The language that most documents are in, the first by name of equals."""
    return min((n for n in languages if n != "und"), key=lambda name: (-languages[name], name), default="und")


def names(stores: Stores, snapshot: Snapshot, like: str = "", within: str = "", limit: int = 50) -> list[str]:
    """Names in the graph, those mentioned most first.

    like: a part of the name, in any case and accents; names that are or begin with it come first. within: the id of
    the chunk that has to mention them.
    """
    import numpy as np

    from polyrag_cli.graph.gazetteer import key_of

    arrays = stores.graph.arrays(snapshot)
    bounds = arrays.mentions.indptr
    counts = np.diff(bounds)
    chosen = range(len(arrays.entity_keys))
    if within:
        passage = arrays.chunk_ids.index.get(within)
        sentences = range(0) if passage is None else arrays.sentences_of(passage)
        at = np.flatnonzero((arrays.mentions.indices >= sentences.start) & (arrays.mentions.indices < sentences.stop))
        chosen = np.unique(np.searchsorted(bounds, at, side="right") - 1).tolist()
    part = key_of(like)
    ranked = []
    for entity in chosen:
        key = arrays.entity_keys[entity]
        if part in key:
            ranked.append((key != part, not key.startswith(part), -int(counts[entity]), key, entity))
    return [arrays.entity_names[entity] for *_, entity in sorted(ranked)[:limit]]


def main_language(snapshot: Snapshot) -> str:
    """The language that most passages are in, "und" when none says."""
    row = snapshot.connection.execute(
        "SELECT language FROM chunks WHERE language <> 'und' GROUP BY language ORDER BY count(*) DESC, language LIMIT 1"
    ).fetchone()
    return str(row[0]) if row else "und"


def health(
    paths: DataPaths, catalog: Callable[[], Catalog], stores: Stores, embedder: Callable[[], Embedder]
) -> dict[str, Any]:
    """Checks of the embedder and of each store, the counts, the generation and the fingerprint of the content."""
    checks = [_checked("embedder", lambda: f"{embedder().name}, dimension {embedder().dimension}")]
    if not paths.catalog.exists():
        checks.append(Check("corpus", True, "empty: nothing ingested yet"))
        return {"checks": checks, "counts": {}, "generation": 0, "fingerprint": ""}
    checks.append(_checked("activity", lambda: _activity_check(paths)))
    counts: Mapping[str, int] = {}
    generation, fingerprint = 0, ""
    try:
        with catalog().snapshot() as snapshot:
            counts, generation = catalog().counts(snapshot), snapshot.generation
            fingerprint = catalog().fingerprint(snapshot)
            checks += _store_checks(catalog(), stores, snapshot, embedder)
    except StoreError as error:
        checks.append(Check("catalog", False, str(error)))
    return {"checks": checks, "counts": dict(counts), "generation": generation, "fingerprint": fingerprint}


def _activity_check(paths: DataPaths) -> str:
    from polyrag_cli.stores.activity import check_activity

    check_activity(paths.activity)
    return "traces and cached answers"


def _store_checks(
    catalog: Catalog, stores: Stores, snapshot: Snapshot, embedder: Callable[[], Embedder]
) -> list[Check]:
    def catalog_check() -> str:
        (result,) = snapshot.connection.execute("PRAGMA quick_check(1)").fetchone()
        if result != "ok":
            raise StoreError(f"damaged: {result}.", "Remove the data directory and ingest again.")
        counts = catalog.counts(snapshot)
        # A file may hold a document in each of its lines.
        (held,) = snapshot.connection.execute("SELECT count(DISTINCT source) FROM documents").fetchone()
        kinds = (held, "file"), (counts["documents"], "document"), (counts["chunks"], "chunk")
        return ", ".join((f"generation {snapshot.generation}", *(counted(number, noun) for number, noun in kinds)))

    def embedding_check() -> str:
        stored = catalog.meta(snapshot, META_EMBEDDER)
        if stored is not None and stored != embedder().name:
            raise StoreError(f"embedded with {stored}, configured {embedder().name}.", "Run: polyrag ingest --reembed")
        return f"{catalog.counts(snapshot)['windows']} windows"

    def relational_check() -> str:
        schemas = stores.relational.schemas(snapshot)
        for schema in schemas:
            stores.relational.execute(snapshot, f'SELECT COUNT(*) FROM "{schema.name}"', [schema.name])
        return f"{len(schemas)} tables"

    def lexical_check() -> str:
        total, _ = stores.lexical.document_frequency(snapshot, [])
        return f"{total} passages indexed"

    def graph_check() -> str:
        arrays = stores.graph.arrays(snapshot)
        return f"{len(arrays.entity_keys)} names"

    named = {
        "catalog": catalog_check,
        "vector": embedding_check,
        "relational": relational_check,
        "lexical": lexical_check,
        "graph": graph_check,
    }
    return [_checked(name, check) for name, check in named.items()]


def _checked(name: str, check: Callable[[], str]) -> Check:
    try:
        return Check(name, True, check())
    except PolyRAGError as error:
        return Check(name, False, str(error))


def document_text(catalog: Catalog, snapshot: Snapshot, document: str) -> str:
    """A document's text as extracted. Raises UsageError for an unknown document."""
    try:
        return catalog.document_text(snapshot, document)
    except StoreError as error:
        if any(record.document == document for record in catalog.documents(snapshot)):
            raise
        raise UsageError(error.message, error.hint) from error


def table_as_text(stores: Stores, snapshot: Snapshot, name: str) -> list[list[str]]:
    """A table's cells as its source holds them, header first. Raises UsageError for an unknown table."""
    try:
        return stores.relational.source_cells(snapshot, name)
    except StoreError as error:
        if any(schema.name.casefold() == name.casefold() for schema in stores.relational.schemas(snapshot)):
            raise
        raise UsageError(error.message, error.hint) from error


def chunks(catalog: Catalog, snapshot: Snapshot, name: str) -> list[StoredChunk]:
    """The chunks of a document, or of all documents in a file. Raises UsageError for an unknown name."""
    documents = [record.document for record in catalog.documents(snapshot, name)]
    if not documents:
        document_text(catalog, snapshot, name)
    return [chunk for document in documents or [name] for chunk in catalog.chunks_of(snapshot, document)]


def repair(paths: DataPaths, catalog: Catalog, stores: Stores) -> None:
    """Under the writer lock: drops derived files and damaged activity, writes the derived ones anew, and sweeps table
    files that nothing refers to."""
    from polyrag_cli.stores.activity import drop_damaged_activity
    from polyrag_cli.stores.lock import WriterLock
    from polyrag_cli.stores.parquet_files import sweep

    with WriterLock(paths.lock).held(LOCK_TIMEOUT_S), catalog.snapshot() as snapshot:
        for derived in (*paths.cache.glob("vectors/*"), *paths.cache.glob("graph-*")):
            with suppress(OSError):
                derived.unlink()
        drop_damaged_activity(paths.activity)
        stores.vector.refresh(snapshot)
        stores.graph.refresh(snapshot)
        sweep(snapshot, paths)
