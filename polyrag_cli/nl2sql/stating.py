"""Owns the sentence that states an SQL result: figures as the reader's language writes them, and how they came."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from polyrag_cli.languages import OWN
from polyrag_cli.languages import language as language_of
from polyrag_cli.nl2sql.index import CENTS_NOTE, ColumnEntry, table_entry
from polyrag_cli.nl2sql.plans import Condition, Measure, Plan
from polyrag_cli.text.numbers import format_number
from polyrag_cli.types import Cell, Rows, TableSchema

MAX_WORDS = 60
_PREFIXED_UNITS = frozenset({"R$", "US$", "U$", "$", "€", "£", "¥"})


def state_rows(
    question: str,
    rows: Rows,
    table: TableSchema | None,
    plan: Plan | None,
    language: str,
    matched: int | None = None,
) -> str:
    """Return the answer's first line: at most 60 words, figures by code, in the question's language.

    Args:
        question: as asked; the rows of a statement without a plan are stated without reading it.
        rows: what the statement gave; must hold a row.
        table: the table that it read, for units and roles of columns.
        plan: what was asked, None for a statement written by someone else.
        language: its code; what has no language file is answered in English.
        matched: how many of the table's rows a single figure comes from.
    """
    speaker = _Speaker(table, language)
    if plan is None or not rows.rows:
        return _listed(speaker, rows)
    return _STATED[plan.operation](speaker, rows, plan, matched)


class _Speaker:
    """Writes cells and descriptions in one language, with the units of one table."""

    def __init__(self, table: TableSchema | None, language: str) -> None:
        spoken = language_of(language)
        # What can't be told has no words of its own.
        spoken = spoken if spoken.writing.name else language_of(OWN)
        self.language, self.decimal = spoken.code, spoken.writing.decimal
        self.words = spoken.tables.statements
        self.columns: dict[str, ColumnEntry] = {}
        if table is not None:
            self.columns = {entry.column.name: entry for entry in table_entry(table).columns}
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
        return self._with_unit(figure, known.column.unit if known is not None else "")

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

    def group(self, value: Cell, plan: Plan) -> str:
        """A group's name; a part of a date as it is computed (2024, 2024-03)."""
        return str(value) if plan.group_part else self.cell(value, plan.group)

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

    def value_of(self, condition: Condition) -> str:
        """The value that a condition compares with."""
        value = condition.values[0]
        return (
            str(value) if isinstance(value, int) and not isinstance(value, bool) else self.cell(value, condition.column)
        )


def _capped(speaker: _Speaker, items: Sequence[str], tail: str = "") -> str:
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


def _listed(speaker: _Speaker, rows: Rows) -> str:
    if not rows.rows:
        return speaker.words["rows"].format(0)
    if len(rows.columns) == 1:
        return _capped(speaker, [speaker.cell(row[0], rows.columns[0]) for row in rows.rows])
    items = []
    for row in rows.rows:
        first, *others = (speaker.cell(value, name) for value, name in zip(row, rows.columns, strict=True))
        items.append(f"{first}: {', '.join(others)}")
    return _capped(speaker, items)


# ---------------------------------------------------------------- one function an operation
def _project(speaker: _Speaker, rows: Rows, plan: Plan, matched: int | None) -> str:
    stated = _listed(speaker, rows)
    quantity = speaker.columns.get(plan.select[0]) if len(plan.select) == 1 and len(rows.rows) == 1 else None
    if quantity is not None and quantity.numeric:
        return f"{stated} ({speaker.label(plan.select[0])})"
    return stated


def _aggregate(speaker: _Speaker, rows: Rows, plan: Plan, matched: int | None) -> str:
    measure = plan.measure or Measure("count")
    how = [speaker.described(measure)] if measure.function != "count" else []
    if matched is not None and speaker.table_rows is not None and measure.function != "count":
        how.append(speaker.words["of_rows"].format(matched, speaker.table_rows))
    elif measure.function == "count" and speaker.table_rows is not None:
        how.append(speaker.words["of_rows"].format(rows.rows[0][0], speaker.table_rows))
    figure = speaker.measure(measure, rows.rows[0][0])
    return f"{figure} ({', '.join(how)})" if how else figure


def _group(speaker: _Speaker, rows: Rows, plan: Plan, matched: int | None) -> str:
    measure = plan.measure or Measure("count")
    items = [f"{speaker.group(row[0], plan)}: {speaker.measure(measure, row[1])}" for row in rows.rows]
    by = speaker.words[plan.group_part] if plan.group_part else speaker.label(plan.group)
    tail = speaker.words["group"].format(speaker.described(measure), by)
    return _capped(speaker, items, tail)


def _extreme(speaker: _Speaker, rows: Rows, plan: Plan, matched: int | None) -> str:
    way = speaker.words["max" if plan.descending else "min"]
    if plan.measure is not None:
        measure = plan.measure
        items = [f"{speaker.group(row[0], plan)}: {speaker.measure(measure, row[1])}" for row in rows.rows]
        return _capped(speaker, items, way.format(speaker.described(measure)))
    items = []
    for row in rows.rows:
        cells = [speaker.cell(value, name) for value, name in zip(row, plan.select, strict=True)]
        items.append(cells[0] if len(cells) == 1 else f"{cells[0]}: {', '.join(cells[1:])}")
    return _capped(speaker, items, way.format(speaker.label(plan.order)))


def _exists(speaker: _Speaker, rows: Rows, plan: Plan, matched: int | None) -> str:
    count = rows.rows[0][0]
    found = isinstance(count, int) and count > 0
    counted = speaker.words["row" if count == 1 else "rows"].format(count)
    if plan.measure is not None and plan.measure.column is not None:
        counted = f"{count} {speaker.described(plan.measure)}"
    return f"{speaker.words['yes' if found else 'no']} ({counted})"


def _compare(speaker: _Speaker, rows: Rows, plan: Plan, matched: int | None) -> str:
    measure = plan.measure or Measure("count")
    found = {str(row[0]): row[1] for row in rows.rows}
    named = [(speaker.value_of(c), found.get(str(c.values[0]))) for c in plan.pair]
    items = [f"{name} {speaker.measure(measure, value)}" for name, value in named]
    values = [value for _, value in named if isinstance(value, (int, float))]
    if len(values) < 2:
        return f"{'; '.join(items)} ({speaker.described(measure)})"
    ahead = values[0] > values[1] if plan.descending else values[0] < values[1]
    if plan.yes_no:
        verdict = speaker.words["yes" if ahead else "no"]
    elif values[0] == values[1]:
        verdict = speaker.words["tie"]
    else:
        verdict = named[0 if ahead else 1][0]
    return f"{verdict}: {'; '.join(items)} ({speaker.described(measure)})"


def _difference(speaker: _Speaker, rows: Rows, plan: Plan, matched: int | None) -> str:
    measure = plan.measure or Measure("count")
    difference, *values = rows.rows[0]
    items = [
        f"{speaker.value_of(condition)} {speaker.measure(measure, value)}"
        for condition, value in zip(plan.pair, values, strict=True)
    ]
    how = f"{speaker.words['difference'].format(*items)}, {speaker.described(measure)}"
    return f"{speaker.measure(measure, difference)} ({how})"


def _share(speaker: _Speaker, rows: Rows, plan: Plan, matched: int | None) -> str:
    measure = plan.measure or Measure("count")
    percent, part, whole = rows.rows[0]
    shown = format_number(percent, speaker.language) if isinstance(percent, (int, float)) else speaker.words["none"]
    both = speaker.words["share"].format(speaker.measure(measure, part or 0), speaker.measure(measure, whole))
    return f"{shown}% ({both}, {speaker.described(measure)})"


_STATED = {
    "project": _project,
    "aggregate": _aggregate,
    "count": _aggregate,
    "exists": _exists,
    "group": _group,
    "extreme": _extreme,
    "compare": _compare,
    "difference": _difference,
    "share": _share,
}
