"""Owns which SQL statements may reach the relational store, whoever wrote them.

The sandbox refuses files and settings by itself; this guard says in words what is refused, before anything runs. What
else an answer to a question must satisfy is `nl2sql.guard`'s.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from polyrag_cli.errors import QueryRejected
from polyrag_cli.stores.sql_allowed import check_parts
from polyrag_cli.stores.sql_names import Tables, resolve

if TYPE_CHECKING:
    from sqlglot import exp

MAX_LENGTH = 20_000
MAX_JOINS = 8
MAX_QUERIES_DEEP = 8
MAX_QUERIES = 32
MAX_DEPTH = 60
MAX_NODES = 4000


@dataclass(frozen=True, slots=True)
class Parsed:
    """A statement that may run.

    statement: as sqlglot parsed it. tables: the known tables that it reads, sorted. columns: the table and column of
    each column node that is one of a known table, by the node's id.
    """

    statement: exp.Expr
    tables: tuple[str, ...]
    columns: Mapping[int, tuple[str, str]]


def check(sql: str, tables: Tables) -> Parsed:
    """What a statement reads, when it may run; names are compared without case.

    Raises QueryRejected, naming what, for anything but one SELECT of known tables, columns and functions, with at most
    8 joins, and queries nested at most 8 deep.
    """
    try:
        statement = _parse(sql)
        _check_size(statement)
        names = resolve(statement, tables)
        check_parts(statement)
    except RecursionError as error:
        raise QueryRejected("The statement can't be parsed: it is nested too deep.") from error
    return Parsed(statement, tuple(sorted(names.tables)), names.columns)


def _parse(sql: str) -> exp.Expr:
    import sqlglot
    from sqlglot import errors, exp

    if len(sql) > MAX_LENGTH:
        raise QueryRejected(f"The statement has {len(sql):,} characters; at most {MAX_LENGTH:,} are read.")
    # It would print about statements that it knows only by name; they are refused below.
    logging.getLogger("sqlglot").setLevel(logging.ERROR)
    try:
        # Behind the last semicolon a comment may stand.
        parsed = sqlglot.parse(sql, read="duckdb")
        statements = [one for one in parsed if one is not None and not isinstance(one, exp.Semicolon)]
    except errors.SqlglotError as error:
        raise QueryRejected(f"The statement can't be parsed: {_parse_fault(error)}.") from error
    if len(statements) != 1:
        raise QueryRejected(f"Exactly one statement is allowed, not {len(statements)}.")
    statement = statements[0]
    if not isinstance(statement, (exp.Select, exp.SetOperation, exp.Subquery)):
        raise QueryRejected(f"Only SELECT is allowed, not {statement.key.upper()}.")
    return statement


def _parse_fault(error: Exception) -> str:
    details = getattr(error, "errors", None)
    if not details:
        return "a quote or a comment in it isn't closed"
    return f"syntax error near {details[0].get('highlight')!r}, line {details[0].get('line')}"


def _check_size(statement: exp.Expr) -> None:
    """Refuses what takes the database's planner longer than any question of tables needs."""
    from sqlglot import exp

    nodes = joins = queries = 0
    stack = [(statement, 1, 0)]
    while stack:
        node, depth, inside = stack.pop()
        nodes += 1
        joins += isinstance(node, exp.Join)
        is_query = isinstance(node, exp.Select)
        queries += is_query
        inside += is_query
        if depth > MAX_DEPTH or inside > MAX_QUERIES_DEEP:
            raise QueryRejected("The statement can't be run: it is nested too deep.")
        for child in node.iter_expressions():
            # A chain of AND, + or UNION is long, not deep.
            stack.append((child, depth + (type(child) is not type(node)), inside))
    for count, most, what in (
        (joins, MAX_JOINS, "joins"),
        (queries, MAX_QUERIES, "SELECTs"),
        (nodes, MAX_NODES, "parts"),
    ):
        if count > most:
            raise QueryRejected(f"The statement has {count:,} {what}; at most {most:,} are run.")
