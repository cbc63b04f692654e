"""Draws small tables, as values for a reference and as the text of a file for the product."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from functools import cache, cached_property

import duckdb
from hypothesis import strategies as st

from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.tables import typed_tables
from tests.nl2sql.generated.columns import (
    CATEGORIES,
    DATES,
    NAMES,
    QUANTITIES,
    ROWS,
    STATES,
    Kind,
    Label,
    Spec,
    Value,
    cells,
)
from tests.nl2sql.tables import MemoryStore, raw


@cache
def _connection() -> duckdb.DuckDBPyConnection:
    """The one connection of all tables, of which each is asked as soon as it is made."""
    return duckdb.connect()


Row = tuple[Value, ...]
_TYPES = {"integer": "integer", "date": "date", "boolean": "boolean", "name": "text", "category": "text"}
_NUMBERS: tuple[Kind, ...] = ("integer", "decimal", "money", "percent")


@dataclass(frozen=True)
class Column:
    """A column of a drawn table, by place."""

    spec: Spec
    label: Label
    place: int

    @property
    def numeric(self) -> bool:
        return self.spec.kind in _NUMBERS


@dataclass(frozen=True)
class Table:
    """Rows under columns; `noun` is what the file and its rows are called. The first column numbers the rows."""

    language: str
    noun: Label
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    def of(self, *kinds: Kind) -> list[Column]:
        """The columns of some kinds."""
        return [c for c in self.columns if c.spec.kind in kinds]

    @property
    def quantities(self) -> list[Column]:
        return [c for c in self.columns if c.numeric]

    @property
    def text(self) -> str:
        """The table as the lines of a file."""
        header = ";".join([self.noun.one.capitalize(), *(c.label.header for c in self.columns)])
        lines = [
            ";".join([str(1001 + n), *(self._written(c, row[c.place]) for c in self.columns)])
            for n, row in enumerate(self.rows)
        ]
        return "\n".join([header, *lines])

    def _written(self, column: Column, value: Value) -> str:
        if value is None:
            return ""
        if isinstance(value, bool):
            return {"en": ("no", "yes"), "pt": ("não", "sim")}[self.language][value]
        if isinstance(value, datetime.date):
            return value.isoformat() if self.language == "en" else value.strftime("%d/%m/%Y")
        if isinstance(value, str) or column.spec.kind == "integer":
            return str(value)
        number = f"{value:,.2f}"
        if self.language == "pt":
            number = number.translate(str.maketrans(",.", ".,"))
        money = "$" if self.language == "en" else "R$ "
        sign, size = ("-", number[1:]) if number.startswith("-") else ("", number)
        return (
            f"{sign}{money}{size}"
            if column.spec.kind == "money"
            else f"{number}%"
            if column.spec.kind == "percent"
            else number
        )

    @cached_property
    def store(self) -> MemoryStore:
        """The table as the product types it."""
        typed = typed_tables([raw(self.noun.header, self.text, ";")], f"{self.noun.header}.csv")
        return MemoryStore(typed, _connection())

    @cached_property
    def index(self) -> SchemaIndex:
        return SchemaIndex(self.store.schemas(None))

    @property
    def read_as_meant(self) -> bool:
        """Whether every column has the type that it was drawn with."""
        schemas = self.store.schemas(None)
        if len(schemas) != 1 or len(schemas[0].columns) != len(self.columns) + 1:
            return False
        typed = schemas[0].columns[1:]
        return all(
            t.type in ("integer", "number") if c.numeric else t.type == _TYPES[c.spec.kind]
            for c, t in zip(self.columns, typed, strict=True)
        )


@st.composite
def tables(draw: st.DrawFn, language: str) -> Table:
    """Tables of 5 to 12 rows: a name, kinds, quantities, mostly a date and a state; with gaps, ties and repeats."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=2, unique=True))
    kinds = draw(st.lists(st.sampled_from(CATEGORIES), min_size=1, max_size=2, unique=True))
    numbers = draw(st.lists(st.sampled_from(QUANTITIES), min_size=2, max_size=3, unique=True))
    specs = [
        *names,
        *kinds,
        *numbers,
        *(DATES if draw(st.integers(0, 3)) else ()),
        *draw(st.lists(st.sampled_from(STATES), max_size=1)),
    ]
    length = draw(st.integers(5, 12))
    values: list[list[Value]] = []
    for spec in specs:
        cell = cells(spec, language, draw(st.integers(0, 3)) == 0)
        gaps = draw(st.integers(0, 3)) == 0
        column: list[Value] = [draw(cell) for _ in range(length)]
        if gaps:
            column[draw(st.integers(0, length - 1))] = None
        values.append(column)
    columns = tuple(Column(spec, spec.label(language), place) for place, spec in enumerate(specs))
    noun = draw(st.sampled_from(ROWS[language]))
    return Table(language, noun, columns, tuple(zip(*values, strict=True)))
