"""Looks at what is in the stores: files, passages, tables, headings, the graph, and whether all of it is well."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from polyrag_cli.engine.parts import Parts
from polyrag_cli.errors import StoreError, UsageError
from polyrag_cli.stores.base import Snapshot
from polyrag_cli.stores.records import DocumentRecord, StoredChunk
from polyrag_cli.types import FileReport, IngestedTable, LinedText, Relation, TableCard, TableSchema, table_card

if TYPE_CHECKING:
    from polyrag_cli.graph.base import Neighbour
    from polyrag_cli.stores.shared import DocumentVersion


@dataclass(frozen=True, slots=True)
class FileOverview:
    """A file as a list shows it, its warnings included.

    language: that most of its documents are in, "und" when none says; documents: how many it holds.
    """

    file: FileReport
    language: str
    documents: int


class Corpus:
    """What one data directory holds."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    # ------------------------------------------------------------ files and their content
    def files(self) -> tuple[FileReport, ...]:
        """Every ingested file with its state, chunks by home route and tables, by document name."""
        with self._parts.catalog.snapshot() as snapshot:
            source_of = {record.document: record.source for record in self._parts.catalog.documents(snapshot)}
            return self._reports(snapshot, source_of, {})

    def overview(self) -> tuple[FileOverview, ...]:
        """Every ingested file as `files` gives it, with its language and warnings."""
        languages: dict[str, Counter[str]] = defaultdict(Counter)
        warnings: dict[str, list[str]] = defaultdict(list)
        source_of: dict[str, str] = {}
        with self._parts.catalog.snapshot() as snapshot:
            for record in self._parts.catalog.documents(snapshot):
                source_of[record.document] = record.source
                languages[record.source][record.language] += 1
                key = record.document.removeprefix(record.source)
                warnings[record.source] += [f"{key}: {warning}" if key else warning for warning in record.warnings]
            reports = self._reports(snapshot, source_of, warnings)
        return tuple(
            FileOverview(file, _main(languages[file.document]), sum(languages[file.document].values()))
            for file in reports
        )

    def _reports(
        self, snapshot: Snapshot, source_of: Mapping[str, str], warnings: Mapping[str, Sequence[str]]
    ) -> tuple[FileReport, ...]:
        """The files' reports. source_of: each document's file; warnings: those of a file."""
        stores = self._parts.stores
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

    def chunks(self, name: str) -> list[StoredChunk]:
        """The chunks of a document, or of all documents in a file, with their routes.

        Raises UsageError for an unknown name.
        """
        catalog = self._parts.catalog
        with catalog.snapshot() as snapshot:
            documents = [record.document for record in catalog.documents(snapshot, name)]
            if not documents:
                self._document(snapshot, name)
            return [chunk for document in documents or [name] for chunk in catalog.chunks_of(snapshot, document)]

    def versions(self, document: str) -> tuple[DocumentVersion, ...]:
        """The versions of a document in other languages, by language; none of an unknown one."""
        shared = self._parts.stores.shared
        if shared is None:
            return ()
        with self._parts.catalog.snapshot() as snapshot:
            return shared.versions(snapshot, [document]).get(document, ())

    def document_text(self, document: str) -> str:
        """A document's text as extracted. Raises UsageError for an unknown document."""
        return self.lined_text(document).text

    def lined_text(self, document: str) -> LinedText:
        """A document's text with its lines in the source. Raises UsageError for an unknown document."""
        with self._parts.catalog.snapshot() as snapshot:
            record = self._document(snapshot, document)
            return LinedText(record.text, record.source_lines)

    def _document(self, snapshot: Snapshot, document: str) -> DocumentRecord:
        catalog = self._parts.catalog
        try:
            return catalog.document(snapshot, document)
        except StoreError as error:
            if catalog.files_of(snapshot, [document]):
                raise
            raise UsageError(error.message, error.hint) from error

    def headings(self) -> list[str]:
        """The distinct heading paths, sorted."""
        with self._parts.catalog.snapshot() as snapshot:
            return sorted({heading for _, heading, _ in self._parts.catalog.headings(snapshot) if heading})

    # ------------------------------------------------------------ tables
    def tables(self) -> tuple[TableSchema, ...]:
        """Every table with its typed columns, by name."""
        with self._parts.catalog.snapshot() as snapshot:
            return self._parts.stores.relational.schemas(snapshot)

    def relations(self) -> tuple[Relation, ...]:
        """Which columns hold keys of other tables, by table and column."""

        def related(snapshot: Snapshot) -> tuple[Relation, ...]:
            return self._parts.table_relations.of(self._parts.stores, snapshot)

        return self._parts.read(related)

    def card(self, name: str) -> TableCard:
        """A table's audit card. Raises UsageError for an unknown table."""

        def read(snapshot: Snapshot) -> TableCard:
            relational = self._parts.stores.relational
            schemas = {schema.name.casefold(): schema for schema in relational.schemas(snapshot)}
            schema = schemas.get(name.casefold())
            if schema is None:
                raise UsageError(f"There is no table {name!r}.", "`polyrag corpus tables` shows the tables.")
            return table_card(schema, self._parts.table_relations.of(self._parts.stores, snapshot))

        return self._parts.read(read)

    def table_as_text(self, name: str, most: int | None = None) -> list[list[str]]:
        """A table as its source holds it, header first; at most the first `most` lines.

        Raises UsageError for an unknown table.
        """
        relational = self._parts.stores.relational
        with self._parts.catalog.snapshot() as snapshot:
            try:
                return relational.source_cells(snapshot, name, most)
            except StoreError as error:
                if any(schema.name.casefold() == name.casefold() for schema in relational.schemas(snapshot)):
                    raise
                raise UsageError(error.message, error.hint) from error

    # ------------------------------------------------------------ the graph
    def neighbours(self, name: str) -> list[Neighbour]:
        """What an entity is related to and mentioned with."""
        with self._parts.catalog.snapshot() as snapshot:
            return self._parts.stores.graph.neighbours(snapshot, name)

    def names(self, like: str = "", within: str = "") -> list[str]:
        """At most 50 names of the graph that hold `like`, in the chunk `within` when one is given."""
        with self._parts.catalog.snapshot() as snapshot:
            return self._parts.stores.graph.names(snapshot, like, within)

    def graphml(self) -> str:
        """The whole graph as GraphML."""
        from polyrag_cli.graph.export import graphml

        with self._parts.catalog.snapshot() as snapshot:
            return graphml(self._parts.stores.graph.content(snapshot))

    # ------------------------------------------------------------ all of it
    def health(self) -> dict[str, Any]:
        """What `doctor` reports: checks of each store, counts, the generation and the fingerprint."""
        from polyrag_cli.engine.health import health

        return health(self._parts)

    def repair(self) -> None:
        """Rebuilds what is derived and sweeps what nothing refers to.

        Raises LockTimeout when another process goes on writing.
        """
        from polyrag_cli.engine.health import repair

        repair(self._parts)


def _main(languages: Mapping[str, int]) -> str:
    """The language that most documents are in, the first by name of equals."""
    return min((n for n in languages if n != "und"), key=lambda name: (-languages[name], name), default="und")
