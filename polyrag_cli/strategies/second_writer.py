"""A second writer of SQL beside the parser: asked the same, checked the same, compared by rows, never believed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

from polyrag_cli.errors import PolyRAGError, QueryRejected
from polyrag_cli.nl2sql.guard import check
from polyrag_cli.providers.sql_writer import SqlRequest, SqlWriter
from polyrag_cli.stores.faults import StaleSnapshot
from polyrag_cli.strategies.base import Context, Query
from polyrag_cli.strategies.schema_card import card, linked
from polyrag_cli.tracing import span
from polyrag_cli.types import Cell, Retrieval, Rows, SecondStatement, TableSchema

# Columns of the wider of two results among which those of the other are looked for.
_WIDEST = 6
_DIGITS = 6


def compared(found: Retrieval, query: Query, tables: Sequence[TableSchema], context: Context) -> Retrieval:
    """What was found, with what the second writer makes of the same question, where it has a statement.

    tables: those that the question was linked to. A disagreement is a warning; the answer stays the parser's.
    """
    if context.sql_writer is None or found.rows is None:
        return found
    with span("rag.relational.second_writer") as traced:
        second = _second(context.sql_writer, query, found.rows, tables, context)
        traced.set_attribute("agrees", second is not None and bool(second.agrees))
    if second is None:
        return found
    if second.error:
        warnings: tuple[str, ...] = (f"{second.writer} wrote no statement that can run: {second.error}",)
    elif not second.agrees:
        warnings = (f"{second.writer} answers differently: {_stated(second)} by {' '.join(second.sql.split())}",)
    else:
        warnings = ()
    return replace(found, second=second, warnings=(*found.warnings, *warnings))


def _second(
    writer: SqlWriter, query: Query, first: Rows, tables: Sequence[TableSchema], context: Context
) -> SecondStatement | None:
    schemas = linked(query.utterance, first.sql, tables)
    request = SqlRequest(query.text, card(query.utterance, schemas))
    sql, error = "", ""
    for repaired in (False, True):
        try:
            written = writer.write(replace(request, refused=sql, error=error)).strip()
            if not written:
                break
            sql = written
            rows = _run(sql, schemas, context)
        except StaleSnapshot:
            raise
        except PolyRAGError as refusal:
            error = str(refusal)
            continue
        return SecondStatement(
            writer.name, sql, rows.columns, rows.rows, same_rows(first.rows, rows.rows), "", repaired
        )
    return SecondStatement(writer.name, sql, error=error) if error else None


def _run(sql: str, schemas: Sequence[TableSchema], context: Context) -> Rows:
    checked = check(sql, schemas)
    for value in checked.unknown:
        raise QueryRejected(value.told)
    return context.stores.relational.execute(context.snapshot, sql, checked.tables, context.answer.max_rows)


def same_rows(one: Sequence[Sequence[Cell]], other: Sequence[Sequence[Cell]]) -> bool:
    """Whether two results say the same: equal rows in any order, numbers as numbers, one with columns that the other
    doesn't show or has in another order."""
    narrow, wide = sorted((one, other), key=lambda rows: len(rows[0]) if rows else 0)
    if len(one) != len(other) or not one:
        return not one and not other
    wanted = Counter(tuple(map(_value, row)) for row in narrow)
    width = min(len(wide[0]), _WIDEST)
    return any(
        wanted == Counter(tuple(_value(row[place]) for place in places) for row in wide)
        for places in permutations(range(width), len(narrow[0]))
    )


def _value(cell: Cell) -> Cell | tuple[bool]:
    if isinstance(cell, bool):
        # To Python, true is one.
        return (cell,)
    if not isinstance(cell, (int, float)):
        return cell
    if cell == 0 or not math.isfinite(cell):
        return float(cell)
    return round(float(cell), _DIGITS - 1 - math.floor(math.log10(abs(cell))))


def _stated(second: SecondStatement) -> str:
    if len(second.rows) == 1:
        return ", ".join("nothing" if cell is None else str(cell) for cell in second.rows[0])
    return f"{len(second.rows)} rows"
