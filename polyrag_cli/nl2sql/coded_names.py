"""Owns the names that a question gives for codes: "California", of a table that holds "CA", where another table lists
both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from typing import TYPE_CHECKING

from polyrag_cli.nl2sql.cells import ValueRef
from polyrag_cli.nl2sql.columns import ColumnEntry
from polyrag_cli.nl2sql.index import SchemaIndex, TableEntry
from polyrag_cli.nl2sql.question import Question
from polyrag_cli.nl2sql.sql_text import literal, quoted
from polyrag_cli.nl2sql.table_search import whole_names

if TYPE_CHECKING:
    from polyrag_cli.nl2sql.deciding import Run

# A code has so many characters, at most; so many of a column's values must be codes of the list.
_LETTERS = 4
_MOSTLY = 0.9
# A list of names and codes has so many, at least; so many of them are looked at for one name.
_LEAST = 5
_LISTS = 6

Span = tuple[str, ...]


def with_codes(question: Question, tables: Sequence[TableEntry], index: SchemaIndex, run: Run) -> list[TableEntry]:
    """Return tables with the names of the question for codes that they hold; those without any as they are.

    A name is a whole cell of another table, beside which this one has its code, and no cell of the table itself.
    """
    names = dict(_names(question, index))
    found: list[TableEntry] = []
    for table in tables:
        meant = {
            span: refs
            for span, holders in names.items()
            if span not in table.cells.whole and (refs := _codes(span, holders, table, index, run))
        }
        found.append(_named(table, meant) if meant else table)
    return found


def _names(question: Question, index: SchemaIndex) -> Iterator[tuple[Span, list[int]]]:
    """Yield the names that are whole cells somewhere, with the tables of the first few; of each place the longest."""
    tokens, taken = question.tokens, -1
    for first, length, tables in whole_names(question, index.postings):
        words = tokens[first : first + length]
        if first > taken and first > 0 and words[0].capital and all(len(w.folded) > 1 for w in words):
            taken = first + length - 1
            yield tuple(word.folded for word in words), sorted(tables)[:_LISTS]


def _codes(span: Span, holders: Sequence[int], table: TableEntry, index: SchemaIndex, run: Run) -> list[ValueRef]:
    """Return the cells of a table that are a name's code, by the first list that tells which it is."""
    coded = [entry for entry in table.columns if entry.role in ("text", "code") and _short(entry)]
    for listing in (index.tables[position] for position in holders) if coded else ():
        for name in listing.cells.whole.get(span, ()):
            for key in _keys(listing, listing.columns[name.position]):
                fitting = [entry for entry in coded if _coded_by(entry, key)]
                code = _code(listing, name, key, run) if fitting else None
                refs = [ValueRef(entry.position, code) for entry in fitting if code in entry.column.values and code]
                if refs:
                    return refs
    return []


def _short(entry: ColumnEntry) -> bool:
    """Whether a column holds nothing but short codes in capitals or figures."""
    values = entry.column.values
    return bool(values) and all(len(v) <= _LETTERS and v == v.upper() and v.isalnum() for v in values)


def _keys(listing: TableEntry, names: ColumnEntry) -> list[ColumnEntry]:
    """Return the columns of codes of which each stands for one of the names."""
    count = names.column.distinct
    if count < _LEAST or names.role != "text":
        return []
    texts = [entry for entry in listing.columns if entry.role in ("text", "code") and entry is not names]
    return [
        entry for entry in texts if entry.column.distinct == count and entry.column.type == "text" and _short(entry)
    ]


def _coded_by(entry: ColumnEntry, key: ColumnEntry) -> bool:
    known = frozenset(key.column.values)
    values = entry.column.values
    return sum(value in known for value in values) >= _MOSTLY * len(values) and len(values) > 1


def _code(listing: TableEntry, name: ValueRef, key: ColumnEntry, run: Run) -> str | None:
    """Return the one code that a list has for a name; None where it has several."""
    table, column = quoted(listing.schema.name), quoted(listing.columns[name.position].column.name)
    code = quoted(key.column.name)
    sql = f"SELECT DISTINCT {code} FROM {table} WHERE {column} = {literal(name.value)} AND {code} IS NOT NULL"
    rows = run(sql, listing.schema.name).rows
    return str(rows[0][0]) if len(rows) == 1 else None


def _named(table: TableEntry, meant: dict[Span, list[ValueRef]]) -> TableEntry:
    """Return a table whose cells are found by names as well; the table itself stays as it is."""
    cells = copy(table.cells)
    cells.whole = {**cells.whole, **meant}
    cells.starts = dict(cells.starts)
    for span in meant:
        cells.starts[span[0]] = max(len(span), cells.starts.get(span[0], 0))
    named = copy(table)
    # The names are in its cells alone, which are made when they are first asked for.
    named.__dict__["cells"] = cells
    return named
