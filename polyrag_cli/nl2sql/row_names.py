"""Owns what rows are called where a column only numbers them: "name" beside "customer id", "president name"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from polyrag_cli.nl2sql.index import ColumnEntry, TableEntry
from polyrag_cli.nl2sql.label_words import label_parts

if TYPE_CHECKING:
    from polyrag_cli.nl2sql.items import ColumnItem
    from polyrag_cli.nl2sql.scope import Scope

# The share of different values from which on a column tells rows apart.
_APART = 0.75


def what_rows_are_called(
    table: TableEntry, named: Sequence[ColumnEntry], distinct: Callable[[ColumnEntry], float]
) -> ColumnEntry:
    """Return of the columns that are named after the rows, at least one, the first that is no code; where all are, the
    one of names ("name", beside "customer id").

    distinct: gives the share of different values of a column.
    """
    plain = [c for c in named if not is_coded(c, table)]
    texts = [c for c in table.columns if c.role == "text" and c.words and distinct(c) >= _APART]
    called = [c for c in texts if all("name" in notions for notions in c.notions)]
    return (plain or called or list(named))[0]


def rows_called(scope: Scope, item: ColumnItem) -> ColumnEntry:
    """Return the column of an item; that of names in place of its codes, where no word asks for these."""
    entry, subject, words = scope.entry(item), scope.profile.subject, scope.question.lexicon
    near = scope.question.tokens[item.tokens[0] : item.tokens[-1] + 2]
    if any(words.identifies(words.singular(token.folded)) for token in near):
        return entry
    coded = entry.names_rows and is_coded(entry, scope.table)
    return named_by(entry, scope.table) or (subject if coded and "name" in subject.concepts else entry)


def named_by(entry: ColumnEntry, table: TableEntry) -> ColumnEntry | None:
    """Return the column of the names of what a column only numbers ("president name", beside "president")."""
    if entry.role != "code" or not entry.words:
        return None
    texts = [c for c in table.columns if c.role == "text" and len(c.words) == len(entry.words) + 1]
    alike = [c for c in texts if set(entry.words) < set(c.words) and "name" in c.concepts]
    return alike[0] if len(alike) == 1 else None


def is_coded(entry: ColumnEntry, table: TableEntry) -> bool:
    """Whether a column's label says that it holds codes ("customer id", in which "id" is no word of what it is of)."""
    parts = label_parts(entry.column.label) or label_parts(entry.column.name)
    return any(table.lexicon.identifies(part) for part in parts)
