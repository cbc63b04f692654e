"""Whether two questions ask the same: the guard of the cache.

Owns the rules over slots, aligned words and roles. When in doubt, they don't.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from polyrag_cli.answering.alignment import COMMON_WEIGHT, Alignment, WordCosine, align, between_languages, weight
from polyrag_cli.answering.roles import role_difference
from polyrag_cli.answering.slots import Slots

# Near words of one question may cost as much together; across two languages every word is only near.
_MOST_COST = 0.75
_MOST_COST_ACROSS = 2.0
_MOST_SOFT = 3
# Whose questions ask about a state: "who is" isn't "who was".
_STATE = frozenset(("who", "where", "place", "count", "amount", "yes/no", "age"))

_PLAIN = frozenset(("what", "amount"))
_IN_PLACE = (frozenset(("place",)), frozenset(("where",)))
_PLACES = frozenset(("place", "city", "country", "state", "region"))
_WHY = (frozenset(("why",)), frozenset(("why",)))
_REASONS = frozenset(("reason",))
# How something can or should be done is how it is done.
_DOING = frozenset(("how", "where"))


@dataclass(frozen=True, slots=True)
class Check:
    """One slot of two questions: what each says, and why they differ ("" where they don't)."""

    slot: str
    question: str
    cached: str
    reason: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the slots allow a hit, the first reason against it ("" for a hit), and every slot that was compared."""

    same: bool
    reason: str
    checks: tuple[Check, ...] = ()


def compare(a: Slots, b: Slots, max_unmatched: float, cosine: WordCosine) -> Verdict:
    """Whether two questions ask the same; symmetric in both.

    max_unmatched: heaviest content word that may stand on one side alone, in [0, 1].
    """
    if a.key == b.key and a.signs == b.signs:
        return Verdict(True, "")
    for check in _slots(a, b):
        if check.reason:
            return Verdict(False, check.reason)
    for check in _words(a, b, max_unmatched, cosine):
        if check.reason:
            return Verdict(False, check.reason)
    return Verdict(True, "")


def explain(a: Slots, b: Slots, max_unmatched: float, cosine: WordCosine) -> Verdict:
    """The same as `compare`, with every slot compared, also behind the first that differs."""
    verdict = compare(a, b, max_unmatched, cosine)
    checks = (*_slots(a, b), *_words(a, b, max_unmatched, cosine))
    return Verdict(verdict.same, verdict.reason, checks)


# ---------------------------------------------------------------- slots
def _slots(a: Slots, b: Slots) -> Iterator[Check]:
    yield _check("length", a.exact and b.exact, "", "", "too long to compare")
    yield _equal("numbers", _figures(a.numbers), _figures(b.numbers))
    yield _equal("dates", " ".join(a.dates), " ".join(b.dates))
    yield _equal("signs", " ".join(a.signs), " ".join(b.signs))
    yield _equal("negation", _yes(a.negated), _yes(b.negated))
    obliged = a.obliged == b.obliged or not (a.kinds | b.kinds) - _DOING
    yield _check("obligation", obliged, _yes(a.obliged), _yes(b.obliged), "obligation differ")
    possible = a.possible == b.possible or not (a.kinds | b.kinds) - _DOING
    yield _check("possibility", possible, _yes(a.possible), _yes(b.possible), "possibility differs")
    yield _equal("all or some", _yes(a.universal), _yes(b.universal))
    yield _equal("clauses", str(a.clauses), str(b.clauses))
    yield _equal("function words", ", ".join(a.hard), ", ".join(b.hard))
    mine, theirs = _named(a.kinds), _named(b.kinds)
    yield _check("asks for", _kinds_meet(a.kinds, b.kinds), mine, theirs, f"asks {mine}, not {theirs}")
    yield _check("tense", _tenses_meet(a, b), a.tense, b.tense, "tenses differ")
    axis = _opposite(a, b)
    yield _check("opposites", not axis, _ends(a), _ends(b), f"opposite ends of {axis}")


def _check(slot: str, same: bool, mine: str, theirs: str, reason: str) -> Check:
    return Check(slot, mine, theirs, "" if same else reason)


def _equal(slot: str, mine: str, theirs: str) -> Check:
    return _check(slot, mine == theirs, mine, theirs, f"{slot} differ")


def _figures(numbers: tuple[float, ...]) -> str:
    return " ".join(f"{number:.12g}" for number in numbers)


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _named(kinds: frozenset[str]) -> str:
    return "/".join(sorted(kinds)) or "nothing"


def _ends(slots: Slots) -> str:
    return " ".join(f"{axis}:{end}" for axis, end in sorted(slots.axes))


def _kinds_meet(a: frozenset[str], b: frozenset[str]) -> bool:
    if a == b:
        return True
    # A bare noun phrase asks what; how much and what ask for the same figure.
    if len(a) <= 1 and len(b) <= 1 and a <= _PLAIN and b <= _PLAIN:
        return True
    return (a, b) in (_IN_PLACE, _IN_PLACE[::-1])


def _tenses_meet(a: Slots, b: Slots) -> bool:
    if a.tense == b.tense:
        return True
    if not a.tense or not b.tense:
        # A bare verb speaks of now, where its language is the same; who asks for a state means its time.
        asks = (a.kinds & b.kinds) & _STATE
        return a.language != b.language or "past" not in (a.tense, b.tense) or not asks
    return "future" not in (a.tense, b.tense) and not (a.kinds | b.kinds) & _STATE


def _opposite(a: Slots, b: Slots) -> str:
    for axis in sorted({axis for axis, _ in a.axes} & {axis for axis, _ in b.axes}):
        if {end for x, end in a.axes if x == axis} != {end for x, end in b.axes if x == axis}:
            return axis
    return ""


# ---------------------------------------------------------------- words
def _words(a: Slots, b: Slots, max_unmatched: float, cosine: WordCosine) -> Iterator[Check]:
    mine, theirs = (" ".join(token.said or token.folded for token in slots.tokens) for slots in (a, b))
    if not a.tokens or not b.tokens:
        yield Check("words", mine, theirs, "too few content words to tell")
        return
    found = _without_asked(align(a, b, cosine), a, b)
    # What is added to a question that stays as it is was meant; put in other words, it may lose what is common.
    most = max_unmatched if narrowed(a, b) else max(max_unmatched, COMMON_WEIGHT)
    yield Check("words", mine, theirs, _unmatched(found, most))
    across = between_languages(a, b)
    grouped = [f"{x} ~ {y} ({concept})" for x, y, concept in found.grouped]
    near = ", ".join([*grouped, *(f"{x} ~ {y} ({cost:.2f})" for x, y, cost in found.costs)])
    total = sum(cost for _, _, cost in found.costs)
    many = (not across and len(found.costs) > _MOST_SOFT) or total > (_MOST_COST_ACROSS if across else _MOST_COST)
    yield Check("near words", near, near, "too many differences in wording" if many else "")
    markers = (" ".join(token.marker or "–" for token in slots.tokens) for slots in (a, b))
    yield Check("roles", next(markers), next(markers), role_difference(a.tokens, b.tokens, found.pairs, across))


def _without_asked(found: Alignment, a: Slots, b: Slots) -> Alignment:
    """What stands alone but for a noun that says what is asked for: "in which city" is where, "what reason" is why."""
    kinds = (a.kinds, b.kinds)
    asked = _PLACES if kinds in (_IN_PLACE, _IN_PLACE[::-1]) else _REASONS if kinds == _WHY else frozenset[str]()
    left, right = (tuple(t for t in alone if t.concepts.isdisjoint(asked)) for alone in (found.left, found.right))
    return replace(found, left=left, right=right)


def narrowed(a: Slots, b: Slots) -> bool:
    """Whether one question is the other with words added: all words of the shorter stand in the longer, in order."""
    short, long = sorted((a.tokens, b.tokens), key=len)
    rest = iter(token.folded for token in long)
    return all(any(word == token.folded for word in rest) for token in short)


def _unmatched(found: Alignment, most: float) -> str:
    alone = sorted((*found.left, *found.right), key=lambda token: (-weight(token), token.folded))
    return f"{alone[0].text!r} is unmatched" if alone and weight(alone[0]) > most else ""
