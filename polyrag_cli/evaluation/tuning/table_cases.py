"""Labelled questions with how the engine reads them on tables, and what it computes its confidence from.

Owns when a reading is right. Writes nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from polyrag_cli.engine import Engine
from polyrag_cli.errors import UsageError
from polyrag_cli.scoring.metrics import contains_fact
from polyrag_cli.text.fold import fold
from polyrag_cli.types import Answer, Cell, EvalItem

_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class TableCase:
    """One question, asked of tables with no least confidence.

    table: what it belongs to, the folder and the document; of a question that isn't read, the labelled one.
    answerable: whether it has an answer. right: whether the best reading gives it. evidence: what the confidence is
    computed from, by the names of its weights; {} where nothing was read, or words are left over that forbid an answer.
    """

    table: str
    question: str
    answerable: bool
    right: bool
    evidence: Mapping[str, float]


def ask_for_evidence(
    engine: Engine, folder: str, items: Sequence[EvalItem], on_item: Callable[[int, int], None] = lambda done, of: None
) -> tuple[list[TableCase], dict[str, int]]:
    """Asks a folder's questions of its tables; returns its cases, and how many questions are none, by the reason.

    engine: over the folder, with answer.min_confidence = 0, so that each reading is told with its confidence.
    on_item: told how many are done, of how many.

    Raises UsageError when no route answers from tables.
    """
    routes = [route.name for route in engine.settings.routes if route.kind.has_rows]
    if not routes:
        raise UsageError("no route answers from tables.", "Enable [routes.relational].")
    cases: list[TableCase] = []
    left_out: dict[str, int] = {}
    for number, item in enumerate(items, 1):
        reason = _unlabelled(item, routes)
        if not reason:
            answer = engine.ask(item.question, route=routes[0], use_cache=False)
            reason = _unfit(answer)
        if reason:
            left_out[reason] = left_out.get(reason, 0) + 1
        else:
            cases.append(_case(folder, item, answer))
        on_item(number, len(items))
    return cases, left_out


def _unlabelled(item: EvalItem, routes: Sequence[str]) -> str:
    if item.routes and not set(routes).intersection(item.routes):
        return "labelled as one for text"
    return "" if item.values or item.facts or item.declines else "without a labelled answer"


def _unfit(answer: Answer) -> str:
    """Why a question says nothing of the confidence; "" where it does."""
    if len(answer.decision.clauses) > 1:
        return "of several clauses"
    if answer.answer is not None and not answer.readings:
        return "answered over related tables"
    return ""


def _case(folder: str, item: EvalItem, answer: Answer) -> TableCase:
    read = next((hit.document for hit in answer.sources if hit.source == "sql"), "")
    table = f"{folder}/{item.gold[0] if item.gold else read}"
    if not answer.readings:
        return TableCase(table, item.question, not item.declines, False, {})
    right = not item.declines and is_right(item, answer)
    return TableCase(table, item.question, not item.declines, right, answer.readings[0].evidence)


def is_right(item: EvalItem, answer: Answer) -> bool:
    """Whether an answer from a table is the labelled one: its first column holds exactly the values, in any order, and
    the statement or the rows hold each fact.
    """
    cells = [row[0] for row in answer.rows]
    if item.values and Counter(map(_canonical, cells)) != Counter(map(_canonical, item.values)):
        return False
    said = " ; ".join([answer.answer or "", *(str(cell) for row in answer.rows for cell in row)])
    return all(contains_fact(said, fact) for fact in item.facts)


def _canonical(cell: Cell) -> str:
    """A value as it is compared: figures by their number, to six digits, all else folded."""
    if isinstance(cell, bool):
        return str(cell).lower()
    text = " ".join(fold(str(cell)).split())
    try:
        number = float(_THOUSANDS.sub("", text))
    except ValueError:
        return text
    return f"{number:.{_DECIMALS}g}"
