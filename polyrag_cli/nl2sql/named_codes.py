"""Owns the names that stand for codes in an answer, where a related table holds both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from polyrag_cli.nl2sql.deciding import Candidate
from polyrag_cli.nl2sql.index import ColumnEntry, SchemaIndex, TableEntry
from polyrag_cli.nl2sql.operators.grouping import Grouped
from polyrag_cli.nl2sql.operators.select import Shown
from polyrag_cli.nl2sql.sql_text import quoted
from polyrag_cli.types import Relation, Rows

_MOSTLY = 0.5
RunOver = Callable[[str, Sequence[str]], Rows]
"""Runs a SELECT over named tables."""


def with_names(
    chosen: Candidate, index: SchemaIndex, relations: Sequence[Relation], run: RunOver
) -> tuple[Candidate, str]:
    """Return a candidate with names for the codes that it shows first, and the table that holds them.

    The same candidate and "" where it shows none, the question asks for the code itself, or no table names it.
    """
    column = _shown(chosen)
    if column is None or _asked_for(chosen, column):
        return chosen, ""
    here = (chosen.table.schema.name, column)
    leading = [relation for relation in relations if (relation.table, relation.column) == here]
    tables = {table.schema.name: table for table in index.named({relation.other for relation in leading})}
    for relation in leading:
        if relation.other in tables:
            name = _name(tables[relation.other], relation.other_column)
            if name is not None:
                sql = _joined(chosen, relation, name)
                rows = run(sql, (relation.table, relation.other))
                return replace(chosen, sql=sql, rows=rows), relation.other
    return chosen, ""


def _shown(chosen: Candidate) -> str | None:
    """The column that an answer shows first, as its cells are."""
    expression = chosen.reading.proposal.expression
    if isinstance(expression, Grouped) and not expression.part and not expression.count:
        return expression.key
    return expression.columns[0] if isinstance(expression, Shown) and not expression.part else None


def _asked_for(chosen: Candidate, column: str) -> bool:
    """Whether a word of the question says that the code itself is meant ("which customer id")."""
    scope = chosen.reading.scope
    entry = next((e for e in chosen.table.columns if e.column.name == column), None)
    if entry is None:
        return True
    words = [scope.question.tokens[i].folded for i in scope.naming(entry)]
    return any(scope.question.lexicon.identifies(word) for word in words)


def _name(table: TableEntry, key: str) -> ColumnEntry | None:
    """The column of text that tells a table's rows apart as its key does; None where the key's values are names."""
    keys = next((e for e in table.columns if e.column.name == key), None)
    if keys is None or _names_things(keys):
        return None
    named = [e for e in table.columns if e.role == "text" and e.unique and e.column.name != key]
    return named[0] if named else None


def _names_things(entry: ColumnEntry) -> bool:
    """Tell names from codes: most values are words in small letters, without figures."""
    values = entry.column.values if entry.role == "text" else ()
    worded = [v for v in values if any(c.islower() for c in v) and not any(c.isdigit() for c in v)]
    return bool(values) and len(worded) > _MOSTLY * len(values)


def _joined(chosen: Candidate, relation: Relation, name: ColumnEntry) -> str:
    """The SELECT of what is shown, in its order, with the name in the code's place; with the code where none is."""
    first, *others = (quoted(column) for column in chosen.rows.columns)
    named = f"COALESCE(named.{quoted(name.column.name)}, CAST(answer.{first} AS VARCHAR)) AS {quoted(name.column.name)}"
    shown = ", ".join([named, *(f"answer.{column}" for column in others)])
    return (
        f"SELECT {shown} FROM (SELECT *, ROW_NUMBER() OVER () AS row_place FROM ({chosen.sql}) AS shown) AS answer"
        f" LEFT JOIN {quoted(relation.other)} AS named ON named.{quoted(relation.other_column)} = answer.{first}"
        " ORDER BY row_place"
    )
