"""Owns how what is asked of related tables is written as one SELECT."""

from __future__ import annotations

from itertools import count

from polyrag_cli.nl2sql.algebra import Condition
from polyrag_cli.nl2sql.related.asked import Asked, Counted, Grouped, Listed, Spread, Whether
from polyrag_cli.nl2sql.related.database import Database
from polyrag_cli.nl2sql.related.things import (
    Among,
    Bounded,
    Each,
    Either,
    Every,
    Holds,
    Kept,
    Ranked,
    Reach,
    Tally,
    Test,
    Things,
    Totalled,
    table_of,
)
from polyrag_cli.nl2sql.rendering import Source, rank
from polyrag_cli.nl2sql.sql_text import condition_sql, literal, quoted
from polyrag_cli.nl2sql.ties import Hop, Path


class RelatedRenderer:
    """Writes what is asked of related tables as one SELECT; `tables` are those that it has read."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._numbers = count(1)
        self.tables: set[str] = set()

    def asked(self, asked: Asked) -> str:
        """Return the SELECT that answers; rows come in an order that their values alone decide."""
        self._numbers = count(1)
        match asked:
            case Listed():
                return self._listed(asked)
            case Counted():
                counted = f"COUNT(DISTINCT {quoted(asked.name)})" if asked.name else "COUNT(*)"
                return f"SELECT {counted} AS count {self._source(asked.things)[0].clause()}"
            case Whether():
                return f"SELECT COUNT(*) > 0 AS found {self._source(asked.things)[0].clause()}"
            case Totalled():
                return self._total(asked)
            case Spread():
                source, alias = self._source(asked.things)
                name = f"{alias}.{quoted(asked.reach.column)}"
                figure = self._figure(asked.by, alias)
                return f"SELECT {name}, {figure} AS figure {source.clause()} ORDER BY figure DESC, {name}"
            case Grouped():
                return self._grouped(asked)

    def _grouped(self, asked: Grouped) -> str:
        source, alias = self._source(asked.things)
        key = quoted(asked.reach.column)
        held = f", {self._figure(asked.held, alias)} AS held" if asked.held is not None else ""
        inner = f"SELECT {self._figure(asked.reach, alias)} AS {key}{held} {source.clause()}"
        figure = f"{asked.function.upper()}(held)" if asked.function else "COUNT(*)"
        grouped = f"SELECT {key}, {figure} AS figure FROM ({inner}) AS grouped WHERE {key} IS NOT NULL GROUP BY {key}"
        if asked.descending is None:
            return f"{grouped} ORDER BY figure DESC, {key}"
        order = "DESC" if asked.descending else "ASC"
        return f"{grouped} QUALIFY RANK() OVER (ORDER BY {figure} {order}) = 1 ORDER BY {key}"

    def _listed(self, asked: Listed) -> str:
        shown = quoted(asked.reach.column)
        source = self._held(asked.things, asked.reach)
        table = asked.reach.path[-1].other if asked.reach.path else table_of(asked.things)
        nullable = asked.reach.path or self._database.column(table, asked.reach.column).column.nulls
        present = (f"{shown} IS NOT NULL",) if nullable else ()
        return f"SELECT {'DISTINCT ' if asked.distinct else ''}{shown} {source.clause(*present)} ORDER BY {shown}"

    def _total(self, asked: Totalled) -> str:
        figure = f"{asked.function.upper()}({quoted(asked.reach.column)}) AS {asked.function}_{asked.reach.column}"
        return f"SELECT {figure} {self._held(asked.things, asked.reach).clause()}"

    def _held(self, things: Things, reach: Reach) -> Source:
        """Return what to select a column from that rows, or those that a way leads up to, hold."""
        source, alias = self._source(things)
        if not reach.path:
            return source
        rows = f"SELECT {self._figure(reach, alias)} AS {quoted(reach.column)} {source.clause()}"
        return Source(f"({rows}) AS t{next(self._numbers)}")

    def _named(self, table: str) -> str:
        """A table's name in the statement, which is kept among `tables`."""
        self.tables.add(table)
        return quoted(table)

    # ------------------------------------------------------------ rows
    def _source(self, things: Things) -> tuple[Source, str]:
        """Return what to select rows from, and the name that they go by."""
        alias = f"t{next(self._numbers)}"
        match things:
            case Every(table):
                excluded = self._database.things[table].entry.excluded
                conditions = tuple(self._condition(table, condition) for condition in excluded)
                return Source(f"{self._named(table)} AS {alias}", conditions), alias
            case Kept():
                inner, name = self._source(things.things)
                tests = tuple(self._test(test, table_of(things), name) for test in things.tests)
                return Source(inner.name, (*inner.conditions, *tests)), name
            case Ranked():
                return Source(f"({self._ranked(things)}) AS {alias}"), alias

    def _ranked(self, things: Ranked) -> str:
        inner, name = self._source(things.things)
        by = self._figure(things.by, name)
        if isinstance(things.by, Reach) and not things.by.path:
            return f"SELECT * {inner.clause(f'{by} IS NOT NULL')} QUALIFY {_rank(by, things)}"
        column = f"rank_{name}"
        measured = Source(f"(SELECT *, {by} AS {column} {inner.clause()}) AS measured", (f"{column} IS NOT NULL",))
        return f"SELECT * {measured.clause()} QUALIFY {_rank(column, things)}"

    # ------------------------------------------------------------ tests and figures
    def _test(self, test: Test, table: str, alias: str) -> str:
        match test:
            case Holds():
                return self._condition(table, test.condition)
            case Among():
                return self._among_named(test, table, alias)
            case Bounded():
                against = test.against
                right = f"({self._total(against)})" if isinstance(against, Totalled) else literal(against)
                return f"{self._figure(test.by, alias)} {test.operator} {right}"
            case Each():
                return " AND ".join(self._test(each, table, alias) for each in test.tests)
            case Either():
                return f"({' OR '.join(self._test(option, table, alias) for option in test.options)})"

    def _among_named(self, test: Among, table: str, alias: str) -> str:
        """Of a thing that several rows stand for, none leads anywhere where one doesn't."""
        thing = self._database.things[table]
        if not (test.negated and thing.repeated and thing.name is not None):
            return self._among(test, alias)
        name = quoted(thing.name.column.name)
        found, inner = self._source(Kept(Every(table), (Among(test.path, test.things),)))
        return f"{alias}.{name} NOT IN (SELECT {inner}.{name} {found.clause(f'{inner}.{name} IS NOT NULL')})"

    def _among(self, test: Among, alias: str) -> str:
        hop, *rest = test.path
        source, inner = self._through(tuple(rest), test.things, hop.other)
        if hop.agreeing:
            found = source.clause(*_joined(hop, alias, inner))
            return f"{'NOT ' if test.negated else ''}EXISTS (SELECT 1 {found})"
        column = f"{inner}.{quoted(hop.other_column)}"
        within = f"{alias}.{quoted(hop.column)} IN (SELECT {column} {source.clause(f'{column} IS NOT NULL')})"
        return f"NOT COALESCE({within}, FALSE)" if test.negated else within

    def _through(self, rest: Path, things: Things, table: str) -> tuple[Source, str]:
        """Return what to select the rows of a table from, from which the rest of a way leads to some things."""
        return self._source(Kept(Every(table), (Among(rest, things),)) if rest else things)

    def _figure(self, by: Reach | Tally, alias: str) -> str:
        if isinstance(by, Tally):
            thing = self._database.things[table_of(by.things)]
            counted = f"DISTINCT {quoted(thing.name.column.name)}" if thing.repeated and thing.name is not None else "*"
            figure = f"{by.function.upper()}({quoted(by.column)})" if by.function else f"COUNT({counted})"
            return f"(SELECT {figure} {self._tallied(by, alias)})"
        if not by.path:
            return f"{alias}.{quoted(by.column)}"
        hop, *rest = by.path
        inner = f"t{next(self._numbers)}"
        value = self._figure(Reach(tuple(rest), by.column), inner)
        source = Source(f"{self._named(hop.other)} AS {inner}", tuple(_joined(hop, alias, inner)))
        return f"(SELECT {value} {source.clause()})"

    def _tallied(self, by: Tally, alias: str) -> str:
        """Return FROM and WHERE of the rows that a way leads to from one row."""
        source, inner = self._source(by.things)
        last = by.path[-1]
        if len(by.path) == 1 and not self._repeated(last.table):
            return source.clause(*_joined(last, alias, inner))
        if len(by.path) == 1:
            return source.clause(self._same_name(last, alias, inner))
        held = f"{inner}.{quoted(last.other_column)} IN ({self._between(by.path[:-1], alias, last.column)})"
        return source.clause(held)

    def _repeated(self, table: str) -> bool:
        return self._database.things[table].repeated

    def _same_name(self, hop: Hop, alias: str, inner: str) -> str:
        """The first step of a way from any of the rows that stand for the same thing as one."""
        name = self._database.things[hop.table].name
        alike = f"t{next(self._numbers)}"
        column = quoted(name.column.name) if name is not None else quoted(hop.column)
        source = Source(f"{self._named(hop.table)} AS {alike}", (f"{alike}.{column} = {alias}.{column}",))
        rows = f"SELECT {alike}.{quoted(hop.column)} {source.clause()}"
        return f"{inner}.{quoted(hop.other_column)} IN ({rows})"

    def _between(self, path: Path, alias: str, column: str) -> str:
        """Return the SELECT of a column of the rows that a way leads to from one row."""
        *before, last = path
        inner = f"t{next(self._numbers)}"
        if not before and self._repeated(last.table):
            held = self._same_name(last, alias, inner)
        elif before:
            held = f"{inner}.{quoted(last.other_column)} IN ({self._between(tuple(before), alias, last.column)})"
        else:
            held = " AND ".join(_joined(last, alias, inner))
        return f"SELECT {inner}.{quoted(column)} FROM {self._named(last.other)} AS {inner} WHERE {held}"

    def _condition(self, table: str, condition: Condition) -> str:
        return condition_sql(condition, self._database.column(table, condition.column).column)


def _joined(hop: Hop, alias: str, inner: str) -> list[str]:
    pairs = ((hop.column, hop.other_column), *hop.agreeing)
    return [f"{inner}.{quoted(theirs)} = {alias}.{quoted(ours)}" for ours, theirs in pairs]


def _rank(by: str, things: Ranked) -> str:
    return rank(by, things.descending, things.first, things.last)
