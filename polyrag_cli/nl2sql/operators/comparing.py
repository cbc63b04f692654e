"""Which of two has more, or by how much: "who sold more, Ana or Rui?", "how many more boats than cars?"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from polyrag_cli.nl2sql.algebra import Figure, Measure
from polyrag_cli.nl2sql.compared import Compared
from polyrag_cli.nl2sql.index import ColumnEntry
from polyrag_cli.nl2sql.items import Restriction
from polyrag_cli.nl2sql.label_words import says_percent
from polyrag_cli.nl2sql.orders import behind_of, orders
from polyrag_cli.nl2sql.proposals import UNLINKED, Proposal, covering, words_of
from polyrag_cli.nl2sql.question import Mark, Question
from polyrag_cli.nl2sql.rendering import Renderer
from polyrag_cli.nl2sql.scope import Covered, Scope
from polyrag_cli.nl2sql.stating import Speaker
from polyrag_cli.types import Cell
from polyrag_cli.types import Rows as Result

_WAYS = {"more": 1, "above": 1, "max": 1, "less": -1, "below": -1, "min": -1}
# How well a number of rows fits of which there are said to be more ("who had more visits").
_OF_ROWS = 0.6
_COMPARING = ("max", "min", "above", "below", "more", "less", "versus")


@dataclass(frozen=True, slots=True)
class Measured:
    """What two values are compared by; flipped: whether less of it is said to be more."""

    measure: Measure
    fit: float
    covered: Covered
    flipped: bool = False


@dataclass(frozen=True, slots=True)
class Versus(Compared):
    """Which of two figures is larger (smaller), or whether the first is."""

    descending: bool
    yes_no: bool

    def follows(self, renderer: Renderer) -> str:
        sign = ">" if self.descending else "<"
        if self.yes_no:
            return f"value_1 {sign} value_2 AS holds"
        first, second = (renderer.named(name) for name in self.names)
        return (
            f"CASE WHEN value_1 {sign} value_2 THEN {first} WHEN value_1 = value_2 THEN NULL"
            f" WHEN value_2 IS NOT NULL AND value_1 IS NOT NULL THEN {second} END AS {renderer.alias(self.column)}"
        )

    def state(self, speaker: Speaker, result: Result) -> str:
        verdict, *values = result.rows[0]
        if self.yes_no or verdict is None:
            return Compared.state(self, speaker, result)
        # Both figures name what they are of: the first is the verdict.
        found = list(zip(self.names, values, strict=True))
        if speaker.named(self.names[1], self.column) == speaker.named(verdict, self.column):
            found.reverse()
        measure = self.first.measure
        items = [f"{speaker.named(name, self.column)}: {speaker.measure(measure, value)}" for name, value in found]
        return f"{'; '.join(items)} ({speaker.described(measure)})"

    def said(self, speaker: Speaker, following: Sequence[Cell], items: Sequence[str]) -> str:
        (verdict,) = following
        said = speaker.words["tie" if verdict is None else "yes" if verdict else "no"]
        return f"{said}: {'; '.join(items)} ({speaker.described(self.first.measure)})"


@dataclass(frozen=True, slots=True)
class Difference(Compared):
    """The first figure less the second, without its sign where the question doesn't say which is larger."""

    absolute: bool

    def follows(self, renderer: Renderer) -> str:
        return f"{'ABS(value_1 - value_2)' if self.absolute else 'value_1 - value_2'} AS difference"

    def said(self, speaker: Speaker, following: Sequence[Cell], items: Sequence[str]) -> str:
        measure = self.first.measure
        how = f"{speaker.words['difference'].format(*items)}, {speaker.described(measure)}"
        return f"{speaker.measure(measure, following[0])} ({how})"


class Comparing:
    """Proposes to set the figures of two values of one column against each other."""

    name = "comparing"

    def propose(self, scope: Scope) -> Iterator[Proposal]:
        pair = scope.pair
        if pair is None:
            return
        marks = scope.marks(*_COMPARING, "than") + [m for m in scope.superlatives() if m.operation not in _COMPARING]
        apart = scope.marks("difference")
        much = scope.marks("how_much", "count")
        counting = scope.question.lexicon.grammar.counting
        # Where one word says "more" and "most", "than" tells.
        more = scope.marks("more", "less", "above", "below") + [
            m
            for m in scope.superlatives()
            if ":" not in m.operation and scope.question.tokens[m.last].folded in counting
        ]
        order = scope.marks("before", "after")
        if scope.ask.yes_no and len(order) == 1 and pair[0].tokens[-1] < order[0].first < pair[1].tokens[0]:
            yield from self._earlier(scope, pair, order[0])
            return
        if apart or (much and more and scope.marks("than", "above", "below")):
            yield from self._differences(scope, pair, [*apart, *marks], much)
        elif marks:
            yield from self._versus(scope, pair, marks)

    def _versus(self, scope: Scope, pair: tuple[Restriction, Restriction], marks: list[Mark]) -> Iterator[Proposal]:
        ask = scope.ask
        comparing = [m for m in marks if m.operation != "than"]
        if ask.opposites:
            # "Higher or lower" asks for a direction.
            return
        between = range(pair[0].tokens[-1] + 1, pair[1].tokens[0])
        joined = any(m.first in between for m in scope.question.find("or", "than", "above", "below", "more", "less"))
        if not comparing or not (joined or scope.marks("versus", "more", "less")):
            return
        kind = comparing[0].operation
        down = kind.partition(":")[0] in ("max", "above", "more", "versus")
        yes_no = ask.yes_no and not scope.marks("or")
        asking = words_of(
            [*marks, *scope.marks("which", "who", "where", "when", "or", "count", "list", "than", "sum", "average")]
        )
        for measured in self._measures(scope, pair, comparing[0]):
            figures = self._figures(scope, pair, measured.measure)
            names = named_pair(scope, pair)
            column = scope.entry(pair[0])
            expression = Versus(*figures, names, column.column.name, down != measured.flipped, yes_no)
            found = covering(asking, measured.covered, scope.naming(column), dict.fromkeys(ask.focus[:1], 0.6))
            yield Proposal(self.name, expression, 1.0 + 0.5 * measured.fit, found)

    def _earlier(self, scope: Scope, pair: tuple[Restriction, Restriction], mark: Mark) -> Iterator[Proposal]:
        """Whether one came before the other, by the first time of each."""
        column = scope.entry(pair[0])
        names = named_pair(scope, pair)
        for entry in [e for e in scope.profile.times if e.role != "month" and e is not column][:2]:
            figures = self._figures(scope, pair, Measure("min", entry.column.name))
            expression = Versus(*figures, names, column.column.name, mark.operation == "after", True)
            covered = covering(words_of([mark]), {0: 1.0}, scope.naming(entry), scope.naming(column))
            yield Proposal(self.name, expression, 1.3, covered)

    def _differences(
        self, scope: Scope, pair: tuple[Restriction, Restriction], marks: list[Mark], much: list[Mark]
    ) -> Iterator[Proposal]:
        way = next((said for m in marks if (said := direction(scope.question, m))), 0)
        asking = words_of([*marks, *much, *scope.marks("which", "between", "object", "or", "sum", "average", "than")])
        for measured in self._measures(scope, pair, marks[0]):
            first, second = self._figures(scope, pair, measured.measure)
            names = named_pair(scope, pair)
            column = scope.entry(pair[0])
            # "How much more did A spend than B" has a sign; "the difference between A and B" has none.
            if way and (way < 0) != self._turned(scope, pair):
                first, second, names = second, first, (names[1], names[0])
            expression = Difference(first, second, names, column.column.name, absolute=not way)
            found = covering(asking, measured.covered, scope.naming(column), _points(scope, measured.measure))
            yield Proposal(self.name, expression, 1.05 + 0.45 * measured.fit, found)

    def _turned(self, scope: Scope, pair: tuple[Restriction, Restriction]) -> bool:
        """Whether what is compared with stands first ("how many more than Ana did Rui sell")."""
        ends = [m.last for m in scope.marks("than", "difference", "above", "below") if m.last < pair[1].tokens[0]]
        return bool(ends) and 0 < pair[0].tokens[0] - ends[-1] <= 2 and bool(scope.marks("than", "above", "below"))

    def _figures(self, scope: Scope, pair: tuple[Restriction, Restriction], measure: Measure) -> tuple[Figure, Figure]:
        first, second = (Figure(scope.rows_with(each, pair), measure) for each in pair)
        return first, second

    def _measures(self, scope: Scope, pair: tuple[Restriction, Restriction], mark: Mark) -> Iterator[Measured]:
        column = scope.entry(pair[0])
        found = [o for o in orders(scope, mark) if o.entry is not column]
        for order in found:
            measure = figure_of(scope, order.entry)
            # "How many more" asks for amounts.
            fit = order.fit - (0.1 if scope.ask.has("difference") and measure.function == "avg" else 0.0)
            yield Measured(measure, fit, scope.naming(order.entry), order.flipped)
        # One row each is no number of anything.
        told = scope.ask.counts or scope.label or scope.naming(scope.profile.subject)
        if not scope.measures and told and scope.profile.distinct(column) < 0.97:
            nouns = dict.fromkeys(scope.ask.focus[:2], UNLINKED)
            subject = scope.naming(scope.profile.subject) if column is not scope.profile.subject else {}
            covered = covering(nouns, subject, dict.fromkeys(scope.label, 1.0))
            verbs = scope.question.lexicon.tables.taking_part
            played = any(token.folded in verbs for token in scope.question.tokens)
            # "Who won more matches" asks for other rows than those that name who played.
            rows = {*scope.label, *subject}.intersection(behind_of(scope, mark)[:1]) if not played else set()
            yield Measured(Measure("count"), _OF_ROWS if rows else 0.3, covered)


def named_pair(scope: Scope, pair: tuple[Restriction, Restriction]) -> tuple[Cell, Cell]:
    """Return what two restrictions are called: their values; months as the question writes them."""
    first, second = (_called(scope, each) for each in pair)
    return first, second


def _called(scope: Scope, restriction: Restriction) -> Cell:
    condition = restriction.conditions[0]
    if condition.operator != "month":
        return condition.values[0]
    tokens = scope.question.tokens
    return scope.question.text[tokens[restriction.tokens[0]].word.start : tokens[restriction.tokens[-1]].word.end]


def direction(question: Question, mark: Mark) -> int:
    """Return 1 where words of comparing say more ("how many more"), -1 where they say less, 0 where neither."""
    if mark.operation in _WAYS:
        return _WAYS[mark.operation]
    known = question.lexicon.operations
    for token in question.tokens[mark.first : mark.last + 1]:
        for phrase, operation in known.get(token.folded, ()):
            if phrase == (token.folded,) and operation in _WAYS:
                return _WAYS[operation]
    return 0


def _points(scope: Scope, measure: Measure) -> Covered:
    """The words for points, in which per cents differ."""
    entry = next((e for e in scope.entries if e.column.name == measure.column), None)
    percent = entry is not None and says_percent(entry.column, entry.words)
    tokens = scope.question.tokens
    return {i: 1.0 for i in scope.ask.focus if percent and "points" in tokens[i].notions}


def figure_of(scope: Scope, entry: ColumnEntry) -> Measure:
    """Return the one figure that several rows of a value have: their sum, the mean of what doesn't add up, the first
    of times and ranks.
    """
    name = entry.column.name
    if entry.role != "measure" or entry.position in scope.profile.ranking:
        return Measure("min", name)
    return Measure("avg" if scope.marks("average") or entry.additive is False else "sum", name)


OPERATOR = Comparing()
