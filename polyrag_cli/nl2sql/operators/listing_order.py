"""The row that stands first, last, before or after another: "which team is listed after Ajax?"."""

from __future__ import annotations

from collections.abc import Iterator

from polyrag_cli.nl2sql.algebra import Against, Beside, Figure, Measure, Ranked, Rows, restricted
from polyrag_cli.nl2sql.items import Restriction
from polyrag_cli.nl2sql.operators.aggregate import Aggregate
from polyrag_cli.nl2sql.operators.select import Shown
from polyrag_cli.nl2sql.operators.superlative import listings_of
from polyrag_cli.nl2sql.orders import dimensions, orders
from polyrag_cli.nl2sql.predicates import predicates
from polyrag_cli.nl2sql.proposals import UNLINKED, Proposal, covering, shown, words_of
from polyrag_cli.nl2sql.question import Mark
from polyrag_cli.nl2sql.scope import Covered, Scope

_BEHIND = ("after", "below")
_BEFORE = ("before", "above")
_FORWARD = ("next",)
_BACK = ("previous",)
# How well the column of the row that is named fits where nothing else is asked for.
_OWN = 0.75


class ListingOrder:
    """Proposes rows by the order in which the source lists them."""

    name = "listing_order"

    def propose(self, scope: Scope) -> Iterator[Proposal]:
        if scope.ask.yes_no or scope.marks("share", "difference", "sum", "average", "than"):
            return
        yield from self._ends(scope)
        yield from self._beside(scope)

    def _ends(self, scope: Scope) -> Iterator[Proposal]:
        marks = [m for m in scope.superlatives() if m.operation in ("max:date", "min:date")]
        listing = listings_of(scope)
        # "At the top of the list" is its first row.
        tops = [m for m in scope.superlatives() if m.operation == "max"] if listing and not scope.measures else []
        marks += tops
        if scope.pair is not None:
            marks += scope.marks("before", "after")
            marks += [m for m in scope.marks("more", "less") if "date" in dimensions(scope, m)]
        for mark in marks:
            asking = words_of([mark, *scope.marks("which", "who", "when", "where", "list", "or")])
            last = (mark.operation in ("max:date", "more", "after")) != (scope.profile.backwards and not listing)
            rows = Ranked(scope.rows, "", last)
            if scope.pair is not None:
                column = scope.entry(scope.pair[0])
                covered = covering(asking, listing, scope.naming(column), dict.fromkeys(scope.ask.focus[:1], 0.6))
                yield Proposal(self.name, Shown(rows, (column.column.name,)), 1.25, covered)
                continue
            if not listing and any(entry.role == "date" for entry in scope.entries):
                # The latest is told by its date.
                continue
            dated = any(entry.role == "year" for entry in scope.entries)
            for target in scope.targets:
                prior = 0.3 + 0.6 * target.score + (0.35 if listing else -0.15 if dated else 0.1)
                covered = covering(asking, listing, shown(scope, target))
                yield Proposal(self.name, Shown(rows, (target.entry.column.name,), True, target.part), prior, covered)

    def _beside(self, scope: Scope) -> Iterator[Proposal]:
        marks = scope.marks(*_BEHIND, *_BEFORE, *_FORWARD, *_BACK)
        step = _step(marks)
        if not step or not scope.chosen or scope.pair is not None or self._bounds(scope, marks):
            return
        anchors = [r for r in scope.chosen if r.tokens[0] > marks[-1].last]
        if not anchors and any(m.operation in ("above", "below") for m in marks):
            # "Over all years" speaks of no row.
            return
        anchors = anchors or list(scope.chosen)
        if any(r.kind in ("number", "bound") for r in anchors):
            # "More than 3" is no place behind a row that holds 3.
            return
        others = [r for r in scope.chosen if all(r is not a for a in anchors)]
        asking = words_of([*marks, *scope.marks("which", "who", "when", "where", "list", "count")])
        anchor = restricted(scope.scan, predicates(anchors))
        pool = restricted(scope.scan, predicates(others))
        listing = listings_of(scope)
        if scope.profile.backwards and not listing and not {m.operation for m in marks} & {"above", "below"}:
            step = -step
        asking = covering(asking, listing)
        if scope.superlatives():
            yield from self._by_value(scope, anchor, pool, anchors, asking)
            return
        if scope.ask.counts:
            figure = Figure(Beside(pool, anchor, step, whole=True), Measure("count"))
            nouns = dict.fromkeys(scope.ask.focus[:2], UNLINKED)
            covered = covering(asking, nouns, scope.naming(scope.profile.subject))
            yield Proposal(self.name, Aggregate(figure), 0.9, covered)
            return
        yield from self._columns(scope, Beside(pool, anchor, step), anchors, asking)

    def _bounds(self, scope: Scope, marks: list[Mark]) -> bool:
        """Whether a figure that nothing accounts for stands behind a mark: it bounds something that isn't known."""
        figures = scope.question.figures() - scope.restricting
        return any(0 < i - mark.last <= 3 for mark in marks for i in figures)

    def _by_value(
        self, scope: Scope, anchor: Rows, pool: Rows, anchors: list[Restriction], asking: Covered
    ) -> Iterator[Proposal]:
        """The next by a quantity: "the next highest tower after X"."""
        mark = scope.superlatives()[0]
        for order in orders(scope, mark)[:2]:
            down = mark.operation.startswith("max") != order.flipped
            name = order.entry.column.name
            figure = Figure(anchor, Measure("min" if down else "max", name))
            rows = Ranked(restricted(pool, (Against(name, "<" if down else ">", figure),)), name, down)
            covered = covering(asking, words_of([mark]), scope.naming(order.entry))
            yield from self._columns(scope, rows, anchors, covered, 0.3 * order.fit)

    def _columns(
        self, scope: Scope, rows: Rows, anchors: list[Restriction], asking: Covered, more: float = 0.0
    ) -> Iterator[Proposal]:
        column = scope.entry(anchors[0])
        focused = any(t.score >= 0.85 for t in scope.focused)
        own = _OWN
        for target in scope.targets:
            if target.entry is column:
                own = max(own, target.score)
                continue
            prior = 0.35 + 0.6 * target.score + more
            expression = Shown(rows, (target.entry.column.name,))
            yield Proposal(self.name, expression, prior, covering(asking, shown(scope, target)), single=True)
        if column.role in ("text", "code"):
            prior = 0.35 + 0.6 * own + (0.1 if focused else 0.3) + more
            covered = covering(
                asking, scope.naming(column), dict.fromkeys(scope.ask.focus[:1], 0.6) if not focused else {}
            )
            yield Proposal(self.name, Shown(rows, (column.column.name,)), prior, covered, single=True)


def _step(marks: list[Mark]) -> int:
    """Return which way the marks lead, 0 where there are none or they contradict each other."""
    words = {m.operation for m in marks}
    behind, before = words & set(_BEHIND), words & set(_BEFORE)
    if behind and before:
        return 0
    if words & set(_BACK):
        return 0 if words & set(_FORWARD) else -1
    return 1 if behind or (words and not before) else -1 if before else 0


OPERATOR = ListingOrder()
