"""Owns which reading of a question over related tables answers it, and whether it does so surely enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

from polyrag_cli.errors import PolyRAGError
from polyrag_cli.nl2sql.index import SchemaIndex
from polyrag_cli.nl2sql.question import Question
from polyrag_cli.nl2sql.related.readings import RelatedReading, related_readings
from polyrag_cli.nl2sql.related.weighing import PRIOR
from polyrag_cli.nl2sql.scoring import COVERAGE
from polyrag_cli.nl2sql.similarity import Similar
from polyrag_cli.nl2sql.ties import Ties
from polyrag_cli.types import Cell, Rows

Run = Callable[[str, Sequence[str]], Rows]
"""Runs a SELECT over named tables."""

_RUN = 10
_WORSE = 1.0
# What nothing found, a word left over, and one that changes the question cost.
_NOTHING = 0.05
_UNEXPLAINED = 0.45
_BARE = 1.0
# Chosen on GeoQuery: at these, of the answers that are given .95 are right.
SURE = -0.42
APART = 0.05


@dataclass(frozen=True)
class RelatedCandidate:
    """A reading that was run, with the tables that its statement reads."""

    reading: RelatedReading
    sql: str
    tables: tuple[str, ...]
    rows: Rows
    total: float

    @property
    def empty(self) -> bool:
        """Whether nothing was found."""
        return not self.rows.rows or self.rows.rows[0][0] is None


@dataclass(frozen=True)
class RelatedDecision:
    """Candidates of different answers, best first; margin between the first two, at most 1; confidence of the first."""

    candidates: tuple[RelatedCandidate, ...] = ()
    margin: float = 0.0
    confidence: float = 0.0

    @property
    def answer(self) -> RelatedCandidate | None:
        """The candidate that answers, where one does surely enough."""
        if not self.candidates or self.candidates[0].empty:
            return None
        return self.candidates[0] if self.confidence >= SURE and self.margin >= APART else None


def decide_related(
    question: Question,
    index: SchemaIndex,
    ties: Ties,
    similar: Similar | None,
    run: Run,
) -> RelatedDecision:
    """Return the different answers that readings over related tables give, best first; ties: of the index's tables."""
    found: list[RelatedCandidate] = []
    for reading in islice(related_readings(question, index, ties, similar), _RUN):
        if found and reading.score.total < max(c.total for c in found) - _WORSE:
            break
        statement, used = reading.render()
        try:
            rows = run(statement, used)
        except PolyRAGError:
            continue
        candidate = RelatedCandidate(reading, statement, used, rows, reading.score.total)
        total = candidate.total - _NOTHING * candidate.empty
        found.append(RelatedCandidate(reading, statement, used, rows, round(total, 6)))
    found.sort(key=lambda c: (-c.total, c.sql))
    distinct: dict[object, RelatedCandidate] = {}
    for candidate in found:
        distinct.setdefault(_denotation(candidate.rows), candidate)
    best = tuple(distinct.values())
    if not best:
        return RelatedDecision()
    margin = min(1.0, best[0].total - best[1].total) if len(best) > 1 else 1.0
    score = best[0].reading.score
    lost = _UNEXPLAINED * len(score.unexplained) + _BARE * len(score.bare)
    confidence = best[0].total - COVERAGE - PRIOR - lost
    return RelatedDecision(best, round(margin, 6), round(confidence, 6))


def _denotation(rows: Rows) -> tuple[tuple[str, ...], ...]:
    return tuple(sorted(tuple(map(_canonical, row)) for row in rows.rows))


def _canonical(cell: Cell) -> str:
    if isinstance(cell, bool) or not isinstance(cell, (int, float)):
        return str(cell)
    return f"{float(cell):.6g}"
