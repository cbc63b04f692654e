"""Owns which SQL statements may reach the relational store.

The sandbox refuses files and settings by itself; this guard says in words what is refused, before anything runs.
"""

from __future__ import annotations

import difflib
import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from polyrag_cli.errors import QueryRejected

if TYPE_CHECKING:
    from sqlglot import exp

MAX_LENGTH = 20_000

# Functions that reach beyond the tables: files, the catalog of the database, its settings, other statements.
_REFUSED = re.compile(
    r"read_\w+|\w*_scan(_\w+)?|scan_\w+|glob|sniff_\w+|duckdb_\w+|pragma_\w+|parquet_\w+|query|query_table|getenv|getvariable"
    r"|current_setting|set_config|nextval|currval|load_\w+|json_execute\w*|from_substrait\w*|write_\w+|add_parquet_key"
)
# Functions that make values of any size out of a number: the time limit can't interrupt one, nor the memory limit.
_UNBOUNDED = re.compile(
    r"range|generate_series|generatedatearray|generatetimestamparray|repeat|repeat_row|(list|array)_resize|pg_sleep|sleep"
    r"|bar|s?printf|format|lpad|rpad|pad"
)
_SHORT = re.compile(r"\d{1,3}")


def check(sql: str, tables: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The known tables that a statement reads, sorted; names are compared without case.

    tables: each known table's name and its columns' names.
    Raises QueryRejected, naming what, for anything but one SELECT over known tables and columns.
    """
    statement = _parse(sql)
    ctes = {name.casefold() for name in _names_of_ctes(statement)}
    known = {name.casefold(): name for name in tables}
    used = {known[name] for name in _tables(statement, ctes, known)}
    _check_functions(statement)
    _check_columns(statement, [column for name in used for column in tables[name]], [*ctes, *used])
    return tuple(sorted(used))


def _parse(sql: str) -> exp.Expr:
    import sqlglot
    from sqlglot import errors, exp

    if len(sql) > MAX_LENGTH:
        raise QueryRejected(f"The statement has {len(sql):,} characters; at most {MAX_LENGTH:,} are read.")
    # It would print about statements that it knows only by name; they are refused below.
    logging.getLogger("sqlglot").setLevel(logging.ERROR)
    try:
        statements = [statement for statement in sqlglot.parse(sql, read="duckdb") if statement is not None]
    except (errors.SqlglotError, RecursionError) as error:
        raise QueryRejected(f"The statement can't be parsed: {_parse_fault(error)}.") from error
    if len(statements) != 1:
        raise QueryRejected(f"Exactly one statement is allowed, not {len(statements)}.")
    statement = statements[0]
    if not isinstance(statement, (exp.Select, exp.SetOperation, exp.Subquery)):
        raise QueryRejected(f"Only SELECT is allowed, not {statement.key.upper()}.")
    refused = (exp.DML, exp.DDL, exp.Command, exp.Into, exp.Parameter, exp.Placeholder, exp.SessionParameter)
    for node in statement.walk():
        if isinstance(node, refused) and not isinstance(node, exp.Query):
            raise QueryRejected(f"{node.key.upper()} is not allowed inside a SELECT.")
    return statement


def _parse_fault(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    details = getattr(error, "errors", None)
    if not details:
        return "a quote or a comment in it isn't closed"
    return f"syntax error near {details[0].get('highlight')!r}, line {details[0].get('line')}"


def _names_of_ctes(statement: exp.Expr) -> list[str]:
    from sqlglot import exp

    return [cte.alias for cte in statement.find_all(exp.CTE)]


def _tables(statement: exp.Expr, ctes: Iterable[str], known: Mapping[str, str]) -> set[str]:
    from sqlglot import exp

    found = set()
    for table in statement.find_all(exp.Table):
        if not isinstance(table.this, exp.Identifier):
            raise QueryRejected(f"The table function {_function_name(table.this)} is not allowed.")
        name = table.name.casefold()
        if table.args.get("db") or table.args.get("catalog"):
            raise QueryRejected(f"{table.sql('duckdb')} is not allowed: tables are named without a schema.")
        if name in known:
            found.add(name)
        elif name not in ctes:
            raise QueryRejected(f"There is no table {table.name!r}.", _nearest(table.name, known.values(), "table"))
    return found


def _check_functions(statement: exp.Expr) -> None:
    from sqlglot import exp

    for function in statement.find_all(exp.Func):
        name = _function_name(function)
        if _REFUSED.fullmatch(name.casefold()):
            raise QueryRejected(f"The function {name} is not allowed.")
        if _UNBOUNDED.fullmatch(name.casefold()) and not _is_bounded(function):
            raise QueryRejected(f"The function {name} is not allowed: it makes values of any size.")


def _is_bounded(function: exp.Expr) -> bool:
    """Whether a function that pads or formats says by a literal how far."""
    from sqlglot import exp

    if isinstance(function, exp.Pad):
        length = function.args.get("expression")
        return isinstance(length, exp.Literal) and bool(_SHORT.fullmatch(str(length.this)))
    if _function_name(function).casefold() in ("format", "printf"):
        form = function.args.get("this") if isinstance(function, exp.Format) else next(iter(function.expressions), None)
        # A star, or braces inside braces, take the width from a value.
        return isinstance(form, exp.Literal) and not re.search(r"\d{4}|\*|\{[^}]*\{", str(form.this))
    return False


def _function_name(node: exp.Expr) -> str:
    from sqlglot import exp

    if isinstance(node, exp.Anonymous):
        return str(node.name)
    return str(node.sql_name()) if isinstance(node, exp.Func) else str(node.sql("duckdb"))


def _check_columns(statement: exp.Expr, columns: Sequence[str], others: Sequence[str]) -> None:
    from sqlglot import exp

    named = {identifier.name for alias in statement.find_all(exp.Alias, exp.TableAlias) for identifier in _named(alias)}
    named |= {str(name) for function in statement.find_all(exp.Lambda) for name in function.expressions}
    allowed = {name.casefold() for name in (*columns, *others, *named)}
    for column in statement.find_all(exp.Column):
        if column.name.casefold() not in allowed and not isinstance(column.this, exp.Star):
            raise QueryRejected(f"There is no column {column.name!r}.", _nearest(column.name, columns, "column"))


def _named(alias: exp.Expr) -> list[exp.Identifier]:
    from sqlglot import exp

    parts = [alias.args.get("alias"), alias.args.get("this"), *(alias.args.get("columns") or ())]
    return [part for part in parts if isinstance(part, exp.Identifier)]


def _nearest(name: str, known: Iterable[str], kind: str) -> str:
    names = sorted(set(known))
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    if near:
        return f"The nearest is {near[0]!r}."
    return f"Known {kind}s: {', '.join(names[:12])}." if names else "No tables are ingested."
