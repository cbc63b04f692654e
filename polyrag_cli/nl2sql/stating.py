"""Owns the sentence that states an SQL result: figures as the reader's language writes them, and how they came."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from polyrag_cli.languages import OWN
from polyrag_cli.languages import language as language_of
from polyrag_cli.nl2sql.algebra import Measure
from polyrag_cli.nl2sql.index import CENTS_NOTE, ColumnEntry, table_entry
from polyrag_cli.nl2sql.profile import profile
from polyrag_cli.text.numbers import format_number
from polyrag_cli.types import Cell, Rows, TableSchema

MAX_WORDS = 60
# How the source's headers write what a figure stands for ("k EUR").
_SCALES = {1e3: "k", 1e6: "M", 1e9: "bn"}
_PREFIXED_UNITS = frozenset({"R$", "US$", "U$", "$", "€", "£", "¥"})


class Speaker:
    """Writes cells and descriptions in one language, with the units of one table.

    matched: how many of the table's rows a single figure comes from, where that is known.
    """

    def __init__(self, table: TableSchema | None, language: str, matched: int | None = None) -> None:
        self.matched = matched
        spoken = language_of(language)
        # What can't be told has no words of its own.
        spoken = spoken if spoken.writing.name else language_of(OWN)
        self.language, self.decimal = spoken.code, spoken.writing.decimal
        self.words = spoken.tables.statements
        self.columns: dict[str, ColumnEntry] = {}
        if table is not None:
            self.columns = {entry.column.name: entry for entry in profile(table_entry(table)).columns}
        self.table_rows = table.rows if table is not None else None

    def cell(self, value: Cell, column: str | None = None) -> str:
        """A cell as text, with the unit of its column."""
        if value is None:
            return self.words["none"]
        if isinstance(value, bool):
            return self.words["true" if value else "false"]
        known = self.columns.get(column or "")
        if isinstance(value, str):
            return self._date(value) if known is None or known.column.type == "date" else value
        if not math.isfinite(value):
            return self.words["none"]
        if known is not None and known.role in ("year", "code", "month"):
            return str(value)
        figure = format_number(value, self.language)
        if known is not None and CENTS_NOTE in known.column.notes:
            figure = self._with_cents(figure)
        scale = _SCALES.get(known.column.scale, "") if known is not None else ""
        return self._with_unit(f"{figure} {scale}".strip(), known.column.unit if known is not None else "")

    def _with_cents(self, figure: str) -> str:
        whole, _, fraction = figure.partition(self.decimal)
        return f"{whole}{self.decimal}{fraction.ljust(2, '0')}"

    def _date(self, text: str) -> str:
        match = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)(?:[ T]00:00:00)?", text)
        if match is None:
            return text
        return self.words["date"].format(year=match[1], month=match[2], day=match[3])

    def _with_unit(self, figure: str, unit: str) -> str:
        if unit in _PREFIXED_UNITS:
            # Money is written with both decimals or none.
            figure += "0" if re.search(r"[.,]\d$", figure) else ""
            return f"{unit} {figure}" if unit in ("R$", "US$", "U$") else f"{unit}{figure}"
        return f"{figure}%" if unit == "%" else f"{figure} {unit}".strip()

    def _is_dated(self, column: str | None) -> bool:
        known = self.columns.get(column or "")
        return known is not None and known.column.type == "date"

    def plain(self, value: Cell) -> str:
        """A figure without a unit."""
        return format_number(value, self.language) if isinstance(value, (int, float)) else self.words["none"]

    def numeric(self, column: str) -> bool:
        """Whether a column holds quantities."""
        known = self.columns.get(column)
        return known is not None and known.numeric

    def named(self, value: Cell, column: str) -> str:
        """A value that the question names; years and months as they are."""
        return str(value) if isinstance(value, int) and not isinstance(value, bool) else self.cell(value, column)

    def part(self, value: Cell, column: str, part: str) -> str:
        """A group's name; a part of a date as it is computed (2024, 2024-03)."""
        return str(value) if part else self.cell(value, column)

    def figure(self, measure: Measure, value: Cell) -> str:
        """A computed figure with how it came."""
        how = [self.described(measure)] if not measure.counts or measure.column is not None else []
        rows = value if measure.counts and measure.column is None else self.matched
        if self._is_dated(measure.column) and not measure.counts:
            rows = None
        if rows is not None and self.table_rows is not None and measure.function != "count_distinct":
            how.append(self.words["of_rows"].format(rows, self.table_rows))
        stated = self.measure(measure, value)
        return f"{stated} ({', '.join(how)})" if how else stated

    def figures(self, names: Sequence[Cell], column: str, measure: Measure, values: Sequence[Cell]) -> list[str]:
        """The figures of values that the question names, each behind its name."""
        return [f"{self.named(n, column)} {self.measure(measure, v)}" for n, v in zip(names, values, strict=True)]

    def measure(self, measure: Measure, value: Cell) -> str:
        """A computed figure; counts have no unit."""
        counts = measure.function in ("count", "count_distinct")
        return self.cell(value, None if counts else measure.column)

    def described(self, measure: Measure | None) -> str:
        """How a figure came: "sum of price"."""
        if measure is None:
            return ""
        name = "average" if measure.function == "avg" else measure.function
        return self.words["count" if measure.column is None else name].format(self.label(measure.column))

    def label(self, column: str | None) -> str:
        """A column's name as its source writes it, without its unit."""
        known = self.columns.get(column or "")
        text = known.column.label if known is not None else column or ""
        return re.sub(r"\s*[(\[][^)\]]*[)\]]\s*$", "", text) or text


def capped(speaker: Speaker, items: Sequence[str], tail: str = "") -> str:
    """Join items by semicolons as long as the line stays within its words."""
    kept: list[str] = []
    room = MAX_WORDS - len(tail.split()) - 3
    for item in items:
        if kept and sum(len(k.split()) for k in kept) + len(item.split()) > room:
            break
        kept.append(item)
    if len(kept) < len(items):
        kept.append(speaker.words["more"].format(len(items) - len(kept)))
    return "; ".join(kept) + (f" ({tail})" if tail else "")


def in_lines(speaker: Speaker, rows: Rows, columns: Sequence[str]) -> list[str]:
    """Each row in words, its first cell before the others; `columns` are where its cells come from."""
    items = []
    for row in rows.rows:
        cells = [speaker.cell(value, name) for value, name in zip(row, columns, strict=True)]
        items.append(cells[0] if len(cells) == 1 else f"{cells[0]}: {', '.join(cells[1:])}")
    return items
