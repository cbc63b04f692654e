"""From a file to everything that a commit writes: load, chunk, embed, route. Holds no lock and writes nothing."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from polyrag_cli.chunking.structural import chunk_document
from polyrag_cli.chunking.windows import chunk_sentences, window_ranges, windows
from polyrag_cli.errors import LoadError, reason
from polyrag_cli.graph.mentions import PassageGraph, passage_graph
from polyrag_cli.ingest.base import ChunkRouter, PipelineSettings, PreparedDocument
from polyrag_cli.ingest.sources import SourceFile
from polyrag_cli.ingest.terms import Known, TermEmbedding
from polyrag_cli.loaders.encoding import cleaned
from polyrag_cli.loaders.markdown import parse_markdown
from polyrag_cli.loaders.plain import parse_plain
from polyrag_cli.providers.base import Embedder
from polyrag_cli.registry import LOADER_SUFFIXES, resolve
from polyrag_cli.stores.records import DocumentRecord, SourceRecord, StoredChunk
from polyrag_cli.tables.types import typed_tables
from polyrag_cli.text.language import detect, detect_table
from polyrag_cli.text.path_titles import path_title
from polyrag_cli.text.shapes import shape_of
from polyrag_cli.tracing import span
from polyrag_cli.types import Chunk, ChunkRoute, LoadedDocument

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Part of every recipe: raised when chunking, or what is derived from documents and chunks, changes.
REVISION = "5"
_HASH_BLOCK = 1 << 20
# Of each table, for its language.
_ROWS_READ = 500
_ATX_HEADING = re.compile(r"^#{1,6} \S", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class LoadedFile:
    """A file as loaded; `documents` is empty when it is unchanged or holds nothing."""

    source: SourceRecord
    documents: tuple[LoadedDocument, ...] = ()
    unchanged: bool = False


class Preparer:
    """Prepares the documents of files; safe to call from several threads at once."""

    def __init__(
        self,
        embedder: Embedder,
        router: ChunkRouter,
        settings: PipelineSettings,
        skip_graph: bool = False,
        known_terms: Known = lambda words: (),
    ) -> None:
        """known_terms: those of some words that the catalog has vectors of."""
        self._terms = TermEmbedding(embedder, known_terms)
        self._embedder = embedder
        self._router = router
        self._settings = settings
        self._skip_graph = skip_graph

    def recipe(self, loader: str) -> str:
        """What besides its bytes decides what a file becomes; the part behind the sign is the embedder's alone."""
        chunking, recipe = self._settings.chunking, self._settings.recipe
        sizes = (chunking.max_chars, chunking.min_chars, chunking.max_document_chars)
        parts = repr((REVISION, loader, sizes, recipe, self._skip_graph))
        return f"{_short_hash(parts)}+{embedder_mark(self._embedder.name)}"

    def load(self, file: SourceFile, known: SourceRecord | None) -> LoadedFile:
        """The file's documents, unless `known` says that nothing has changed.

        Raises LoadError when it can't be read, isn't what its suffix says, or changes while it is read.
        """
        loader = resolve("loader", LOADER_SUFFIXES[file.location.suffix.lower()])()
        recipe = self.recipe(f"{loader.name} {loader.version}")
        with span("ingest.load", document=file.document) as handle:
            for _ in range(2):
                record = _record(file, recipe)
                if known is not None and (known.sha256, known.recipe) == (record.sha256, record.recipe):
                    return LoadedFile(known, unchanged=True)
                documents = loader.load(file.location)
                if _status(file.location) == (record.size, record.mtime_ns):
                    break
            else:
                raise LoadError("it changes while it is read.", "Ingest it again when its writer is done.")
            handle.set_attribute("documents", len(documents))
        return LoadedFile(record, tuple(self._bounded(_titled(document, file.path)) for document in documents))

    def prepare(self, source: SourceRecord, loaded: Sequence[LoadedDocument]) -> list[PreparedDocument]:
        """Some documents of one file, ready to be written.

        Raises ProviderError when the embedder fails.
        """
        with span("ingest.chunk", document=source.document) as handle:
            records = [_document_record(source, document) for document in loaded]
            chunks = [
                chunk_document(
                    record.document, document, record.language, self._embedder.embed, self._settings.chunking
                )
                for record, document in zip(records, loaded, strict=True)
            ]
            passages = [[passage_graph(chunk) for chunk in group] for group in chunks]
            pairs = zip(records, loaded, strict=True)
            tables = [typed_tables(document.tables, record.document) for record, document in pairs]
            shapes = [None if document.key else shape_of(document) for document in loaded]
            handle.set_attribute("chunks", sum(map(len, chunks)))
        routed = self.embedded([list(group) for group in chunks], passages, source.document)
        return [
            replace(prepared, record=record, passages=tuple(passage), tables=tuple(typed), shape=shape)
            for prepared, record, passage, typed, shape in zip(routed, records, passages, tables, shapes, strict=True)
        ]

    def embedded(
        self, chunks: Sequence[Sequence[Chunk]], passages: Sequence[Sequence[PassageGraph]], name: str
    ) -> list[PreparedDocument]:
        """Windows, vectors and routes of documents that are chunked already; their records are left blank."""
        with span("ingest.embed", document=name) as handle:
            spans = [[chunk_sentences(chunk) for chunk in group] for group in chunks]
            vectors = [
                [self._vectors(chunk, own) for chunk, own in zip(group, group_spans, strict=True)]
                for group, group_spans in zip(chunks, spans, strict=True)
            ]
            terms = self._terms.of(chunks)
            handle.set_attribute("windows", sum(len(matrix) for group in vectors for matrix in group))
        with span("ingest.route", document=name):
            routes = [
                self._router.route_chunks(group, matrices, [named_sentences(passage) for passage in passage_group])
                if group
                else []
                for group, matrices, passage_group in zip(chunks, vectors, passages, strict=True)
            ]
        return [
            replace(_prepared(group, group_spans, matrices, homes, self._embedder.dimension), terms=own)
            for group, group_spans, matrices, homes, own in zip(chunks, spans, vectors, routes, terms, strict=True)
        ]

    def _vectors(self, chunk: Chunk, spans: Sequence[tuple[int, int]]) -> NDArray[np.float32]:
        """One chunk at a time: the bits of a vector must not depend on its neighbours."""
        texts = [chunk.text[start:end] for start, end in spans]
        return self._embedder.embed_windows(texts, window_ranges(len(texts)))

    def _bounded(self, document: LoadedDocument) -> LoadedDocument:
        """The document, cut where it is longer than what is indexed of one."""
        limit = self._settings.chunking.max_document_chars
        if len(document.text) <= limit or not (document.blocks or not document.tables):
            return document
        blocks = tuple(replace(block, end=min(block.end, limit)) for block in document.blocks if block.start < limit)
        left = len(document.text) - limit
        warning = f"Only the first {limit:,} characters are indexed; {left:,} are left out."
        return replace(document, text=document.text[:limit], blocks=blocks, warnings=(*document.warnings, warning))


def named_sentences(passage: PassageGraph) -> list[bool]:
    """For each sentence of a passage whether it names an entity; a lone capital that opens a sentence names none."""
    named = {mention.sentence for mention in passage.mentions if mention.kind not in ("initial", "noun")}
    return [index in named for index in range(len(passage.sentences))]


def loaded_text(text: str, document: str, title: str) -> LoadedDocument:
    """A text that is in no file, with its structure; Markdown by its name's suffix or its headings."""
    text, warnings = cleaned(text)
    markdown = LOADER_SUFFIXES.get(Path(document).suffix.lower()) == "markdown" or _ATX_HEADING.search(text)
    loaded = parse_markdown(text, Path(document).stem, warnings) if markdown else parse_plain(text, warnings)
    return replace(loaded, title=title or loaded.title or _named(document))


def _titled(document: LoadedDocument, path: str) -> LoadedDocument:
    """The document, called by its file's path where it says no title itself."""
    return document if document.title or document.key else replace(document, title=_named(path))


def _named(path: str) -> str:
    said = path_title(path)
    return " ".join(dict.fromkeys(filter(None, (said.title, said.date))))


def embedder_mark(name: str) -> str:
    """What a recipe says of the embedder."""
    return _short_hash(name)


def document_name(source: str, key: str) -> str:
    """The public name of a file's document: the file's, or `file#key` inside a file of documents."""
    return f"{source}#{key}" if key else source


def _document_record(source: SourceRecord, loaded: LoadedDocument) -> DocumentRecord:
    name = document_name(source.document, loaded.key)
    language = _language(loaded)
    lines = loaded.source_lines
    return DocumentRecord(name, source.document, loaded.title, language, loaded.text, loaded.warnings, lines)


def _language(loaded: LoadedDocument) -> str:
    """The language of a document's passages; of a document without any, that of its tables."""
    if loaded.blocks or not loaded.tables:
        return detect(f"{loaded.title}\n{loaded.text[:4000]}")
    labels = [label for table in loaded.tables if table.has_header for label in table.rows[0]]
    cells = (cell for table in loaded.tables for row in table.rows[int(table.has_header) : _ROWS_READ] for cell in row)
    return detect_table(labels, cells)


def _prepared(
    chunks: Sequence[Chunk],
    spans: Sequence[Sequence[tuple[int, int]]],
    matrices: Sequence[NDArray[np.float32]],
    routes: Sequence[ChunkRoute],
    dimension: int,
) -> PreparedDocument:
    import numpy as np

    stored = tuple(StoredChunk(chunk, route) for chunk, route in zip(chunks, routes, strict=True))
    all_windows = tuple(window for chunk, own in zip(chunks, spans, strict=True) for window in windows(chunk, own))
    vectors = np.concatenate(matrices) if matrices else np.zeros((0, dimension), dtype=np.float32)
    return PreparedDocument(DocumentRecord("", "", "", "", ""), stored, all_windows, vectors, (), ())


def _record(file: SourceFile, recipe: str) -> SourceRecord:
    size, mtime_ns = _status(file.location)
    digest = hashlib.sha256()
    try:
        with file.location.open("rb") as content:
            while block := content.read(_HASH_BLOCK):
                digest.update(block)
    except OSError as error:
        raise LoadError(f"can't be read ({reason(error)}).") from error
    return SourceRecord(file.root, file.path, file.document, digest.hexdigest(), size, mtime_ns, recipe)


def _status(location: Path) -> tuple[int, int]:
    try:
        status = location.stat()
    except OSError as error:
        raise LoadError(f"can't be read ({reason(error)}).") from error
    return status.st_size, status.st_mtime_ns


def _short_hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
