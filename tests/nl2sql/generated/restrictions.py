"""Draws what restricts rows: words of a question, and whether a row is meant."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from tests.nl2sql.generated.columns import Value
from tests.nl2sql.generated.reference import Right, figure, grouped
from tests.nl2sql.generated.tables import Column, Row, Table

_MONTHS = {
    "en": [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
    "pt": [
        "janeiro",
        "fevereiro",
        "março",
        "abril",
        "maio",
        "junho",
        "julho",
        "agosto",
        "setembro",
        "outubro",
        "novembro",
        "dezembro",
    ],
}
# By operator, how it is said before a figure.
_BOUNDS: dict[str, dict[str, tuple[str, ...]]] = {
    "en": {
        ">": ("above", "greater than", "over"), ">=": ("of at least", "no less than"), "<": ("below", "under"),
        "<=": ("of at most", "no more than", "of up to"), "=": ("equal to", "of exactly"),
    },
    "pt": {
        ">": ("acima de", "maior que", "superior a"), ">=": ("de pelo menos", "de no mínimo"),
        "<": ("abaixo de", "menor que"), "<=": ("de no máximo", "de até"), "=": ("igual a",),
    },
}  # fmt: skip
_TESTS: dict[str, Callable[[float, float], bool]] = {
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
    "=": lambda a, b: a == b,
}  # fmt: skip
_PLACES = ("City", "Region", "Cidade", "Região")


@dataclass(frozen=True)
class Restriction:
    """Words behind a noun, and the rows that they leave; place: of the column that they speak of.

    bound: whether a figure is within what they state, of a quantity.
    """

    words: str
    holds: Callable[[Row], bool]
    place: int
    bound: Callable[[Value], bool] | None = None


def number(language: str, value: float) -> str:
    """A figure as people write it in a question."""
    text = str(int(value)) if value == int(value) else f"{value:.2f}".rstrip("0")
    return text if language == "en" else text.replace(".", ",")


def day(language: str, value: datetime.date) -> str:
    """A date as people write it in a question."""
    return value.isoformat() if language == "en" else value.strftime("%d/%m/%Y")


@st.composite
def restrictions(draw: st.DrawFn, table: Table, most: int = 2, but: Collection[int] = ()) -> tuple[Restriction, ...]:
    """Up to so many restrictions, each of another column, none of those left out."""
    free = [c for c in table.columns if c.place not in but and c.spec.kind != "boolean"]
    chosen = draw(st.lists(st.sampled_from(free), max_size=most, unique_by=lambda c: c.place)) if free else []
    return tuple(draw(restriction(table, column)) for column in chosen)


def restriction(table: Table, column: Column) -> st.SearchStrategy[Restriction]:
    """What restricts one column."""
    if column.numeric:
        return _bounded(table, column)
    if column.spec.kind == "date":
        return _dated(table, column)
    return _valued(table, column)


def kept(rows: Sequence[Row], chosen: Sequence[Restriction]) -> list[Row]:
    """The rows that all restrictions leave."""
    return [row for row in rows if all(each.holds(row) for each in chosen)]


def said(chosen: Sequence[Restriction]) -> str:
    """The words of restrictions, behind a blank."""
    return "".join(f" {each.words}" for each in chosen)


def in_all(
    table: Table, key: Column, chosen: Sequence[Restriction], say: Callable[[Iterable[Value]], tuple[Right, str]]
) -> Iterator[tuple[Right, str]]:
    """What a bound may mean as well of values that have several rows: that their sums are within it."""
    for each in chosen:
        column = next(c for c in table.columns if c.place == each.place)
        if each.bound is not None and column.spec.adds:
            groups = grouped(kept(table.rows, [r for r in chosen if r is not each]), lambda row: row[key.place])
            yield say(value for value, held in groups.items() if each.bound(figure("sum", held, column)))


@st.composite
def value_of(draw: st.DrawFn, table: Table, column: Column) -> Value:
    """A value that a column holds."""
    held = sorted({row[column.place] for row in table.rows if row[column.place] is not None}, key=str)
    return draw(st.sampled_from(held))


@st.composite
def _valued(draw: st.DrawFn, table: Table, column: Column) -> Restriction:
    value, place, label = draw(value_of(table, column)), column.place, column.label
    near = label.header in _PLACES
    forms: dict[str, list[tuple[str, bool]]] = {
        "en": [
            (f"in {value}" if near else f"for {value}", True), (f"with {label.one} {value}", True),
            (f"where the {label.one} is {value}", True), (f"except {value}", False),
            (f"with a {label.one} other than {value}", False),
            (f"not in {value}" if near else f"not for {value}", False),
        ],
        "pt": [
            (f"em {value}" if near else f"de {value}", True), (f"com {label.one} {value}", True),
            (f"d{label.a} {label.one} {value}", True), (f"exceto {value}", False),
            (f"com {label.one} diferente de {value}", False), (f"que não são de {value}", False),
        ],
    }  # fmt: skip
    words, same = draw(st.sampled_from(forms[table.language]))
    return Restriction(words, lambda row: (row[place] == value) is same, place)


@st.composite
def _bounded(draw: st.DrawFn, table: Table, column: Column) -> Restriction:
    value, place, label = draw(value_of(table, column)), column.place, column.label
    assert isinstance(value, (int, float))
    other = draw(value_of(table, column))
    assert isinstance(other, (int, float))
    low, high = sorted((value, other))
    language = table.language
    if low < high and draw(st.integers(0, 4)) == 0:
        joined = {"en": "with {} between {} and {}", "pt": "com {} entre {} e {}"}[language]
        words = joined.format(label.one, number(language, low), number(language, high))
        return Restriction(words, lambda row: _within(row[place], low, high), place, lambda v: _within(v, low, high))
    operator = draw(st.sampled_from(sorted(_TESTS)))
    bound = draw(st.sampled_from(_BOUNDS[language][operator]))
    words = f"{'with' if language == 'en' else 'com'} {label.one} {bound} {number(language, value)}"
    return Restriction(
        words, lambda row: _compared(row[place], operator, value), place, lambda v: _compared(v, operator, value)
    )


@st.composite
def _dated(draw: st.DrawFn, table: Table, column: Column) -> Restriction:
    value, place, language = draw(value_of(table, column)), column.place, table.language
    assert isinstance(value, datetime.date)
    year, month = value.year, value.month
    name = _MONTHS[language][month - 1]
    written = day(language, value)
    whens: dict[str, list[str]] = {
        "en": [
            f"in {year}", f"in {name} {year}", f"after {written}", f"before {written}", f"since {written}",
            f"on or before {written}",
        ],
        "pt": [
            f"em {year}", f"em {name} de {year}", f"depois de {written}", f"antes de {written}", f"desde {written}",
            f"até {written}",
        ],
    }  # fmt: skip
    tests: list[Callable[[datetime.date], bool]] = [
        lambda d: d.year == year, lambda d: (d.year, d.month) == (year, month), lambda d: d > value,
        lambda d: d < value, lambda d: d >= value, lambda d: d <= value,
    ]  # fmt: skip
    n = draw(st.integers(0, len(tests) - 1))
    return Restriction(
        whens[language][n], lambda row: isinstance(d := row[place], datetime.date) and tests[n](d), place
    )


def _compared(value: Value, operator: str, bound: float) -> bool:
    return isinstance(value, (int, float)) and _TESTS[operator](value, bound)


def _within(value: Value, low: float, high: float) -> bool:
    return isinstance(value, (int, float)) and low <= value <= high
