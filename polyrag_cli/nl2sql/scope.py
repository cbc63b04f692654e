"""Owns one way to read a question on a table: which restrictions hold, and what is left to ask for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from polyrag_cli.nl2sql.algebra import DatePart, Rows, Scan, restricted
from polyrag_cli.nl2sql.asking import Ask, in_verb_place
from polyrag_cli.nl2sql.index import ColumnEntry, TableEntry
from polyrag_cli.nl2sql.items import ColumnItem, Restriction
from polyrag_cli.nl2sql.notions import PEOPLE, PLACES, THINGS, UNLINKED
from polyrag_cli.nl2sql.predicates import predicates
from polyrag_cli.nl2sql.prices import asks_price, money_rows, prices
from polyrag_cli.nl2sql.profile import TableProfile, is_year_of, profile
from polyrag_cli.nl2sql.question import Mark, Question
from polyrag_cli.nl2sql.row_names import rows_called

Covered = dict[int, float]

_TARGETS = 5
# How sure a link to a part of a label is that says what the column holds.
_PART = 0.7
_LEAST_NAMED = 0.55
_WHOLE = 0.9
# Words that may stand between "or" and the columns that it joins.
_JOINED = 3
# Quantities that say how many things a row holds.
_NUMBERS = frozenset({"quantity", "stock"})
# Operations whose words are often part of a column's name.
_IN_NAMES = frozenset({"growth", "difference", "share", "ratio", "rank", "average"})


@dataclass(frozen=True)
class Target:
    """A column that may be what is asked for, and how much speaks for it."""

    entry: ColumnEntry
    score: float
    part: DatePart = ""
    tokens: tuple[int, ...] = ()
    quality: float = 0.0


@dataclass(frozen=True)
class Scope:
    """One choice of restrictions for a question, with the columns that its other words may name.

    columns: by place. chosen: the restrictions that hold. label: the words that name the table or its rows.
    meant: those that come near its name by their meaning.
    """

    ask: Ask
    table: TableEntry
    columns: tuple[ColumnItem, ...]
    chosen: tuple[Restriction, ...]
    label: tuple[int, ...] = ()
    meant: tuple[int, ...] = ()

    @property
    def question(self) -> Question:
        return self.ask.question

    @cached_property
    def profile(self) -> TableProfile:
        return profile(self.table)

    def entry(self, item: ColumnItem | Restriction) -> ColumnEntry:
        """The column of an item."""
        return self.entries[item.position]

    @cached_property
    def entries(self) -> tuple[ColumnEntry, ...]:
        """The columns, and behind them the numbers in columns of text."""
        return self.profile.columns

    # ------------------------------------------------------------ rows
    @cached_property
    def scan(self) -> Scan:
        return Scan(self.table.schema.name, self.table.excluded)

    @cached_property
    def rows(self) -> Rows:
        """The rows that all restrictions leave."""
        return restricted(self.scan, predicates(self.chosen))

    def rows_without(self, left_out: Iterable[Restriction]) -> Rows:
        """The rows that the other restrictions leave."""
        left = set(map(id, left_out))
        return restricted(self.scan, predicates([r for r in self.chosen if id(r) not in left]))

    def rows_with(self, restriction: Restriction, left_out: Iterable[Restriction]) -> Rows:
        """The rows that a restriction leaves with those that aren't left out."""
        left = set(map(id, left_out))
        kept = [r for r in self.chosen if id(r) not in left and r is not restriction]
        return restricted(self.scan, predicates([*kept, restriction]))

    # ------------------------------------------------------------ words
    @cached_property
    def restricting(self) -> frozenset[int]:
        """The words that restrictions account for."""
        return frozenset(i for r in self.chosen for i in (*r.tokens, *r.context))

    @cached_property
    def covered(self) -> Covered:
        """How surely the restrictions account for each of their words, 0–1."""
        found: Covered = {}
        for r in self.chosen:
            for i in r.tokens:
                found[i] = max(found.get(i, 0.0), 0.6 + 0.4 * min(1.0, r.quality))
            for i in r.context:
                found[i] = max(found.get(i, 0.0), 0.8)
        return found

    @cached_property
    def fixed(self) -> frozenset[int]:
        """The positions of columns of which one value is asked for; a year of dates leaves many."""
        return frozenset(
            r.position
            for r in self.chosen
            if r.single and not r.negated and not (r.conditions[0].operator == "year" and self.entry(r).role == "date")
        )

    def naming(self, entry: ColumnEntry, factor: float = 1.0) -> Covered:
        """The words that name a column, with how surely; where its head is named, its other words are as sure."""
        found: Covered = {}
        items = [item for item in self.columns if item.position == entry.position]
        least = _PART if any(item.quality >= _PART for item in items) else 0.0
        for item in items:
            for i in item.tokens:
                found[i] = max(found.get(i, 0.0), max(item.quality, least) * factor)
        return found

    @cached_property
    def of_rows(self) -> Covered:
        """The words that name what the rows are ("the value of the *orders*"), where these aren't asked for."""
        found = self.naming(self.profile.subject, 0.9)
        for entry in self.entries:
            # "Customers", of a table of these whose ids are called so and whose names aren't.
            if entry.names_rows:
                found.update(self.naming(entry, 0.9))
        for item in self.free:
            text = self.entry(item).role in ("text", "code", "month")
            if text and item.quality >= _LEAST_NAMED and (self._related(item) or self._every(item)):
                found.update(dict.fromkeys(item.tokens, 0.8))
            elif text and item.lexical and item.quality >= _WHOLE and self._beside_label(item):
                # "The Bechdel test", of a table of that name.
                found.update(dict.fromkeys(item.tokens, 0.6))
        return found

    @cached_property
    def telling_apart(self) -> tuple[str, ...]:
        """The columns that tell rows apart which the question names, but no column does ("the sales above 1000")."""
        first = [i for i in self.question.content() if i not in self.restricting][:1]
        if self.table.key is not None or not first or first[0] not in self.label:
            return ()
        said = {c.column for r in self.chosen for c in r.conditions if c.operator == "=" and not r.negated}
        return tuple(e.column.name for e in self.table.identifying if e.column.name not in said)

    @cached_property
    def of_people(self) -> Covered:
        """The words for people in general, where the rows are people."""
        people = self.profile.subject in self.profile.people
        tokens = self.question.tokens
        return {i: 0.9 for i in self.question.content() if people and "people" in tokens[i].notions}

    def _beside_label(self, item: ColumnItem) -> bool:
        return any(i - 1 in self.label or i + 1 in self.label for i in item.tokens)

    def _related(self, item: ColumnItem) -> bool:
        """Tell a noun that only says whose quantity is meant ("the revenue of the musical *shows*")."""
        grammar = self.question.lexicon.grammar
        for i in range(item.tokens[0] - 1, max(-1, item.tokens[0] - 5), -1):
            word = self.question.tokens[i]
            if word.folded in grammar.relating:
                return True
            if i not in self.restricting and not word.empty:
                return False
        return False

    def _every(self, item: ColumnItem) -> bool:
        """Tell a noun of which all are meant ("in all *regions*"), which restricts nothing."""
        before = self.question.tokens[max(0, item.tokens[0] - 2) : item.tokens[0]]
        return any(word.folded in self.question.lexicon.grammar.every for word in before)

    def marks(self, *operations: str) -> list[Mark]:
        """The marks of operations that aren't part of what restricts."""
        return [m for m in self.question.find(*operations) if not self._restricts(m)]

    def superlatives(self) -> list[Mark]:
        """The marks that ask for the most or the least of something."""
        return [m for m in self.question.superlatives() if not self._restricts(m) and not self._in_label(m)]

    def _in_label(self, mark: Mark) -> bool:
        """Whether a mark is a word of a whole label of several ("last delivery")."""
        words = set(range(mark.first, mark.last + 1))
        return any(i.quality >= 1 and len(i.tokens) > len(words) and words <= set(i.tokens) for i in self.columns)

    def _named(self, mark: Mark) -> bool:
        """Whether a mark is only a part of a column's name ("growth rate")."""
        words = set(range(mark.first, mark.last + 1))
        return mark.operation in _IN_NAMES and any(
            item.lexical and item.quality >= 0.85 and words < set(item.tokens) for item in self.columns
        )

    def _restricts(self, mark: Mark) -> bool:
        if self._named(mark):
            return True
        return set(range(mark.first, mark.last + 1)) <= {i for r in self.chosen for i in r.tokens}

    @cached_property
    def pair(self) -> tuple[Restriction, Restriction] | None:
        """Two single values of one column, where only one column has two."""
        found: dict[int, list[Restriction]] = {}
        for restriction in self.chosen:
            if restriction.conditions[0].operator in ("=", "in", "year", "month") and not restriction.negated:
                found.setdefault(restriction.position, []).append(restriction)
        pairs = [(group[0], group[1]) for group in found.values() if len(group) == 2]
        return pairs[0] if len(pairs) == 1 else None

    @cached_property
    def either(self) -> tuple[ColumnItem, ColumnItem] | None:
        """Two columns of quantities in one unit that "or" stands between, where there is one such pair."""
        joints = self.marks("or")
        named = [i for i in self.free if i.lexical and i.quality >= _WHOLE and self.entry(i).role == "measure"]
        before = [i for i in named if joints and 0 < joints[0].first - i.tokens[-1] <= _JOINED]
        behind = [i for i in named if joints and 0 < i.tokens[0] - joints[0].last <= _JOINED]
        if len(joints) != 1 or not before or not behind:
            return None
        first = max(before, key=lambda i: (len(i.tokens), i.tokens))
        second = min(behind, key=lambda i: (-len(i.tokens), i.tokens))
        alike = self.entry(first).column.unit == self.entry(second).column.unit
        return (first, second) if alike and first.position != second.position else None

    # ------------------------------------------------------------ columns
    @cached_property
    def free(self) -> tuple[ColumnItem, ...]:
        """The columns named by words that restrict nothing, surest first."""
        named = [item for item in self.columns if self.restricting.isdisjoint(item.tokens)]
        return tuple(sorted(named, key=lambda item: (-item.quality, item.tokens, item.position)))

    @cached_property
    def measures(self) -> tuple[Target, ...]:
        """The quantities that words name, surest first, at most 3."""
        bounded = {r.position for r in self.chosen if r.kind == "bound"}
        best: dict[int, Target] = {}
        for item in self.free:
            entry = self.entry(item)
            if entry.role != "measure" and not self._summed(entry, item):
                continue
            again = item.lexical and item.quality >= _WHOLE
            if (entry.position in bounded and not again) or entry.position in self.profile.ranking:
                continue
            kept = best.get(entry.position)
            if kept is None or item.quality > kept.quality:
                best[entry.position] = Target(entry, item.quality, "", item.tokens, item.quality)
        if not best and (meant := money_rows(self)):
            entry, nouns = meant
            best[entry.position] = Target(entry, _WHOLE, "", nouns, _WHOLE)
        found = sorted(best.values(), key=lambda t: (-t.score, t.entry.position))
        return tuple(found[:3])

    def _summed(self, entry: ColumnEntry, item: ColumnItem) -> bool:
        """Tell numbers that look like those of rows, but are asked to be added up ("the sum of pages")."""
        figures = entry.role == "code" and entry.column.type in ("integer", "number") and item.quality >= 0.9
        named = any(self.table.lexicon.identifies(word) for word in entry.words)
        named = named or entry.names_rows or entry is self.profile.subject
        return figures and not named and self.ask.has("sum", "average", "median")

    def things(self, noun: int) -> ColumnEntry | None:
        """The number of things that each row holds, where a value names what rows only deal with ("how many
        croissants", "who sold the most croissants"); None where rows are meant.

        noun: the place of the word that says of what.
        """
        question = self.question
        named = [self.entry(r) for r in self.chosen if noun in r.tokens]
        if not named or named[0].concepts & (PEOPLE | PLACES):
            return None
        if any(token.folded in question.lexicon.tables.rows for token in question.tokens[:noun]):
            # "How many items from Norbrook" asks for rows, and the value only says whose.
            return None
        held = [e for e in self.entries if e.role == "measure" and e.concepts & _NUMBERS and e.additive is not False]
        return held[0] if len(held) == 1 else None

    @cached_property
    def measured(self) -> tuple[ColumnEntry, ...]:
        """The columns that "how old", "how far" or a bare "how much" ask for."""
        notions = {mark.operation[4:] for mark in self.question.marks if mark.operation.startswith("ask:")}
        found = tuple(entry for entry in self.entries if entry.concepts & notions)
        return found or (prices(self) if asks_price(self) else ())

    @cached_property
    def focused(self) -> tuple[Target, ...]:
        """The columns that the words asked for name, surest first."""
        best: dict[tuple[int, str], Target] = {}
        near = {*self.ask.focus[:2], *self._rows_asked}
        for item in self.free:
            if item.tokens[0] not in near.union(self.ask.focus) or is_year_of(self.entry(item).column.name):
                continue
            if self.entry(item).role == "boolean" and not item.lexical:
                # What says yes or no of things is no kind of them.
                continue
            score = item.quality * (1.0 if item.tokens[0] in near else 0.8)
            entry = rows_called(self, item)
            key = (entry.position, item.part)
            if key not in best or score > best[key].score:
                best[key] = Target(entry, score, item.part, item.tokens, item.quality)
        return tuple(sorted(best.values(), key=lambda t: (-t.score, t.entry.position)))

    @cached_property
    def _rows_asked(self) -> frozenset[int]:
        """Words for rows right behind what asks that are a column's whole label ("which items", of a column Item)."""
        behind = {mark.last + 1 for mark in self.question.find("which", "list")}
        whole = {i.tokens[0] for i in self.free if i.lexical and i.quality >= 1 and len(i.tokens) == 1}
        return frozenset(i for i in behind & whole if self.question.tokens[i].empty)

    @cached_property
    def targets(self) -> tuple[Target, ...]:
        """The columns that may be shown, best first, at most 5; none of which one value is already given."""
        scores: dict[tuple[int, DatePart], Target] = {}

        def offer(entry: ColumnEntry, score: float, part: DatePart = "", item: Target | None = None) -> None:
            kept = scores.get((entry.position, part))
            if entry.position not in self.fixed and (kept is None or score > kept.score):
                tokens, quality = (item.tokens, item.quality) if item is not None else ((), 0.0)
                scores[entry.position, part] = Target(entry, score, part, tokens, quality)

        for target in self.focused:
            offer(target.entry, 0.5 + 0.8 * target.score, target.part, target)
        for item in self.free:
            named = Target(rows_called(self, item), item.quality, item.part, item.tokens, item.quality)
            if named.entry.role == "boolean" and not item.lexical:
                continue
            if len(item.tokens) == 1 and in_verb_place(self.question, item.tokens[0]):
                if self._told_by_verb(item):
                    offer(named.entry, 0.5 + 0.8 * item.quality, "", named)
                continue
            offer(named.entry, 0.25 + 0.35 * item.quality, item.part, named)
        ask = self.ask
        for entry in self.measured:
            offer(entry, 1.3)
        if ask.has("who"):
            for entry in self.profile.people:
                known = 0.25 if entry.concepts & (PEOPLE | UNLINKED) else 0.0
                offer(entry, (1.0 if entry is self.profile.subject else 0.9 - 0.02 * entry.position) + known)
        if ask.has("when"):
            for entry in self.profile.times:
                offer(entry, 1.15)
        if ask.has("where"):
            for entry in self.profile.places:
                offer(entry, 1.1)
        if not ask.has("who") or not self.profile.people or self.profile.subject in self.profile.people:
            offer(self.profile.subject, 0.6)
        found = [self._judged(t) for t in scores.values() if not self._is_thing(t.entry)]
        return tuple(sorted(found, key=lambda t: (-t.score, t.entry.position, t.part))[:_TARGETS])

    def _told_by_verb(self, item: ColumnItem) -> bool:
        """Whether a verb says what is asked for that no sum tells ("how much does it *cost*", of prices)."""
        entry = self.entry(item)
        return self.ask.has("how_much", "object") and entry.role == "measure" and entry.additive is False

    def _is_thing(self, entry: ColumnEntry) -> bool:
        """Whether somebody is asked for, and a column holds things, or names what each row is."""
        if not self.ask.has("who") or entry.concepts & PEOPLE:
            return False
        people = self.profile.people
        return bool(entry.concepts & THINGS) or (entry.names_rows and bool(people) and entry not in people)

    def _judged(self, target: Target) -> Target:
        """Lower a quantity where a name is asked for."""
        names = self.ask.has("who") or (self.ask.has("which") and (target.quality < 0.95 or bool(self.superlatives())))
        if not names or target.entry.role != "measure":
            return target
        # What ranks or is compared is never the name that is asked for.
        lowered = 1.0 if self.superlatives() else 0.5
        return Target(target.entry, target.score - lowered, target.part, target.tokens, target.quality)
