"""Owns the restrictions that set one column of a row against another: "below their reorder level", "paid after it was
due".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from polyrag_cli.nl2sql.algebra import Condition
from polyrag_cli.nl2sql.index import ColumnEntry, TableEntry
from polyrag_cli.nl2sql.items import ColumnItem, Restriction
from polyrag_cli.nl2sql.notions import MONEY
from polyrag_cli.nl2sql.profile import profile
from polyrag_cli.nl2sql.question import Mark, Question
from polyrag_cli.nl2sql.restrictions import BOUNDS

# How surely words must name the column that is compared with, and the one that is compared.
_NAMED = 0.8
_MEANT = 0.5
# The only column that can be compared with it, though nothing names it.
_ONLY = 0.75
_NEAR = 4


def column_bounds(question: Question, table: TableEntry, columns: Sequence[ColumnItem]) -> list[list[Restriction]]:
    """Return, for each comparison with a column, the restriction that it states."""
    found = [_bound(question, table, columns, mark) for mark in question.find(*BOUNDS)]
    return [[restriction] for restriction in found if restriction is not None]


def _bound(question: Question, table: TableEntry, columns: Sequence[ColumnItem], mark: Mark) -> Restriction | None:
    entries = profile(table).columns
    behind = [item for item in columns if _stands_behind(question, mark, item) and _compares(entries[item.position])]
    if not behind:
        return None
    other = max(behind, key=lambda item: (item.quality, len(item.tokens), -item.position))
    alike = [e for e in table.columns if e.position != other.position and _comparable(e, entries[other.position])]
    named = list(_named(columns, alike, mark))
    if named:
        nearest = max(named, key=lambda item: (item.tokens[-1], item.quality))
        position, quality, context = nearest.position, min(nearest.quality, other.quality), nearest.tokens
    elif len(alike) == 1 and not _told(columns, entries, mark):
        position, quality, context = alike[0].position, _ONLY, ()
    else:
        return None
    condition = Condition(
        entries[position].column.name, BOUNDS[mark.operation], (), entries[other.position].column.name
    )
    tokens = (*range(mark.first, mark.last + 1), *other.tokens)
    return Restriction(tokens, position, (condition,), round(quality, 6), "bound", context=context)


def _stands_behind(question: Question, mark: Mark, item: ColumnItem) -> bool:
    """Tell a column right behind a comparison, with no figure or other operation about it."""
    between = range(mark.last + 1, item.tokens[0])
    near = 0 <= len(between) < _NEAR and mark.last < item.tokens[0] and not item.part
    marked = {i for m in question.marks for i in range(m.first, m.last + 1)}
    bare = all(question.tokens[i].empty and i not in marked for i in between)
    figures = question.figures().intersection(range(mark.last + 1, item.tokens[-1] + 3))
    return near and bare and not figures and item.lexical and item.quality >= _NAMED


def _compares(entry: ColumnEntry) -> bool:
    return entry.role in ("measure", "date")


def _comparable(one: ColumnEntry, other: ColumnEntry) -> bool:
    """Whether two columns hold the same kind of thing: dates, or quantities of one unit, both money or neither."""
    same = one.role == other.role and one.column.unit == other.column.unit
    scale = getattr(one.column, "scale", 1) == getattr(other.column, "scale", 1)
    return same and scale and bool(one.concepts & MONEY) == bool(other.concepts & MONEY)


def _told(columns: Sequence[ColumnItem], entries: Sequence[ColumnEntry], mark: Mark) -> bool:
    """Whether words before a comparison name another quantity, which can't be compared."""
    before = [i for i in columns if i.tokens[-1] < mark.first and i.lexical and i.quality >= _NAMED]
    return any(entries[item.position].role == "measure" for item in before)


def _named(columns: Sequence[ColumnItem], alike: Sequence[ColumnEntry], mark: Mark) -> Iterator[ColumnItem]:
    positions = {entry.position for entry in alike}
    for item in columns:
        if item.position in positions and item.tokens[-1] < mark.first and item.quality >= _MEANT and not item.part:
            yield item
