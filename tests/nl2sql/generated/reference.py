"""What a question is answered, worked out in plain Python, and whether rows say the same."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean, median

from polyrag_cli.types import Cell, Rows
from tests.nl2sql.generated.columns import Value
from tests.nl2sql.generated.tables import Column, Row

Right = Callable[[Rows], bool]


@dataclass(frozen=True)
class Asked:
    """A question with what is right, as a test of rows and in words; nothing: whether no row is."""

    text: str
    right: Right
    expected: str

    @property
    def nothing(self) -> bool:
        return self.expected in ("None", "[]", "{}")


# Where a table has no question of a kind.
UNASKED = Asked("", lambda rows: True, "None")


def held(rows: Iterable[Row], column: Column) -> list[Value]:
    """What rows hold in a column, nothing apart."""
    return [row[column.place] for row in rows if row[column.place] is not None]


def numbers(rows: Iterable[Row], column: Column) -> list[float]:
    """The numbers that rows hold in a column."""
    return [float(value) for value in held(rows, column) if isinstance(value, (int, float))]


def figure(function: str, rows: Iterable[Row], column: Column) -> float | None:
    """A function over a column, None over nothing."""
    found = numbers(rows, column)
    functions: Mapping[str, Callable[[list[float]], float]] = {
        "sum": math.fsum, "avg": fmean, "median": median, "max": max, "min": min
    }  # fmt: skip
    return functions[function](found) if found else None


def plain(value: Value) -> Cell:
    """A value as rows of an answer hold it."""
    return value.isoformat() if isinstance(value, datetime.date) else value


def alike(one: object, other: object) -> bool:
    """Whether two cells say the same; numbers to nine digits."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
    return str(one) == str(other)


def is_figure(value: float | bool | None) -> tuple[Right, str]:
    """One row that opens with a figure."""
    return lambda rows: len(rows.rows) == 1 and alike(rows.rows[0][0], value), str(value)


def is_any(values: Iterable[Value]) -> tuple[Right, str]:
    """Exactly these values, in whatever order; of different figures beside them, each may have several."""
    wanted = {str(plain(v)) for v in values}

    def right(rows: Rows) -> bool:
        return {str(row[0]) for row in rows.rows} == wanted and len(set(rows.rows)) == len(rows.rows)

    return right, str(sorted(wanted))


def are_pairs(pairs: Mapping[Value, float | int | None]) -> tuple[Right, str]:
    """Exactly these values, each with its figure behind it."""
    wanted = {str(plain(key)): value for key, value in pairs.items()}

    def right(rows: Rows) -> bool:
        found = {str(row[0]): row[-1] for row in rows.rows}
        return (
            len(found) == len(rows.rows)
            and found.keys() == wanted.keys()
            and all(alike(found[k], wanted[k]) for k in wanted)
        )

    return right, str(wanted)


def either(*options: tuple[Right, str]) -> tuple[Right, str]:
    """One of several answers, where a question may mean either."""
    return lambda rows: any(right(rows) for right, _ in options), " or ".join(text for _, text in options)


def grouped(rows: Iterable[Row], key: Callable[[Row], Value]) -> dict[Value, list[Row]]:
    """Rows by a value that each of them has."""
    found: dict[Value, list[Row]] = {}
    for row in rows:
        if (value := key(row)) is not None:
            found.setdefault(value, []).append(row)
    return found
