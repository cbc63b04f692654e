"""Owns how rows of uneven length come to have as many cells as their table has columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import log

from polyrag_cli.loaders.cell_kinds import kind

_JUDGED = 300
# With more surplus cells than this, or more ways to place them, they are joined to the last.
_MOST_SURPLUS = 3
_MOST_WAYS = 300
_VALUES = frozenset({"number", "date"})


def content_width(row: Sequence[str]) -> int:
    """How many cells there are up to the last that holds anything."""
    return max((index + 1 for index, cell in enumerate(row) if cell.strip()), default=0)


def evened(rows: Sequence[list[str]], width: int, delimiter: str) -> tuple[list[list[str]], list[str]]:
    """The rows with `width` cells each, and warnings that count the ones that had more or fewer.

    Surplus empty cells are left out, or neighbours joined, where a row then fits the kinds of cells that its columns
    hold; otherwise what is too much is joined to the last cell. Short rows are filled at their end.
    """
    short = dropped = long = 0
    profile: list[Counter[str]] | None = None
    found = []
    for row in rows:
        if len(row) == width:
            found.append(row)
            continue
        content = content_width(row)
        if len(row) < width:
            short += 1
            found.append([*row, *[""] * (width - len(row))])
            continue
        if "" not in map(str.strip, row[:content]) and content <= width:
            found.append(row[:width])
            continue
        if profile is None:
            profile = _profile(rows, width)
        fitted, emptied = _fitted(row, width, delimiter, profile)
        dropped += emptied and content > width
        long += not emptied
        found.append(fitted)
    warnings = []
    if short:
        warnings.append(f"{short} row{'s'[: short > 1]} with too few cells filled up to {width}.")
    if dropped:
        warnings.append(f"{dropped} row{'s'[: dropped > 1]} with more than {width} cells: empty ones left out.")
    if long:
        warnings.append(f"{long} row{'s'[: long > 1]} with more than {width} cells: the surplus joined to a neighbour.")
    return found, warnings


def _profile(rows: Sequence[Sequence[str]], width: int) -> list[Counter[str]]:
    """For each column, how often its cells look like what, in rows that have the right length."""
    fitting = [row for row in rows if len(row) == width][1 : 1 + _JUDGED]
    return [Counter(kind(row[column]) for row in fitting) for column in range(width)]


def _fitted(row: list[str], width: int, delimiter: str, profile: Sequence[Counter[str]]) -> tuple[list[str], bool]:
    """The best way to make a row shorter, and whether only empty cells went."""
    row = row[: max(content_width(row), min(len(row), width + _MOST_SURPLUS))]
    surplus = len(row) - width
    last = [*row[: width - 1], delimiter.join(row[width - 1 :])]
    if surplus > _MOST_SURPLUS:
        return last, False
    ways: list[tuple[list[str], bool]] = [(last, False)]
    ways += [(shorter, True) for shorter in _without_empties(row, surplus)]
    ways += [(shorter, False) for shorter in _with_joined(row, surplus, delimiter)]
    # Of equals the first stays, but an empty cell less changes no cell's text.
    return max(ways, key=lambda way: (round(_fit(way[0], profile), 6), way[1]))


def _without_empties(row: list[str], surplus: int) -> Iterator[list[str]]:
    empty = [index for index, cell in enumerate(row) if not cell.strip()]
    for number, chosen in enumerate(combinations(empty, surplus)):
        if number >= _MOST_WAYS:
            return
        yield [cell for index, cell in enumerate(row) if index not in chosen]


def _with_joined(row: list[str], surplus: int, delimiter: str) -> Iterator[list[str]]:
    for start in range(len(row) - surplus):
        end = start + surplus + 1
        yield [*row[:start], delimiter.join(row[start:end]), *row[end:]]


def _fit(row: Sequence[str], profile: Sequence[Counter[str]]) -> float:
    return sum(log(_likeness(kind(cell), seen)) for cell, seen in zip(row, profile, strict=True))


def _likeness(found: str, seen: Counter[str]) -> float:
    """How well a kind of cell fits a column: as one seen there, or as a value among values or a text among texts."""
    alike = sum(count for other, count in seen.items() if (other in _VALUES) == (found in _VALUES))
    return (seen[found] + 0.2 * alike + 0.1) / (seen.total() + 1)
