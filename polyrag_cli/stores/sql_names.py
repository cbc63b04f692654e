"""Owns which table and column each name of a statement stands for, query by query: a name counts in its scope alone."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from polyrag_cli.errors import QueryRejected
from polyrag_cli.stores.sql_allowed import function_name

if TYPE_CHECKING:
    from sqlglot import exp

Tables = Mapping[str, Sequence[str]]
"""Each known table's name with the names of its columns."""


@dataclass(frozen=True, slots=True)
class _Source:
    """What a FROM clause names: its columns in lower case; `table` is the known table's name, "" for a query."""

    columns: frozenset[str]
    table: str = ""


@dataclass(slots=True)
class Names:
    """What the names of a statement stand for.

    tables: the known tables that it reads. columns: the table and column of each column node that is one of a known
    table, by the node's id.
    """

    tables: set[str] = field(default_factory=set)
    columns: dict[int, tuple[str, str]] = field(default_factory=dict)


_Sources = Mapping[str, _Source]


def resolve(statement: exp.Expr, tables: Tables) -> Names:
    """Resolves every name of a statement.

    Raises QueryRejected for an unknown table or column, with the nearest name.
    """
    resolver = _Resolver(tables)
    resolver.query(statement, {}, ())
    return resolver.found


class _Resolver:
    def __init__(self, tables: Tables) -> None:
        self._tables = {name.casefold(): name for name in tables}
        self._columns = {name.casefold(): {column.casefold(): column for column in own} for name, own in tables.items()}
        self.found = Names()

    def query(self, node: exp.Expr, ctes: Mapping[str, _Source], outer: tuple[_Sources, ...]) -> list[str]:
        """Resolves a query; the names of the columns that it gives, in lower case."""
        from sqlglot import exp

        ctes = self._with(node, ctes, outer)
        if isinstance(node, exp.Subquery):
            shown = self.query(node.this, ctes, outer)
            self._expressions(_clauses(node), ctes, ({"": _Source(frozenset(shown))}, *outer))
            return shown
        if isinstance(node, exp.SetOperation):
            shown = self.query(node.left, ctes, outer)
            self.query(node.right, ctes, outer)
            self._expressions(_clauses(node), ctes, ({"": _Source(frozenset(shown))}, *outer))
            return shown
        if not isinstance(node, exp.Select):
            raise QueryRejected(f"{node.key.upper()} is not allowed inside a SELECT.")
        return self._select(node, ctes, outer)

    def _with(self, node: exp.Expr, ctes: Mapping[str, _Source], outer: tuple[_Sources, ...]) -> Mapping[str, _Source]:
        clause = node.args.get("with_")
        if clause is None:
            return ctes
        if clause.args.get("recursive"):
            raise QueryRejected("WITH RECURSIVE is not allowed.")
        known = dict(ctes)
        for cte in clause.expressions:
            shown = self.query(cte.this, known, outer)
            known[cte.alias.casefold()] = _Source(frozenset(_renamed(cte, shown)))
        return known

    def _select(self, node: exp.Expr, ctes: Mapping[str, _Source], outer: tuple[_Sources, ...]) -> list[str]:
        from sqlglot import exp

        sources: dict[str, _Source] = {}
        conditions: list[exp.Expr] = []
        clause = node.args.get("from_")
        joins = node.args.get("joins") or []
        for part in ([clause] if clause is not None else []) + joins:
            self._source(part.this, ctes, outer, sources)
            for key, value in part.args.items():
                conditions += [] if key == "this" else _nodes(value)
        aliases = {expression.alias.casefold() for expression in node.expressions if isinstance(expression, exp.Alias)}
        # An alias counts in its own SELECT and in the queries inside it.
        scope: dict[str, _Source] = {**sources, "": _Source(frozenset(aliases))}
        own = [*node.expressions, *conditions, *_clauses(node)]
        self._expressions(own, ctes, (scope, *outer))
        return list(_shown(node, sources))

    def _source(
        self, node: exp.Expr, ctes: Mapping[str, _Source], outer: tuple[_Sources, ...], sources: dict[str, _Source]
    ) -> None:
        from sqlglot import exp

        if isinstance(node, exp.Table):
            source = self._table(node, ctes)
            name = node.alias or node.name
        elif isinstance(node, exp.Subquery) and isinstance(node.this, exp.Table):
            # A join in parentheses.
            self._source(node.this, ctes, outer, sources)
            return
        elif isinstance(node, exp.Subquery):
            source = _Source(frozenset(self.query(node, ctes, outer)))
            name = node.alias
        else:
            raise QueryRejected(f"{node.sql('duckdb')[:60]} is not allowed where a table is named.")
        renamed = frozenset(_renamed(node, [])) if _has_names(node) else frozenset()
        sources[name.casefold() or f" {len(sources)}"] = _Source(
            source.columns | renamed, "" if renamed else source.table
        )
        for join in node.args.get("joins") or []:
            self._source(join.this, ctes, outer, sources)
            conditions = [one for key, value in join.args.items() if key != "this" for one in _nodes(value)]
            self._expressions(conditions, ctes, (sources, *outer))

    def _table(self, node: exp.Table, ctes: Mapping[str, _Source]) -> _Source:
        from sqlglot import exp

        if not isinstance(node.this, exp.Identifier):
            raise QueryRejected(f"The table function {function_name(node.this)} is not allowed.")
        if node.args.get("db") or node.args.get("catalog"):
            raise QueryRejected(f"{node.sql('duckdb')} is not allowed: tables are named without a schema.")
        name = node.name.casefold()
        if name in ctes:
            return ctes[name]
        if name not in self._tables:
            raise QueryRejected(f"There is no table {node.name!r}.", nearest(node.name, self._tables.values(), "table"))
        self.found.tables.add(self._tables[name])
        return _Source(frozenset(self._columns[name]), self._tables[name])

    def _expressions(
        self, nodes: Iterable[exp.Expr], ctes: Mapping[str, _Source], scopes: tuple[_Sources, ...]
    ) -> None:
        """Resolves the columns of expressions, and the queries inside them."""
        from sqlglot import exp

        # A chain of a thousand ORs is a tree as deep: it is gone through without recursion.
        waiting = [*nodes]
        while waiting:
            node = waiting.pop()
            if isinstance(node, exp.Query):
                self.query(node, ctes, scopes)
            elif isinstance(node, exp.Column):
                self._column(node, scopes)
            else:
                waiting += node.iter_expressions()

    def _column(self, node: exp.Column, scopes: tuple[_Sources, ...]) -> None:
        from sqlglot import exp

        if node.args.get("db") or node.args.get("catalog"):
            raise QueryRejected(f"{node.sql('duckdb')} is not allowed: columns are named without a schema.")
        qualifier, name = node.table.casefold(), node.name.casefold()
        if isinstance(node.this, exp.Star):
            if qualifier and not any(qualifier in scope for scope in scopes):
                raise self._no_column(node, scopes)
            return
        for scope in scopes:
            named = [scope[qualifier]] if qualifier in scope and qualifier else list(scope.values())
            if qualifier and qualifier not in scope:
                continue
            for source in named:
                if name in source.columns:
                    if source.table:
                        self.found.columns[id(node)] = (source.table, self._columns[source.table.casefold()][name])
                    return
        raise self._no_column(node, scopes)

    def _no_column(self, node: exp.Column, scopes: tuple[_Sources, ...]) -> QueryRejected:
        known = {column for scope in scopes for source in scope.values() for column in self._written(source)}
        qualifier = node.table.casefold()
        if qualifier and not any(qualifier in scope for scope in scopes):
            named = {name for scope in scopes for name in scope if name.strip()}
            return QueryRejected(f"No table is named {node.table!r} here.", nearest(node.table, named, "table"))
        return QueryRejected(f"There is no column {node.name!r}.", nearest(node.name, known, "column"))

    def _written(self, source: _Source) -> Iterable[str]:
        """A source's columns as its table spells them."""
        own = self._columns.get(source.table.casefold(), {})
        return (own.get(column, column) for column in source.columns)


def _clauses(node: exp.Expr) -> list[exp.Expr]:
    """What a query holds beside its sources, its WITH and what it shows."""
    skipped = ("with_", "from_", "joins", "expressions", "this", "expression", "alias")
    return [one for key, value in node.args.items() if key not in skipped for one in _nodes(value)]


def _nodes(value: object) -> list[exp.Expr]:
    from sqlglot import exp

    values = value if isinstance(value, list) else [value]
    return [_without_idents(one) for one in values if isinstance(one, exp.Expr) and not isinstance(one, exp.TableAlias)]


def _without_idents(node: exp.Expr) -> exp.Expr:
    """USING names a column by an identifier alone."""
    from sqlglot import exp

    return exp.column(node.copy()) if isinstance(node, exp.Identifier) else node


def _has_names(node: exp.Expr) -> bool:
    alias = node.args.get("alias")
    return alias is not None and bool(alias.args.get("columns"))


def _renamed(node: exp.Expr, shown: Sequence[str]) -> list[str]:
    """The columns that a query gives under the names that stand behind its own, where any do."""
    alias = node.args.get("alias")
    names = [column.name.casefold() for column in (alias.args.get("columns") or ())] if alias is not None else []
    return [*names, *shown[len(names) :]]


def _shown(node: exp.Expr, sources: _Sources) -> Iterator[str]:
    from sqlglot import exp

    for expression in node.expressions:
        if isinstance(expression, exp.Star):
            for source in sources.values():
                yield from sorted(source.columns)
        elif isinstance(expression, exp.Column) and isinstance(expression.this, exp.Star):
            # Of a query around this one, it shows what a query further out may not name.
            yield from sorted(sources.get(expression.table.casefold(), _Source(frozenset())).columns)
        else:
            yield expression.alias_or_name.casefold() or expression.sql("duckdb").casefold()


def nearest(name: str, known: Iterable[str], kind: str) -> str:
    """The known name most like another one, else what names there are."""
    names = sorted(set(known))
    folded: dict[str, str] = {}
    for one in names:
        folded.setdefault(one.casefold(), one)
    near = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.5)
    if near:
        return f"The nearest is {folded[near[0]]!r}."
    return f"Known {kind}s: {', '.join(names[:12])}." if names else "No tables are ingested."
