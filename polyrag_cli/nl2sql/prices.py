"""Owns what is meant by money: when "how much" asks for a price, which prices are added up, which nouns are amounts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from polyrag_cli.nl2sql.index import ColumnEntry
from polyrag_cli.nl2sql.notions import MONEY
from polyrag_cli.nl2sql.question import AskedWord, word_parts
from polyrag_cli.nl2sql.units import is_currency
from polyrag_cli.text.stem import all_stems

if TYPE_CHECKING:
    from polyrag_cli.nl2sql.scope import Scope

# What a thing costs, and what those say who ask for it.
PRICES = frozenset({"price", "fee", "rent"})
_PAYING = frozenset({"price", "cost", "charged", "amount"})
_SELLING = frozenset({"revenue", "quantity", "profit"})
# Operations on amounts, where no number of rows is asked for.
_OF_AMOUNTS = ("sum", "share", "difference", "how_much", "average")
# Quantities that say how many of each thing a row holds.
_NUMBERS = frozenset({"quantity", "stock"})


def paying(scope: Scope) -> tuple[int, ...]:
    """Return the words that only say that something has a price ("how much do I *pay* for …")."""
    question = scope.question
    words = [i for i in question.content() if i not in scope.restricting and i not in scope.label]
    notions = {i: question.tokens[i].notions for i in words}
    return tuple(i for i in words if notions[i] & _PAYING and not notions[i] & _SELLING)


def asks_price(scope: Scope) -> bool:
    """Tell whether "how much" asks for the price of what is named: no other word says what there is so much of, and no
    time or bound of what was paid.
    """
    if not scope.ask.has("how_much") or not scope.chosen or scope.measures or scope.ask.has("sum", "average"):
        return False
    if scope.table.money or any(r.kind in ("date", "bound") for r in scope.chosen):
        # What was taken or spent is an amount, and not what one of it costs.
        return False
    question = scope.question
    marked = {i for mark in question.marks for i in range(mark.first, mark.last + 1)}
    said = {*scope.restricting, *scope.label, *paying(scope), *scope.naming(scope.profile.subject), *marked}
    small = question.lexicon.is_function_word
    return all(i in said or small(token.folded) for i, token in enumerate(question.tokens))


def prices(scope: Scope) -> tuple[ColumnEntry, ...]:
    """Return the columns of what a thing costs; none where they say it of a number of things."""
    priced = [e for e in scope.entries if e.role == "measure" and e.concepts & PRICES]
    return tuple(e for e in priced if e.additive is False)


def adds_up(scope: Scope, entry: ColumnEntry) -> bool:
    """Tell whether an asked total adds up a column: what each row pays once does, such as the fees of members. A price
    beside a number of things says nothing of all these cost.
    """
    if entry.additive is not False:
        return True
    counted = any(e.role == "measure" and e.concepts & _NUMBERS for e in scope.entries)
    return bool(entry.concepts & PRICES) and not counted and bool(scope.marks("sum"))


def money_rows(scope: Scope) -> tuple[ColumnEntry, tuple[int, ...]] | None:
    """Return the column that a table's own noun means where its rows are money ("the total of the expenses", of a table
    of expenses) with the noun's places; None where rows may be counted, or several columns may be meant.
    """
    question = scope.question
    own = table_stems(scope)
    nouns = tuple(
        i for i in scope.label if names_money(question.tokens[i]) and own.intersection(question.tokens[i].stems)
    )
    if not nouns or question.find("count") or not scope.marks(*_OF_AMOUNTS):
        return None
    quantities = [e for e in scope.entries if e.role == "measure" and e.position not in scope.profile.ranking]
    amounts = [e for e in quantities if e.additive is not False]
    money = [e for e in amounts if e.concepts & MONEY or is_currency(e.column.unit)]
    found = money if len(money) == 1 else amounts if len(quantities) == 1 else []
    return (found[0], nouns) if len(found) == 1 else None


def names_money(token: AskedWord) -> bool:
    """Tell whether a noun is one of money, or of trades, which are worth money."""
    return bool(token.notions & MONEY) or token.trade


def table_stems(scope: Scope) -> frozenset[str]:
    """Return the stems of a table's own name, without its folders' and its file's where it is one of several."""
    schema = scope.table.schema
    return frozenset(s for word in (*word_parts(schema.label), *word_parts(schema.name)) for s in all_stems(word))


def only_worth(scope: Scope, entry: ColumnEntry, tokens: Sequence[int]) -> bool:
    """Tell a column of money from a number of what words name: of "how many consultations", none is a sum of the
    column "value of the consultation".

    tokens: the words by which the column is named; words of money or trading may ask for it, as its whole label does.
    """
    money = entry.concepts & MONEY or is_currency(entry.column.unit)
    if not money or entry.concepts & _NUMBERS or not tokens:
        return False
    named = [i for i in scope.columns if i.position == entry.position and i.lexical]
    if any(i.quality >= 1 or len(i.tokens) > 1 for i in named):
        return False
    return not any(names_money(scope.question.tokens[i]) for i in tokens)
