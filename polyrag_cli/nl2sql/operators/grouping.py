"""One figure for each value of a column: "sales by region", "which regions sold more than 100"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from polyrag_cli.nl2sql.algebra import Comparison, Condition, DatePart, Figure, Function, Measure, Rows
from polyrag_cli.nl2sql.asking import is_plural
from polyrag_cli.nl2sql.index import ColumnEntry
from polyrag_cli.nl2sql.items import ColumnItem
from polyrag_cli.nl2sql.operators.aggregate import Aggregate
from polyrag_cli.nl2sql.proposals import UNLINKED, Proposal, covering, shown, words_of
from polyrag_cli.nl2sql.question import Mark, NumberMention
from polyrag_cli.nl2sql.rendering import Renderer, measure_name, rank
from polyrag_cli.nl2sql.scope import Scope, Target
from polyrag_cli.nl2sql.stating import Speaker, capped
from polyrag_cli.types import Rows as Result

# Up to here a number of what nothing explains may be one of rows.
_FEW = 5
# Quantities that are stated by the month, and dates since when something is so.
_BY_PERIOD = frozenset({"salary", "rent"})
_SINCE = frozenset({"hire", "birth", "founded", "opened"})
_SIGNS: dict[str, Comparison] = {"above": ">", "below": "<", "at_least": ">=", "at_most": "<=", "equal": "="}


@dataclass(frozen=True, slots=True)
class Grouped:
    """One figure for each value of a key, or for those groups alone that a bound or ranks leave.

    part: which part of the key's dates groups. having: a bound on the figure. descending: whether the largest ranks
    first; None leaves all groups, by key. first, last: the ranks that stay. count: how many groups stay is asked.
    """

    rows: Rows
    key: str
    measure: Measure
    part: DatePart = ""
    having: Condition | None = None
    descending: bool | None = None
    first: int = 1
    last: int = 1
    count: bool = False

    def render(self, renderer: Renderer) -> str:
        key, measure = renderer.key(self.key, self.part), renderer.measure(self.measure)
        having = f" HAVING {renderer.bound(measure, self.having)}" if self.having is not None else ""
        order, ranked = key if self.part else renderer.ordering(self.key), ""
        if self.descending is not None:
            # A group without any value has no figure that ranks.
            having = having or f" HAVING {measure} IS NOT NULL"
            ranked = f" QUALIFY {rank(measure, self.descending, self.first, self.last)}"
            order = f"{measure} {'DESC' if self.descending else 'ASC'}, {key}"
        shown = f"{measure} AS {renderer.alias(measure_name(self.measure))}"
        body = (
            f"SELECT {renderer.named_key(self.key, self.part)}, {shown}"
            f" {renderer.source(self.rows).clause(*renderer.present(self.key))} GROUP BY {key}{having}{ranked}"
        )
        return f"SELECT COUNT(*) AS count FROM ({body}) AS grouped" if self.count else f"{body} ORDER BY {order}"

    def state(self, speaker: Speaker, result: Result) -> str:
        if self.count:
            return speaker.figure(Measure("count_distinct", self.key), result.rows[0][0])
        items = [
            f"{speaker.part(row[0], self.key, self.part)}: {speaker.measure(self.measure, row[1])}"
            for row in result.rows
        ]
        described = speaker.described(self.measure)
        if self.descending is not None:
            return capped(speaker, items, speaker.words["max" if self.descending else "min"].format(described))
        by = speaker.words[self.part] if self.part else speaker.label(self.key)
        return capped(speaker, items, speaker.words["group"].format(described, by))


class Grouping:
    """Proposes a figure for each value of what is named behind "by" or "per", and bounds on sums of what repeats."""

    name = "grouping"

    def propose(self, scope: Scope) -> Iterator[Proposal]:
        yield from self._each(scope)
        yield from self._bounded(scope)
        yield from self._repeated(scope)

    def _repeated(self, scope: Scope) -> Iterator[Proposal]:
        """A bound on nothing that is named restricts how many rows there are: "regions with more than one store"."""
        marks = scope.marks(*_SIGNS)
        number = self._figure(scope, marks[0]) if len(marks) == 1 and not scope.superlatives() else None
        if number is None:
            return
        noun = number.last + 1
        known = noun in scope.label or noun in scope.naming(scope.profile.subject)
        if not known and number.value > _FEW:
            return
        nouns = dict.fromkeys(range(number.last + 1, min(number.last + 2, len(scope.question.tokens))), UNLINKED)
        asking = words_of([*marks, *scope.marks("which", "who", "list", "count")])
        covered = covering(
            asking, dict.fromkeys(range(number.first, number.last + 1), 1.0), nouns, dict.fromkeys(scope.label, 1.0)
        )
        having = Condition("", _SIGNS[marks[0].operation], (int(number.value),))
        for target in scope.targets[:3]:
            entry = target.entry
            if entry.role == "measure" or entry.unique or scope.profile.distinct(entry) > 0.97 or not target.tokens:
                continue
            expression = Grouped(
                scope.rows, entry.column.name, Measure("count"), target.part, having=having, count=scope.ask.counts
            )
            yield Proposal(self.name, expression, 0.35 + 0.5 * target.score, covering(covered, shown(scope, target)))

    def _figure(self, scope: Scope, mark: Mark) -> NumberMention | None:
        """Return the whole number right behind a comparison that restricts nothing; "one" is one as well."""
        question, behind = scope.question, mark.last + 1
        free = [n for n in question.numbers if n.first not in scope.restricting and n.value == int(n.value)]
        if behind < len(question.tokens) and question.tokens[behind].folded in question.lexicon.numbers.one:
            return NumberMention(behind, behind, 1.0, False, False)
        return free[0] if len(free) == 1 and 0 < free[0].first - mark.last <= 2 else None

    def _each(self, scope: Scope) -> Iterator[Proposal]:
        for mark in scope.marks("group"):
            behind = [item for item in scope.free if 0 < item.tokens[0] - mark.last <= 2]
            for item in behind[:2]:
                entry = scope.entry(item)
                if entry.role == "measure" or self._of_each_row(scope, entry, item):
                    continue
                if not item.lexical and set(item.tokens) <= set(scope.label):
                    # "Killed by police", of a table of police killings.
                    continue
                if item.part and self._paid_by(scope, item):
                    yield from self._by_period(scope, mark, item)
                    continue
                key = Target(entry, 1.0, item.part, item.tokens, item.quality)
                covered = covering(
                    words_of([mark]),
                    scope.naming(entry),
                    words_of(
                        scope.marks("sum", "average", "median", "max", "min", "count", "which", "how_much", "list")
                    ),
                )
                yield from self._figures(scope, key, covered)

    def _of_each_row(self, scope: Scope, entry: ColumnEntry, item: ColumnItem) -> bool:
        """Tell "the average pay per employee", which is one figure where each row is an employee, and "heard by
        employees", which groups nothing.
        """
        once = entry.unique and not item.part
        return once and (bool(scope.marks("average", "median")) or is_plural(scope.question, item.tokens[-1]))

    def _paid_by(self, scope: Scope, item: ColumnItem) -> bool:
        """Whether pay is asked for, and the date says since when things are so, not when it was paid; where it is named
        ("by year of hiring"), it is meant.
        """
        pay = any(t.entry.concepts & _BY_PERIOD for t in scope.measures)
        named = any(i.position == item.position and i.tokens != item.tokens and i.lexical for i in scope.free)
        return pay and not named and bool(scope.entry(item).concepts & _SINCE)

    def _by_period(self, scope: Scope, mark: Mark, item: ColumnItem) -> Iterator[Proposal]:
        """The sum of pay, which is by the month itself: "how much do we spend on salaries per month"."""
        asking = words_of([mark, *scope.marks("sum", "which", "how_much", "object")])
        for measure in scope.measures:
            if item.part == "month" and measure.entry.concepts & _BY_PERIOD and not scope.superlatives():
                function: Function = "avg" if scope.marks("average") else "sum"
                covered = covering(asking, dict.fromkeys(item.tokens, 1.0), scope.naming(measure.entry))
                figure = Figure(scope.rows, Measure(function, measure.entry.column.name))
                yield Proposal(self.name, Aggregate(figure), 0.9 + 0.3 * measure.score, covered)

    def _figures(self, scope: Scope, key: Target, covered: dict[int, float]) -> Iterator[Proposal]:
        name = key.entry.column.name
        averaged, middle = bool(scope.marks("average")), bool(scope.marks("median"))
        ends = scope.superlatives()
        for measure in [m for m in scope.measures if m.entry is not key.entry]:
            function: Function = "avg" if averaged else "median" if middle else "sum"
            if ends:
                function = "max" if ends[0].operation.startswith("max") else "min"
            if function == "sum" and measure.entry.additive is False:
                continue
            found = covering(covered, scope.naming(measure.entry), words_of(ends))
            figure = Measure(function, measure.entry.column.name)
            yield Proposal(self.name, Grouped(scope.rows, name, figure, key.part), 0.9 + 0.3 * measure.score, found)
        if scope.ask.counts:
            found = covering(covered, dict.fromkeys(scope.ask.focus[:2], UNLINKED), dict.fromkeys(scope.label, 1.0))
            subject = scope.profile.subject
            if any(t.entry is subject for t in scope.focused):
                found = covering(found, scope.naming(subject))
            yield Proposal(self.name, Grouped(scope.rows, name, Measure("count"), key.part), 0.9, found)

    def _bounded(self, scope: Scope) -> Iterator[Proposal]:
        """A bound on a quantity that adds up restricts the sums of what repeats."""
        for restriction in scope.chosen:
            entry = scope.entry(restriction)
            between_columns = bool(restriction.conditions[0].other)
            if restriction.kind != "bound" or between_columns or entry.role != "measure" or not entry.additive:
                continue
            rows = scope.rows_without([restriction])
            measure = Measure("sum", entry.column.name)
            for target in scope.targets[:2]:
                if target.entry.role == "measure" or target.entry.unique or target.entry.names_rows or target.part:
                    continue
                if not target.tokens or target.score < 1.0:
                    continue
                asking = words_of(scope.marks("which", "who", "list", "count"))
                prior = 0.6 * target.score + 0.3
                expression = Grouped(
                    rows, target.entry.column.name, measure, having=restriction.conditions[0], count=scope.ask.counts
                )
                yield Proposal(self.name, expression, prior, covering(asking, shown(scope, target)))


OPERATOR = Grouping()
