"""Owns what tells apart the rows of which a quantity is shown: "hour: 1.50; day: 4.00", of a list of prices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from polyrag_cli.nl2sql.index import ColumnEntry
from polyrag_cli.nl2sql.operators.select import Shown
from polyrag_cli.nl2sql.rendering import Renderer, listed

if TYPE_CHECKING:
    from polyrag_cli.nl2sql.deciding import Candidate, Run

# What names rows of one thing: text, dates and what is numbered.
_NAMING = frozenset({"text", "code", "month", "date", "year"})
# So many columns are looked at, and so many tell rows apart, at most.
_LOOKED_AT = 8
_MOST = 2


def with_what_tells(chosen: Candidate, run: Run) -> Candidate:
    """Return a candidate with the columns by which the rows differ whose quantity it shows; the same one where it shows
    anything else, or a single row, or nothing tells the rows apart.
    """
    expression = chosen.reading.proposal.expression
    if not isinstance(expression, Shown) or not _shows_quantities(chosen, expression):
        return chosen
    renderer = Renderer(chosen.table)
    source = renderer.source(expression.rows).clause(*renderer.present(*expression.columns))
    found = [entry.column.name for entry in _may_tell(chosen)][:_LOOKED_AT]
    counts = [f"COUNT(DISTINCT {renderer.column(name)})" for name in found]
    if not found:
        return chosen
    total, *different = run(f"SELECT COUNT(*), {listed(counts)} {source}", chosen.table.schema.name).rows[0]
    told = [name for name, count in zip(found, different, strict=True) if count == total][:1]
    told = told or _together([n for n, c in zip(found, different, strict=True) if c != 1], total, source, chosen, run)
    if not told:
        return chosen
    shown = Shown(expression.rows, (*expression.columns, *told), told=len(told))
    sql = shown.render(renderer)
    reading = replace(chosen.reading, proposal=replace(chosen.reading.proposal, expression=shown))
    return replace(chosen, reading=reading, sql=sql, rows=run(sql, chosen.table.schema.name))


def _shows_quantities(chosen: Candidate, expression: Shown) -> bool:
    if len(expression.columns) != 1 or expression.part or len(chosen.rows.rows) < 2:
        return False
    entry = next((e for e in chosen.reading.scope.entries if e.column.name == expression.columns[0]), None)
    return entry is not None and entry.role == "measure" and bool(chosen.reading.scope.chosen)


def _may_tell(chosen: Candidate) -> Iterator[ColumnEntry]:
    """Yield the columns that may tell the rows apart, of which no one value is asked for."""
    fixed = chosen.reading.scope.fixed
    return (entry for entry in chosen.table.columns if entry.role in _NAMING and entry.position not in fixed)


def _together(differing: list[str], total: object, source: str, chosen: Candidate, run: Run) -> list[str]:
    """Return the first two columns that tell the rows apart together."""
    renderer = Renderer(chosen.table)
    for pair in combinations(differing, _MOST):
        names = listed(map(renderer.column, pair))
        counted = run(f"SELECT COUNT(*) FROM (SELECT DISTINCT {names} {source}) AS kinds", chosen.table.schema.name)
        if counted.rows[0][0] == total:
            return list(pair)
    return []
