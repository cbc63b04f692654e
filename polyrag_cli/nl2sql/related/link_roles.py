"""Owns which words of a question say how rows are related: by the columns that refer in a role, or by meaning."""

from __future__ import annotations

from collections.abc import Sequence

from polyrag_cli.nl2sql.question import Question
from polyrag_cli.nl2sql.related.database import Database
from polyrag_cli.nl2sql.related.linked_words import SURE
from polyrag_cli.nl2sql.related.parts import Role
from polyrag_cli.nl2sql.related.spans import FoundSpans
from polyrag_cli.nl2sql.similarity import Similar

# How near in meaning a word must be to what says how rows are related, and how much less near than the nearest.
_NEAR = 0.52
_NEARLY = 0.08
# What speaks for a role that is said; what one by meaning costs, and what speaks for it, by its cosine.
_SAID = 0.95
_FAR_COST = 0.3
_MEANT = 0.6
# The shortest words that may relate.
_SHORTEST = 3
_SHORTEST_VERB = 4


def link_roles(question: Question, database: Database, similar: Similar | None, spans: FoundSpans) -> None:
    """Note which words may say how rows are related. They come last: what is surely named relates nothing."""
    roles = database.group.roles
    if not roles:
        return
    open_to = []
    for i, token in enumerate(question.tokens):
        said = [role for _, names, role in roles if not names.isdisjoint(token.stems)]
        for table, column in said:
            spans.add(i, i, Role(table, column), 0.0, _SAID)
        if not said and _may_relate(question, i, spans):
            open_to.append(i)
    if similar is not None and open_to:
        _link_by_meaning(question, database, open_to, similar, spans)


def _link_by_meaning(
    question: Question, database: Database, open_to: Sequence[int], similar: Similar, spans: FoundSpans
) -> None:
    labels = tuple(dict.fromkeys(label for label, _, _ in database.group.roles))
    cosines = similar([question.tokens[i].folded for i in open_to], labels)
    for i, row in zip(open_to, cosines, strict=True):
        best = float(row.max())
        for label, _, (table, column) in database.group.roles:
            cosine = round(float(row[labels.index(label)]), 6)
            if cosine >= max(_NEAR, best - _NEARLY):
                spans.add(i, i, Role(table, column), _FAR_COST * (1 - cosine), _MEANT * cosine)


def _may_relate(question: Question, i: int, spans: FoundSpans) -> bool:
    token = question.tokens[i]
    relating = token.folded in question.lexicon.tables.relating.verbs and len(token.folded) >= _SHORTEST_VERB
    marked = any(m.first <= i <= m.last for m in question.marks)
    plain = token.folded.isalpha() and len(token.folded) >= _SHORTEST and not (token.capital and i > 0)
    return plain and not marked and not spans.surely_named(i, SURE) and (relating or not token.empty)
