"""Which of several columns holds more: "did March or April bring more rain?", of a table with a column for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from polyrag_cli.nl2sql.algebra import DatePart, Figure, Measure, Rows
from polyrag_cli.nl2sql.index import ColumnEntry
from polyrag_cli.nl2sql.operators.comparing import direction
from polyrag_cli.nl2sql.profile import SERIES
from polyrag_cli.nl2sql.proposals import Proposal, covering, series_named, words_of
from polyrag_cli.nl2sql.question import Mark
from polyrag_cli.nl2sql.rendering import Renderer, rank
from polyrag_cli.nl2sql.scope import Covered, Scope
from polyrag_cli.nl2sql.sql_text import literal
from polyrag_cli.nl2sql.stating import Speaker, capped
from polyrag_cli.types import Rows as Result

# What it costs to add up rows of which words name several, such as millimetres and days of rain.
_OF_SEVERAL = 0.5


@dataclass(frozen=True, slots=True)
class Across:
    """Those of several columns whose figure is the largest (smallest), under their names; part: what these say."""

    figures: tuple[Figure, ...]
    names: tuple[str, ...]
    descending: bool
    part: DatePart = ""

    @property
    def rows(self) -> Rows:
        return self.figures[0].rows

    def render(self, renderer: Renderer) -> str:
        each = " UNION ALL ".join(
            f"SELECT {literal(name)} AS name, ({renderer.figure(figure)}) AS value"
            for name, figure in zip(self.names, self.figures, strict=True)
        )
        ranked = rank("value", self.descending, 1, 1)
        return f"SELECT name, value FROM ({each}) AS figures WHERE value IS NOT NULL QUALIFY {ranked} ORDER BY name"

    def state(self, speaker: Speaker, result: Result) -> str:
        known = dict(zip(self.names, self.figures, strict=True))
        items = [f"{name}: {speaker.measure(known[str(name)].measure, value)}" for name, value in result.rows]
        return capped(speaker, items)


class AcrossColumns:
    """Proposes to set against each other the columns that "or" joins, or those of a series of months or years."""

    name = "across"

    def propose(self, scope: Scope) -> Iterator[Proposal]:
        marks = scope.marks("more", "less") + [m for m in scope.superlatives() if m.operation in ("max", "min")]
        if len(marks) != 1 or scope.pair is not None or scope.ask.opposites:
            return
        asking = covering(words_of(marks), words_of(scope.marks("which", "or", "sum", "average")))
        yield from self._either(scope, marks[0], asking)
        yield from self._series(scope, marks[0], asking)

    def _either(self, scope: Scope, mark: Mark, asking: Covered) -> Iterator[Proposal]:
        """Which of two named columns holds more."""
        pair = scope.either
        if pair is None:
            return
        tokens, text = scope.question.tokens, scope.question.text
        names = tuple(text[tokens[i.tokens[0]].word.start : tokens[i.tokens[-1]].word.end] for i in pair)
        entries = [scope.entry(item) for item in pair]
        # "Which month had more" says what the columns are; of "did March have more rain", rain is to be found.
        nouns = scope.ask.focus[:1] if scope.marks("which") else ()
        named = covering(*(dict.fromkeys(item.tokens, 1.0) for item in pair), dict.fromkeys(nouns, 0.6))
        said = {0: 1.0} if scope.ask.yes_no or scope.question.tokens[0].empty else {}
        expression = Across(_figures(scope, entries), names, direction(scope.question, mark) > 0)
        yield Proposal(self.name, expression, 1.45 - _added(scope), covering(asking, named, said), alone=True)

    def _series(self, scope: Scope, mark: Mark, asking: Covered) -> Iterator[Proposal]:
        """The month or the year whose column holds the most, in rows that are named."""
        parts = {scope.question.tokens[i].date_part for i in scope.ask.focus[:1]}
        if not scope.chosen or scope.profile.times:
            return
        for part in sorted(parts & {"month", "year"}):
            told: DatePart = "month" if part == "month" else "year"
            for entries, named in _called(scope, told):
                names = tuple(entry.column.label for entry in entries)
                expression = Across(_figures(scope, entries), names, direction(scope.question, mark) > 0, told)
                covered = covering(asking, named, dict.fromkeys(scope.ask.focus[:1], 1.0))
                yield Proposal(self.name, expression, 1.3 - _added(scope), covered, single=True)


def _added(scope: Scope) -> float:
    several = any(len(c.values) > 1 for r in scope.chosen if r.kind in ("part", "inflected") for c in r.conditions)
    return _OF_SEVERAL if several else 0.0


def _figures(scope: Scope, entries: Sequence[ColumnEntry]) -> tuple[Figure, ...]:
    """Return the one figure of each column: its sum, or the mean where any of them doesn't add up."""
    mean = any(entry.additive is False for entry in entries) or bool(scope.marks("average"))
    return tuple(Figure(scope.rows, Measure("avg" if mean else "sum", entry.column.name)) for entry in entries)


def _called(scope: Scope, part: DatePart) -> Iterator[tuple[list[ColumnEntry], Covered]]:
    """Yield each series of columns that are called after months, or after years and what words name, with these."""
    if part == "month":
        months = [entry for entry in scope.profile.months if entry.role == "measure"]
        if len(months) >= SERIES:
            yield months, {}
        return
    for (words, _), by_year in scope.profile.series.items():
        entries = [by_year[year] for year in sorted(by_year)]
        fit, named = series_named(scope, words, entries)
        if fit and len(entries) >= SERIES:
            yield entries, named


OPERATOR = AcrossColumns()
