"""Owns which words of a question over several tables say what to do: superlatives, comparisons, "and", "per", "not"."""

from __future__ import annotations

from dataclasses import replace

from polyrag_cli.nl2sql.asking import in_verb_place
from polyrag_cli.nl2sql.question import Mark, Question
from polyrag_cli.nl2sql.related.database import Database
from polyrag_cli.nl2sql.related.linked_words import extents
from polyrag_cli.nl2sql.related.parts import (
    Attribute,
    Bound,
    By,
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
    every,
)
from polyrag_cli.nl2sql.related.spans import FoundSpans
from polyrag_cli.nl2sql.related.things import Function
from polyrag_cli.nl2sql.restrictions import BOUNDS

_FIGURES: dict[str, Function] = {"sum": "sum", "average": "avg", "median": "median"}
# Comparisons in time, which are read with their dates.
_OF_TIME = frozenset({"after", "before", "since", "until"})
# So many words behind a superlative, a figure is what it compares.
_COMPARED = 4
# The largest rank, or number of rows, that a superlative is asked for.
_MOST_ROWS = 100
# What it costs that a verb of taking part says no more.
_VERB = 0.12
# What it costs that a word of asking stands for people, and for times and places.
_PERSON = 0.05
_CIRCUMSTANCE = 0.1


def link_operations(question: Question, database: Database, spans: FoundSpans) -> None:
    """Note which words may say what to do with rows and columns, which are linked by then."""
    for mark in question.marks:
        kind, _, named = mark.operation.partition(":")
        if kind in ("max", "min"):
            _link_superlative(question, mark, spans)
        elif kind in ("who", "when", "where"):
            _link_asking(database, mark, kind, spans)
        else:
            found = _operation(question, mark, kind, named)
            if found is not None:
                spans.add(mark.first, mark.last, found[0], 0.0, found[1])
    for i in range(len(question.tokens)):
        _link_word(question, i, spans)
    for mark in question.marks:
        if mark.operation in BOUNDS and mark.operation not in _OF_TIME:
            _link_comparison(question, mark, spans)


def _operation(question: Question, mark: Mark, kind: str, named: str) -> tuple[Part, float] | None:
    """Return the part that a mark is, with what speaks for taking its words together."""
    match kind:
        case "not" | "except":
            return Not(), 1.0
        case "both" if any(t.folded in question.lexicon.grammar.joints for t in question.tokens):
            return Nothing(), 1.0
        case "none":
            return Nothing() if question.find("not") else Not(), 1.0
        case "or":
            return Joint(False), 0.5
        case "ask":
            return How((named,)), 1.0
        case "sum" | "average" | "median" if _beside_superlative(question, mark):
            return Figure(_FIGURES[kind]), 0.8
        case "group":
            return Per(), 0.8
    return None


def _beside_superlative(question: Question, mark: Mark) -> bool:
    """Whether a figure is what a superlative compares ("the highest total")."""
    return any(0 < mark.first - other.last <= _COMPARED for other in question.superlatives())


def _link_asking(database: Database, mark: Mark, kind: str, spans: FoundSpans) -> None:
    """What asks for people, places or times stands for the rows and columns that are such."""
    group = database.group
    if kind == "who":
        for name in group.people:
            spans.add(mark.first, mark.last, replace(every(name), loose="asked"), _PERSON, 0.9)
        return
    for table, column in group.dated if kind == "when" else group.placed:
        spans.add(mark.first, mark.last, Attribute(table, column), _CIRCUMSTANCE, 0.9)


# ---------------------------------------------------------------- single words
def _link_word(question: Question, i: int, spans: FoundSpans) -> None:
    token, lexicon = question.tokens[i], question.lexicon
    # "É" isn't "e", though it folds to it.
    if token.folded in lexicon.grammar.joints and token.text.lower() == token.folded:
        spans.add(i, i, Joint(True), 0.0, 0.3)
    if token.folded in lexicon.grammar.agents:
        if question.superlatives():
            spans.add(i, i, By(), 0.0, 0.9)
        if i and in_verb_place(question, i - 1):
            spans.add(i, i, Nothing(), 0.0, 0.9)
    names_rows = any(isinstance(part, Noun) for part in spans.of(i, i))
    if token.folded in lexicon.tables.taking_part and not names_rows:
        spans.add(i, i, Nothing(), _VERB, 0.1)
    if token.folded in lexicon.tables.relating.naming:
        spans.add(i, i, Named(), 0.0, 0.9)
    if "size" in token.notions:
        spans.add(i, i, How(("area",)), 0.0, 0.6)
    if token.folded in lexicon.tables.relating.how and i + 1 < len(question.tokens):
        notions = extents(question, i + 1)
        if notions:
            spans.add(i, i + 1, How(notions), 0.0, 1.0)


# ---------------------------------------------------------------- superlatives and comparisons
def _link_superlative(question: Question, mark: Mark, spans: FoundSpans) -> None:
    counts, notions = _compared(question, mark)
    first, last, before = _ranks(question, mark)
    part = Most(mark.operation.startswith("max"), notions, counts, first, last)
    spans.add(before, mark.last, part, 0.0, 1.0)


def _compared(question: Question, mark: Mark) -> tuple[bool, tuple[str, ...]]:
    """Return whether a superlative compares numbers of rows, and otherwise the notions that it measures."""
    named = mark.operation.partition(":")[2]
    if named:
        return False, (named,)
    words = [question.tokens[i].folded for i in range(mark.first, mark.last + 1)]
    notions = _extents_of(question, mark)
    measures = len(words) > 1 and notions and words[-1] not in question.lexicon.grammar.of
    if not question.lexicon.tables.relating.counting.isdisjoint(words) and not measures:
        return True, ()
    return False, notions


def _extents_of(question: Question, mark: Mark) -> tuple[str, ...]:
    return tuple(dict.fromkeys(n for i in range(mark.first, mark.last + 1) for n in extents(question, i)))


def _ranks(question: Question, mark: Mark) -> tuple[int, int, int]:
    """Return which ranks a superlative asks for, the first and the last, and with which word that begins."""
    before = mark.first - 1
    if before >= 0:
        word = question.tokens[before].folded
        place = question.lexicon.ordinals.get(word)
        if place is not None and not word.isdigit():
            return place, place, before
        for number in question.numbers:
            if number.last == before and number.value == int(number.value) and 1 <= number.value <= _MOST_ROWS:
                return 1, int(number.value), number.first
    return 1, 1, mark.first


def _link_comparison(question: Question, mark: Mark, spans: FoundSpans) -> None:
    operator, notions, behind = BOUNDS[mark.operation], _extents_of(question, mark), mark.last + 1
    number = next((n for n in question.numbers if n.first == behind), None)
    following = question.tokens[behind].folded if behind < len(question.tokens) else ""
    if number is not None:
        value = int(number.value) if number.value == int(number.value) else number.value
        spans.add(mark.first, number.last, Bound(operator, value, notions), 0.0, 1.0)
    elif following in question.lexicon.numbers.one:
        spans.add(mark.first, behind, Bound(operator, 1, notions), 0.0, 1.0)
    else:
        spans.add(mark.first, mark.last, Bound(operator, None, notions), 0.0, 0.9)
