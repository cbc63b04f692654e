"""Owns the words that say more than what is asked of related tables expresses, so that it can't be the answer."""

from __future__ import annotations

from collections.abc import Sequence

from polyrag_cli.nl2sql.notions import MONEY
from polyrag_cli.nl2sql.question import Question
from polyrag_cli.nl2sql.related.asked import Asked, Counted, Listed
from polyrag_cli.nl2sql.related.database import Database
from polyrag_cli.nl2sql.related.parts import Check, Nothing, Noun
from polyrag_cli.nl2sql.related.spans import Span
from polyrag_cli.nl2sql.related.things import Every, Ranked, Tally, Things, table_of
from polyrag_cli.nl2sql.trades import says_paid, untold


def unexpressed(question: Question, chosen: Sequence[Span]) -> tuple[int, ...]:
    """Return the words that say what no reading expresses: that something holds of every one of some rows ("ordered
    all"), or that what belongs to each is shown with it ("with their authors").
    """
    relating = question.lexicon.tables.relating
    owning = tuple(i for i, token in enumerate(question.tokens) if token.folded in relating.owning)
    if owning:
        return owning
    nouns = [s.first for s in chosen if any(isinstance(o.part, (Noun, Check)) for o in s.options)]
    found = [i for i, token in enumerate(question.tokens) if token.folded in relating.every]
    marked = {i for mark in question.find("group", "list") for i in range(mark.first, mark.last + 1)}
    return tuple(i for i in found if i not in marked and any(n < i for n in nouns) and any(n > i for n in nouns))


def unsold(question: Question, chosen: Sequence[Span], database: Database) -> tuple[int, ...]:
    """Return verbs of trading where no table that words name tells of sales: nothing says which rows were sold."""
    parts = [option.part for span in chosen for option in span.options]
    named = {part.table for part in parts if isinstance(part, Noun)}
    named = named or {table for part in parts if (table := getattr(part, "table", ""))}
    return untold(question, [database.things[table].entry for table in sorted(named)]) if named else ()


def unpaid(question: Question, chosen: Sequence[Span], asked: Asked, database: Database) -> tuple[int, ...]:
    """Return verbs of money that ask for more than a number of rows: before a superlative of how many ("spent the most"
    asks for a sum), and beside a count of what nothing says was paid ("how many bookings were paid?").
    """
    verbs = question.lexicon.tables.taking_part
    found = tuple(i for i, t in enumerate(question.tokens) if t.folded in verbs and t.notions & MONEY)
    if isinstance(asked, Listed | Counted) and _by_number(asked.things):
        return found
    if not isinstance(asked, Counted):
        return ()
    counted = database.things[table_of(asked.things)].entry.label_concepts
    said = {
        i
        for span in chosen
        if any(not isinstance(option.part, Nothing) for option in span.options)
        for i in range(span.first, span.last + 1)
    }
    tokens = question.tokens
    return tuple(i for i in found if i not in said and says_paid(tokens[i]) and not tokens[i].notions & counted)


def _by_number(things: Things) -> bool:
    """Whether rows are those of the most or the fewest others."""
    while not isinstance(things, Every):
        if isinstance(things, Ranked) and isinstance(things.by, Tally) and things.by.function is None:
            return True
        things = things.things
    return False
