"""Owns how a text is cut into rows of cells: the dialect whose rows are the most regular, and lines that break it."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from polyrag_cli.errors import LoadError
from polyrag_cli.loaders.cell_kinds import is_typed, is_value
from polyrag_cli.loaders.quoting import Dialect, lenient_rows

if TYPE_CHECKING:
    from _csv import Reader

DELIMITERS = (",", ";", "\t", "|")
MAX_FIELD = 1 << 24
_RARE = ("^", "~", ":", " ")
_SAMPLE_CHARS = 1 << 17
_SAMPLE_ROWS = 300
_SEP_LINE = re.compile(r'"?sep=(.)"?(?:\r\n|\r|\n)')
# What rows that break their file's rule may be delimited by instead.
_OTHERS = (*DELIMITERS, " ")


def declared_delimiter(text: str) -> tuple[str, str]:
    """The delimiter that a first line of `sep=;` names, "" without one, and the text behind that line."""
    found = _SEP_LINE.match(text)
    return (found[1], text[found.end() :]) if found else ("", text)


def detect_dialect(text: str, expected: str = "") -> Dialect:
    """The dialect whose rows are the most regular.

    expected: the delimiter that the suffix promises; it wins a near tie.
    Source: van den Burg, Nazábal and Sutton 2019, "Wrangling messy CSV files by detecting row and type patterns", §4:
    pattern score P = 1/K Σ N_k (L_k − 1)/L_k over the K distinct row lengths L_k, times the share of cells of a known
    type.
    """
    sample = _sample(text)
    quotes = [quote for quote in ('"', "'") if _delimits(sample, quote)] or ['"']
    best, best_score = Dialect(expected or ","), 0.0
    for quote in quotes:
        for escape in ("\\", "") if f"\\{quote}" in sample else ("",):
            for delimiter in DELIMITERS:
                if delimiter not in sample:
                    continue
                dialect = Dialect(delimiter, quote, escape)
                score = _score(_sample_rows(sample, dialect)) * (1.1 if delimiter == expected else 1.0)
                if score > best_score + 1e-9:
                    best, best_score = dialect, score
    return best if _cuts(sample, best) else _rare_dialect(sample, best)


def _cuts(sample: str, dialect: Dialect) -> bool:
    """Whether most rows of a dialect have several cells."""
    rows = _sample_rows(sample, dialect)
    return 2 * sum(len(row) > 1 for row in rows) > len(rows)


def _rare_dialect(sample: str, usual: Dialect) -> Dialect:
    """A delimiter that few files use, where it cuts every row into equally many cells; else the usual dialect.

    Spaces and colons stand inside texts and times as well: they need columns of values to be believed.
    """
    for delimiter in _RARE:
        dialect = Dialect(delimiter, usual.quote)
        rows = _sample_rows(sample, dialect)
        if len(rows) < 2 or len(rows[0]) < 2 or any(len(row) != len(rows[0]) for row in rows):
            continue
        values = [column for column in zip(*rows[1:], strict=True) if all(map(is_value, column))]
        whole = all(is_value(delimiter.join(row)) for row in rows[1:])
        if delimiter not in " :" or (len(rows) > 3 and len(values) > 1 and len(rows[0]) > 2 and not whole):
            return dialect
    return usual


def read_rows(text: str, dialect: Dialect, name: str) -> list[list[str]]:
    """All rows of the text; an empty line is a row without cells.

    Lines that don't come out as wide as the others, or with quotes inside, are read again leniently.

    name: file name for the message. Raises LoadError for a cell that is too long.
    """
    text = _unescaped(text, dialect)
    odd = _odd_quotes(dialect)
    damaged = odd.search(text) is not None
    quoted = dialect.quote in text
    lines = io.StringIO(text, newline="").readlines()
    reader = reader_of(lines, dialect)
    width, values = _shape(text, dialect)
    rows: list[list[str]] = []
    start = 0
    try:
        for row in reader:
            end = reader.line_num
            if row and (
                len(row) != width
                or (quoted and (end > start + 1 or dialect.quote in "".join(row)))
                or (damaged and odd.search(lines[start]))
            ):
                rows += _reread("".join(lines[start:end]), dialect, row, width, values)
            else:
                rows.append(row)
            start = end
    except csv.Error as error:
        raise LoadError(f"{name}: no table can be read ({error}).", "Is a quote never closed?") from error
    return rows


def _odd_quotes(dialect: Dialect) -> re.Pattern[str]:
    """What no writer of the dialect leaves: a quote that neither begins nor ends a cell nor is doubled."""
    quote, delimiter = re.escape(dialect.quote), re.escape(dialect.delimiter)
    return re.compile(rf"(?<=[^{delimiter}{quote}\s]){quote}(?=[^{delimiter}{quote}\r\n])")


def _unescaped(text: str, dialect: Dialect) -> str:
    """The text with each escaped quote doubled instead."""
    if not dialect.escape:
        return text
    return text.replace(dialect.escape + dialect.quote, 2 * dialect.quote)


def reader_of(lines: Iterable[str], dialect: Dialect) -> Reader:
    """What cuts lines into rows by the rules of the format. Escapes were resolved before."""
    csv.field_size_limit(MAX_FIELD)
    return csv.reader(
        lines,
        delimiter=dialect.delimiter,
        quotechar=dialect.quote or None,
        quoting=csv.QUOTE_MINIMAL if dialect.quote else csv.QUOTE_NONE,
        doublequote=True,
    )


def _shape(text: str, dialect: Dialect) -> tuple[int, list[int]]:
    """The commonest number of cells of the first rows, and the columns of those that mostly hold values."""
    rows = _sample_rows(_sample(text), dialect)
    if not rows:
        return 0, []
    lengths = Counter(map(len, rows))
    width = max(lengths, key=lambda length: (lengths[length], length))
    fitting = [row for row in rows if len(row) == width]
    shares = [sum(is_value(row[column]) for row in fitting) / len(fitting) for column in range(width)]
    return width, [column for column, share in enumerate(shares) if share > 0.6]


def _reread(lines: str, dialect: Dialect, row: list[str], width: int, values: Sequence[int]) -> list[list[str]]:
    """The rows of lines that came out as one row that is damaged or unlike the others."""
    found = lenient_rows(lines, dialect) if dialect.quote in lines else [row]
    if len(found) > 1 or len(found[0]) == width:
        return found
    if len(found[0]) < width and dialect.quote in lines:
        parted = lenient_rows(lines, dialect, every_quote_closes=True)
        if len(parted) == 1 and len(parted[0]) == width:
            return parted
    if width < 3 or not values:
        return found
    for delimiter in _OTHERS:
        other = lenient_rows(lines, Dialect(delimiter, dialect.quote)) if delimiter != dialect.delimiter else []
        if len(other) == 1 and len(other[0]) == width and all(is_value(other[0][column]) for column in values):
            return other
    return found


def _delimits(sample: str, quote: str) -> bool:
    """Whether a quote character stands where a quoted cell begins."""
    return re.search(rf"(?:^|[,;\t|\r\n])\s*{quote}", sample) is not None


def _sample(text: str) -> str:
    """The text's beginning, up to a line's end."""
    if len(text) <= _SAMPLE_CHARS:
        return text
    sample = text[:_SAMPLE_CHARS]
    end = max(sample.rfind("\n"), sample.rfind("\r"))
    return sample[: end + 1] or sample


def _sample_rows(sample: str, dialect: Dialect) -> list[list[str]]:
    lines = io.StringIO(_unescaped(sample, dialect), newline="")
    try:
        return list(islice((row for row in reader_of(lines, dialect) if row), _SAMPLE_ROWS))
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
