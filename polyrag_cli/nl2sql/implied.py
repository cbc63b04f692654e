"""Owns what a plan accounts for without linking it: verbs of taking part, nouns of a role; and periods that a table
doesn't cover.
"""

from __future__ import annotations

from polyrag_cli.nl2sql.candidates import Candidate
from polyrag_cli.nl2sql.index import ColumnEntry, TableEntry
from polyrag_cli.nl2sql.plans import Condition, Plan
from polyrag_cli.nl2sql.question import Question
from polyrag_cli.nl2sql.reading import Reading


def implied_words(question: Question, reading: Reading, candidate: Candidate, missing: set[int]) -> set[int]:
    """Return the words, of those still missing, that a plan accounts for without a link of their own.

    A word that names the notion of a used column or of the table ("teaches", beside an instructor); a verb of taking
    part beside a named quantity ("tickets sold"); the period of a fee ("per month").
    """
    used = _used_columns(candidate.plan, reading.table)
    notions = reading.table.label_concepts.union(*(entry.concepts for entry in used))
    quantity = any(entry.numeric for entry in used)
    taking_part = question.lexicon.tables.taking_part
    found: set[int] = set()
    for i in missing:
        token = question.tokens[i]
        if token.capital and i > 0:
            continue
        if "fee" in notions and token.date_part and i - 1 in {m.last for m in question.find("group")}:
            found.add(i)
        if token.notions & notions or (quantity and token.folded in taking_part):
            found.add(i)
    return found


def _used_columns(plan: Plan, table: TableEntry) -> list[ColumnEntry]:
    names = {c.column for c in (*plan.conditions, *plan.pair, *plan.part)} | {*plan.select}
    names |= {plan.group or "", plan.order or "", plan.measure.column or "" if plan.measure else ""}
    return [entry for entry in table.columns if entry.column.name in names]


def outside(plan: Plan, table: TableEntry) -> bool:
    """Tell whether a restriction names a year in which the table holds nothing."""
    columns = {entry.column.name: entry for entry in table.columns}
    return any(_beyond(c, columns[c.column]) for c in (*plan.conditions, *plan.pair, *plan.part))


def _beyond(condition: Condition, entry: ColumnEntry) -> bool:
    held = entry.column.values
    if not held or entry.column.distinct > len(held):
        return False
    if entry.role == "date":
        years = {int(value[:4]) for value in held}
        if condition.operator == "year":
            return not years.intersection(int(str(value)) for value in condition.values)
        if condition.operator in ("=", "between"):
            return str(condition.values[-1]) < min(held) or str(condition.values[0]) > max(held)
        return False
    if entry.role == "year" and condition.operator in ("=", "in"):
        held_years = [int(float(value)) for value in held]
        asked = [int(str(value)) for value in condition.values]
        return all(not min(held_years) <= year <= max(held_years) for year in asked)
    return False
