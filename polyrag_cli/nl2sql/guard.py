"""Owns what a SELECT must satisfy before it runs, whoever wrote it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from polyrag_cli.errors import QueryRejected
from polyrag_cli.nl2sql.plans import Plan
from polyrag_cli.nl2sql.spelling import Spellings
from polyrag_cli.types import Column, TableSchema

if TYPE_CHECKING:
    from sqlglot import exp


@dataclass(frozen=True, slots=True)
class UnknownValue:
    """A value that a statement compares a column with and that the column doesn't hold; `nearest` are ones it holds."""

    column: str
    value: str
    nearest: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """A statement that may run: the tables that it reads, by name, and the values that will match nothing."""

    tables: tuple[str, ...]
    unknown: tuple[UnknownValue, ...]


def check_plan(plan: Plan, schema: TableSchema) -> Checked:
    """Return what a plan's statement reads, when every name in it is one of its table's.

    Raises:
        QueryRejected: the plan names another table or an unknown column.
    """
    columns = {column.name: column for column in schema.columns}
    conditions = (*plan.conditions, *plan.excluded, *plan.pair, *plan.part, *((plan.having,) if plan.having else ()))
    measured = plan.measure.column if plan.measure is not None else None
    named = [*plan.select, *(c.column for c in conditions), *filter(None, (plan.group, plan.order, measured))]
    for name in named:
        if name not in columns:
            raise QueryRejected(f"There is no column {name}.", f"Known: {', '.join(sorted(columns))}.")
    if plan.table != schema.name:
        raise QueryRejected(f"There is no table {plan.table}.", f"Known: {schema.name}.")
    unknown = [
        UnknownValue(c.column, value, Spellings(columns[c.column].values).nearest(value))
        for c in (*plan.conditions, *plan.pair, *plan.part)
        if columns[c.column].type == "text" and columns[c.column].distinct <= len(columns[c.column].values)
        for value in c.values
        if isinstance(value, str) and value not in columns[c.column].values
    ]
    return Checked((schema.name,), tuple(unknown))


def check(sql: str, schemas: Sequence[TableSchema]) -> Checked:
    """Return what a statement reads when it may answer a question.

    Raises:
        QueryRejected: it isn't a single SELECT over known tables and columns, shows a bare `*`, or shows only literals.
    """
    import sqlglot
    from sqlglot import exp

    try:
        statements = [s for s in sqlglot.parse(sql, read="duckdb") if s is not None]
    except sqlglot.errors.SqlglotError as error:
        raise QueryRejected("The statement isn't valid SQL.", str(error).splitlines()[0]) from error
    if len(statements) != 1 or not isinstance(statements[0], exp.Select):
        raise QueryRejected("Only a single SELECT may answer a question.")
    select = statements[0]
    known = {schema.name: schema for schema in schemas}
    tables = sorted({table.name for table in select.find_all(exp.Table)})
    for name in tables:
        if name not in known:
            raise QueryRejected(f"There is no table {name}.", f"Known: {', '.join(sorted(known)) or 'none'}.")
    if not tables:
        raise QueryRejected("The statement reads no table.")
    columns = {column.name: column for name in tables for column in known[name].columns}
    _check_columns(select, columns)
    return Checked(tuple(tables), tuple(_unknown_values(select, columns)))


def _check_columns(select: exp.Select, columns: dict[str, Column]) -> None:
    from sqlglot import exp

    if any(
        isinstance(shown, exp.Star) or (isinstance(shown, exp.Column) and shown.is_star) for shown in select.expressions
    ):
        raise QueryRejected("A bare * answers nothing.", "Name the columns.")
    if not any(shown.find(exp.Column, exp.Star) for shown in select.expressions):
        raise QueryRejected("The statement shows only literals.")
    aliases = {alias.alias for alias in select.find_all(exp.Alias)}
    for column in select.find_all(exp.Column):
        if column.name not in columns and column.name not in aliases:
            raise QueryRejected(f"There is no column {column.name}.", f"Known: {', '.join(sorted(columns))}.")


def _unknown_values(select: exp.Select, columns: dict[str, Column]) -> list[UnknownValue]:
    """Return the text literals compared with = or IN that a wholly listed column doesn't hold."""
    from sqlglot import exp

    found: list[UnknownValue] = []
    for node in select.find_all(exp.EQ, exp.In):
        name = node.this.name if isinstance(node.this, exp.Column) else ""
        column = columns.get(name)
        if column is None or column.type != "text" or column.distinct > len(column.values):
            continue
        values = node.expressions if isinstance(node, exp.In) else [node.expression]
        for value in values:
            if isinstance(value, exp.Literal) and value.is_string and value.this not in column.values:
                found.append(UnknownValue(name, value.this, Spellings(column.values).nearest(value.this)))
    return found
