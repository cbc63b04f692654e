"""One figure of all rows: how many there are, the sum, the mean or the median of a quantity."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from polyrag_cli.nl2sql.algebra import Figure, Function, Measure, Rows
from polyrag_cli.nl2sql.asking import in_verb_place
from polyrag_cli.nl2sql.notions import MONEY
from polyrag_cli.nl2sql.prices import adds_up, only_worth
from polyrag_cli.nl2sql.proposals import UNLINKED, Proposal, covering, words_of
from polyrag_cli.nl2sql.rendering import Renderer
from polyrag_cli.nl2sql.scope import Covered, Scope, Target
from polyrag_cli.nl2sql.stating import Speaker
from polyrag_cli.types import Rows as Result

_COUNT = 0.9
_MEANS: dict[str, Function] = {"average": "avg", "median": "median"}
# What it costs to add up a quantity that isn't the noun that is asked for.
_NOT_ASKED = 0.4
# How surely the number of things that rows hold is asked for by the value that names these.
_HELD = 0.9
# What "what does it" asks an amount of.
_PRICED = frozenset({"price", "cost", "salary", "weight"})


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A figure of rows."""

    figure: Figure

    @property
    def rows(self) -> Rows:
        return self.figure.rows

    def render(self, renderer: Renderer) -> str:
        measure = self.figure.measure
        return renderer.figure(self.figure, "count" if measure.counts else "")

    def state(self, speaker: Speaker, result: Result) -> str:
        return speaker.figure(self.figure.measure, result.rows[0][0])


class Aggregates:
    """Proposes counts where "how many" asks, sums and means of the quantities that are named."""

    name = "aggregate"

    def propose(self, scope: Scope) -> Iterator[Proposal]:
        if scope.ask.yes_no or scope.marks("share", "difference"):
            return
        if scope.ask.counts:
            yield from self._counts(scope)
        yield from self._sums(scope)
        for name, function in _MEANS.items():
            marks = scope.marks(name)
            for measure in scope.measures if marks else ():
                covered = covering(words_of(marks), scope.naming(measure.entry), self._asking(scope))
                yield self._of(scope, function, measure, 1.0 + 0.4 * measure.score, covered)

    def _asking(self, scope: Scope) -> Covered:
        return words_of(scope.marks("which", "count", "how_much", "list", "object"))

    def _of(self, scope: Scope, function: Function, measure: Target, prior: float, covered: Covered) -> Proposal:
        figure = Figure(scope.rows, Measure(function, measure.entry.column.name))
        return Proposal(self.name, Aggregate(figure), prior, covered)

    def _counts(self, scope: Scope) -> Iterator[Proposal]:
        ask = scope.ask
        if self._asks_for_a_span(scope):
            return
        asking = covering(self._asking(scope), words_of(scope.marks("distinct", "sum")))
        ranking = scope.profile.ranking
        adding = [t for t in scope.focused if t.entry.role == "measure" and t.entry.position not in ranking]
        quantities = [t for t in adding if t.quality >= 0.6 and not only_worth(scope, t.entry, t.tokens)]
        # "How many desks were sold": the verb names the quantity.
        sold = [m for m in scope.measures if m.quality >= 0.9 and in_verb_place(scope.question, m.tokens[0])]
        held = scope.things(ask.focus[0]) if ask.focus else None
        if held is not None and all(held is not q.entry for q in quantities):
            quantities.append(Target(held, _HELD, "", (), _HELD))
        others = [t for t in scope.focused if t.entry.role != "measure" and t.entry.position not in scope.fixed]
        # Where each row is one of what is counted, "how many teams won" asks for rows.
        if not any(t.quality >= 0.9 and scope.profile.distinct(t.entry) == 1.0 for t in others):
            quantities += [m for m in sold if all(m.entry is not t.entry for t in quantities)]
        prior = _COUNT - (0.35 if quantities and quantities[0].score >= 0.75 else 0.0)
        prior -= 0.7 if scope.superlatives() else 0.0
        nouns = dict.fromkeys(ask.focus[:3], UNLINKED)
        named = covering(
            *(scope.naming(t.entry) for t in others if t.entry.names_rows or scope.profile.distinct(t.entry) >= 0.6)
        )
        table = dict.fromkeys(scope.label, 1.0)
        if not ask.has("distinct"):
            figure = Figure(scope.rows, Measure("count"))
            yield Proposal(self.name, Aggregate(figure), prior, covering(asking, nouns, named, table))
        head = scope.ask.focus[-1:] if scope.question.lexicon.grammar.noun_last else scope.ask.focus[:1]
        if head and head[0] in scope.label:
            # "How many vet visits": visits are counted, and the table is called so.
            others = [t for t in others if head[0] in t.tokens]
        for target in others[:2]:
            share = scope.profile.distinct(target.entry)
            # Each row is one of what it is named after.
            rows = (target.entry.unique or target.entry.names_rows) and not ask.has("distinct")
            if rows or target.part:
                continue
            fit = 0.2 * target.quality if target.quality >= 0.9 and share < 0.6 else -0.25
            fit += 0.2 if ask.has("distinct") else 0.0
            covered = covering(asking, nouns, scope.naming(target.entry))
            yield self._of(scope, "count_distinct", target, prior + fit, covered)
        for target in quantities[:2]:
            if target.entry.additive is False:
                continue
            total = 0.25 if ask.has("sum") else 0.0
            covered = covering(asking, scope.naming(target.entry))
            yield self._of(scope, "sum", target, 0.6 + 0.4 * target.score + total, covered)

    def _sums(self, scope: Scope) -> Iterator[Proposal]:
        ask = scope.ask
        marks = scope.marks("sum")
        if scope.marks("average", "median") or scope.superlatives():
            return
        asking = covering(self._asking(scope), words_of(marks))
        for measure in scope.measures:
            entry = measure.entry
            if not adds_up(scope, entry) or self._asks_for_another_thing(scope, measure):
                continue
            covered = covering(asking, scope.naming(entry))
            if marks:
                prior = 0.75 + 0.4 * measure.score - (0.35 if measure.score < 0.65 else 0.0)
            elif ask.has("how_much", "which", "object") or not scope.question.marks:
                prior = 0.55 + 0.35 * measure.score + (0.1 if entry.additive else 0.0)
                if ask.has("which", "object") and ask.focus and set(ask.focus).isdisjoint(measure.tokens):
                    prior -= _NOT_ASKED
            else:
                continue
            yield self._of(scope, "sum", measure, prior, covered)
        # The total of expenses is money, whatever table their name leads to.
        money = any(scope.question.tokens[i].notions & MONEY for i in ask.focus if not scope.question.tokens[i].trade)
        rows = bool(set(ask.focus) & set(scope.label)) or any(
            t.entry is scope.profile.subject or t.entry.unique for t in scope.focused
        )
        if marks and rows and not money and not scope.measures and not ask.counts and not ask.has("how_much"):
            covered = covering(asking, dict.fromkeys(ask.focus[:2], UNLINKED), dict.fromkeys(scope.label, 1.0))
            figure = Figure(scope.rows, Measure("count"))
            yield Proposal(self.name, Aggregate(figure), 0.6, covered)

    def _asks_for_a_span(self, scope: Scope) -> bool:
        """Tell "how many days are there between two dates", which no number of rows answers."""
        timed = any(scope.question.tokens[i].date_part for i in scope.ask.focus[:1])
        return timed and any(c.operator == "between" for r in scope.chosen if r.kind == "date" for c in r.conditions)

    def _asks_for_another_thing(self, scope: Scope, measure: Target) -> bool:
        """Tell "what did they buy", which asks for no amount, and "what does it cost", which asks for no number."""
        question = scope.question
        notions = frozenset().union(*(question.tokens[i].notions for i in measure.tokens))
        if scope.marks("object") and not notions & _PRICED:
            return True
        costs = any("price" in t.notions and t.folded in question.lexicon.tables.taking_part for t in question.tokens)
        return (
            costs and scope.ask.has("how_much") and not measure.entry.concepts & MONEY and not measure.entry.column.unit
        )


OPERATOR = Aggregates()
