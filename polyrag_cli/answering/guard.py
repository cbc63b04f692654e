"""Whether two questions ask the same: the guard of the cache.

Owns the comparison of slots and the alignment of content words. When in doubt, they don't.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from polyrag_cli.answering.slots import Slots, Token

WordCosine = Callable[[str, str], float]
"""Cosine of two single words, in [-1, 1]; 0 without an embedder."""

# Word cosines above which two different words may stand for one another, in one language and across two.
_SAME_LANGUAGE = 0.75
_ACROSS_LANGUAGES = 0.70
_MAX_SOFT = 1
_NAME_WEIGHT = 1.0
_WORD_WEIGHT = 0.6
_LIGHT_WEIGHT = 0.2
# Markers that one preposition of another language, or of another wording, may stand for.
_NEAR_MARKERS = (frozenset(("of", "from")), frozenset(("of", "by")), frozenset(("of", "for")), frozenset(("to", "for")))


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the slots allow a hit, and the first reason against it ("" for a hit)."""

    same: bool
    reason: str


def compare(a: Slots, b: Slots, max_unmatched: float, cosine: WordCosine) -> Verdict:
    """Whether two questions ask the same; symmetric in both.

    max_unmatched: heaviest content word that may stand on one side alone, in [0, 1].
    """
    if a.key == b.key:
        return Verdict(True, "")
    reason = _slot_difference(a, b) or _opposites(a, b)
    if reason:
        return Verdict(False, reason)
    if not a.tokens or not b.tokens:
        return Verdict(False, "too few content words to tell")
    pairs, soft = _aligned(a, b, cosine)
    left = [t for i, t in enumerate(a.tokens) if i not in {p[0] for p in pairs}]
    right = [t for i, t in enumerate(b.tokens) if i not in {p[1] for p in pairs}]
    for token in sorted([*left, *right], key=lambda t: (-weight(t), t.folded)):
        if weight(token) > max_unmatched:
            return Verdict(False, f"{token.text!r} is unmatched")
    limit = _MAX_SOFT if a.language == b.language else len(pairs)
    tense = a.tense != b.tense and bool(a.tense) and bool(b.tense)
    if soft + tense > limit:
        return Verdict(False, "more than one difference in wording")
    reason = _roles(a.tokens, b.tokens, pairs)
    return Verdict(not reason, reason)


def weight(token: Token) -> float:
    """How much it matters that a word stands on one side alone, in [0, 1]."""
    if token.light:
        return _LIGHT_WEIGHT
    return _NAME_WEIGHT if token.name else _WORD_WEIGHT


def _slot_difference(a: Slots, b: Slots) -> str:
    if not (a.exact and b.exact):
        return "too long to compare"
    checks: tuple[tuple[str, object, object], ...] = (
        ("numbers", a.numbers, b.numbers),
        ("dates", a.dates, b.dates),
        ("negation", a.negated, b.negated),
        ("obligation", a.obliged, b.obliged),
        ("clauses", a.clauses, b.clauses),
        ("function words", a.hard, b.hard),
    )
    for name, mine, theirs in checks:
        if mine != theirs:
            return f"{name} differ"
    if not _kinds_meet(a.kinds, b.kinds):
        return f"asks {_named(a.kinds)}, not {_named(b.kinds)}"
    if "future" in (a.tense, b.tense) and "past" in (a.tense, b.tense):
        return "tenses differ"
    return ""


def _named(kinds: frozenset[str]) -> str:
    return "/".join(sorted(kinds)) or "nothing"


def _kinds_meet(a: frozenset[str], b: frozenset[str]) -> bool:
    if a == b:
        return True
    # A bare noun phrase asks what; how much and what ask for the same figure.
    plain = {"what", "amount"}
    return len(a) <= 1 and len(b) <= 1 and a <= plain and b <= plain


def _opposites(a: Slots, b: Slots) -> str:
    for axis in sorted({axis for axis, _ in a.axes} & {axis for axis, _ in b.axes}):
        if {end for x, end in a.axes if x == axis} != {end for x, end in b.axes if x == axis}:
            return f"opposite ends of {axis}"
    return ""


def _aligned(a: Slots, b: Slots, cosine: WordCosine) -> tuple[list[tuple[int, int]], int]:
    """One-to-one pairs of content words, equal ones first, and how many are only near in meaning."""
    pairs: list[tuple[int, int]] = []
    free_a, free_b = list(range(len(a.tokens))), list(range(len(b.tokens)))
    for same in (_equal, _inflected):
        for i in list(free_a):
            for j in free_b:
                if same(a.tokens[i], b.tokens[j]):
                    pairs.append((i, j))
                    free_a.remove(i)
                    free_b.remove(j)
                    break
    if not free_a or not free_b:
        return pairs, 0
    across = a.language != b.language and "und" not in (a.language, b.language)
    least = _ACROSS_LANGUAGES if across else _SAME_LANGUAGE
    near = []
    for i in free_a:
        for j in free_b:
            x, y = a.tokens[i], b.tokens[j]
            if x.name or y.name or x.axes != y.axes:
                continue
            value = round(cosine(*sorted((x.folded, y.folded))), 6)
            if value >= least:
                near.append((-value, x.folded, y.folded, i, j))
    soft = 0
    for _, _, _, i, j in sorted(near):
        if i in free_a and j in free_b:
            pairs.append((i, j))
            free_a.remove(i)
            free_b.remove(j)
            soft += 1
    return pairs, soft


def _equal(x: Token, y: Token) -> bool:
    return x.folded == y.folded


def _inflected(x: Token, y: Token) -> bool:
    if x.name or y.name:
        # "Silva's" and "Silvas" are one name; nothing else is.
        return x.folded.replace("'", "").rstrip("s") == y.folded.replace("'", "").rstrip("s")
    return not set(x.stems).isdisjoint(y.stems) and x.axes == y.axes


def _roles(a: Sequence[Token], b: Sequence[Token], pairs: Sequence[tuple[int, int]]) -> str:
    """Why the arguments of the two questions differ, or "": a role exchanged, or two words that trade places."""
    for i, j in pairs:
        if {"to"} & {a[i].marker, b[j].marker} and not _compatible(a[i].marker, b[j].marker):
            return f"{a[i].text!r} has another role"
    for n, (i, j) in enumerate(pairs):
        for k, m in pairs[n + 1 :]:
            if (i < k) == (j < m):
                continue
            if _coordinated(a, i, k) and _coordinated(b, j, m):
                continue
            marked = any((a[i].marker, a[k].marker)) and any((b[j].marker, b[m].marker))
            distinct = a[i].marker != a[k].marker
            if not (marked and distinct and _stays(a[i], b[j]) and _stays(a[k], b[m])):
                return f"{a[i].text!r} and {a[k].text!r} trade places"
    return ""


def _coordinated(tokens: Sequence[Token], i: int, k: int) -> bool:
    low, high = sorted((i, k))
    return any(token.joined for token in tokens[low + 1 : high + 1])


def _stays(x: Token, y: Token) -> bool:
    return x.marker == y.marker or frozenset((x.marker, y.marker)) in _NEAR_MARKERS


def _compatible(x: str, y: str) -> bool:
    return x == y or not x or not y or frozenset((x, y)) == frozenset(("to", "for"))
