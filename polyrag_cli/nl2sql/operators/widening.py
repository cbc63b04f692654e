"""The change between two columns of one quantity: "which city's sales grew most from 2014 to 2015?"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from polyrag_cli.nl2sql.algebra import Figure, Function, Measure, Rows
from polyrag_cli.nl2sql.index import ColumnEntry
from polyrag_cli.nl2sql.proposals import Proposal, covering, series_named, shown, words_of
from polyrag_cli.nl2sql.question import Mark
from polyrag_cli.nl2sql.rendering import Renderer, rank
from polyrag_cli.nl2sql.scope import Covered, Scope
from polyrag_cli.nl2sql.stating import Speaker, capped
from polyrag_cli.types import Rows as Result

# What a change is called that a verb speaks of: less, more, or either.
Way = Literal[-1, 0, 1]
_SIGNS: dict[Way, str] = {-1: "<", 1: ">"}


@dataclass(frozen=True, slots=True)
class Widened:
    """The change from the figure of one column to that of another, with the per cent of the first that it is.

    way: which changes the verb speaks of; of another there is no answer. percent: the per cent is what is asked, which
    nothing has that begins at 0 or less.
    """

    start: Figure
    end: Figure
    absolute: bool = False
    way: Way = 0
    percent: bool = False

    @property
    def rows(self) -> Rows:
        return self.start.rows

    def render(self, renderer: Renderer) -> str:
        change = "ABS(value_2 - value_1)" if self.absolute else "value_2 - value_1"
        percent = "100.0 * (value_2 - value_1) / NULLIF(value_1, 0) AS percent"
        first = f"{percent}, {change} AS change" if self.percent else f"{change} AS change, {percent}"
        held = [f"value_2 - value_1 {_SIGNS[self.way]}= 0"] if self.way else []
        held += ["value_1 > 0"] if self.percent else []
        where = f" WHERE {' AND '.join(held)}" if held else ""
        return renderer.figures(f"{first}, value_1, value_2", value_1=self.start, value_2=self.end) + where

    def state(self, speaker: Speaker, result: Result) -> str:
        first, second, *values = result.rows[0]
        measures = (self.start.measure, self.end.measure)
        items = [f"{speaker.label(m.column)} {speaker.measure(m, v)}" for m, v in zip(measures, values, strict=True)]
        if self.percent:
            return f"{speaker.plain(first)}% ({speaker.measure(measures[0], second)}, {'; '.join(items)})"
        grown = f"{speaker.plain(second)}%, " if second is not None else ""
        return f"{speaker.measure(measures[0], first)} ({grown}{'; '.join(items)})"


@dataclass(frozen=True, slots=True)
class Changed:
    """The things between whose two figures the change is the largest (smallest); what lacks one of them is left out.

    way: which changes are ranked. percent: by the per cent of the first figure; where one of the things begins at 0 or
    less, there is no answer.
    """

    rows: Rows
    key: str
    start: Measure
    end: Measure
    descending: bool
    first: int = 1
    last: int = 1
    way: Way = 0
    percent: bool = False

    def render(self, renderer: Renderer) -> str:
        start, end = renderer.measure(self.start), renderer.measure(self.end)
        present = [f"{renderer.column(m.column)} IS NOT NULL" for m in (self.start, self.end) if m.column is not None]
        key, change = renderer.column(self.key), f"{end} - {start}"
        by = f"100.0 * ({change}) / NULLIF({start}, 0)" if self.percent else change
        clause = renderer.source(self.rows).clause(*renderer.present(self.key), *present)
        held = f" HAVING {change} {_SIGNS[self.way]} 0" if self.way else ""
        ranked = rank(by, self.descending, self.first, self.last)
        ranked += f" AND MIN({start}) OVER () > 0" if self.percent else ""
        return (
            f"SELECT {key}, {by} AS {'percent' if self.percent else 'change'}, {start} AS value_1, {end} AS value_2"
            f" {clause} GROUP BY {key}{held} QUALIFY {ranked}"
            f" ORDER BY {by} {'DESC' if self.descending else 'ASC'}, {key}"
        )

    def state(self, speaker: Speaker, result: Result) -> str:
        lines = []
        for key, change, *values in result.rows:
            measures = (self.start, self.end)
            items = [
                f"{speaker.label(m.column)} {speaker.measure(m, v)}" for m, v in zip(measures, values, strict=True)
            ]
            stated = f"{speaker.plain(change)}%" if self.percent else speaker.measure(self.start, change)
            lines.append(f"{speaker.cell(key, self.key)}: {stated} ({', '.join(items)})")
        return capped(speaker, lines)


@dataclass(frozen=True, slots=True)
class _Pair:
    """The two columns of which a change is asked: how well they fit, the words that name them, whether in per cent."""

    start: Measure
    end: Measure
    fit: float
    covered: Covered
    percent: bool


class Widening:
    """Proposes the change between two columns of the same quantity whose years the question names."""

    name = "widening"

    def propose(self, scope: Scope) -> Iterator[Proposal]:
        years = _years(scope)
        if not scope.marks("growth", "difference") or len(years) != 2 or scope.ask.yes_no:
            return
        ends = [m for m in scope.superlatives() if m.operation in ("max", "min")]
        for pair in _pairs(scope, years):
            if not ends:
                yield self._widened(scope, pair)
            elif scope.marks("growth") and len(ends) == 1:
                yield from self._changed(scope, pair, ends[0])

    def _widened(self, scope: Scope, pair: _Pair) -> Proposal:
        """By how much the figures of all rows differ."""
        figures = (Figure(scope.rows, pair.start), Figure(scope.rows, pair.end))
        expression = Widened(*figures, not scope.marks("growth"), _way(scope), pair.percent)
        return Proposal(self.name, expression, 0.9 + 0.4 * pair.fit, pair.covered)

    def _changed(self, scope: Scope, pair: _Pair, mark: Mark) -> Iterator[Proposal]:
        """Which things' figures differ the most, or the least."""
        way = _way(scope)
        descending = (mark.operation == "max") != (way < 0)
        for target in scope.targets:
            if target.entry.role == "measure":
                continue
            key = target.entry.column.name
            expression = Changed(scope.rows, key, pair.start, pair.end, descending, way=way, percent=pair.percent)
            found = covering(
                pair.covered, words_of([mark]), shown(scope, target), words_of(scope.marks("who", "where"))
            )
            yield Proposal(self.name, expression, 0.3 + 0.5 * pair.fit + 0.6 * target.score, found, single=True)


def _years(scope: Scope) -> dict[int, tuple[int, ...]]:
    """Return the years that the question names and that restrict nothing, with their words."""
    found: dict[int, tuple[int, ...]] = {}
    for date in scope.question.dates:
        places = tuple(range(date.first, date.last + 1))
        if date.precision == "year" and date.year is not None and scope.restricting.isdisjoint(places):
            found.setdefault(date.year, places)
    return found


def _pairs(scope: Scope, years: dict[int, tuple[int, ...]]) -> Iterator[_Pair]:
    """Yield the columns of two years that hold what the question names."""
    asking = covering(
        words_of(
            scope.marks(
                "growth", "difference", "which", "how_much", "count", "object", "sum", "share", "between", "list"
            )
        ),
        {i: 1.0 for places in years.values() for i in places},
        dict.fromkeys(scope.label, 1.0),
    )
    first, last = sorted(years)
    for words, entries in scope.profile.by_year.items():
        if first not in entries or last not in entries:
            continue
        fit, named = series_named(scope, words, (entries[first], entries[last]))
        if fit:
            start, end = (_measure(entries[year]) for year in (first, last))
            # In "market share", the word is what the columns hold.
            percent = any(named.keys().isdisjoint(range(m.first, m.last + 1)) for m in scope.marks("share"))
            yield _Pair(start, end, fit, covering(asking, named), percent)


def _way(scope: Scope) -> Way:
    """Return which changes the words of growth speak of; either where they say neither, or both."""
    tables = scope.question.lexicon.tables
    words = {t.folded for m in scope.marks("growth") for t in scope.question.tokens[m.first : m.last + 1]}
    rises, falls = not tables.rising.isdisjoint(words), not tables.falling.isdisjoint(words)
    return 0 if rises == falls else 1 if rises else -1


def _measure(entry: ColumnEntry) -> Measure:
    function: Function = "avg" if entry.additive is False else "sum"
    return Measure(function, entry.column.name)


OPERATOR = Widening()
