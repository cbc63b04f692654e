"""Owns plans: what a question asks of one table, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from polyrag_cli.types import Cell

Operation = Literal["project", "aggregate", "count", "group", "extreme", "compare", "difference", "share", "exists"]
Function = Literal["sum", "avg", "min", "max", "count", "count_distinct"]
Operator = Literal["=", "!=", ">", ">=", "<", "<=", "between", "in", "not in", "year", "month", "is null", "not null"]


@dataclass(frozen=True, slots=True)
class Condition:
    """A restriction on one column; dates are `datetime.date` in ISO text, `between` includes both ends.

    `month` and `year` restrict the parts of a date; `!=` and `not in` keep rows where the column holds nothing.
    """

    column: str
    operator: Operator
    values: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Measure:
    """A function over a column; `column` is None for the count of rows."""

    function: Function
    column: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """What is asked of one table.

    select: columns shown as they are. measure: what is computed, shown after them. group: the column that groups;
    group_part: only that part of its dates.
    conditions: the question's; excluded: those that leave total rows out. having: a bound on the measure of a group.
    order: column that a row is ranked by, where nothing is computed. descending: order by it or by the measure
    (None: no order). limit: ranks kept (ties of the last rank are kept too).
    pair: the two values that are compared, on the column `group`. part: the conditions that make the share's part.
    yes_no: whether the question asks for a yes or a no. single: it speaks of the only one, so several are no answer.
    """

    table: str
    operation: Operation
    select: tuple[str, ...] = ()
    measure: Measure | None = None
    conditions: tuple[Condition, ...] = ()
    excluded: tuple[Condition, ...] = ()
    group: str | None = None
    group_part: Literal["", "month", "year"] = ""
    having: Condition | None = None
    order: str | None = None
    descending: bool | None = None
    limit: int | None = None
    pair: tuple[Condition, ...] = ()
    part: tuple[Condition, ...] = ()
    yes_no: bool = False
    single: bool = False


@dataclass(frozen=True, slots=True)
class ScoredPlan:
    """A plan with what speaks for it; `explained` are the question's words that it accounts for."""

    plan: Plan
    score: float
    coverage: float
    explained: tuple[str, ...]
    unexplained: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlanOutcome:
    """The chosen plan, or None with the reason why no plan may answer.

    score: 0–1; margin: score minus that of the best plan that asks something else; coverage: 0–1 of the question's
    words. unexplained: the words, as written, for whose sake no plan may answer.
    contested: plans that fit alike, best first, when none leads: each may answer if all give the same.
    """

    plan: Plan | None
    score: float = 0.0
    margin: float = 0.0
    reason: str = ""
    coverage: float = 0.0
    alternatives: tuple[ScoredPlan, ...] = ()
    explained: tuple[str, ...] = ()
    unexplained: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()
    contested: tuple[Plan, ...] = ()
