"""The most, the least, the nth or the first of something: "which tower is the second highest?"."""

from __future__ import annotations

from collections.abc import Iterator

from polyrag_cli.nl2sql.algebra import Figure, Measure, Ranked
from polyrag_cli.nl2sql.index import ColumnEntry
from polyrag_cli.nl2sql.notions import MONEY
from polyrag_cli.nl2sql.operators.aggregate import Aggregate
from polyrag_cli.nl2sql.operators.grouping import Grouped
from polyrag_cli.nl2sql.operators.select import Shown
from polyrag_cli.nl2sql.orders import Order, behind_of, orders
from polyrag_cli.nl2sql.prices import only_worth
from polyrag_cli.nl2sql.profile import number_of
from polyrag_cli.nl2sql.proposals import UNLINKED, Proposal, covering, shown, words_of
from polyrag_cli.nl2sql.question import Mark
from polyrag_cli.nl2sql.scope import Covered, Scope

_REPEATED = 0.6
_NAMED = 0.55
# Below this share of different names, one has several rows, which add up.
_ALONE = 0.9
# What it costs to group by a column that is only meant.
_GUESSED = 0.3
# What it costs to answer with a figure what asks for a thing.
_OF_THINGS = 0.6


class Superlatives:
    """Proposes rows, or groups of them, at one end of an order."""

    name = "superlative"

    def propose(self, scope: Scope) -> Iterator[Proposal]:
        ask = scope.ask
        if ask.yes_no or scope.marks("share", "difference", "than", "next") or len(scope.superlatives()) != 1:
            return
        if scope.either is not None:
            # "Which is higher, revenue or profit" ranks no rows.
            return
        mark = scope.superlatives()[0]
        if mark.operation.endswith(":date") and listings_of(scope):
            # "The first on the list" asks for the order in which the rows stand.
            return
        down = mark.operation.startswith("max")
        first, last, counted = ranks(scope, mark)
        if ask.counts_first and last > first:
            # How many of the first few are such: what is counted is restricted by their ranks.
            return
        asking = covering(
            words_of([mark]),
            counted,
            words_of(scope.marks("which", "who", "when", "where", "list", "count", "how_much", "object", "average")),
        )
        found = [order for order in orders(scope, mark) if self._may_rank(scope, mark, order)]
        for order in found:
            entry, fit = order.entry, order.fit
            descending = down != order.flipped
            covered = covering(asking, scope.naming(entry))
            yield from self._rows(scope, entry, fit, descending, first, last, covered, order.flipped)
            yield from self._groups(scope, entry, fit, descending, first, last, covered)
            if first == last == 1 and not scope.marks("who", "when", "where"):
                focused = max((t.score for t in scope.focused if t.entry is entry), default=0.0)
                figure = Figure(scope.rows, Measure("max" if descending else "min", entry.column.name))
                prior = 0.5 * fit + 0.7 * focused + (0.2 if focused or ask.has("how_much", "count") else -0.25)
                prior -= _OF_THINGS if ask.of_things else 0.0
                yield Proposal(self.name, Aggregate(figure), prior, covered)
        yield from self._frequent(scope, mark, down, first, last, asking, bool(found) and found[0].fit > 0.7)

    def _may_rank(self, scope: Scope, mark: Mark, order: Order) -> bool:
        """Tell whether "the most" may speak of a quantity: of one that words name ("the most vaccinations" aren't the
        highest fee).
        """
        grammar, tokens = scope.question.lexicon.grammar, scope.question.tokens
        if tokens[mark.last].folded in grammar.often:
            # "Most often" counts, whatever quantities there are.
            return False
        if ":" in mark.operation or tokens[mark.last].folded not in grammar.counting:
            return True
        behind = behind_of(scope, mark)
        if order.entry is scope.profile.total or (behind and scope.things(behind[0]) is order.entry):
            # "The most medals", of gold, silver, bronze and their total.
            return True
        return any(
            item.position == order.entry.position
            and item.quality >= _NAMED
            and not only_worth(scope, order.entry, item.tokens)
            for item in scope.free
        )

    def _rows(
        self,
        scope: Scope,
        order: ColumnEntry,
        fit: float,
        descending: bool,
        first: int,
        last: int,
        covered: Covered,
        flipped: bool,
    ) -> Iterator[Proposal]:
        if scope.marks("when") and order.role in ("date", "year"):
            names = (order.column.name,)
            expression = Shown(Ranked(scope.rows, order.column.name, descending, first, last), names)
            yield Proposal(self.name, expression, 0.25 + 0.5 * fit + 0.9, covered, single=True)
        apart = tuple(name for name in scope.telling_apart if name != order.column.name)
        if apart and not scope.focused and not scope.marks("who", "when", "where", "average"):
            rows = Ranked(scope.rows, order.column.name, descending, first, last)
            yield Proposal(self.name, Shown(rows, (*apart, order.column.name)), 0.5 + 0.5 * fit + 0.6, covered)
        summed = (order.additive is not False or bool(scope.marks("sum"))) and not scope.marks("average")
        for target in scope.targets:
            if order.role != "measure" and flipped and target.entry.role == "measure":
                continue
            if target.entry is order or target.entry.column.name == number_of(order.column.name):
                continue
            repeated = scope.profile.distinct(target.entry) < _ALONE
            prior = 0.25 + 0.5 * fit + 0.6 * target.score - (0.3 if repeated and summed else 0.0)
            if scope.marks("average"):
                continue
            pair = (target.entry.column.name, order.column.name)
            expression = Shown(Ranked(scope.rows, order.column.name, descending, first, last), pair)
            yield Proposal(
                self.name, expression, prior, covering(covered, shown(scope, target)), single=first == last == 1
            )

    def _groups(
        self, scope: Scope, order: ColumnEntry, fit: float, descending: bool, first: int, last: int, covered: Covered
    ) -> Iterator[Proposal]:
        averaged = bool(scope.marks("average"))
        # "The largest sale" is one row's amount, whoever made it.
        one_trade = scope.question.lexicon.tables.one_trade
        if any(token.folded in one_trade for token in scope.question.tokens) and not averaged:
            return
        if order.role != "measure" or (order.additive is False and not averaged):
            return
        for target in scope.targets:
            if target.entry is order or target.entry.role == "measure" or (target.entry.unique and not target.part):
                continue
            if target.score < 0.8 or (scope.profile.distinct(target.entry) > 0.97 and not target.part):
                continue
            measure = Measure("avg" if averaged else "sum", order.column.name)
            named = any(item.lexical for item in scope.columns if item.tokens == target.tokens)
            prior = 0.3 + 0.5 * fit + 0.6 * target.score
            prior -= 0.0 if named else _GUESSED
            expression = Grouped(
                scope.rows,
                target.entry.column.name,
                measure,
                target.part,
                descending=descending,
                first=first,
                last=last,
            )
            yield Proposal(
                self.name, expression, prior, covering(covered, shown(scope, target)), single=first == last == 1
            )

    def _frequent(
        self, scope: Scope, mark: Mark, down: bool, first: int, last: int, asking: Covered, measured: bool
    ) -> Iterator[Proposal]:
        """What occurs in most rows: "which customer has the most orders"."""
        grammar, ending = scope.question.lexicon.grammar, scope.question.tokens[mark.last].folded
        often = ending in grammar.often
        if ":" in mark.operation or (ending not in grammar.counting and not often):
            return
        if mark.first and not often and scope.question.tokens[mark.first - 1].notions & MONEY:
            # "Who spent the most" asks for money.
            return
        for target in scope.targets:
            entry = target.entry
            if entry.role == "measure" or (scope.profile.distinct(entry) > 0.97 and not target.part):
                continue
            nouns = dict.fromkeys(behind_of(scope, mark)[:1], UNLINKED)
            table = dict.fromkeys(scope.label, 1.0)
            subject = scope.naming(scope.profile.subject) if entry is not scope.profile.subject else {}
            expression = Grouped(
                scope.rows, entry.column.name, Measure("count"), target.part, descending=down, first=first, last=last
            )
            prior = 0.3 + 0.6 * target.score - (0.35 if measured else 0.0)
            covered = covering(asking, nouns, table, subject, shown(scope, target))
            yield Proposal(self.name, expression, prior, covered, single=first == last == 1)


def _counts(scope: Scope, order: ColumnEntry) -> bool:
    """Whether "the most" and "the highest number of" speak of a quantity that may add up."""
    grammar, tokens = scope.question.lexicon.grammar, scope.question.tokens
    most = any(tokens[m.last].folded in grammar.counting and ":" not in m.operation for m in scope.superlatives())
    return most and order.additive is None


def listings_of(scope: Scope) -> Covered:
    """Return the words that speak of the table as a list."""
    listings = scope.question.lexicon.tables.listings
    return {i: 1.0 for i, token in enumerate(scope.question.tokens) if token.folded in listings}


def ranks(scope: Scope, mark: Mark) -> tuple[int, int, Covered]:
    """Return the first and last rank asked for ("the second highest": 2, 2; "the 3 largest": 1, 3) with their words."""
    question = scope.question
    before = mark.first - 1
    if before >= 0:
        place = question.lexicon.ordinals.get(question.tokens[before].folded)
        if place is not None and before not in scope.restricting and not question.tokens[before].folded.isdigit():
            return place, place, {before: 1.0}
    for number in question.numbers:
        free = number.first not in scope.restricting and number.value == int(number.value) and 1 <= number.value <= 100
        if free and (0 < number.first - mark.last <= 2 or 0 < mark.first - number.last <= 5):
            return 1, int(number.value), dict.fromkeys(range(number.first, number.last + 1), 1.0)
    return 1, 1, {}


OPERATOR = Superlatives()
