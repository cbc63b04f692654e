"""What loaders and chunking make of a file: blocks of text, tables as they stand, passages and their windows."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Literal

from polyrag_cli.types.tables import ColumnType, Reference

BlockKind = Literal["heading", "paragraph", "list", "table", "code", "fields"]


@dataclass(frozen=True, slots=True)
class Block:
    """One structural unit of a document's text; `level` is 1–6 for headings, 0 otherwise; `page` counts from 1."""

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    page: int | None = None


@dataclass(frozen=True, slots=True)
class RawTable:
    """A table as its source holds it: rows of cell texts, the header first unless `has_header` is False.

    name: a suggestion (file stem, sheet name or heading), not yet an SQL identifier.
    start, end: where the table stands in the document's text; 0, 0 when the document is only this table.
    labels: what the columns are called where several header rows say it together, () when the first row does.
    place: where in its file it stands, such as a sheet and a range.
    dialect: how a file of delimited text was read, and why so. hidden: whether its program doesn't show it.
    types: what a source that has types says of each column, whose numbers are then written with a decimal point and
    dates in ISO form; None, or (), leaves it to the texts.
    keys, references: as of `TableSchema`.
    """

    name: str
    rows: tuple[tuple[str, ...], ...]
    has_header: bool = True
    heading: str = ""
    start: int = 0
    end: int = 0
    notes: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    place: str = ""
    dialect: str = ""
    hidden: bool = False
    types: tuple[ColumnType | None, ...] = ()
    keys: tuple[str, ...] = ()
    references: tuple[Reference, ...] = ()


@dataclass(frozen=True, slots=True)
class LoadedDocument:
    """One document as a loader extracts it. `key` is "" for the file itself, a record's id inside a file of
    documents.

    What the source says about itself, such as its author and date, opens the text as a block of kind "fields".
    source_lines: pairs (line of the text, line of the source), both from 0 and sorted, from each of which on both count
    up together; () where they are the same.
    """

    text: str
    blocks: tuple[Block, ...] = ()
    tables: tuple[RawTable, ...] = ()
    title: str = ""
    key: str = ""
    warnings: tuple[str, ...] = ()
    source_lines: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentShape:
    """What of a document stays as it is when it is translated, and the language of its prose.

    structure: a sign for each block, a heading's level from 1 to 6, or p, l, t, c for paragraph, list, table, code.
    marks: the smallest hashes, of 32 bits and ascending, of its figures, names with signs in them, and words of code.
    """

    structure: str
    marks: tuple[int, ...] = ()
    language: str = "und"


@dataclass(frozen=True, slots=True)
class LinedText:
    """A document's text with its lines in the source; source_lines as of `LoadedDocument`."""

    text: str
    source_lines: tuple[tuple[int, int], ...] = ()

    def source_line(self, offset: int) -> int:
        """The source's line, from 1, of a character of the text."""
        return self.source_line_of(self.text.count("\n", 0, offset))

    def source_line_of(self, line: int) -> int:
        """The source's line, from 1, of a line of the text, from 0."""
        at = bisect_right(self.source_lines, line, key=lambda pair: pair[0]) - 1
        own, source = self.source_lines[at] if at >= 0 else (0, 0)
        return source + line - own + 1


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage of a document.

    chunk_id: first 16 hex digits of sha256(document, start, end, text).
    heading: the heading path, joined by " › ", without the document's own title.
    lead: the document's text from the section's heading to `start`, for the first chunk of a section: what people are
    shown above the passage. It is no part of `text`.
    """

    chunk_id: str
    document: str
    ordinal: int
    start: int
    end: int
    text: str
    heading: str = ""
    title: str = ""
    page: int | None = None
    kind: BlockKind = "paragraph"
    language: str = "und"
    lead: str = ""


@dataclass(frozen=True, slots=True)
class Window:
    """Two neighbouring sentences of a chunk (one, when the chunk has only one); the unit of the vector index."""

    chunk_id: str
    ordinal: int
    start: int
    end: int
    text: str
