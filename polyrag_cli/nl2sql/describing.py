"""Owns which tables only say what the columns of others hold, as the notes beside data do."""

from __future__ import annotations

from collections.abc import Sequence

from polyrag_cli.nl2sql.index import ColumnEntry, SchemaIndex, TableEntry
from polyrag_cli.nl2sql.postings import Postings
from polyrag_cli.nl2sql.question import word_parts
from polyrag_cli.text.stem import all_stems

_MOST_COLUMNS = 4
# Words that a definition has, on average.
_PROSE = 3.0
# Of the names that are defined, the share that a table beside has as columns.
_MOSTLY = 0.5


def describes(table: TableEntry, index: SchemaIndex) -> bool:
    """Tell a table that names columns of tables in its folder, or in one below, and says in words what they hold."""
    columns = table.columns
    if len(columns) > _MOST_COLUMNS or any(column.numeric for column in columns):
        return False
    texts = [column for column in columns if column.role in ("text", "code") and column.column.values]
    prose = [column for column in texts if _words(column) >= _PROSE]
    beside = _beside(table, index) if prose else frozenset()
    names = [column for column in texts if column not in prose and column.column.distinct > 1]
    return (
        any(_shared(column.column.values, beside, index.postings) >= _MOSTLY for column in names) if beside else False
    )


def _words(column: ColumnEntry) -> float:
    values = column.column.values
    return sum(len(value.split()) for value in values) / len(values)


def _beside(table: TableEntry, index: SchemaIndex) -> frozenset[int]:
    folder = table.schema.document.rpartition("/")[0]
    return frozenset(
        position
        for position, document in enumerate(index.documents)
        if document != table.schema.document and (not folder or document.startswith(f"{folder}/"))
    )


def _shared(values: Sequence[str], beside: frozenset[int], postings: Postings) -> float:
    """Return the share of values all of whose words stand in labels of one of some tables."""
    return sum(_is_label(word_parts(value.replace("_", " ")), beside, postings) for value in values) / len(values)


def _is_label(words: Sequence[str], beside: frozenset[int], postings: Postings) -> bool:
    found = beside if words else frozenset()
    for word in words:
        found &= {position for stem in all_stems(word) for position in postings.column_stems.get(stem)}
    return bool(found)
