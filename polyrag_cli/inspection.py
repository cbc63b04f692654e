"""What is in the stores and whether they are well: the engine's answers to `corpus` and `doctor`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from polyrag_cli.errors import PolyRAGError, StoreError, UsageError
from polyrag_cli.stores.base import Snapshot, StoredChunk, Stores
from polyrag_cli.types import FileReport, IngestedTable

if TYPE_CHECKING:
    from polyrag_cli.parts import Parts

LOCK_TIMEOUT_S = 60.0


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that `doctor` looked at; detail: figures when ok, else what is wrong and what to do."""

    name: str
    ok: bool
    detail: str


def files(stores: Stores, snapshot: Snapshot) -> tuple[FileReport, ...]:
    """Every ingested file with its state, chunks by home route and tables, by document name."""
    source_of = {record.document: record.source for record in stores.catalog.documents(snapshot)}
    return _reports(stores, snapshot, source_of, {})


def _reports(
    stores: Stores, snapshot: Snapshot, source_of: Mapping[str, str], warnings: Mapping[str, Sequence[str]]
) -> tuple[FileReport, ...]:
    """The files' reports. source_of: each document's file; warnings: those of a file."""
    homes: dict[str, Counter[str]] = defaultdict(Counter)
    boundary: Counter[str] = Counter()
    for tally in stores.catalog.tally(snapshot):
        source = source_of.get(tally.document, tally.document)
        homes[source][tally.home] += tally.count
        boundary[source] += tally.count if tally.boundary else 0
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
        for record in sorted(stores.catalog.sources(snapshot), key=lambda r: r.document)
    )


@dataclass(frozen=True, slots=True)
class FileOverview:
    """A file as a list shows it, its warnings included.

    language: that most of its documents are in, "und" when none says; documents: how many it holds.
    """

    file: FileReport
    language: str
    documents: int


def overview(stores: Stores, snapshot: Snapshot) -> tuple[FileOverview, ...]:
    """Every ingested file with what there is to know about it, by document name."""
    languages: dict[str, Counter[str]] = defaultdict(Counter)
    warnings: dict[str, list[str]] = defaultdict(list)
    source_of: dict[str, str] = {}
    for record in stores.catalog.documents(snapshot):
        source_of[record.document] = record.source
        languages[record.source][record.language] += 1
        key = record.document.removeprefix(record.source)
        warnings[record.source] += [f"{key}: {warning}" if key else warning for warning in record.warnings]
    return tuple(
        FileOverview(file, _main(languages[file.document]), sum(languages[file.document].values()))
        for file in _reports(stores, snapshot, source_of, warnings)
    )


def _main(languages: Mapping[str, int]) -> str:
    """The language that most documents are in, the first by name of equals."""
    return min((n for n in languages if n != "und"), key=lambda name: (-languages[name], name), default="und")


def health(parts: Parts) -> dict[str, Any]:
    """Checks of the embedder and of each store, the counts, the generation and the fingerprint of the content."""
    checks = [_checked("embedder", lambda: f"{parts.embedder.name}, dimension {parts.embedder.dimension}")]
    if not parts.has_corpus:
        checks.append(Check("corpus", True, "empty: nothing ingested yet"))
        return {"checks": checks, "counts": {}, "generation": 0, "fingerprint": ""}
    checks.append(_checked("activity", parts.activity.check))
    counts: Mapping[str, int] = {}
    generation, fingerprint = 0, ""
    try:
        with parts.catalog.snapshot() as snapshot:
            counts, generation = parts.catalog.counts(snapshot), snapshot.generation
            fingerprint = parts.catalog.fingerprint(snapshot)
            checks += _store_checks(parts, snapshot)
    except StoreError as error:
        checks.append(Check("catalog", False, str(error)))
    return {"checks": checks, "counts": dict(counts), "generation": generation, "fingerprint": fingerprint}


def _store_checks(parts: Parts, snapshot: Snapshot) -> list[Check]:
    def vector_check() -> str:
        parts.check_embedder(snapshot)
        return parts.stores.vector.check(snapshot)

    checks = {"catalog": parts.catalog.check, **{kind: store.check for kind, store in parts.stores.each().items()}}
    named = {kind: partial(check, snapshot) for kind, check in checks.items()} | {"vector": vector_check}
    return [_checked(name, check) for name, check in named.items()]


def _checked(name: str, check: Callable[[], str]) -> Check:
    try:
        return Check(name, True, check())
    except PolyRAGError as error:
        return Check(name, False, str(error))


def document_text(stores: Stores, snapshot: Snapshot, document: str) -> str:
    """A document's text as extracted. Raises UsageError for an unknown document."""
    try:
        return stores.catalog.document_text(snapshot, document)
    except StoreError as error:
        if stores.catalog.files_of(snapshot, [document]):
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


def chunks(stores: Stores, snapshot: Snapshot, name: str) -> list[StoredChunk]:
    """The chunks of a document, or of all documents in a file. Raises UsageError for an unknown name."""
    documents = [record.document for record in stores.catalog.documents(snapshot, name)]
    if not documents:
        document_text(stores, snapshot, name)
    return [chunk for document in documents or [name] for chunk in stores.catalog.chunks_of(snapshot, document)]


def repair(parts: Parts) -> None:
    """Drops damaged activity; has each store, under the writer lock, write derived files anew and sweep what nothing
    refers to.

    Raises LockTimeout when another process goes on writing.
    """
    parts.activity.repair()

    def each(snapshot: Snapshot) -> None:
        for store in parts.stores.each().values():
            store.repair(snapshot)

    parts.catalog.derive(each, LOCK_TIMEOUT_S)
