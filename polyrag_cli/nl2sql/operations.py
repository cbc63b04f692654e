"""Owns which operation a question asks for."""

from __future__ import annotations

from collections.abc import Iterator

from polyrag_cli.nl2sql.candidates import Candidate
from polyrag_cli.nl2sql.comparisons import compared_pair, compares, comparisons, differences, shares
from polyrag_cli.nl2sql.question import Question
from polyrag_cli.nl2sql.reading import Reading
from polyrag_cli.nl2sql.superlatives import extremes
from polyrag_cli.nl2sql.totals import aggregates, counts, existences, groups, projections

_OPEN = ("which", "list", "who", "when", "where", "how_much", "object", "sum", "average", "or")


def asks_yes_or_no(question: Question) -> bool:
    """Tell a question that a yes or a no answers: a verb opens it, or nothing in it asks for anything else."""
    asking = question.find(*_OPEN) or any(mark.operation.startswith("ask:") for mark in question.marks)
    if asking or not question.tokens:
        return False
    grammar = question.lexicon.grammar
    verb = question.tokens[0].folded in grammar.yes_no_verbs
    return verb or (grammar.statements_ask and question.text.rstrip().endswith("?"))


def candidates(reading: Reading) -> Iterator[Candidate]:
    """Yield the plans that a reading allows; the kind of operation is settled by its phrases, in a fixed order."""
    if reading.conditions is None:
        return
    question = reading.question
    pair = compared_pair(reading)
    compared = pair is not None and compares(reading)
    if question.find("share"):
        yield from shares(reading)
    elif question.find("difference") or (compared and question.find("how_much")):
        yield from differences(reading)
    elif pair is not None and compared:
        yield from comparisons(reading, pair)
    elif question.find("more", "less", "versus"):
        return
    elif question.superlatives():
        yield from extremes(reading)
    elif reading.grouped():
        yield from groups(reading)
    elif question.find("count"):
        found = list(counts(reading))
        yield from found
        amounts = question.lexicon.tables.amounts
        if not found and question.tokens[question.find("count")[0].first].folded in amounts:
            # "The enrollment number of …" asks for a quantity.
            yield from aggregates(reading)
    elif any(mark.first == 0 for mark in question.find("exists")):
        yield from existences(reading)
    else:
        found = list(existences(reading)) if asks_yes_or_no(question) else []
        yield from found
        if found or question.tokens[0].folded in question.lexicon.grammar.yes_no_verbs:
            # A verb that asks for a yes or a no asks for no figure.
            return
        yield from aggregates(reading)
        yield from projections(reading)
