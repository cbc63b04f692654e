"""Rows whose quantity is above or below a figure of others: "deeper than the average", "more than Rui has"."""

from __future__ import annotations

from collections.abc import Iterator

from polyrag_cli.nl2sql.algebra import Against, Comparison, Figure, Function, Measure, Rows, restricted
from polyrag_cli.nl2sql.index import ColumnEntry
from polyrag_cli.nl2sql.operators.aggregate import Aggregate
from polyrag_cli.nl2sql.operators.select import Shown
from polyrag_cli.nl2sql.predicates import predicates
from polyrag_cli.nl2sql.proposals import UNLINKED, Proposal, covering, shown, words_of
from polyrag_cli.nl2sql.question import Mark
from polyrag_cli.nl2sql.scope import Covered, Scope

_NAMED = 0.55
_SIGNS: dict[str, Comparison] = {
    "above": ">",
    "more": ">",
    "below": "<",
    "less": "<",
    "at_least": ">=",
    "at_most": "<=",
}


class AgainstFigures:
    """Proposes the rows, or their number, that lie beyond a mean or beyond what one value has."""

    name = "against"

    def propose(self, scope: Scope) -> Iterator[Proposal]:
        marks = scope.marks(*_SIGNS)
        if scope.ask.yes_no or len(marks) != 1:
            return
        mark = marks[0]
        means = [m for m in scope.marks("average", "median") if m.first > mark.first]
        if means:
            function: Function = "avg" if means[0].operation == "average" else "median"
            asking = words_of([mark, *means, *scope.marks("than")])
            for entry, fit, named in self._measured(scope, mark):
                figure = Figure(scope.rows, Measure(function, entry.column.name))
                yield from self._beyond(scope, entry, mark, figure, scope.rows, fit, covering(asking, named))
            return
        behind = [r for r in scope.chosen if r.tokens[0] > mark.last and r.single and r.kind not in ("number", "bound")]
        if len(behind) != 1 or scope.pair is not None:
            return
        others = [r for r in scope.chosen if r is not behind[0]]
        asking = words_of([mark, *scope.marks("than")])
        pool = restricted(scope.scan, predicates(others))
        for entry, fit, named in self._measured(scope, mark):
            figure = Figure(scope.rows, Measure("max", entry.column.name))
            yield from self._beyond(
                scope, entry, mark, figure, pool, fit, covering(asking, named), scope.entry(behind[0])
            )

    def _measured(self, scope: Scope, mark: Mark) -> Iterator[tuple[ColumnEntry, float, Covered]]:
        for target in [t for t in scope.measures if t.quality >= _NAMED]:
            yield target.entry, target.score, scope.naming(target.entry)
        quantities = [c for c in scope.entries if c.role == "measure"]
        if not scope.measures and len(quantities) == 1:
            yield quantities[0], 0.2, {}

    def _beyond(
        self,
        scope: Scope,
        entry: ColumnEntry,
        mark: Mark,
        figure: Figure,
        pool: Rows,
        fit: float,
        covered: Covered,
        compared: ColumnEntry | None = None,
    ) -> Iterator[Proposal]:
        rows = restricted(pool, (Against(entry.column.name, _SIGNS[mark.operation], figure),))
        asking = words_of(scope.marks("which", "who", "list", "count"))
        if scope.ask.counts:
            nouns = dict.fromkeys(scope.ask.focus[:2], UNLINKED)
            found = covering(
                asking, covered, nouns, scope.naming(scope.profile.subject), dict.fromkeys(scope.label, 1.0)
            )
            yield Proposal(self.name, Aggregate(Figure(rows, Measure("count"))), 0.9 + 0.4 * fit, found)
            return
        names = {t.entry.position: t for t in scope.targets if t.entry is not entry}
        for target in names.values():
            if target.entry.role == "measure" and scope.marks("which", "who", "list"):
                continue
            prior = 0.35 + 0.4 * fit + 0.6 * target.score
            expression = Shown(rows, (target.entry.column.name, entry.column.name))
            yield Proposal(self.name, expression, prior, covering(asking, covered, shown(scope, target)))
        if compared is not None and compared.position not in names:
            prior = 0.35 + 0.4 * fit + 0.5
            expression = Shown(rows, (compared.column.name, entry.column.name))
            yield Proposal(self.name, expression, prior, covering(asking, covered, scope.naming(compared)))


OPERATOR = AgainstFigures()
