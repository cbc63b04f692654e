"""Owns what every kind of plan is made of: the quantities and nouns that a question names, and how they are
summed up.
"""

from __future__ import annotations

from dataclasses import dataclass

from polyrag_cli.nl2sql.index import ColumnEntry
from polyrag_cli.nl2sql.plans import Function, Measure, Plan
from polyrag_cli.nl2sql.question import Mark
from polyrag_cli.nl2sql.reading import Named, Reading

# Between this share of different values and all different, counting values and counting rows are both meant at times.
_NEARLY_UNIQUE = 0.5
# What is counted must be named; a word of near meaning may count something else.
_MIN_NOUN = 0.6
_KINDS = frozenset({"type", "category"})


@dataclass(frozen=True, slots=True)
class Candidate:
    """A plan with the named columns that it uses and how well it fits what is asked, 0–1.

    tokens: further words that it accounts for.
    """

    plan: Plan
    used: tuple[Named, ...]
    fit: float = 1.0
    tokens: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Counted:
    """What is counted or summed, the named columns that say so, further words that do, and how sure that is."""

    measure: Measure
    used: tuple[Named, ...]
    tokens: tuple[int, ...] = ()
    fit: float = 1.0


def measures_of(reading: Reading) -> list[Named]:
    """Return the named quantities; those whose words are an operation as well only when there are no others."""
    required = [n for n in reading.named if n.entry.numeric and not n.optional]
    return required or [n for n in reading.named if n.entry.numeric]


def targets_of(reading: Reading) -> list[Named]:
    """Return the named columns that are no quantities, likewise."""
    required = [n for n in reading.named if not n.entry.numeric and not n.optional]
    required = required or [n for n in reading.named if not n.entry.numeric and not n.vague]
    return required or [n for n in reading.named if not n.entry.numeric]


def summing(reading: Reading, entry: ColumnEntry) -> tuple[Function, float] | None:
    """Return how a measure is summed up, and how sure that is; None when adding it up means nothing."""
    if reading.question.find("average"):
        return "avg", 1.0
    if entry.additive:
        return "sum", 1.0
    if entry.additive is None:
        return "sum", 1.0 if reading.question.find("sum", "count", "how_much") else 0.85
    return None


def _calls_rows(reading: Reading, position: int) -> bool:
    """Tell whether a column's values are names or kinds of what each row is; amounts of things aren't rows."""
    entry = reading.table.columns[position]
    amounts = any("quantity" in column.concepts for column in reading.table.columns)
    return entry.names_rows or (bool(entry.concepts & _KINDS) and not amounts)


def plan_of(reading: Reading, operation: str, **fields: object) -> Plan:
    """Return a plan over the reading's table with its restrictions, unless `fields` give others."""
    values: dict[str, object] = {"conditions": reading.conditions, "excluded": reading.table.excluded, **fields}
    return Plan(table=reading.table.schema.name, operation=operation, **values)  # type: ignore[arg-type]


def counted_by(reading: Reading, mark: Mark | None) -> list[Counted]:
    """Return what "how many X" counts: rows, or the different values of a column that repeats them.

    Both, when only some values are repeated: then either is meant at times, and no plan leads the other.
    """
    nouns = [n for n in reading.named if not n.entry.numeric and n.quality >= _MIN_NOUN]
    if mark is not None:
        nouns = [n for n in nouns if reading.directly(mark, n) or reading.leads_to(mark, n.tokens[0])]
    noun = reading.row_noun()
    if nouns:
        first = nouns[0]
        if noun is not None and noun < first.tokens[0] and (mark is None or noun > mark.last):
            # "How many times was there an incident" counts the rows that incidents are.
            return [Counted(Measure("count"), (first,), (noun,))] if first.entry is reading.table.key else []
        rows = Counted(Measure("count"), (first,))
        values = Counted(Measure("count_distinct", first.entry.column.name), (first,))
        if first.entry.unique or (first.entry.names_rows and not reading.question.find("distinct")):
            return [rows]
        nearly = first.entry.column.distinct > _NEARLY_UNIQUE * reading.table.schema.rows
        return [rows, values] if nearly and not reading.question.find("distinct") else [values]
    if noun is not None and (mark is None or noun > mark.last):
        return [Counted(Measure("count"), (), (noun,))]
    if mark is not None and any(_calls_rows(reading, f.position) for f in reading.right_behind(mark)):
        # "How many projectors": the value is what the rows are called.
        return [Counted(Measure("count"), (), (), 0.95)]
    # "How many electric bikes": the noun that names a value's column stands for the rows.
    if mark is not None and any(reading.leads_to(mark, i) for i in reading.context):
        return [Counted(Measure("count"), (), (), 0.95)]
    return []
