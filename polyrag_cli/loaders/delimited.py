"""CSV and TSV files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from polyrag_cli.loaders.delimited_rows import declared_delimiter, detect_dialect, read_rows
from polyrag_cli.loaders.dialect_said import said_of
from polyrag_cli.loaders.encoding import decode, normalized, printable, read_bytes
from polyrag_cli.loaders.grid import Grid, split_tables
from polyrag_cli.loaders.long_files import is_long, long_document
from polyrag_cli.loaders.quoting import Dialect
from polyrag_cli.types import LoadedDocument, RawTable


class DelimitedLoader:
    """Reads comma, semicolon, tab and pipe separated files as tables, most often one."""

    name = "delimited"
    version = "2"

    def load(self, path: Path) -> tuple[LoadedDocument, ...]:
        """One document with its tables; () when the file holds nothing. Of a long file the rows stay staged.

        Raises LoadError for binary content, or for a cell longer than 16 million characters.
        """
        expected = "\t" if path.suffix.lower() == ".tsv" else ""
        long = long_document(path, expected) if is_long(path) else None
        if long is not None:
            return (long,)
        decoded = decode(read_bytes(path), path.name)
        # Some writers escape a quote with NUL: kept as a doubled quote before NULs are removed.
        text, warnings = printable(decoded.text.replace('\x00"', '""'))
        declared, body = declared_delimiter(text)
        if not body.strip():
            return ()
        dialect = detect_dialect(body, expected)
        if declared:
            dialect = Dialect(declared, dialect.quote, dialect.escape)
        rows = read_rows(body, dialect, path.name)
        grids = split_tables(rows, dialect.delimiter, keep_empty=True)
        if not grids:
            return ()
        warnings += tuple(warning for grid in grids for warning in grid.warnings)
        tables = _raw_tables(
            grids, path.stem, said_of(dialect, decoded.encoding, Counter(map(len, rows)), bool(declared))
        )
        return (LoadedDocument(normalized(text), tables=tables, warnings=decoded.warnings + warnings),)


def _raw_tables(grids: Sequence[Grid], stem: str, dialect: str) -> tuple[RawTable, ...]:
    """The tables of a file: the first is called after it, the others after the line above them."""
    return tuple(
        RawTable(
            grid.title or stem,
            grid.rows,
            grid.has_header,
            grid.title,
            notes=grid.notes,
            labels=grid.labels,
            dialect=dialect,
        )
        for grid in grids
    )
