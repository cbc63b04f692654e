"""The change between two columns of one quantity: "which city's sales grew most from 2014 to 2015?"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from polyrag_cli.nl2sql.algebra import Figure, Function, Measure, Rows
from polyrag_cli.nl2sql.index import ColumnEntry
from polyrag_cli.nl2sql.proposals import Proposal, covering, series_named, shown, words_of
from polyrag_cli.nl2sql.rendering import Renderer, rank
from polyrag_cli.nl2sql.scope import Scope
from polyrag_cli.nl2sql.stating import Speaker, capped
from polyrag_cli.types import Rows as Result


@dataclass(frozen=True, slots=True)
class Widened:
    """The change from the figure of one column to that of another, with the per cent of the first that it is."""

    start: Figure
    end: Figure
    absolute: bool = False

    @property
    def rows(self) -> Rows:
        return self.start.rows

    def render(self, renderer: Renderer) -> str:
        change = "ABS(value_2 - value_1)" if self.absolute else "value_2 - value_1"
        shown = f"{change} AS change, 100.0 * (value_2 - value_1) / NULLIF(value_1, 0) AS percent, value_1, value_2"
        return renderer.figures(shown, value_1=self.start, value_2=self.end)

    def state(self, speaker: Speaker, result: Result) -> str:
        change, percent, *values = result.rows[0]
        measures = (self.start.measure, self.end.measure)
        items = [f"{speaker.label(m.column)} {speaker.measure(m, v)}" for m, v in zip(measures, values, strict=True)]
        grown = f"{speaker.plain(percent)}%, " if percent is not None else ""
        return f"{speaker.measure(measures[0], change)} ({grown}{'; '.join(items)})"


@dataclass(frozen=True, slots=True)
class Changed:
    """The things between whose two figures the change is the largest (smallest); what lacks one of them is left out."""

    rows: Rows
    key: str
    start: Measure
    end: Measure
    descending: bool
    first: int = 1
    last: int = 1

    def render(self, renderer: Renderer) -> str:
        start, end = renderer.measure(self.start), renderer.measure(self.end)
        present = [f"{renderer.column(m.column)} IS NOT NULL" for m in (self.start, self.end) if m.column is not None]
        change, key = f"{end} - {start}", renderer.column(self.key)
        way = "DESC" if self.descending else "ASC"
        clause = renderer.source(self.rows).clause(*renderer.present(self.key), *present)
        return (
            f"SELECT {key}, {change} AS change, {start} AS value_1, {end} AS value_2 {clause} GROUP BY {key}"
            f" QUALIFY {rank(change, self.descending, self.first, self.last)} ORDER BY change {way}, {key}"
        )

    def state(self, speaker: Speaker, result: Result) -> str:
        lines = []
        for key, change, *values in result.rows:
            measures = (self.start, self.end)
            items = [
                f"{speaker.label(m.column)} {speaker.measure(m, v)}" for m, v in zip(measures, values, strict=True)
            ]
            lines.append(f"{speaker.cell(key, self.key)}: {speaker.measure(self.start, change)} ({', '.join(items)})")
        return capped(speaker, lines)


class Widening:
    """Proposes the change between two columns of the same quantity whose years the question names."""

    name = "widening"

    def propose(self, scope: Scope) -> Iterator[Proposal]:
        marks = scope.marks("growth", "difference")
        years = self._years(scope)
        if not marks or len(years) != 2 or scope.ask.yes_no:
            return
        growth = scope.marks("growth")
        first, last = sorted(years)
        asking = covering(
            words_of([*marks, *scope.marks("which", "how_much", "count", "object", "sum", "share", "between", "list")]),
            {i: 1.0 for places in years.values() for i in places},
        )
        for words, entries in scope.profile.by_year.items():
            if first not in entries or last not in entries:
                continue
            fit, named = series_named(scope, words, (entries[first], entries[last]))
            if not fit:
                continue
            covered = covering(asking, named, dict.fromkeys(scope.label, 1.0))
            start, end = (self._measure(entries[year]) for year in (first, last))
            ends = [m for m in scope.superlatives() if m.operation in ("max", "min")]
            if not ends:
                figures = (Figure(scope.rows, start), Figure(scope.rows, end))
                yield Proposal(self.name, Widened(*figures, absolute=not growth), 0.9 + 0.4 * fit, covered)
            elif growth and len(ends) == 1:
                falls = scope.question.lexicon.tables.falling
                falling = any(t.folded in falls for m in growth for t in scope.question.tokens[m.first : m.last + 1])
                down = ends[0].operation == "max"
                for target in scope.targets:
                    if target.entry.role == "measure":
                        continue
                    expression = Changed(scope.rows, target.entry.column.name, start, end, down != falling)
                    found = covering(
                        covered, words_of(ends), shown(scope, target), words_of(scope.marks("who", "where"))
                    )
                    yield Proposal(self.name, expression, 0.3 + 0.5 * fit + 0.6 * target.score, found, single=True)

    def _years(self, scope: Scope) -> dict[int, tuple[int, ...]]:
        """The years that the question names and that restrict nothing, with their words."""
        found: dict[int, tuple[int, ...]] = {}
        for date in scope.question.dates:
            places = tuple(range(date.first, date.last + 1))
            if date.precision == "year" and date.year is not None and scope.restricting.isdisjoint(places):
                found.setdefault(date.year, places)
        return found

    def _measure(self, entry: ColumnEntry) -> Measure:
        function: Function = "avg" if entry.additive is False else "sum"
        return Measure(function, entry.column.name)


OPERATOR = Widening()
