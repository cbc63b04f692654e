"""Owns which parts the words of a question over several tables may be, by span, and how surely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from polyrag_cli.nl2sql.asking import in_verb_place
from polyrag_cli.nl2sql.bound_items import date_items, number_items
from polyrag_cli.nl2sql.column_items import column_items
from polyrag_cli.nl2sql.index import ColumnEntry, SchemaIndex
from polyrag_cli.nl2sql.items import ColumnItem, Restriction
from polyrag_cli.nl2sql.parts import (
    Attribute,
    Bound,
    By,
    Check,
    Figure,
    How,
    Joint,
    Most,
    Named,
    Not,
    Nothing,
    Noun,
    Part,
    Per,
    Role,
    every,
)
from polyrag_cli.nl2sql.profile import number_of, profile
from polyrag_cli.nl2sql.question import Mark, Question
from polyrag_cli.nl2sql.related import Every, Function, Holds, Kept
from polyrag_cli.nl2sql.relating import Database, Thing
from polyrag_cli.nl2sql.restrictions import BOUNDS
from polyrag_cli.nl2sql.similarity import Similar
from polyrag_cli.nl2sql.table_search import sharing
from polyrag_cli.nl2sql.value_items import value_items

_FIGURES: dict[str, Function] = {"sum": "sum", "average": "avg", "median": "median"}
# So many words behind a superlative, a figure is what it compares.
_COMPARED = 4
# So many tables are looked at for one question.
_FEW = 8
# How near in meaning a word must be to what says how rows are related.
_ROLE = 0.52
_NEARLY = 0.08
_FAIR = 0.55
# How near in meaning a word must be to a column's label.
_MEANING = 0.47
_SURE = 0.9
# What a weak link costs, by what it lacks.
_WEAK = 0.5
_INFLECTED = 0.2
_PARTLY = 0.5
_BY_MEANING = 0.15
# What it costs that a verb of taking part says no more.
_VERB = 0.12
# What a value costs, whatever it is one of.
_NAMED = 0.1


@dataclass(frozen=True, slots=True)
class Option:
    """A part that words may be; cost: what speaks against it, 0 where they are just that."""

    part: Part
    cost: float


@dataclass(frozen=True)
class Span:
    """Words from `first` to `last` with what they may be. strength: how much speaks for taking them together."""

    first: int
    last: int
    options: tuple[Option, ...]
    strength: float

    def overlaps(self, other: Span) -> bool:
        return self.first <= other.last and other.first <= self.last


class Spans:
    """Finds what the words of one question may be."""

    def __init__(self, question: Question, database: Database, index: SchemaIndex, similar: Similar | None) -> None:
        self.question = question
        self.database = database
        self._similar = similar
        self._index = index
        self._found: dict[tuple[int, int], list[tuple[Option, float]]] = {}

    def found(self) -> list[Span]:
        """Return the spans that may be parts, by place."""
        for thing in self._touched():
            columns = column_items(self.question, thing.entry, self._similar)
            self._nouns(thing)
            self._columns(thing, columns)
            self._values(thing)
            self._bounds(thing, columns)
        self._operations()
        self._roles()
        return [self._span(place, found) for place, found in sorted(self._found.items())]

    def _touched(self) -> list[Thing]:
        """Return the tables with which the question shares words; of many, those with which it shares the most."""
        things = list(self.database.things.values())
        if len(things) <= _FEW:
            return things
        words = [self.question.tokens[i] for i in self.question.content()]
        shared = Counter(
            self._index.names[position] for word in words for position in sharing(word, self._index.postings)
        )
        found = sorted((t for t in things if shared[t.table]), key=lambda t: (-shared[t.table], t.table))
        return sorted(found[:_FEW], key=lambda t: t.table)

    def _span(self, place: tuple[int, int], found: Sequence[tuple[Option, float]]) -> Span:
        best: dict[Part, Option] = {}
        for option, _ in found:
            if option.part not in best or option.cost < best[option.part].cost:
                best[option.part] = option
        strength = max(strength for _, strength in found)
        ordered = sorted(best.values(), key=lambda o: (o.cost, repr(o.part)))
        return Span(place[0], place[1], tuple(ordered[:10]), strength)

    def _add(self, first: int, last: int, part: Part, cost: float, strength: float) -> None:
        length = last - first + 1
        worth = round(strength * length**0.5 + 0.15 * length, 6)
        self._found.setdefault((first, last), []).append((Option(part, round(cost, 6)), worth))

    # ------------------------------------------------------------ tables
    def _nouns(self, thing: Thing) -> None:
        tokens = self.question.tokens
        longest = len(thing.nouns)
        if not longest or thing.extends:
            return
        for first in range(len(tokens)):
            for length in range(min(longest, len(tokens) - first), 0, -1):
                words = tokens[first : first + length]
                matched = _matched([frozenset(w.stems) for w in words], thing.nouns)
                if not matched or self._is_small(first, first + length - 1):
                    continue
                share = length / longest
                if thing.name is None and share < 1.0:
                    continue
                quality = 1.0 if share == 1.0 else 0.5 + 0.4 * share
                self._add(first, first + length - 1, every(thing.table), _WEAK * (1 - quality), quality)
                break
            else:
                token = tokens[first]
                concepts = thing.entry.label_concepts
                if token.notions & concepts and not token.empty and thing.name is not None:
                    self._add(first, first, replace(every(thing.table), loose="near"), 0.1, 0.8)

    # ------------------------------------------------------------ columns
    def _columns(self, thing: Thing, columns: Sequence[ColumnItem]) -> None:
        for item in columns:
            entry = profile(thing.entry).columns[item.position]
            if number_of(entry.column.name) or item.quality < (_FAIR if item.lexical else _MEANING):
                continue
            if entry.column.distinct < 2:
                if item.lexical and not self._names_only(item):
                    self._add(item.tokens[0], item.tokens[-1], Nothing(), 0.1, 0.7)
                continue
            if self._names_only(item) and len(entry.words) > 1:
                continue
            if item.quality < _SURE and any(self._takes_part(i) for i in item.tokens):
                continue
            if len(entry.words) > len(item.tokens) and self._only_nouns(item, thing):
                continue
            if not item.lexical and any(in_verb_place(self.question, i) for i in item.tokens):
                continue
            if entry.role in ("date", "year") and not any(self._tells_time(i, entry) for i in item.tokens):
                continue
            if self._is_key(entry) and not any(self._identifies(i) for i in item.tokens):
                continue
            if self._is_small(item.tokens[0], item.tokens[-1]):
                continue
            reference = self.database.references.get((thing.table, entry.column.name))
            if entry is thing.name:
                # What rows are called stands for them, where it isn't only called a name.
                if item.lexical and not self._names_only(item):
                    self._add(
                        item.tokens[0],
                        item.tokens[-1],
                        every(thing.table),
                        _WEAK * (1 - item.quality),
                        item.quality * 0.9,
                    )
                continue
            if reference is not None and not reference.role:
                continue
            if reference is not None and self.database.connects(thing.table):
                continue
            quality = item.quality - (0.0 if item.lexical else _BY_MEANING)
            if len(entry.words) > 1 and len(item.tokens) == 1 and not self._says(item.tokens[0], entry):
                # Only a part of what the column is about: "price" for "shipping cost".
                quality -= _PARTLY
            part = Attribute(thing.table, entry.column.name)
            self._add(item.tokens[0], item.tokens[-1], part, _WEAK * (1 - quality), quality)

    def _is_small(self, first: int, last: int) -> bool:
        """Whether all words are small ones, which name nothing."""
        small = self.question.lexicon.is_function_word
        return all(small(self.question.tokens[i].folded) for i in range(first, last + 1))

    def _only_nouns(self, item: ColumnItem, thing: Thing) -> bool:
        """Whether words only say of what table a column is ("order" of "order date")."""
        tokens = self.question.tokens
        return all(any(group.intersection(tokens[i].stems) for group in thing.nouns) for i in item.tokens)

    def _tells_time(self, i: int, entry: ColumnEntry) -> bool:
        """Whether a word may stand for a column of dates: a publisher isn't when something was published."""
        token = self.question.tokens[i]
        return (
            token.folded in entry.words
            or bool(token.date_part)
            or in_verb_place(self.question, i)
            or bool(token.notions & entry.concepts)
        )

    def _says(self, i: int, entry: ColumnEntry) -> bool:
        """Whether a word stands in a column's label itself."""
        stems = frozenset(self.question.tokens[i].stems)
        return any(group & stems for group in entry.stems)

    def _takes_part(self, i: int) -> bool:
        return self.question.tokens[i].folded in self.question.lexicon.tables.taking_part

    def _is_key(self, entry: ColumnEntry) -> bool:
        return entry.role == "code" and entry.unique

    def _identifies(self, i: int) -> bool:
        return self.question.lexicon.identifies(self.question.tokens[i].folded)

    def _names_only(self, item: ColumnItem) -> bool:
        return all("name" in self.question.tokens[i].notions for i in item.tokens)

    # ------------------------------------------------------------ values
    def _values(self, thing: Thing) -> None:
        groups = value_items(self.question, thing.entry, profile(thing.entry).values)
        for group in [*groups, *date_items(self.question, thing.entry, set())]:
            for restriction in group:
                self._value(thing, restriction)

    def _value(self, thing: Thing, restriction: Restriction) -> None:
        entry = profile(thing.entry).columns[restriction.position]
        column = entry.column
        weak = restriction.kind in ("part", "spelled", "number") and restriction.quality < 0.85
        several = len(restriction.conditions[0].values) > 1
        first, last = min(restriction.tokens), max(restriction.tokens)
        if restriction.kind == "inflected":
            first, last = self._trimmed(first, last)
        if weak and (
            several or restriction.kind == "spelled" or (not self._is_name(first) and restriction.kind == "part")
        ):
            return
        if column.distinct == 1 and not column.nulls:
            if restriction.kind == "whole":
                self._add(first, last, Nothing(), 0.0, 0.9)
            return
        cost = _WEAK * max(0.0, 1.0 - min(1.0, restriction.quality))
        cost += _INFLECTED * (restriction.kind == "inflected")
        strength = min(1.15, restriction.quality)
        tests = tuple(Holds(condition) for condition in restriction.conditions)
        reference = self.database.references.get((thing.table, column.name))
        if entry is thing.name:
            central = 0.02 * min(5, sum(1 for hop in self.database.hops(thing.table) if not hop.up))
            self._add(first, last, Noun(Kept(Every(thing.table), tests), "name"), cost + _NAMED - central, strength)
        elif reference is None or not self.database.column(reference.other, reference.other_column).unique:
            self._add(first, last, Check(thing.table, tests), cost + _NAMED, strength * 0.98)

    def _trimmed(self, first: int, last: int) -> tuple[int, int]:
        """Leave out small words at either end, which name nothing."""
        tokens = self.question.tokens
        while first < last and tokens[first].empty and not (tokens[first].capital and first):
            first += 1
        while first < last and tokens[last].empty and not tokens[last].capital:
            last -= 1
        return first, last

    def _is_name(self, i: int) -> bool:
        token = self.question.tokens[i]
        return token.capital and i > 0

    def _bounds(self, thing: Thing, columns: Sequence[ColumnItem]) -> None:
        dated = {i for date in self.question.dates for i in range(date.first, date.last + 1)}
        for group in number_items(self.question, thing.entry, columns, dated):
            for restriction in group:
                entry = profile(thing.entry).columns[restriction.position]
                if number_of(entry.column.name):
                    continue
                places = sorted({*restriction.tokens, *restriction.context})
                between = set(range(places[0], places[-1] + 1)) - set(places)
                if any(not self.question.tokens[i].empty for i in between):
                    continue
                tests = tuple(Holds(condition) for condition in restriction.conditions)
                cost = _WEAK * max(0.0, 1.0 - restriction.quality)
                named = any(
                    item.position == restriction.position and item.lexical and set(item.tokens) <= set(places)
                    for item in columns
                )
                check = Check(thing.table, tests, guessed=not named)
                self._add(places[0], places[-1], check, cost, restriction.quality)

    # ------------------------------------------------------------ operations
    def _operations(self) -> None:
        question = self.question
        relating = question.lexicon.tables.relating
        for mark in question.marks:
            kind = mark.operation.partition(":")[0]
            if kind in ("max", "min"):
                self._most(mark)
            elif kind in ("not", "except"):
                self._add(mark.first, mark.last, Not(), 0.0, 1.0)
            elif kind == "both" and any(t.folded in question.lexicon.grammar.joints for t in question.tokens):
                self._add(mark.first, mark.last, Nothing(), 0.0, 1.0)
            elif kind == "none":
                denied = bool(question.find("not"))
                self._add(mark.first, mark.last, Nothing() if denied else Not(), 0.0, 1.0)
            elif kind == "or":
                self._add(mark.first, mark.last, Joint(False), 0.0, 0.5)
            elif kind == "ask":
                self._add(mark.first, mark.last, How((mark.operation.partition(":")[2],)), 0.0, 1.0)
            elif kind in _FIGURES and self._beside_superlative(mark):
                self._add(mark.first, mark.last, Figure(_FIGURES[kind]), 0.0, 0.8)
            elif kind == "group":
                self._add(mark.first, mark.last, Per(), 0.0, 0.8)
            elif kind in ("who", "when", "where"):
                self._asking(mark, kind)
        for i, token in enumerate(question.tokens):
            # "É" isn't "e", though it folds to it.
            if token.folded in question.lexicon.grammar.joints and token.text.lower() == token.folded:
                self._add(i, i, Joint(True), 0.0, 0.3)
            if token.folded in question.lexicon.grammar.agents:
                if question.superlatives():
                    self._add(i, i, By(), 0.0, 0.9)
                if self._taken_part(i - 1):
                    self._add(i, i, Nothing(), 0.0, 0.9)
            meant = any(isinstance(o.part, Noun) for o, _ in self._found.get((i, i), ()))
            if token.folded in question.lexicon.tables.taking_part and not meant:
                self._add(i, i, Nothing(), _VERB, 0.1)
            if token.folded in relating.naming:
                self._add(i, i, Named(), 0.0, 0.9)
            if "size" in token.notions:
                self._add(i, i, How(("area",)), 0.0, 0.6)
            if token.folded in relating.how and i + 1 < len(question.tokens):
                notions = self._extents(question.tokens[i + 1].folded)
                if notions:
                    self._add(i, i + 1, How(notions), 0.0, 1.0)
        self._comparisons()

    def _taken_part(self, i: int) -> bool:
        return i >= 0 and in_verb_place(self.question, i)

    def _beside_superlative(self, mark: Mark) -> bool:
        """Whether a figure is what a superlative compares ("the highest total")."""
        return any(0 < mark.first - other.last <= _COMPARED for other in self.question.superlatives())

    def _extents(self, word: str) -> tuple[str, ...]:
        dimensions = self.question.lexicon.tables.dimensions
        return tuple(notion for notion, words in sorted(dimensions.items()) if word in words)

    def _most(self, mark: Mark) -> None:
        question = self.question
        words = [question.tokens[i].folded for i in range(mark.first, mark.last + 1)]
        named = mark.operation.partition(":")[2]
        counting = question.lexicon.tables.relating.counting
        notions = (named,) if named else tuple(dict.fromkeys(n for word in words for n in self._extents(word)))
        counts = (
            not named
            and not counting.isdisjoint(words)
            and not (len(words) > 1 and notions and words[-1] not in question.lexicon.grammar.of)
        )
        if counts and len(words) == 1:
            notions = ()
        first, last, before = self._ranks(mark)
        descending = mark.operation.startswith("max")
        part = Most(descending, notions if not counts else (), counts, first, last)
        self._add(before, mark.last, part, 0.0, 1.0)

    def _ranks(self, mark: Mark) -> tuple[int, int, int]:
        question, before = self.question, mark.first - 1
        if before >= 0:
            word = question.tokens[before].folded
            place = question.lexicon.ordinals.get(word)
            if place is not None and not word.isdigit():
                return place, place, before
            for number in question.numbers:
                if number.last == before and number.value == int(number.value) and 1 <= number.value <= 100:
                    return 1, int(number.value), number.first
        return 1, 1, mark.first

    def _asking(self, mark: Mark, kind: str) -> None:
        """What asks for people, places or times stands for the rows and columns that are such."""
        group = self.database.group
        if kind == "who":
            for name in group.people:
                self._add(mark.first, mark.last, replace(every(name), loose="asked"), 0.05, 0.9)
        for table, column in group.dated if kind == "when" else group.placed if kind == "where" else ():
            self._add(mark.first, mark.last, Attribute(table, column), 0.1, 0.9)

    def _comparisons(self) -> None:
        question = self.question
        for mark in question.marks:
            operator = BOUNDS.get(mark.operation)
            if operator is None or mark.operation in ("after", "before", "since", "until"):
                continue
            words = [question.tokens[i].folded for i in range(mark.first, mark.last + 1)]
            notions = tuple(dict.fromkeys(n for word in words for n in self._extents(word)))
            number = next((n for n in question.numbers if n.first == mark.last + 1), None)
            following = question.tokens[mark.last + 1].folded if mark.last + 1 < len(question.tokens) else ""
            if number is None and following in question.lexicon.numbers.one:
                self._add(mark.first, mark.last + 1, Bound(operator, 1, notions), 0.0, 1.0)
            elif number is not None:
                value = int(number.value) if number.value == int(number.value) else number.value
                self._add(mark.first, number.last, Bound(operator, value, notions), 0.0, 1.0)
            else:
                self._add(mark.first, mark.last, Bound(operator, None, notions), 0.0, 0.9)

    # ------------------------------------------------------------ roles
    def _roles(self) -> None:
        roles = self.database.group.roles
        if not roles:
            return
        open_to = []
        for i in range(len(self.question.tokens)):
            token = self.question.tokens[i]
            stems = frozenset(token.stems)
            said = [role for _, names, role in roles if names & stems]
            for table, column in said:
                self._add(i, i, Role(table, column), 0.0, 0.95)
            if not said and self._may_relate(i):
                open_to.append(i)
        if self._similar is None or not open_to:
            return
        labels = tuple(dict.fromkeys(label for label, _, _ in roles))
        cosines = self._similar([self.question.tokens[i].folded for i in open_to], labels)
        for i, row in zip(open_to, cosines, strict=True):
            best = float(row.max())
            for label, _, (table, column) in roles:
                cosine = round(float(row[labels.index(label)]), 6)
                if cosine >= max(_ROLE, best - _NEARLY):
                    self._add(i, i, Role(table, column), 0.3 * (1 - cosine), 0.6 * cosine)

    def _may_relate(self, i: int) -> bool:
        token = self.question.tokens[i]
        relating = token.folded in self.question.lexicon.tables.relating.verbs and len(token.folded) > 3
        marked = any(m.first <= i <= m.last for m in self.question.marks)
        named = any(
            first <= i <= last and any(s >= _SURE for _, s in found) for (first, last), found in self._found.items()
        )
        plain = token.folded.isalpha() and len(token.folded) > 2 and not (token.capital and i > 0)
        return plain and not marked and not named and (relating or not token.empty)


def _matched(words: Sequence[frozenset[str]], nouns: Sequence[frozenset[str]]) -> bool:
    left = list(nouns)
    for stems in words:
        hit = next((group for group in left if group & stems), None)
        if hit is None:
            return False
        left.remove(hit)
    return True


def segmentations(spans: Sequence[Span], most: int = 5) -> Iterator[tuple[Span, ...]]:
    """Yield ways to read the words as spans that don't overlap, the strongest first."""
    seen: set[tuple[tuple[int, int], ...]] = set()
    main = _chosen(spans, ())
    variants: list[Iterable[Span]] = [()]
    # Each of the chosen that stands in the way of others may be left out in their favour.
    variants += [(span,) for span in main if any(span.overlaps(other) and other is not span for other in spans)]
    for without in variants[:most]:
        chosen = _chosen(spans, without)
        key = tuple((span.first, span.last) for span in chosen)
        if key not in seen:
            seen.add(key)
            yield chosen


def _chosen(spans: Sequence[Span], without: Iterable[Span]) -> tuple[Span, ...]:
    left = list(without)
    order = sorted((s for s in spans if s not in left), key=lambda s: (-s.strength, s.first, s.last))
    chosen: list[Span] = []
    for span in order:
        if not any(span.overlaps(other) for other in chosen):
            chosen.append(span)
    return tuple(sorted(chosen, key=lambda s: s.first))
