"""Rows that share a value with the one that is named: "who else is from the same city as Ana?"."""

from __future__ import annotations

from collections.abc import Iterator

from polyrag_cli.nl2sql.algebra import Alike, Figure, Measure, restricted
from polyrag_cli.nl2sql.items import Restriction
from polyrag_cli.nl2sql.notions import PEOPLE, PLACES
from polyrag_cli.nl2sql.operators.aggregate import Aggregate
from polyrag_cli.nl2sql.operators.select import Shown
from polyrag_cli.nl2sql.predicates import predicates
from polyrag_cli.nl2sql.proposals import UNLINKED, Proposal, covering, shown, words_of
from polyrag_cli.nl2sql.question import Mark
from polyrag_cli.nl2sql.scope import Scope


class Sameness:
    """Proposes the other rows, or their number, that hold what the restricted rows hold in one column."""

    name = "sameness"

    def propose(self, scope: Scope) -> Iterator[Proposal]:
        marks = scope.marks("same")
        if len(marks) != 1 or not scope.chosen or scope.ask.yes_no or scope.superlatives():
            return
        anchor = [r for r in scope.chosen if r.single and not r.negated and self._tells_rows(scope, r)]
        if not anchor:
            return
        others = [r for r in scope.chosen if all(r is not a for a in anchor)]
        asking = words_of([*marks, *scope.marks("which", "who", "list", "count", "other", "where", "when")])
        for item in [i for i in scope.free if self._behind(marks[0], i.tokens[0])][:2]:
            entry = scope.entry(item)
            like = Alike(entry.column.name, restricted(scope.scan, predicates(anchor)))
            rows = restricted(scope.scan, (*predicates(others), like))
            covered = covering(asking, scope.naming(entry), dict.fromkeys(scope.ask.focus[:2], UNLINKED))
            if scope.ask.counts_first:
                yield Proposal(self.name, Aggregate(Figure(rows, Measure("count"))), 1.0 + 0.3 * item.quality, covered)
                continue
            column = scope.entry(anchor[0])
            wanted = [t for t in scope.targets if t.entry.position not in (entry.position, column.position)]
            offered = [(t.entry, t.score, shown(scope, t)) for t in wanted[:3]]
            offered.append((column, 0.9, dict.fromkeys(scope.ask.focus[:1], 0.6)))
            for target, score, named in offered:
                prior = 0.4 + 0.6 * score + 0.3 * item.quality
                expression = Shown(rows, (target.column.name,))
                yield Proposal(self.name, expression, prior, covering(covered, named), single=True)

    def _tells_rows(self, scope: Scope, restriction: Restriction) -> bool:
        entry = scope.entry(restriction)
        named = entry.role == "text" and bool(entry.concepts & (PEOPLE | PLACES))
        return (
            scope.profile.names(entry)
            or named
            or (entry.role in ("year", "date") and scope.profile.distinct(entry) == 1.0)
        )

    def _behind(self, mark: Mark, place: int) -> bool:
        return 0 < place - mark.last <= 3


OPERATOR = Sameness()
