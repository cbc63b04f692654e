"""CSV and TSV files: the dialect, then the rows."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from polyrag_cli.errors import LoadError
from polyrag_cli.loaders.cell_kinds import is_typed
from polyrag_cli.loaders.encoding import cleaned, decode, read_bytes
from polyrag_cli.loaders.grid import Grid, split_tables
from polyrag_cli.types import LoadedDocument, RawTable

DELIMITERS = (",", ";", "\t", "|")
MAX_FIELD = 1 << 24
_SAMPLE_CHARS = 1 << 17
_SAMPLE_ROWS = 300
_SEP_LINE = re.compile(r'"?sep=(.)"?\n')


@dataclass(frozen=True, slots=True)
class Dialect:
    """How rows are cut into cells; `quote` and `escape` are empty when unused."""

    delimiter: str
    quote: str = '"'
    escape: str = ""


class DelimitedLoader:
    """Reads comma, semicolon, tab and pipe separated files as tables, most often one."""

    name = "delimited"
    version = "1"

    def load(self, path: Path) -> tuple[LoadedDocument, ...]:
        """One document with its tables; () when the file holds nothing.

        Raises LoadError for binary content, or for a cell longer than 16 million characters.
        """
        decoded = decode(read_bytes(path), path.name)
        # Some writers escape a quote with NUL: kept as a doubled quote before NULs are removed.
        text, warnings = cleaned(decoded.text.replace('\x00"', '""'))
        declared = _SEP_LINE.match(text)
        body = text[declared.end() :] if declared else text
        if not body.strip():
            return ()
        dialect = detect_dialect(body, "\t" if path.suffix.lower() == ".tsv" else "")
        if declared:
            dialect = Dialect(declared[1], dialect.quote, dialect.escape)
        grids = split_tables(read_rows(body, dialect, path.name), dialect.delimiter, keep_empty=True)
        if not grids:
            return ()
        warnings += tuple(warning for grid in grids for warning in grid.warnings)
        return (LoadedDocument(text, tables=_raw_tables(grids, path.stem), warnings=decoded.warnings + warnings),)


def _raw_tables(grids: Sequence[Grid], stem: str) -> tuple[RawTable, ...]:
    """The tables of a file: the first is called after it, the others after the line above them."""
    return tuple(
        RawTable(grid.title or stem, grid.rows, grid.has_header, grid.title, notes=grid.notes, labels=grid.labels)
        for grid in grids
    )


def detect_dialect(text: str, expected: str = "") -> Dialect:
    """The dialect whose rows are the most regular.

    expected: the delimiter that the suffix promises; it wins a near tie.
    Source: van den Burg, Nazábal and Sutton 2019, "Wrangling messy CSV files by detecting row and type patterns", §4:
    pattern score P = 1/K Σ N_k (L_k − 1)/L_k over the K distinct row lengths L_k, times the share of cells of a known
    type.
    """
    sample = text[:_SAMPLE_CHARS]
    if len(text) > _SAMPLE_CHARS:
        sample = sample[: sample.rfind("\n") + 1] or sample
    quotes = [quote for quote in ('"', "'") if _delimits(sample, quote)] or ['"']
    best, best_score = Dialect(expected or ","), 0.0
    for quote in quotes:
        escape = "\\" if f"\\{quote}" in sample else ""
        for delimiter in DELIMITERS:
            if delimiter not in sample:
                continue
            dialect = Dialect(delimiter, quote, escape)
            score = _score(_sample_rows(sample, dialect)) * (1.1 if delimiter == expected else 1.0)
            if score > best_score + 1e-9:
                best, best_score = dialect, score
    return best


def read_rows(text: str, dialect: Dialect, name: str) -> list[list[str]]:
    """All rows of the text; an empty line is a row without cells.

    name: file name for the message. Raises LoadError for a cell that is too long.
    """
    try:
        rows = list(_reader(text, dialect))
    except csv.Error as error:
        raise LoadError(f"{name}: no table can be read ({error}).", "Is a quote never closed?") from error
    if _swallowed_lines(text, rows):
        rows = [row for line in text.split("\n") for row in _reader(line, dialect)]
    return rows


def _reader(text: str, dialect: Dialect) -> list[list[str]]:
    csv.field_size_limit(MAX_FIELD)
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=dialect.delimiter,
        quotechar=dialect.quote or None,
        quoting=csv.QUOTE_MINIMAL if dialect.quote else csv.QUOTE_NONE,
        escapechar=dialect.escape or None,
        doublequote=True,
    )
    return list(reader)


def _swallowed_lines(text: str, rows: Sequence[Sequence[str]]) -> bool:
    """Whether a quote that is never closed ate the lines after it: one cell holds many lines that look like rows."""
    widest = max((cell.count("\n") for row in rows for cell in row if "\n" in cell), default=0)
    return widest > 50 and widest > 0.3 * text.count("\n")


def _delimits(sample: str, quote: str) -> bool:
    """Whether a quote character stands where a quoted cell begins."""
    return re.search(rf"(?:^|[,;\t|\n])\s*{quote}", sample) is not None


def _sample_rows(sample: str, dialect: Dialect) -> list[list[str]]:
    try:
        return [row for row in _reader(sample, dialect) if row][:_SAMPLE_ROWS]
    except csv.Error:
        return []


def _score(rows: Sequence[Sequence[str]]) -> float:
    if not rows:
        return 0.0
    lengths = Counter(len(row) for row in rows)
    pattern = sum(count * (length - 1) / length for length, count in sorted(lengths.items())) / len(lengths)
    cells = [cell for row in rows for cell in row]
    typed = sum(map(is_typed, cells)) / len(cells)
    return round(pattern * max(typed, 1e-3), 9)
