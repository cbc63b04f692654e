"""Owns which parts the words of a question over several tables may be: each kind of link gathered over the tables."""

from __future__ import annotations

from collections import Counter

from polyrag_cli.nl2sql.column_items import column_items
from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.nl2sql.question import Question
from polyrag_cli.nl2sql.related.database import Database, Thing
from polyrag_cli.nl2sql.related.link_columns import link_columns
from polyrag_cli.nl2sql.related.link_operations import link_operations
from polyrag_cli.nl2sql.related.link_roles import link_roles
from polyrag_cli.nl2sql.related.link_rows import link_rows
from polyrag_cli.nl2sql.related.link_values import link_bounds, link_values
from polyrag_cli.nl2sql.related.spans import FoundSpans, Span
from polyrag_cli.nl2sql.similarity import Similar
from polyrag_cli.nl2sql.table_search import sharing

# So many tables are looked at for one question.
_FEW = 8


def linked_spans(question: Question, database: Database, index: SchemaIndex, similar: Similar | None) -> list[Span]:
    """Return the spans of a question that may be parts, by place."""
    spans = FoundSpans()
    for thing in _touched(question, database, index):
        columns = column_items(question, thing.entry, similar)
        link_rows(question, thing, spans)
        link_columns(question, database, thing, columns, spans)
        link_values(question, database, thing, spans)
        link_bounds(question, thing, columns, spans)
    link_operations(question, database, spans)
    link_roles(question, database, similar, spans)
    return spans.spans()


def _touched(question: Question, database: Database, index: SchemaIndex) -> list[Thing]:
    """Return the tables with which the question shares words; of many, those with which it shares the most."""
    things = list(database.things.values())
    if len(things) <= _FEW:
        return things
    words = [question.tokens[i] for i in question.content()]
    shared = Counter(index.names[position] for word in words for position in sharing(word, index.postings))
    found = sorted((t for t in things if shared[t.table]), key=lambda t: (-shared[t.table], t.table))
    return sorted(found[:_FEW], key=lambda t: t.table)
