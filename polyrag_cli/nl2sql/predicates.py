"""Owns what restrictions of a question ask for together, and what holds where a condition doesn't."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from polyrag_cli.nl2sql.algebra import Comparison, Condition, Predicate
from polyrag_cli.nl2sql.items import Restriction

_OPPOSITE: dict[str, Comparison] = {
    "=": "!=", "!=": "=", ">": "<=", ">=": "<", "<": ">=", "<=": ">", "in": "not in", "not in": "in",
}  # fmt: skip
_OF_SEVERAL: dict[Comparison, Comparison] = {"=": "in", "!=": "not in"}


def predicates(chosen: Sequence[Restriction]) -> tuple[Predicate, ...]:
    """Return what all restrictions ask for together: several values of one column are alternatives."""
    found: list[Predicate] = []
    alike: dict[tuple[str, Comparison], list[Condition]] = {}
    for restriction in chosen:
        for condition in restriction.conditions:
            condition = opposite(condition) if restriction.negated else condition
            kind = _OF_SEVERAL.get(condition.operator, condition.operator)
            if kind in ("in", "not in", "month", "year"):
                alike.setdefault((condition.column, kind), []).append(condition)
            elif condition not in found:
                found.append(condition)
    for (column, kind), conditions in alike.items():
        values = tuple(dict.fromkeys(value for condition in conditions for value in condition.values))
        if len(values) == len(conditions[0].values):
            found.append(conditions[0])
        else:
            found.append(Condition(column, kind, values))
    return tuple(found)


def opposite(condition: Condition) -> Condition:
    """Return what holds where a condition doesn't."""
    return replace(condition, operator=_OPPOSITE[condition.operator])
