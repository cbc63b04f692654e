"""Owns what a thing costs: when "how much" asks for a price, and when the prices of several are added up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polyrag_cli.nl2sql.index import ColumnEntry

if TYPE_CHECKING:
    from polyrag_cli.nl2sql.scope import Scope

# What a thing costs, and what those say who ask for it.
PRICES = frozenset({"price", "fee", "rent"})
_PAYING = frozenset({"price", "cost", "charged", "amount"})
_SELLING = frozenset({"revenue", "quantity", "profit"})
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
