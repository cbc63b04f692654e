"""What the corpus view asks of the engine, and the messages that bring the answers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from textual.message import Message

from polyrag_cli.errors import StoreError, UsageError
from polyrag_cli.tui.corpus.table_card import SHOWN_ROWS
from polyrag_cli.types import TableCard, TableSchema

if TYPE_CHECKING:
    from polyrag_cli.engine import Engine
    from polyrag_cli.engine.corpus import FileOverview
    from polyrag_cli.graph.base import Neighbour
    from polyrag_cli.stores.records import StoredChunk


class FilesRead(Message):
    """All ingested files."""

    def __init__(self, files: Sequence[FileOverview]) -> None:
        super().__init__()
        self.files = files


class DocumentRead(Message):
    """A file's tables and chunks."""

    def __init__(self, document: str, tables: Sequence[TableSchema], chunks: Sequence[StoredChunk]) -> None:
        super().__init__()
        self.document = document
        self.tables = tables
        self.chunks = chunks


class TableRead(Message):
    """A table's audit card and its first rows, the header first."""

    def __init__(self, card: TableCard, rows: Sequence[Sequence[str]]) -> None:
        super().__init__()
        self.card = card
        self.rows = rows


class NamesRead(Message):
    """Names of the graph. like, chunk_id: what they were asked by."""

    def __init__(self, like: str, chunk_id: str, names: Sequence[str]) -> None:
        super().__init__()
        self.like = like
        self.chunk_id = chunk_id
        self.names = names


class NeighboursRead(Message):
    """What a name is linked to."""

    def __init__(self, name: str, neighbours: Sequence[Neighbour]) -> None:
        super().__init__()
        self.name = name
        self.neighbours = neighbours


class Removed(Message):
    """A file was removed."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.document = document


def read_files(engine: Engine) -> FilesRead:
    """All files; none where there is no corpus."""
    return FilesRead(engine.corpus.overview() if engine.has_corpus else ())


def read_document(document: str, tables: Collection[str], has_chunks: bool, engine: Engine) -> DocumentRead:
    """A file's tables, of those names, and its chunks; none of either when it was removed meanwhile."""
    schemas = [schema for schema in engine.corpus.tables() if schema.name in tables] if tables else []
    try:
        return DocumentRead(document, schemas, engine.corpus.chunks(document) if has_chunks else [])
    except UsageError:
        return DocumentRead(document, schemas, [])


def read_table(schema: TableSchema, engine: Engine) -> TableRead:
    """A table's card and first rows; these from its typed columns where its source's cells can't be read."""
    card = engine.corpus.card(schema.name)
    try:
        header = [] if schema.has_header else [[column.label for column in schema.columns]]
        return TableRead(card, [*header, *engine.table_as_text(schema.name, SHOWN_ROWS + 1)][: SHOWN_ROWS + 1])
    except (StoreError, UsageError):
        rows = engine.sql(f'SELECT * FROM "{schema.name}" LIMIT {SHOWN_ROWS}')
        cells = [["" if cell is None else str(cell) for cell in row] for row in rows.rows]
        return TableRead(card, [list(rows.columns), *cells])


def read_names(like: str, chunk_id: str, engine: Engine) -> NamesRead:
    """Names that hold a text, in one chunk where an id is given."""
    return NamesRead(like, chunk_id, engine.corpus.names(like, chunk_id))


def read_neighbours(name: str, engine: Engine) -> NeighboursRead:
    """A name's neighbours."""
    return NeighboursRead(name, engine.corpus.neighbours(name))


def remove(document: str, engine: Engine) -> Removed:
    """Forgets a file."""
    engine.remove(document)
    return Removed(document)
