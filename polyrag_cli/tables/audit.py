"""Owns what is suspicious in a table: rows that sum up other rows."""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate

from polyrag_cli.tables.markers import totals
from polyrag_cli.text.fold import fold

Numbers = Sequence[float | int | None]
"""A column's values; None where it has none."""

LEADING = 3
"""So many cells, from the left, are where a row may be called a total."""

# Without a name for it, a row is a total only where so many others add up to it.
_LEAST_ADDENDS = 3
# A group stands right above its total.
_LOOKED_BACK = 200
_MOST_PARTS = 1000
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A row that is called a total.

    column: the cell that says so. exact: the cell says nothing else ("Grand total", not "East total"). first: no other
    text stands before it.
    """

    position: int
    column: int
    exact: bool
    first: bool


def named_totals(rows: Sequence[Sequence[str]]) -> list[Candidate]:
    """Return the rows that are called a total in one of their first cells and hold a number elsewhere, in order.

    Args:
        rows: cell texts without the header.
    """
    found: dict[int, Candidate] = {}
    for column in range(min(LEADING, max(map(len, rows), default=0))):
        said = called_totals(dict.fromkeys(row[column] for row in rows))
        for position, row in enumerate(rows) if said else ():
            candidate = candidate_of(position, row, column, said.get(row[column], ""))
            if candidate is not None and position not in found:
                found[position] = candidate
    return [found[position] for position in sorted(found)]


def candidate_of(position: int, row: Sequence[str], column: int, called: str) -> Candidate | None:
    """Return a row as one that is called a total, unless it has no figure beside that name.

    Args:
        called: as `called_totals` says of the cell in that column.
    """
    if not called or not any(_DIGIT.search(cell) for cell in row if cell != row[column]):
        return None
    return Candidate(position, column, called == "exact", not any(row[:column]))


def total_rows(
    rows: Sequence[Sequence[str]],
    named: Sequence[Candidate],
    columns: Sequence[Numbers],
    gapped: Iterable[tuple[int, Sequence[str]]] | None = None,
) -> tuple[int, ...]:
    """Return the positions of rows that state a total of others, in order.

    A row is one that is called so and whose figures are sums of rows above, or whose name needs no proof: it says
    nothing else, few rows are called so, and most of its figures aren't smaller than what they would sum up. Without
    a name, a row is one whose every figure is the sum of the rows above it, or of all others where it is the first or
    last.

    Args:
        rows: cell texts without the header.
        named: as `named_totals` gives them.
        columns: the values of each column that may be added up.
        gapped: the rows that have an empty cell, with their positions, in order; None to look for them.
    """
    if gapped is None:
        gapped = ((position, row) for position, row in enumerate(rows) if "" in row)
    sums = _Sums(len(rows), columns, {c.position for c in named})
    proved = {c.position for c in named if sums.proves(c.position)}
    plain = [c for c in named if c.exact and c.first and (c.position in proved or not sums.denies(c.position))]
    few = len(plain) <= max(1, len(rows) // 3) or 2 * sum(c.position in proved for c in plain) >= len(plain)
    found = {c.position for c in plain if few or c.position in proved}
    parts = [c for c in named if c.position not in found]
    for candidate in parts:
        grouped = not candidate.exact and len(parts) <= _MOST_PARTS and _names_group(rows, candidate)
        if candidate.position in proved or grouped:
            found.add(candidate.position)
    found |= sums.unnamed(gapped, found)
    return tuple(sorted(found))


class _Sums:
    """What the rows of a table add up to."""

    def __init__(self, count: int, columns: Sequence[Numbers], totals: set[int]) -> None:
        self._count = count
        self._columns = columns
        self._totals = sorted(totals)
        plain = [[value if i not in totals and value is not None else 0 for i, value in enumerate(c)] for c in columns]
        self._until = [list(accumulate(values, initial=0)) for values in plain]

    def proves(self, position: int) -> bool:
        """Whether a row's figures are sums of a group above it, of all rows above, or of all other rows."""
        before = bisect_left(self._totals, position)
        previous = self._totals[before - 1] if before else -1
        stated = [i for i, column in enumerate(self._columns) if column[position]]
        return any(
            stop - start > 1 and any(self._equals(i, position, start, stop) for i in stated)
            for start, stop in ((previous + 1, position), (0, position), (0, self._count))
        )

    def denies(self, position: int) -> bool:
        """Whether a row amid others is smaller than one of the rows above it in most of its figures: a word in a list
        of words may be "total"."""
        if position in (0, self._count - 1):
            return False
        stated = [column for column in self._columns if column[position] is not None]
        return bool(stated) and 2 * sum(self._is_exceeded(column, position) for column in stated) > len(stated)

    def _is_exceeded(self, column: Numbers, position: int) -> bool:
        before = bisect_left(self._totals, position)
        start = self._totals[before - 1] + 1 if before else 0
        own = column[position]
        return own is not None and any(v is not None and abs(v) > abs(own) for v in column[start:position])

    def unnamed(self, gapped: Iterable[tuple[int, Sequence[str]]], known: set[int]) -> set[int]:
        """Return rows without a total's name whose every figure is a sum: the last, the first, or ones with an empty
        cell and without any text. gapped: as `total_rows` has them."""
        ends = [p for p in (self._count - 1, 0) if p not in known and self._is_sum_of_others(p, known)][:1]
        totals = sorted({*known, *ends})
        found = set(ends)
        for position, row in gapped:
            before = bisect_left(totals, position)
            if before < len(totals) and totals[before] == position:
                continue
            start = totals[before - 1] + 1 if before else 0
            if self._is_group(position, start, row):
                found.add(position)
                insort(totals, position)
        return found

    def _is_sum_of_others(self, position: int, known: set[int]) -> bool:
        stated = [i for i, column in enumerate(self._columns) if column[position] is not None]
        others = [p for p in range(self._count) if p != position and p not in known]
        if len(others) < _LEAST_ADDENDS or not stated or len(stated) < len(self._columns):
            return False
        large = 0
        for i in stated:
            column = self._columns[i]
            addends = [value for p in others if (value := column[p])]
            total = column[position]
            if total is None or len(addends) < _LEAST_ADDENDS or not _close(total, sum(addends), 0.0):
                return False
            large += abs(total) >= 100
        return len(stated) > 1 or (large > 0 and len(others) > _LEAST_ADDENDS)

    def _is_group(self, position: int, start: int, row: Sequence[str]) -> bool:
        stated = [i for i, column in enumerate(self._columns) if column[position] is not None]
        filled = [cell for cell in row if cell]
        if (
            position - start < (2 if len(stated) > 1 else _LEAST_ADDENDS)
            or not stated
            or len(filled) > len(stated)
            or not all(map(_DIGIT.search, filled))
        ):
            return False
        return all(self._equals(i, position, start, position, exact=True) for i in stated)

    def _equals(self, column: int, position: int, start: int, stop: int, exact: bool = False) -> bool:
        total = self._columns[column][position]
        if not total:
            return False
        addends = self._until[column][stop] - self._until[column][start]
        # Figures that were rounded one by one add up to something near.
        return _close(total, addends, 0.0 if exact else 0.005)


def _close(total: float, addends: float, share: float) -> bool:
    return abs(total - addends) <= max(share * abs(total), 1e-6 * max(1.0, abs(total)))


def _names_group(rows: Sequence[Sequence[str]], candidate: Candidate) -> bool:
    """Whether the rest of a total's name is what rows above it hold ("East total" below East's rows)."""
    row = rows[candidate.position]
    rest = _without_total(fold(row[candidate.column]))
    if not rest or any(cell and not _DIGIT.search(cell) for i, cell in enumerate(row) if i != candidate.column):
        return False
    above = rows[max(0, candidate.position - _LOOKED_BACK) : candidate.position]
    groups = {fold(cell) for line in above for cell in line[:LEADING]} - {""}
    words = rest.split()
    return any(" ".join(words[start:]) in groups for start in range(len(words)))


@cache
def _pattern() -> re.Pattern[str]:
    names = sorted((" ".join(words) for words in totals()), key=lambda name: (-len(name), name))
    joined = "|".join(re.escape(name).replace(r"\ ", r"[\s-]+") for name in names)
    return re.compile(rf"(?:{joined})(?![^\W_])|(?<![^\W_])(?:{joined})[\s:.]*$")


def called_totals(texts: Iterable[str]) -> dict[str, str]:
    """Return those of different texts that are called a total, with how."""
    lines = "\n".join(texts)
    # One look at all of them together tells most columns.
    lowered = lines.lower()
    if not any(word in lowered for word in first_words()):
        return {}
    return {text: called for text in lines.split("\n") if (called := _is_called_total(text))}


@cache
def first_words() -> tuple[str, ...]:
    """With which of the words of totals' names each of them begins."""
    return tuple(sorted({words[0] for words in totals()}))


def _is_called_total(text: str) -> str:
    """ "exact" for a total's name, "part" for a text that begins or ends with one, "" for any other."""
    if not text or len(text) > 80 or not any(word in text.lower() for word in first_words()):
        return ""
    said = fold(text).strip()
    if tuple(said.rstrip(":. ").replace("-", " ").split()) in totals():
        return "exact"
    found = _pattern().search(said)
    return "part" if found and (found.start() == 0 or found.end() == len(said)) else ""


def _without_total(said: str) -> str:
    """Return a folded name without the words that make it a total's."""
    return _pattern().sub(" ", said, count=1).strip(" :.-–")
