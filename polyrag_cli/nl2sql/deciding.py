"""Owns which reading of a question answers it: readings that give the same rows are one, and the best must lead."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from polyrag_cli.config.sections import TableConfidenceSettings
from polyrag_cli.errors import QueryRejected
from polyrag_cli.nl2sql.chart import Reading, readings
from polyrag_cli.nl2sql.index import TableEntry
from polyrag_cli.nl2sql.open_dates import open_date
from polyrag_cli.nl2sql.operators.comparing import Versus
from polyrag_cli.nl2sql.operators.select import Shown
from polyrag_cli.nl2sql.question import Question
from polyrag_cli.nl2sql.rendering import Renderer
from polyrag_cli.nl2sql.scoring import Score, confidence, evidence, scored, spread
from polyrag_cli.nl2sql.similarity import Similar
from polyrag_cli.types import Cell, Rows

Run = Callable[[str, str], Rows]
"""Runs a SELECT over a named table. Raises QueryRejected where it can't be run, StoreError where the store fails."""

_WEIGHTS = TableConfidenceSettings()
# Readings that are run, at most, and how much worse than the best one may be that still is.
_RUN = 14
_WORSE = 1.0
# Of the answers that a question may have, those that are kept.
_KEPT = 4
# Of readings on two tables, how near in score those are that answer as surely.
_AS_SURE = 0.02
_WHOLE = 0.9
# How much more a reading explains that matches no row, so that none is answered.
_EXPLAINS_MORE = 0.3
# How much worse a reading may be that explains every word than one that doesn't.
_ALMOST = 0.35
# What it costs that of two of which one is said to have more neither has: something else may have been meant.
_TIE = 0.75


@dataclass(frozen=True)
class Candidate:
    """A reading that was run; total: its score less what several rows cost an answer of which one is expected."""

    reading: Reading
    score: Score
    sql: str
    rows: Rows
    total: float

    @property
    def table(self) -> TableEntry:
        """The table that it reads."""
        return self.reading.scope.table


@dataclass(frozen=True)
class Decision:
    """The different answers that readings give, best first.

    margin: by how much the first leads the next, 0–1; 1 without another. confidence: of the first (`scoring`);
    evidence: what that is computed from, by the names of its weights. also: other tables that give the first one's
    answer as surely. empty: the table whose best reading matches no row,
    where that explains more than the first. named: words that the first reading links by their meaning alone though
    another table has a column of that name.
    """

    candidates: tuple[Candidate, ...] = ()
    margin: float = 0.0
    confidence: float = 0.0
    also: tuple[str, ...] = ()
    empty: TableEntry | None = None
    named: frozenset[int] = frozenset()
    evidence: Mapping[str, float] = field(default_factory=dict)


def unreadable(question: Question) -> str:
    """Say why a question isn't read on any table; "" where it is."""
    if question.truncated:
        return "the question is too long for one table operation"
    if question.blocker:
        return f"“{question.blocker}” asks for more than one table operation"
    if left_open := open_date(question):
        return f"“{left_open}” leaves open which date is meant: name it with its year"
    return ""


def decide(
    question: Question,
    tables: Sequence[TableEntry],
    similar: Similar | None,
    run: Run,
    weights: TableConfidenceSettings = _WEIGHTS,
) -> Decision:
    """Return the different answers that readings of a question give, best first; weights: of the confidence."""
    found: dict[str, tuple[float, str, Reading, Score]] = {}
    named: dict[str, frozenset[int]] = {}
    for table in tables:
        for reading in readings(question, table, similar):
            if table.schema.name not in named:
                named[table.schema.name] = _named(reading)
            score = scored(reading)
            key = f"{table.schema.name} {reading.proposal.expression!r}"
            if key not in found or score.total > -found[key][0]:
                found[key] = (-score.total, key, reading, score)
    candidates, empty = _run([entry[2:] for entry in sorted(found.values(), key=lambda entry: entry[:2])], run)
    distinct: dict[object, Candidate] = {}
    also: set[str] = set()
    for candidate in candidates:
        first = distinct.setdefault(denotation(candidate.rows), candidate)
        if first is candidates[0] and candidate.table is not first.table and candidate.total >= first.total - _AS_SURE:
            also.add(candidate.table.schema.name)
    best = _explaining_first(list(distinct.values()))[:_KEPT]
    if not best:
        return Decision(empty=empty[1])
    margin = round(min(1.0, max(0.0, best[0].total - _rival(best))), 6) if len(best) > 1 else 1.0
    told = evidence(best[0].reading, best[0].score, best[0].rows, margin)
    sure = confidence(told, weights)
    elsewhere = frozenset().union(*(words for name, words in named.items() if name != best[0].table.schema.name))
    by_meaning, nothing = _by_meaning(best[0].reading) & elsewhere, _emptied(best[0], empty, named)
    return Decision(tuple(best), margin, sure, tuple(sorted(also)), nothing, by_meaning, told)


def _explaining_first(found: list[Candidate]) -> list[Candidate]:
    """Put a reading that explains every word, and more surely, before one that may not answer for its words: several
    rows that share a rank made it fall behind.
    """
    if not found or not found[0].score.needed:
        return found
    first = found[0]
    better = next(
        (
            c
            for c in found
            if c.reading.proposal.operator == "superlative"
            and not c.score.unexplained
            and c.score.total >= first.score.total
            and c.total >= first.total - _ALMOST
        ),
        None,
    )
    return [better, *(c for c in found if c is not better)] if better is not None else found


def _rival(best: Sequence[Candidate]) -> float:
    """Return the score of the best different answer: where the first explains every word, of those that do as well."""
    others = [c for c in best[1:] if best[0].score.unexplained or not c.score.needed]
    return max((c.total for c in others), default=best[0].total - 1.0)


def _emptied(
    best: Candidate, empty: tuple[float, TableEntry | None], named: Mapping[str, frozenset[int]]
) -> TableEntry | None:
    """Return the table of which no row matches, where that explains more than the best candidate: clearly more, unless
    a word is the name of its column which the candidate links to another ("fare" to what staff are paid).
    """
    score, table = empty
    if table is None or best.score.needed:
        return table
    linked = {i for item in best.reading.scope.columns for i in item.tokens} - _named(best.reading)
    more = 0.0 if linked & named[table.schema.name] else _EXPLAINS_MORE
    return table if score > best.score.total + more else None


def _named(reading: Reading) -> frozenset[int]:
    """Return the words that are names of a table's columns."""
    items = reading.scope.columns
    return frozenset(i for item in items if item.lexical and item.quality >= _WHOLE for i in item.tokens)


def _by_meaning(reading: Reading) -> frozenset[int]:
    """Return the words that a reading links to columns by their meaning alone."""
    scope = reading.scope
    spelled = {i for item in scope.columns if item.lexical for i in item.tokens} | scope.restricting
    meant = {i for item in scope.columns if not item.lexical for i in item.tokens}
    return frozenset(meant - spelled - set(scope.label))


def _run(found: Sequence[tuple[Reading, Score]], run: Run) -> tuple[list[Candidate], tuple[float, TableEntry | None]]:
    """Return the candidates, best first, and the score and table of the best reading that matches no row."""
    candidates: list[Candidate] = []
    empty: tuple[float, TableEntry | None] = (float("-inf"), None)
    for reading, score in found:
        best = max((c.total for c in candidates), default=score.total)
        if len(candidates) >= _RUN or score.total < best - _WORSE:
            break
        sql = reading.proposal.expression.render(Renderer(reading.scope.table))
        table = reading.scope.table
        try:
            rows = run(sql, table.schema.name)
        except QueryRejected:
            # Such as a function that its column's type doesn't have.
            continue
        if not (says_something(rows) or _is_tie(reading, rows)):
            empty = (score.total, table) if empty[1] is None and not score.needed else empty
        elif fits(reading, rows):
            total = round(score.total - spread(reading, rows) - _TIE * _is_tie(reading, rows), 6)
            candidates.append(Candidate(reading, score, sql, rows, total))
    return sorted(candidates, key=lambda c: (-c.total, c.table.schema.name, c.sql)), empty


def says_something(rows: Rows) -> bool:
    """Whether a result holds a row, and its first one a value."""
    return bool(rows.rows) and rows.rows[0][0] is not None


def _is_tie(reading: Reading, rows: Rows) -> bool:
    """Whether of two values that are compared neither has more."""
    if not isinstance(reading.proposal.expression, Versus) or len(rows.rows) != 1:
        return False
    verdict, *figures = rows.rows[0]
    return verdict is None and None not in figures


def fits(reading: Reading, rows: Rows) -> bool:
    """Tell whether an answer is of the kind that is asked for: a figure for how many, a name for who, a time for
    when.
    """
    ask = reading.scope.ask
    if reading.proposal.alone and len(rows.rows) > 1:
        return False
    cells = [row[0] for row in rows.rows]
    numeric = all(isinstance(cell, (int, float)) and not isinstance(cell, bool) for cell in cells)
    if ask.opposites:
        return reading.proposal.operator == "directing"
    if ask.yes_no and not ask.has("or"):
        return all(isinstance(cell, bool) for cell in cells)
    if ask.counts_first and not ask.has("group", "versus", "or"):
        return numeric
    if ask.asks_time and not _shows_time(reading) and not _in_label(reading):
        return False
    if isinstance(reading.proposal.expression, Shown) and not _amounts(reading, cells):
        return False
    if ask.has("who"):
        return not numeric
    if ask.has("when"):
        months = reading.scope.table.lexicon.months
        return all(any(char.isdigit() for char in str(cell)) or str(cell).lower() in months for cell in cells)
    return not (ask.has("where") and numeric)


def _amounts(reading: Reading, cells: Sequence[Cell]) -> bool:
    """Tell whether what is shown may be an amount, where "how much" asks for nothing else: it holds figures, and is no
    date.
    """
    ask = reading.scope.ask
    if not ask.has("how_much") or ask.has("which", "who", "when", "where", "list", "object"):
        return True
    return not _shows_time(reading) and all(any(char.isdigit() for char in str(cell)) for cell in cells)


def _in_label(reading: Reading) -> bool:
    """Whether the word for a time that is asked for is part of a column's name ("which year group")."""
    behind = {m.last + 1 for m in reading.scope.question.find("which")}
    items = [i for i in reading.scope.columns if i.quality >= _WHOLE and len(i.tokens) > 1]
    return any(not behind.isdisjoint(item.tokens) for item in items)


def _shows_time(reading: Reading) -> bool:
    """Tell whether the first thing that an answer shows is a time."""
    expression = reading.proposal.expression
    part = getattr(expression, "part", "")
    name = getattr(expression, "key", "") or next(iter(getattr(expression, "columns", ())), "")
    figure = getattr(expression, "figure", None)
    name = name or (figure.measure.column if figure is not None and not figure.measure.counts else "")
    return bool(part) or any(entry.column.name == name for entry in reading.scope.profile.times)


def denotation(rows: Rows) -> tuple[str, ...]:
    """Return what rows say in their first column, whatever its order."""
    return tuple(sorted(_canonical(row[0]) for row in rows.rows))


def _canonical(cell: Cell) -> str:
    if isinstance(cell, bool) or not isinstance(cell, (int, float)):
        return str(cell)
    return f"{float(cell):.6g}"
