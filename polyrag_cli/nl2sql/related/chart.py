"""Owns the chart in which the parts of a question over several tables combine, pair by pair, the cheapest kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from polyrag_cli.nl2sql.related.combining import combine, combine_joined, rows_of
from polyrag_cli.nl2sql.related.parts import Nothing, Noun, Part
from polyrag_cli.nl2sql.related.spans import Span
from polyrag_cli.nl2sql.related.ways import Ways

# So many parts of one type and table are kept for the same words, and so many times that of all.
_KEPT = 6
_TYPES = 4
_MOST_COST = 1.6
# What it costs to restrict a noun that stands further to the left than the last.
_HIGH = 0.06

Entry = tuple[float, Part]
"""A part with what it costs."""

_Cells = dict[tuple[int, int], list[Entry]]
"""What the spans from one to before another make together, the cheapest first."""


def combined(chosen: Sequence[Span], ways: Ways) -> list[Entry]:
    """Return what all spans make together, the cheapest first."""
    length = len(chosen)
    if not length:
        return []
    cells: _Cells = {}
    for i, span in enumerate(chosen):
        cells[i, i + 1] = _cheapest([(option.cost, option.part) for option in span.options], ways)
    for size in range(2, length + 1):
        for start in range(length - size + 1):
            end = start + size
            made = [*_paired(cells, chosen, start, end, ways), *_joined(cells, start, end)]
            cells[start, end] = _cheapest(made, ways)
    return cells[0, length]


def _paired(cells: _Cells, chosen: Sequence[Span], start: int, end: int, ways: Ways) -> Iterator[Entry]:
    for middle in range(start + 1, end):
        gap = _gap(chosen[middle - 1], chosen[middle])
        high = _HIGH * (middle - start > 1)
        for cost, part in cells[start, middle]:
            for more, other in cells[middle, end]:
                for extra, made in combine(ways, part, other, gap):
                    extra += high if isinstance(part, Noun) and isinstance(made, Noun) else 0.0
                    if cost + more + extra <= _MOST_COST:
                        yield round(cost + more + extra, 6), made


def _joined(cells: _Cells, start: int, end: int) -> Iterator[Entry]:
    for middle in range(start + 1, end - 1):
        for cost, joint in cells[middle, middle + 1]:
            for more, left in cells[start, middle]:
                for extra, right in cells[middle + 1, end]:
                    for last, made in combine_joined(left, joint, right):
                        yield round(cost + more + extra + last, 6), made


def _gap(left: Span, right: Span) -> int:
    """How many words stand between two spans; one that may say nothing stands between what is beside it."""
    silent = any(isinstance(option.part, Nothing) for option in (*left.options, *right.options))
    return right.first - left.last - 1 + silent


def _cheapest(entries: Sequence[Entry], ways: Ways) -> list[Entry]:
    """Return each part once, and the rows that parts mean by themselves; of each type and table the cheapest alone."""
    every = [*entries]
    for cost, part in entries:
        every += [(round(cost + more, 6), noun) for more, noun in rows_of(ways, part)]
    best: dict[Part, float] = {}
    for cost, part in every:
        if part not in best or cost < best[part]:
            best[part] = cost
    ordered = sorted(((cost, part) for part, cost in best.items()), key=lambda e: (e[0], repr(e[1])))
    kinds: dict[tuple[type, str], int] = {}
    kept: list[Entry] = []
    for cost, part in ordered:
        kind = (type(part), getattr(part, "table", ""))
        kinds[kind] = kinds.get(kind, 0) + 1
        if kinds[kind] <= _KEPT:
            kept.append((cost, part))
    return kept[: _TYPES * _KEPT]
