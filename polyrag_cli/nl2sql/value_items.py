"""Owns which values of a table the words of a question may name, and how surely: restrictions of rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt

from polyrag_cli.nl2sql.asking import in_verb_place
from polyrag_cli.nl2sql.cells import ValueRef
from polyrag_cli.nl2sql.index import TableEntry
from polyrag_cli.nl2sql.items import Kind, Restriction
from polyrag_cli.nl2sql.profile import profile
from polyrag_cli.nl2sql.question import Question, word_parts
from polyrag_cli.nl2sql.restrictions import equal
from polyrag_cli.nl2sql.value_index import ValueIndex

_LONGEST = 9
# More values than this are no name of anything.
_MOST_VALUES = 60
# Of a span's links, the best in so many columns.
_KEPT = 3
_SELDOM = frozenset({"ratio", "mode", "rank", "both", "single", "consecutive", "filler"})
_NAMED_BESIDE = 0.3
_OUTCOME = 0.85
# So many different values are states of rows, at most; letters of a word that may name one, and how surely it does.
_STATES = 12
_LEAST_STATE = 5
_STATE = 0.9


def value_items(question: Question, table: TableEntry, values: ValueIndex) -> list[list[Restriction]]:
    """Return, for each span that names values, its restrictions, best first; spans don't overlap.

    Qualities: a whole cell 1 + .1 · words (at most 4), a member of a list .85 + …, words that follow each other in a
    cell .45 + .15 · words, an inflection of a cell's only words .9, of one of them .42, a spelling .5, a bare figure
    .32, with the mark of an ordinal .9.
    """
    spans: dict[tuple[int, int], list[Restriction]] = {}
    for first in range(len(question.tokens)):
        for length in range(min(_LONGEST, len(question.tokens) - first), 0, -1):
            found = _span(question, table, values, first, length)
            if found:
                spans[first, length] = found
    for first, found in _outcomes(question, table):
        spans.setdefault((first, 1), []).extend(found)
    taken: set[int] = set()
    chosen: list[list[Restriction]] = []
    order = sorted(spans, key=lambda s: (-_strength(question, table, s, spans[s]), s))
    for first, length in order:
        if taken.isdisjoint(range(first, first + length)):
            taken.update(range(first, first + length))
            chosen.append(sorted(spans[first, length], key=lambda r: (-r.quality, r.position))[:_KEPT])
    return sorted(chosen, key=lambda group: group[0].tokens)


def _outcomes(question: Question, table: TableEntry) -> list[tuple[int, list[Restriction]]]:
    """Return the words for how games end, with the cells that say so."""
    found: list[tuple[int, list[Restriction]]] = []
    outcomes = profile(table).outcomes
    for i, token in enumerate(question.tokens if outcomes else ()):
        restrictions = [
            Restriction((i,), position, (equal(table.columns[position], by_notion[notion]),), _OUTCOME, "member")
            for position, by_notion in outcomes.items()
            for notion in sorted(token.notions)
            if notion in by_notion
        ]
        if restrictions:
            found.append((i, restrictions))
    return found


def _strength(question: Question, table: TableEntry, span: tuple[int, int], found: Sequence[Restriction]) -> float:
    """How strongly a span holds its words against others that share some: by quality and length, and by the name of
    the column beside a whole cell ("Wellington station").
    """
    first, length = span
    best = max(r.quality for r in found)
    beside = 0.0
    if best >= 1.0:
        near = [question.tokens[i] for i in (first - 1, first + length) if 0 <= i < len(question.tokens)]
        names = {position for token in near for stem in token.stems for position in table.by_stem.get(stem, ())}
        beside = _NAMED_BESIDE if any(r.position in names and r.kind == "whole" for r in found) else 0.0
    return round(best * sqrt(length) + 0.15 * length + beside, 6)


def _span(question: Question, table: TableEntry, values: ValueIndex, first: int, length: int) -> list[Restriction]:
    tokens = question.tokens[first : first + length]
    span = tuple(token.folded for token in tokens)
    marked = {i for mark in question.marks for i in range(mark.first, mark.last + 1)}
    place = tuple(range(first, first + length))
    # Words for what few operators do ("double") are values where a cell is called so.
    held = {i for mark in question.marks if mark.operation not in _SELDOM for i in range(mark.first, mark.last + 1)}
    said = frozenset(span)
    if tokens[-1].empty and not tokens[-1].capital and length > 1:
        return []
    figure = all(word.isdigit() for word in span)
    if figure and length == 1:
        return _figures(table, values, place, span[0])
    whole = table.cells.whole.get(span)
    blocked = all(i in marked for i in place)
    if whole:
        if length == 1 and (
            (tokens[0].empty and not tokens[0].capital) or (first in held and not _names(table, whole))
        ):
            if _beside_column(question, table, place, whole):
                return _made(table, place, whole, 1.1, "whole", said)
            return _states(question, table, place) if not blocked and in_verb_place(question, first) else []
        found = _made(table, place, whole, 1.0 + 0.1 * min(length, 4), "whole", said)
        return _with_longer(found, table, values, span)
    if length == 1 and not blocked and tokens[0].empty and in_verb_place(question, first):
        return _states(question, table, place)
    if blocked or (tokens[0].empty and not tokens[0].capital):
        return []
    members = values.members.get(span)
    if members:
        found = _made(table, place, members, 0.85 + 0.1 * min(length, 4), "member", said)
        return _with_longer(found, table, values, span)
    if length == 1:
        return _one_word(question, table, values, place)
    content = [t for i, t in zip(place, tokens, strict=True) if not t.empty and i not in marked]
    inflected = (
        table.cells.inflected([(token.folded, token.stems) for token in content])
        if len(content) > 1 and not marked & {first, place[-1]}
        else []
    )
    if inflected:
        return _made(table, place, inflected, 0.9 + 0.05 * min(length, 4), "inflected", said)
    parts = values.containing(span)
    # "The tallest tower" is first of all a superlative.
    asks = 0.3 if any(m.operation[:3] in ("max", "min") and m.first in place for m in question.marks) else 0.0
    return _made(table, place, parts, 0.45 + 0.15 * min(length, 4) - asks, "part", said) if parts else []


def _states(question: Question, table: TableEntry, place: tuple[int, ...]) -> list[Restriction]:
    """Return the state that a verb without a meaning of its own elsewhere is the name of, in a column of few states
    ("how many visits were *performed*", of visits that are performed or cancelled).
    """
    token = question.tokens[place[0]]
    if len(token.folded) < _LEAST_STATE:
        return []
    found = table.cells.inflected([(token.folded, token.stems)])
    states = [ref for ref in found if 1 < table.columns[ref.position].column.distinct <= _STATES]
    return _made(table, place, states, _STATE, "inflected")


def _one_word(question: Question, table: TableEntry, values: ValueIndex, place: tuple[int, ...]) -> list[Restriction]:
    token = question.tokens[place[0]]
    if len(token.folded) < 2:
        return []
    inflected = table.cells.inflected([(token.folded, token.stems)])
    if inflected:
        return _made(table, place, inflected, 0.9, "inflected")
    parts = values.holding.get(token.folded)
    if parts:
        return _made(table, place, parts, 0.6, "part")
    if not token.folded.isalpha():
        return []
    stemmed = values.inflected(token.folded, token.stems)
    if stemmed:
        return _made(table, place, stemmed, 0.42, "part")
    known = any(stem in table.by_stem for stem in token.stems) or bool(token.notions)
    near = [] if known else values.spelled(token.folded)
    return _made(table, place, near, 0.5, "spelled") if near else []


def _figures(table: TableEntry, values: ValueIndex, place: tuple[int, ...], word: str) -> list[Restriction]:
    found: list[Restriction] = []
    for entry in table.columns:
        if (
            entry.role in ("measure", "code")
            and entry.column.type == "integer"
            and word in _whole_numbers(entry.column.values)
        ):
            quality = 0.6 if entry.role == "code" else 0.32
            condition = equal(entry, (word,))
            found.append(Restriction(place, entry.position, (condition,), quality, "number"))
    year = len(word) == 4 and word[:2] in ("16", "17", "18", "19", "20")
    refs = list(
        dict.fromkeys((*table.cells.whole.get((word,), ()), *(values.holding.get(word, ()) if len(word) > 2 else ())))
    )
    return found + _made(table, place, refs, 0.85 if year else 0.5, "part" if year else "number")


def _whole_numbers(values: Sequence[str]) -> frozenset[str]:
    return frozenset(values)


def _names(table: TableEntry, refs: Iterable[ValueRef]) -> bool:
    """Tell whether values are names that tell rows apart."""
    return any(table.columns[ref.position].unique for ref in refs)


def _beside_column(question: Question, table: TableEntry, place: tuple[int, ...], refs: Iterable[ValueRef]) -> bool:
    """Tell a value that is written like an operation, or like a small word: its column's name stands beside it."""
    near = [question.tokens[i] for i in (place[0] - 1, place[-1] + 1) if 0 <= i < len(question.tokens)]
    return any(ref.position in table.by_stem.get(stem, ()) for ref in refs for token in near for stem in token.stems)


def _with_longer(
    found: list[Restriction], table: TableEntry, values: ValueIndex, span: tuple[str, ...]
) -> list[Restriction]:
    """Add the values of the same column in which the words stand beside others, where its cells list several."""
    listed = [*values.members.get(span, ()), *values.listing(span)]
    longer: list[Restriction] = []
    for restriction in found:
        column = restriction.position
        more = [ref.value for ref in listed if ref.position == column]
        held = [str(v) for v in restriction.conditions[0].values]
        together = tuple(dict.fromkeys((*held, *sorted(more))))
        if len(together) > len(held):
            restriction = Restriction(
                restriction.tokens, column, (equal(table.columns[column], together),), restriction.quality, "member"
            )
        longer.append(restriction)
    return longer


def _made(
    table: TableEntry,
    place: tuple[int, ...],
    refs: Iterable[ValueRef],
    quality: float,
    kind: Kind,
    words: frozenset[str] = frozenset(),
) -> list[Restriction]:
    grouped: dict[int, list[str]] = {}
    denying = table.lexicon.negation.words
    for ref in refs:
        # A cell that denies something isn't met by what it denies.
        if len(said := denying.intersection(word_parts(ref.value))) and not said & words:
            continue
        grouped.setdefault(ref.position, []).append(ref.value)
    return [
        Restriction(place, position, (equal(table.columns[position], sorted(values)),), round(quality, 6), kind)
        for position, values in sorted(grouped.items())
        if len(values) <= _MOST_VALUES
    ]
