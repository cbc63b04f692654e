"""Owns what a SELECT must satisfy to answer a question, beyond what any statement must (`stores.sql_guard`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from polyrag_cli.errors import QueryRejected
from polyrag_cli.nl2sql.spelling import Spellings
from polyrag_cli.types import TableSchema

if TYPE_CHECKING:
    from sqlglot import exp

    from polyrag_cli.stores.sql_guard import Parsed


@dataclass(frozen=True, slots=True)
class UnknownValue:
    """A value that a statement compares a column with and that the column doesn't hold; `nearest` are ones it holds."""

    column: str
    value: str
    nearest: tuple[str, ...]

    @property
    def told(self) -> str:
        """The value with its nearest ones, as a sentence."""
        return f"No {self.column} is {self.value!r}. Nearest: {', '.join(self.nearest) or 'none'}."


@dataclass(frozen=True, slots=True)
class Checked:
    """A statement that may run: the tables that it reads, by name, and the values that will match nothing."""

    tables: tuple[str, ...]
    unknown: tuple[UnknownValue, ...]


def check(sql: str, schemas: Sequence[TableSchema]) -> Checked:
    """Return what a statement reads when it may answer a question.

    Raises:
        QueryRejected: it may not run at all (see stores.sql_guard), reads no table, shows a bare `*` or only literals.
    """
    from polyrag_cli.stores import sql_guard

    parsed = sql_guard.check(sql, {schema.name: [c.name for c in schema.columns] for schema in schemas})
    if not parsed.tables:
        raise QueryRejected("The statement reads no table.")
    for select in _answering(parsed.statement):
        _check_shown(select)
    return Checked(parsed.tables, tuple(_unknown_values(parsed, schemas)))


def unmatched(sql: str, schemas: Sequence[TableSchema]) -> tuple[UnknownValue, ...]:
    """Return the values that a statement which has run compares columns with and that those don't hold."""
    from polyrag_cli.stores import sql_guard

    parsed = sql_guard.check(sql, {schema.name: [c.name for c in schema.columns] for schema in schemas})
    return tuple(_unknown_values(parsed, schemas))


def _answering(statement: exp.Expr) -> Iterator[exp.Select]:
    """Yield the SELECTs whose rows are those of the statement: one, or each side of a UNION."""
    from sqlglot import exp

    if isinstance(statement, exp.SetOperation):
        yield from _answering(statement.left)
        yield from _answering(statement.right)
    elif isinstance(statement, exp.Subquery):
        yield from _answering(statement.this)
    elif isinstance(statement, exp.Select):
        yield statement


def _check_shown(select: exp.Select) -> None:
    from sqlglot import exp

    if any(
        isinstance(shown, exp.Star) or (isinstance(shown, exp.Column) and shown.is_star) for shown in select.expressions
    ):
        raise QueryRejected("A bare * answers nothing.", "Name the columns.")
    if not any(shown.find(exp.Column, exp.Star) for shown in select.expressions):
        raise QueryRejected("The statement shows only literals.")


def _unknown_values(parsed: Parsed, schemas: Sequence[TableSchema]) -> Iterator[UnknownValue]:
    """Yield the text literals compared with = or IN that a wholly listed column doesn't hold, in their order."""
    from sqlglot import exp

    listed = {
        (schema.name, column.name): column
        for schema in schemas
        for column in schema.columns
        if column.type == "text" and column.distinct <= len(column.values)
    }
    for node in parsed.statement.find_all(exp.EQ, exp.In, bfs=False):
        sides = [node.this, *(node.expressions if isinstance(node, exp.In) else [node.expression])]
        found = [listed[place] for side in sides if (place := parsed.columns.get(id(side))) in listed]
        for column in found[:1]:
            for side in sides:
                if isinstance(side, exp.Literal) and side.is_string and side.this not in column.values:
                    yield UnknownValue(column.name, side.this, Spellings(column.values).nearest(side.this))
