"""Shows columns of the rows that a question restricts: "which cities are in Bahia?"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from polyrag_cli.nl2sql.algebra import DatePart, Ranked, Rows
from polyrag_cli.nl2sql.prices import paying
from polyrag_cli.nl2sql.proposals import Proposal, covering, shown, words_of
from polyrag_cli.nl2sql.rendering import Renderer, listed, rank
from polyrag_cli.nl2sql.scope import Covered, Scope, Target
from polyrag_cli.nl2sql.stating import Speaker, capped, in_lines
from polyrag_cli.types import Rows as Result


@dataclass(frozen=True, slots=True)
class Shown:
    """Columns of rows, each combination once where `distinct`; `part` of the first one's dates alone.

    told: how many columns at the end only say which row is which.
    """

    rows: Rows
    columns: tuple[str, ...]
    distinct: bool = True
    part: DatePart = ""
    told: int = 0

    def render(self, renderer: Renderer) -> str:
        first, *others = self.columns
        names = [renderer.named_key(first, self.part), *map(renderer.shown, others)]
        present = renderer.present(first)
        distinct = "DISTINCT " if self.distinct else ""
        rows = self.rows
        if isinstance(rows, Ranked) and rows.by in self.columns and not self.part:
            return self._ranked(renderer, rows, distinct)
        order = [renderer.key(first, self.part) if self.part else renderer.ordering(first)]
        order += [renderer.ordering(name) for name in others]
        return f"SELECT {distinct}{listed(names)} {renderer.source(rows).clause(*present)} ORDER BY {listed(order)}"

    def _ranked(self, renderer: Renderer, rows: Ranked, distinct: str) -> str:
        """The first n of what is shown, each counted once however many rows repeat it."""
        by, names = renderer.column(rows.by), listed(map(renderer.shown, self.columns))
        inner = renderer.source(rows.rows).clause(f"{by} IS NOT NULL", *renderer.present(self.columns[0]))
        ranked = rank(by, rows.descending, rows.first, rows.last)
        way = "DESC" if rows.descending else "ASC"
        return (
            f"SELECT {names} FROM (SELECT {distinct}{names} {inner}) AS kinds QUALIFY {ranked}"
            f" ORDER BY {by} {way}, {names}"
        )

    def state(self, speaker: Speaker, result: Result) -> str:
        stated = self._told(speaker, result) if self.told else in_lines(speaker, result, self.columns)
        if self.told:
            return capped(speaker, stated, speaker.label(self.columns[0]))
        if isinstance(self.rows, Ranked) and self.rows.by:
            way = speaker.words["max" if self.rows.descending else "min"]
            return capped(speaker, stated, way.format(speaker.label(self.rows.by)))
        alone = len(self.columns) == 1 and len(result.rows) == 1 and not self.part
        if alone and speaker.numeric(self.columns[0]):
            return capped(speaker, stated, speaker.label(self.columns[0]))
        return capped(speaker, stated)

    def _told(self, speaker: Speaker, result: Result) -> list[str]:
        """Each row behind what tells it from the others."""
        lines = []
        for row in result.rows:
            cells = [speaker.cell(value, name) for value, name in zip(row, self.columns, strict=True)]
            lines.append(f"{', '.join(cells[-self.told :])}: {', '.join(cells[: -self.told])}")
        return lines


_SURE = 0.9
_MOST = 4


class Select:
    """Proposes to show each column that may be asked for."""

    name = "select"

    def propose(self, scope: Scope) -> Iterator[Proposal]:
        ask = scope.ask
        measured = [m for m in scope.question.marks if m.operation.startswith("ask:")]
        asking = words_of(
            measured
            + scope.marks(
                "which", "list", "who", "when", "where", "how_much", "object", "count", "distinct", "single", "only"
            )
        )
        if ask.yes_no or (not scope.chosen and not ask.has("list", "which")):
            return
        yield from self._either(scope, asking)
        yield from self._only(scope, asking)
        unmet = 0.25 * bool(scope.superlatives() or scope.marks("sum", "average", "median", "difference", "share"))
        for target in scope.targets:
            asked = target.tokens or target.entry in scope.measured or ask.has("who", "when", "where")
            if not asked and ask.has("object", "how_much"):
                # An amount or a thing is asked for that no column is.
                continue
            if not scope.chosen and (not target.tokens or target.entry.role == "measure"):
                continue
            if self._adds_up(scope, target):
                continue
            # Amounts that rows have alike are amounts of their own.
            distinct = not target.entry.amount
            prior = 0.6 * target.score - unmet + (0.2 if scope.chosen else 0.0) - (0.6 if ask.counts else 0.0)
            expression = Shown(scope.rows, (target.entry.column.name,), distinct, target.part)
            if ask.counts and target.entry.role == "measure" and set(target.tokens) & set(ask.focus[:2]):
                # Of a number that rows hold, no rows need be counted.
                prior = (0.75 if target.quality >= 0.8 else 0.4) + 0.35 * target.quality
            covered = covering(asking, shown(scope, target))
            if target.entry in scope.measured and ask.has("how_much"):
                covered = covering(covered, dict.fromkeys(paying(scope), 1.0))
            yield Proposal(self.name, expression, prior, covered, single=not ask.has("list"))
        yield from self._several(scope, asking)
        yield from self._rows(scope, asking)

    def _adds_up(self, scope: Scope, target: Target) -> bool:
        """Tell the quantity of which a total is asked over rows that may be several: no list of its values is one."""
        totals = words_of(scope.marks("sum"))
        if target.entry.role != "measure" or not totals or not set(totals).isdisjoint(scope.naming(target.entry)):
            return False
        if scope.ask.has("list", "who", "group"):
            return False
        return not any(r.single and scope.profile.names(scope.entry(r)) for r in scope.chosen)

    def _rows(self, scope: Scope, asking: Covered) -> Iterator[Proposal]:
        """Rows that no column names, by what tells them apart: "list the sales above 1000"."""
        columns = scope.telling_apart
        if scope.marks("sum") and not scope.ask.has("list"):
            # A total is no list of rows.
            return
        if not columns or not scope.chosen or scope.ask.counts or scope.ask.has("who", "when", "where", "how_much"):
            return
        bounded = [scope.entry(r).column.name for r in scope.chosen if r.kind == "bound"]
        money = [entry.column.name for entry in scope.table.money]
        amounts = bounded or (money if len(money) == 1 else [])
        shown_columns = tuple(dict.fromkeys((*columns, *amounts)))
        yield Proposal(self.name, Shown(scope.rows, shown_columns, distinct=False), 1.05, asking)

    def _several(self, scope: Scope, asking: Covered) -> Iterator[Proposal]:
        """A list of several columns: "list the orders and their values"."""
        named = [item for item in scope.free if item.quality >= _SURE and item.position not in scope.fixed]
        named.sort(key=lambda item: item.tokens)
        entries = list(dict.fromkeys(item.position for item in named))
        if not scope.ask.has("list", "which") or not 2 <= len(entries) <= _MOST or not scope.chosen:
            return
        columns = tuple(scope.entries[position].column.name for position in entries)
        covered = covering(asking, *(scope.naming(scope.entries[position]) for position in entries))
        yield Proposal(self.name, Shown(scope.rows, columns), 1.15 if scope.ask.has("list") else 0.5, covered)

    def _either(self, scope: Scope, asking: Covered) -> Iterator[Proposal]:
        """Which of two values the other restrictions leave: "who was born in Lima, Ana or Rui?"."""
        either = scope.marks("or")
        if scope.pair is None or not either or len(scope.chosen) < 3 or scope.ask.counts:
            return
        column = scope.entry(scope.pair[0])
        covered = covering(asking, words_of(either), scope.naming(column), dict.fromkeys(scope.ask.focus[:2], 0.6))
        yield Proposal(self.name, Shown(scope.rows, (column.column.name,)), 1.05, covered, alone=True)

    def _only(self, scope: Scope, asking: Covered) -> Iterator[Proposal]:
        """The one row that the restrictions leave: "which is the only city in Bahia?"."""
        marks = scope.marks("single", "only")
        if not marks or not scope.chosen or scope.ask.counts or scope.superlatives():
            return
        for target in scope.targets:
            if target.entry.role == "measure" and not target.tokens:
                continue
            covered = covering(asking, words_of(marks), shown(scope, target))
            expression = Shown(scope.rows, (target.entry.column.name,), True, target.part)
            yield Proposal(self.name, expression, 0.6 * target.score, covered, alone=True)


OPERATOR = Select()
