"""Owns what a word for selling or buying stands for: rows of a table of sales, money, or a number of things."""

from __future__ import annotations

from collections.abc import Sequence

from polyrag_cli.nl2sql.index import ColumnEntry, TableEntry
from polyrag_cli.nl2sql.question import AskedWord, Question

_BOTH = frozenset({"revenue", "quantity"})
_PAYING = frozenset({"payment", "purchase"})
# What a table of sales or purchases says of each.
_EVIDENCE = frozenset(
    {"revenue", "quantity", "price", "order", "purchase", "payment", "invoice", "customer", "seller", "stock", "profit",
     "discount", "delivery", "ticket"}
)  # fmt: skip
_OF_AMOUNTS = ("how_much", "sum", "average", "share", "difference", "versus", "more", "less", "max", "min", "group")


def names_trades(token: AskedWord, table: TableEntry) -> bool:
    """Tell whether a noun names what each row of the table is: a sale is the other side's purchase.

    A file's name counts for its tables that hold money.
    """
    return token.trade and table.of_trades


def may_trade(token: AskedWord) -> bool:
    """Tell whether a word may stand for a table's columns of money, in some table."""
    return token.trade or token.notions >= _BOTH or "amount" in token.notions


def traded_columns(question: Question, i: int, table: TableEntry) -> list[ColumnEntry] | None:
    """Return the columns that a word for trading may stand for; None where its general notions decide.

    Empty where it names rows: "how many sales", or beside a measure that the question spells out. Money comes before
    a number of things wherever the question asks how much.
    """
    token = question.tokens[i]
    if not may_trade(token):
        return None
    notions = token.notions
    money = list(table.money)
    if any(stem in table.by_stem for stem in token.stems):
        return None
    if token.trade:
        return _noun(question, i, table, money)
    if notions >= _BOTH and money:
        if question.asks_amount:
            return money
        counted = [c for c in table.columns if c.numeric and "quantity" in c.concepts and c not in money]
        # "The total sold" may be either: both readings stand.
        open_to_both = question.find("sum") and not question.find("count") and not spelled_measures(question, table)
        return [*money, *counted] if open_to_both and counted else None
    pays = "amount" in notions and bool(notions & _PAYING) and not _otherwise_paid(notions, table)
    return money if pays and money and question.find("how_much") else None


def _noun(question: Question, i: int, table: TableEntry, money: list[ColumnEntry]) -> list[ColumnEntry] | None:
    if names_trades(question.tokens[i], table):
        return [] if _names_rows(question, i, table) else money or None
    if question.find("count"):
        # No number of things is called after its sales.
        return []
    if not money or any("revenue" in c.concepts for c in money):
        return None
    return money if question.find(*_OF_AMOUNTS) else []


def _otherwise_paid(notions: frozenset[str], table: TableEntry) -> bool:
    return any(c.numeric and c.concepts & notions - {"amount"} for c in table.columns)


def _names_rows(question: Question, i: int, table: TableEntry) -> bool:
    if question.find("count") or spelled_measures(question, table):
        return True
    marks = question.find(*_OF_AMOUNTS)
    counting = question.lexicon.grammar.counting
    frequent = [m for m in marks if m.last + 1 == i and question.tokens[m.last].folded in counting]
    return not marks or bool(frequent)


def spelled_measures(question: Question, table: TableEntry) -> list[ColumnEntry]:
    """Return the quantities of which the question spells a word of the label, operations such as "total" apart."""
    marked = {i for mark in question.marks for i in range(mark.first, mark.last + 1)}
    stems = {stem for i, token in enumerate(question.tokens) if i not in marked for stem in token.stems}
    return [c for c in table.columns if c.numeric and any(group & stems for group in c.stems)]


def tells_trades(token: AskedWord, table: TableEntry) -> bool:
    """Tell whether rows may be what a verb of trading says ("sold"): the table is of sales, or holds what these have.

    True for other words. An amount alone may be what a thing is worth.
    """
    trading = token.notions >= _BOTH or bool(token.notions & {"purchase"} and "amount" in token.notions)
    if not trading or table.of_trades or names_trades(token, table):
        return True
    held = table.label_concepts.union(*(entry.concepts for entry in table.columns))
    dated = any(entry.role == "date" for entry in table.columns)
    return bool(held & _EVIDENCE) or (dated and bool(table.money))


def untold(question: Question, tables: Sequence[TableEntry]) -> tuple[int, ...]:
    """Return the places of verbs of trading that none of some tables tells of."""
    verbs = question.lexicon.tables.taking_part
    found = [i for i, token in enumerate(question.tokens) if token.folded in verbs]
    return tuple(i for i in found if not any(tells_trades(question.tokens[i], table) for table in tables))


def says_paid(token: AskedWord) -> bool:
    """Whether a verb of money may say that something was paid, as opposed to pending: "paid", and not "bought"."""
    return "payment" in token.notions and pays(token)


def pays(token: AskedWord) -> bool:
    """Whether a word says that money changes hands, and not which: what it cost is a column of costs."""
    return "amount" in token.notions and not token.notions & {"cost", "price", "fee"}
