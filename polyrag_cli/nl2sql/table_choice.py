"""Owns which tables a question is read on, where it shares words with many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from polyrag_cli.nl2sql.definitions import beside
from polyrag_cli.nl2sql.describing import describes
from polyrag_cli.nl2sql.evidence import table_shares
from polyrag_cli.nl2sql.index import SchemaIndex, TableEntry
from polyrag_cli.nl2sql.question import Question
from polyrag_cli.nl2sql.table_search import reached

# Tables that a question is read on, at most.
_TABLES = 8


def tables_of(question: Question, index: SchemaIndex) -> list[TableEntry]:
    """Return the tables that a question is read on, at most 8: those that lack the fewest of its names and explain the
    most of its words, or of which notes do; none that only says what others hold.
    """
    found = reached(question, index.postings)
    explained = table_shares(question, index) if len(found) > _TABLES else {}

    def order(entry: tuple[int, int]) -> tuple[int, float, str]:
        return entry[0], -explained.get(entry[1], 0.0), index.names[entry[1]]

    told = sorted(found, key=order) if explained else found
    return list(islice(_described(told, index), _TABLES))


def _described(told: Sequence[tuple[int, int]], index: SchemaIndex) -> Iterator[TableEntry]:
    """Yield tables, each once; in place of one that says what the columns of others hold, those that lie beside it."""
    seen: set[int] = set()
    for _, position in told:
        notes = describes(index.tables[position], index)
        for place in beside(index.documents[position], index) if notes else (position,):
            if place not in seen and not (notes and describes(index.tables[place], index)):
                seen.add(place)
                yield index.tables[place]
