"""Owns the one amount of a table that a word for money asks for, though no column is called so."""

from __future__ import annotations

from collections.abc import Sequence

from polyrag_cli.nl2sql.asking import in_verb_place
from polyrag_cli.nl2sql.column_items import otherwise_traded
from polyrag_cli.nl2sql.index import ColumnEntry, TableEntry
from polyrag_cli.nl2sql.items import ColumnItem
from polyrag_cli.nl2sql.lexicon import every_language
from polyrag_cli.nl2sql.notions import MONEY
from polyrag_cli.nl2sql.profile import profile
from polyrag_cli.nl2sql.question import AskedWord, Question
from polyrag_cli.nl2sql.trades import traded_columns

_MEANT = 0.8


def meant_items(question: Question, table: TableEntry, items: Sequence[ColumnItem]) -> list[ColumnItem]:
    """Return what words for money mean in a table with one amount: money in general, its takings, what buyers spend.

    items: the columns that words name, which mean nothing else.
    """
    columns = profile(table).columns
    amounts = [e for e in columns if e.role == "measure" and e.concepts & MONEY and e.additive is not False]
    if len(amounts) != 1:
        return []
    kept = [item for item in items if item.lexical and not otherwise_traded(question, table, item)]
    named = {i for item in kept if columns[item.position].role == "measure" for i in item.tokens}
    free = [i for i in question.content() if i not in named and not question.tokens[i].trade]
    found = [
        i
        for i in free
        if traded_columns(question, i, table) == amounts
        or _means(question.tokens[i], in_verb_place(question, i), amounts[0], table)
    ]
    return [ColumnItem((i,), amounts[0].position, _MEANT) for i in found]


def _means(token: AskedWord, verb: bool, amount: ColumnEntry, table: TableEntry) -> bool:
    if not table.label_stems.isdisjoint(token.stems):
        return False
    if verb:
        # What buyers spend is what sellers take.
        bought = any("customer" in entry.concepts for entry in table.columns)
        return "amount" in token.notions and "revenue" in amount.concepts and bought
    sold = not table.label_words.isdisjoint(every_language().tables.trades)
    return "amount" in token.notions or ("revenue" in token.notions and "amount" in amount.concepts and sold)
