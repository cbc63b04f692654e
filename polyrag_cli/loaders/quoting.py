"""Owns how damaged lines of delimited text are cut into cells: quotes that stand in the wrong place or never close."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dialect:
    """How rows are cut into cells; `quote` and `escape` are empty when unused."""

    delimiter: str
    quote: str = '"'
    escape: str = ""


def lenient_rows(text: str, dialect: Dialect, every_quote_closes: bool = False) -> list[list[str]]:
    """Rows of lines that the format's rules can't read, by what a reader of them would say.

    A quote closes a cell only where a delimiter or a line's end follows; it opens one only where it is closed before
    another one opens. Any other quote is a character of its cell. Escapes were resolved before.

    every_quote_closes: a single quote closes its cell also where no delimiter follows, as if one were missing.
    """
    return _Lines(text, dialect, every_quote_closes).rows()


class _Lines:
    def __init__(self, text: str, dialect: Dialect, every_quote_closes: bool) -> None:
        self._text = text
        self._every_quote_closes = every_quote_closes
        self._quote = dialect.quote
        self._delimiter = dialect.delimiter
        self._quotes = re.compile(rf"{re.escape(dialect.quote)}+")
        self._border = re.compile(rf"{re.escape(dialect.delimiter)}|\r\n|\r|\n|\Z")
        self._gap = re.compile(" *" if dialect.delimiter != " " else "")

    def rows(self) -> list[list[str]]:
        found: list[list[str]] = []
        row: list[str] = []
        position = 0
        while position < len(self._text):
            cell, end = self._cell(position)
            row.append(cell)
            border = self._border.match(self._text, end)
            position = border.end() if border else end
            if border is None:
                continue
            if border[0] != self._delimiter:
                found.append(row)
                row = []
            elif position == len(self._text):
                row.append("")
        if row:
            found.append(row)
        return found

    def _cell(self, start: int) -> tuple[str, int]:
        """The cell that begins at a position, and where its border stands."""
        opening = self._gap.match(self._text, start).end()  # type: ignore[union-attr]
        if self._text.startswith(self._quote, opening):
            quoted = self._quoted(opening + 1)
            if quoted is not None:
                return quoted
        border = self._border.search(self._text, start)
        end = border.start() if border else len(self._text)
        return self._text[start:end], end

    def _quoted(self, start: int) -> tuple[str, int] | None:
        """A quoted cell's content from behind its first quote; None where no quote closes it."""
        parts: list[str] = []
        position = start
        likely: tuple[str, int] | None = None
        for run in self._quotes.finditer(self._text, start):
            parts.append(self._text[position : run.start()])
            position = run.end()
            length = run.end() - run.start()
            end = self._gap.match(self._text, run.end()).end()  # type: ignore[union-attr]
            if self._border.match(self._text, end):
                if length % 2:
                    parts.append(self._quote * (length // 2))
                    return "".join(parts), end
                # A doubled quote that belongs to the cell, or one of its own and the one that closes.
                likely = likely or ("".join(parts) + self._quote * (length - 1), end)
                parts.append(self._quote * (length // 2))
                continue
            if self._every_quote_closes and length == 1:
                return "".join(parts), end
            if length % 2 and run.start() > start and self._opens(run.start()):
                return likely
            parts.append(self._quote * ((length + 1) // 2))
        return likely

    def _opens(self, position: int) -> bool:
        """Whether a quote stands where a cell begins."""
        before = self._text[:position].rstrip(" ") if self._text[position - 1] == " " else self._text[:position]
        return not before or before[-1] in f"{self._delimiter}\r\n"
