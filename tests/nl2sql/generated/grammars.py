"""The grammar of each operator, by its name, and pairs of a table and a question drawn from it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from importlib import import_module

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from polyrag_cli.nl2sql.operators import operators
from polyrag_cli.nl2sql.outcomes import Outcome
from polyrag_cli.nl2sql.similarity import Similar
from tests.nl2sql.answers import outcome_of
from tests.nl2sql.generated.reference import Asked
from tests.nl2sql.generated.tables import Table, tables

_FEW = 9
# So many runs for each question that is wanted: not every table has one.
_TIMES = 10
_SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
NAMES = tuple(operator.name for operator in operators())


@st.composite
def pairs(draw: st.DrawFn, operator: str, language: str) -> tuple[Table, Asked]:
    """A table with a question for an operator, in a language; without text where the table has no such question."""
    grammar = import_module(f"tests.nl2sql.generated.{operator}")
    # A few operators ask of tables of another shape.
    table = getattr(grammar, "shaped", lambda table: table)(draw(tables(language)))
    return table, draw(grammar.questions(table))


@dataclass
class Tally:
    """What came of the questions of one operator: how many of them, how many answered, and each wrong one told."""

    asked: int = 0
    answered: int = 0
    by: Counter[str] = field(default_factory=Counter)
    declined: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    _known: set[tuple[str, Table]] = field(default_factory=set)

    @property
    def coverage(self) -> float:
        """The share of the questions that were answered."""
        return self.answered / max(1, self.asked)

    def ask(self, table: Table, asked: Asked, similar: Similar | None) -> None:
        """Ask the product, and hold its answer against the reference."""
        if not asked.text or (asked.text, table) in self._known or not table.read_as_meant:
            return
        self._known.add((asked.text, table))
        outcome = outcome_of(table.language, asked.text, table.index, table.store, similar)
        if asked.nothing and outcome.chosen is None:
            return
        self.asked += 1
        if outcome.chosen is None:
            self.declined.append(f"{asked.text} — {outcome.reason}")
            return
        self.answered += 1
        self.by[outcome.chosen.reading.proposal.operator] += 1
        if not asked.right(outcome.chosen.rows):
            self.wrong.append(told(table, asked, outcome))


def told(table: Table, asked: Asked, outcome: Outcome) -> str:
    """A wrong answer with all that it takes to see why."""
    assert outcome.chosen is not None
    found = [row[:2] for row in outcome.chosen.rows.rows]
    return f"{asked.text}\n  wanted {asked.expected}\n  found {found} by {outcome.chosen.sql}\n{table.text}"


def tally(operator: str, language: str, count: int, similar: Similar | None) -> Tally:
    """Ask so many different questions, always the same ones."""
    found = Tally()
    for start in range(_TIMES * count):
        if found.asked >= count:
            break
        _ask(operator, language, start, min(_FEW, count - found.asked + 1), found, similar)
    return found


def _ask(operator: str, language: str, start: int, count: int, found: Tally, similar: Similar | None) -> None:
    """Ask at most so many questions. From its tenth example on, hypothesis repeats parts of those before."""

    @seed(start)
    @settings(max_examples=count, database=None, deadline=None, suppress_health_check=_SLOW, phases=[Phase.generate])
    @given(pairs(operator, language))
    def ask(pair: tuple[Table, Asked]) -> None:
        found.ask(*pair, similar)

    ask()
