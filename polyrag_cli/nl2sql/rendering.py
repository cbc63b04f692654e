"""Owns how predicates, rows and figures of the algebra are written as SQL in DuckDB's dialect."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from polyrag_cli.nl2sql.algebra import (
    Against,
    Alike,
    Beside,
    Condition,
    DatePart,
    Either,
    Figure,
    Measure,
    Predicate,
    Ranked,
    Rows,
    Scan,
    Where,
)
from polyrag_cli.nl2sql.index import ColumnEntry, TableEntry
from polyrag_cli.nl2sql.lexicon import every_language
from polyrag_cli.nl2sql.profile import CLOCK, FEET, is_feet_of, is_time_of, is_year_of, number_of, profile
from polyrag_cli.nl2sql.question import word_parts
from polyrag_cli.nl2sql.sql_text import condition_sql, literal, quoted
from polyrag_cli.types import Cell

# The place of a row in its source, where its order is asked for.
_PLACE = "row_place"
_NUMBER = r"[-+]?[0-9][0-9,]*(\.[0-9]+)?"


@dataclass(frozen=True, slots=True)
class Source:
    """What a FROM clause names, and what must hold of its rows."""

    name: str
    conditions: tuple[str, ...] = ()

    def clause(self, *more: str) -> str:
        """FROM and WHERE."""
        conditions = tuple(dict.fromkeys((*self.conditions, *more)))
        return f"FROM {self.name}" + (f" WHERE {' AND '.join(conditions)}" if conditions else "")


class Renderer:
    """Writes what is asked of one table."""

    def __init__(self, table: TableEntry) -> None:
        self.entries: dict[str, ColumnEntry] = {entry.column.name: entry for entry in profile(table).columns}

    def source(self, rows: Rows, numbered: bool = False) -> Source:
        """Return what to select rows from; with the rows' places where `numbered`."""
        match rows:
            case Scan():
                excluded = tuple(self.condition(c) for c in rows.excluded)
                if not numbered:
                    return Source(quoted(rows.table), excluded)
                name = f"(SELECT *, ROW_NUMBER() OVER () AS {_PLACE} FROM {quoted(rows.table)}) AS numbered"
                return Source(name, excluded)
            case Where():
                inner = self.source(rows.rows, numbered)
                return Source(inner.name, (*inner.conditions, *(self.predicate(p) for p in rows.predicates)))
            case Ranked():
                by = self.column(rows.by) if rows.by else _PLACE
                inner = self.source(rows.rows, numbered or not rows.by)
                ranked = rank(by, rows.descending, rows.first, rows.last)
                return Source(f"(SELECT * {inner.clause(f'{by} IS NOT NULL')} QUALIFY {ranked}) AS ranked")
            case Beside():
                return self._beside(rows)

    def _beside(self, rows: Beside) -> Source:
        pool, anchor = self.source(rows.rows, True), self.source(rows.anchor, True)
        behind = rows.step > 0
        border = f"(SELECT {'MAX' if behind else 'MIN'}({_PLACE}) {anchor.clause()})"
        found = pool.clause(f"{_PLACE} {'>' if behind else '<'} {border}")
        if rows.whole:
            return Source(f"(SELECT * {found}) AS beside")
        order = f"ROW_NUMBER() OVER (ORDER BY {_PLACE} {'ASC' if behind else 'DESC'})"
        return Source(f"(SELECT * {found} QUALIFY {order} = {abs(rows.step)}) AS beside")

    def predicate(self, predicate: Predicate) -> str:
        """Return a predicate as a condition."""
        match predicate:
            case Either():
                return f"({' OR '.join(self.condition(c) for c in predicate.options)})"
            case Against():
                return f"{self.column(predicate.column)} {predicate.operator} ({self.figure(predicate.figure)})"
            case Alike():
                column, source = self.column(predicate.column), self.source(predicate.rows)
                others = " AND ".join(source.conditions) or "TRUE"
                return f"{column} IN (SELECT {column} {source.clause()}) AND NOT ({others})"
            case _:
                return self.condition(predicate)

    def condition(self, condition: Condition) -> str:
        """Return one restriction on a column."""
        if condition.other:
            return f"{self.column(condition.column)} {condition.operator} {self.column(condition.other)}"
        entry = self.entries[condition.column]
        source = number_of(condition.column)
        if not source:
            return condition_sql(condition, entry.column)
        return self.bound(self.column(condition.column), condition)

    def bound(self, expression: str, bound: Condition) -> str:
        """Return a bound on an expression; the bound's own column isn't read."""
        values = [literal(value) for value in bound.values]
        if bound.operator == "between":
            return f"{expression} BETWEEN {values[0]} AND {values[1]}"
        if bound.operator in ("in", "not in"):
            return f"{expression} {bound.operator.upper()} ({', '.join(values)})"
        return f"{expression} {'<>' if bound.operator == '!=' else bound.operator} {values[0]}"

    def figure(self, figure: Figure, name: str = "") -> str:
        """Return the SELECT of one figure, under a name where one is given."""
        shown = f" AS {name}" if name else ""
        return f"SELECT {self.measure(figure.measure)}{shown} {self.source(figure.rows).clause()}"

    def matched(self, figure: Figure) -> str:
        """Return the SELECT that counts the rows which a figure comes from."""
        column = figure.measure.column
        present = (f"{self.column(column)} IS NOT NULL",) if column is not None else ()
        return f"SELECT COUNT(*) {self.source(figure.rows).clause(*present)}"

    def figures(self, shown: str, **figures: Figure) -> str:
        """Return the SELECT of an expression over several figures, each under its name."""
        inner = ", ".join(f"({self.figure(figure)}) AS {name}" for name, figure in figures.items())
        return f"SELECT {shown} FROM (SELECT {inner}) AS figures"

    def named(self, value: Cell) -> str:
        """Return a value that the question names, as text."""
        return literal(str(value))

    def column(self, name: str) -> str:
        """Return a column, or the number or the year that its cells of text begin with."""
        source = number_of(name)
        if is_year_of(name):
            return f"TRY_CAST(REGEXP_EXTRACT({quoted(source)}, '[0-9]{{4}}') AS BIGINT)"
        if is_time_of(name):
            hours, minutes, seconds = (self._read(source, CLOCK, n) for n in (1, 2, 3))
            return f"(COALESCE({hours}, 0) * 3600 + {minutes} * 60 + {seconds})"
        if is_feet_of(name):
            return f"({self._read(source, FEET, 1)} * 12 + {self._read(source, FEET, 2)})"
        return (
            f"TRY_CAST(REPLACE(REGEXP_EXTRACT({quoted(source)}, '{_NUMBER}'), ',', '') AS DOUBLE)"
            if source
            else quoted(name)
        )

    def _read(self, source: str, pattern: str, group: int) -> str:
        return f"TRY_CAST(REGEXP_EXTRACT(TRIM({quoted(source)}), {literal(pattern)}, {group}) AS DOUBLE)"

    def alias(self, name: str) -> str:
        """Return a name for a column of the result."""
        return quoted(name)

    def shown(self, name: str) -> str:
        """Return a column as it stands in the source."""
        return quoted(number_of(name) or name)

    def key(self, name: str, part: DatePart) -> str:
        """Return a column, or a part of its dates, to group or to show."""
        if part == "month":
            return f"STRFTIME({quoted(name)}, '%Y-%m')"
        return f"YEAR({quoted(name)})" if part == "year" else self.shown(name)

    def named_key(self, name: str, part: DatePart) -> str:
        """Return `key` under a name of its own where it is a part."""
        return f"{self.key(name, part)} AS {part}_of_{name}" if part else self.key(name, part)

    def measure(self, measure: Measure) -> str:
        """Return a measure as an expression."""
        if measure.column is None:
            return "COUNT(*)"
        name = self.column(measure.column)
        counted = f"COUNT(DISTINCT {name})"
        return counted if measure.function == "count_distinct" else f"{measure.function.upper()}({name})"

    def year(self, name: str) -> str:
        """Return the year of a column of dates, or of years."""
        return f"YEAR({quoted(name)})" if self.entries[name].role == "date" else self.column(name)

    def run(self, rows: Rows, whole: Scan) -> str:
        """Return the SELECT of how many of the rows follow one another at most among all."""
        every, chosen = self.source(whole, numbered=True), self.source(rows, numbered=True)
        inner = f"SELECT {_PLACE} AS place, ROW_NUMBER() OVER (ORDER BY {_PLACE}) AS nth {every.clause()}"
        held = f"SELECT {_PLACE} {chosen.clause()}"
        runs = f"SELECT nth - ROW_NUMBER() OVER (ORDER BY nth) AS run FROM ({inner}) AS every WHERE place IN ({held})"
        lengths = f"SELECT COUNT(*) AS count FROM ({runs}) AS runs GROUP BY run"
        return f"SELECT COALESCE(MAX(count), 0) AS count FROM ({lengths}) AS lengths"

    def present(self, *columns: str) -> tuple[str, ...]:
        """Return what leaves out the rows in which one of these columns holds nothing."""
        return tuple(f"{self.column(name)} IS NOT NULL" for name in columns if self.entries[name].column.nulls)

    def ordering(self, name: str) -> str:
        """Return what a column is ordered by: months by the calendar, everything else by its value."""
        entry = self.entries[name]
        if number_of(name):
            return self.shown(name)
        if entry.role != "month" or entry.column.type != "text":
            return quoted(name)
        months = every_language().months
        values = sorted(entry.column.values, key=lambda v: (months.get("".join(word_parts(v)), 13), v))
        # SELECT DISTINCT allows only what it shows in its order, or an expression of it.
        return f"LIST_POSITION([{', '.join(literal(v) for v in values)}], {quoted(name)})"


def rank(by: str, descending: bool, first: int, last: int) -> str:
    """Return the bound on a rank: the nth of several is the nth different value, the first n are n rows."""
    function = "DENSE_RANK" if first > 1 else "RANK"
    ranked = f"{function}() OVER (ORDER BY {by} {'DESC' if descending else 'ASC'})"
    return f"{ranked} <= {last}" if first == 1 else f"{ranked} BETWEEN {first} AND {last}"


def measure_name(measure: Measure) -> str:
    """Return the name under which a measure is shown beside other columns."""
    return "rows_counted" if measure.column is None else f"{measure.function}_{measure.column}"


def listed(names: Iterable[str]) -> str:
    """Return names as a list of columns."""
    return ", ".join(names)
