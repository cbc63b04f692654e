"""Whether words that two questions share play the same parts in both.

Owns what prepositions and order say: from and to, by whom, of what, and which words may trade places.
"""

from __future__ import annotations

from collections.abc import Sequence

from polyrag_cli.answering.slot_content import Token

# Markers that one preposition of another language, or of another wording, may stand for.
_NEAR_MARKERS = (frozenset(("of", "from")), frozenset(("of", "by")), frozenset(("of", "for")), frozenset(("to", "for")))
_ENDS = ("from", "to", "between")
# What "Dallas transport" leaves unsaid, and who does what is done.
_UNSAID = ("of", "for", "by")


def role_difference(
    a: Sequence[Token], b: Sequence[Token], pairs: Sequence[tuple[int, int]], across: bool = False
) -> str:
    """Why the arguments of two questions differ, or "": a role exchanged, or two words that trade places.

    across: whether they are in two languages, of which one may put its adjectives behind their noun.
    """
    for i, j in pairs:
        if not _compatible(a[i], b[j]):
            return f"{a[i].text!r} has another role"
    passive = _turned_passive(a, b, pairs)
    for n, (i, j) in enumerate(pairs):
        for k, m in pairs[n + 1 :]:
            if (i < k) == (j < m) or (passive and not (a[i].name and a[k].name)):
                continue
            if not _may_trade(a, b, (i, j), (k, m), across, pairs):
                return f"{a[i].text!r} and {a[k].text!r} trade places"
    return _agent(a, b, pairs)


def _compatible(x: Token, y: Token) -> bool:
    markers = {x.marker, y.marker}
    if markers in ({"from", "to"}, {"from", "by"}):
        return False
    # What somebody goes to is a name; "the impact on society" is that to society.
    if "to" not in markers or not (x.name or y.name):
        return True
    return len(markers) == 1 or "" in markers or markers in ({"to", "for"}, {"to", "between"})


def _may_trade(
    a: Sequence[Token],
    b: Sequence[Token],
    one: tuple[int, int],
    other: tuple[int, int],
    across: bool,
    pairs: Sequence[tuple[int, int]],
) -> bool:
    (i, j), (k, m) = one, other
    if _coordinated(a, i, k) and _coordinated(b, j, m):
        return True
    x, y, u, v = a[i], a[k], b[j], b[m]
    if "between" in (x.marker, y.marker, u.marker, v.marker) and all(t.marker in _ENDS for t in (x, y, u, v)):
        # "between A and B" is "between B and A", but a journey from A to B isn't one from B to A.
        return all(t.marker == "between" for t in (x, y, u, v))
    # When something is stands where it likes beside what it is no time of.
    if x.temporal != y.temporal and u.temporal == x.temporal and v.temporal == y.temporal:
        return True
    marked = any((x.marker, y.marker)) and any((u.marker, v.marker))
    if marked and x.marker != y.marker and _stays(x, u) and _stays(y, v):
        return True
    # An adjective stands before its noun in one language and behind it in the other; a verb before its subject.
    if across and x.group == y.group and u.group == v.group and not _around(i, j, k, m, pairs):
        return True
    # Within what a preposition relates there is no verb: "of the submarine completion system".
    if across and all(t.marker == "of" for t in (x, y, u, v)) and not (x.name and y.name):
        return x.group == y.group or u.group == v.group
    first, second = (one, other) if i < k else (other, one)
    return _turned(a, b, *first, *second) or _turned(b, a, *second[::-1], *first[::-1])


def _around(i: int, j: int, k: int, m: int, pairs: Sequence[tuple[int, int]]) -> bool:
    """Whether two words that trade places stand around a shared third in both questions: it may say who does what."""
    if 1 in (abs(i - k), abs(j - m)):
        return False
    return any(min(i, k) < p < max(i, k) and min(j, m) < q < max(j, m) for p, q in pairs)


def _turned(a: Sequence[Token], b: Sequence[Token], i: int, j: int, k: int, m: int) -> bool:
    """Whether a[i] stands in one phrase before its head a[k], and b[j] behind its head b[m] with a preposition.

    "Dallas transport" is "transport in Dallas"; what cats chase is chased by cats.
    """
    return a[i].group == a[k].group and b[m].group < b[j].group and b[j].marker in _UNSAID


def _turned_passive(a: Sequence[Token], b: Sequence[Token], pairs: Sequence[tuple[int, int]]) -> bool:
    """Whether one question says in the active what the other says in the passive: all that is shared stands turned.

    "Line 3 joins which fields" and "which fields are joined by line 3": who does it opens one question without a
    preposition and stands behind "by" in the other, so that a verb and its object may trade places.
    """
    for one, other, turned in ((a, b, list(pairs)), (b, a, [(j, i) for i, j in pairs])):
        by = [(i, j) for i, j in turned if other[j].marker == "by" and not one[i].marker]
        rest = [(i, j) for i, j in turned if (i, j) not in by]
        if by and rest and all(i < k and j > m for i, j in by for k, m in rest):
            return True
    return False


def _agent(a: Sequence[Token], b: Sequence[Token], pairs: Sequence[tuple[int, int]]) -> str:
    """Why who does something differs, or "": "mice chase cats" and "mice are chased by cats"."""
    for n, (i, j) in enumerate(pairs):
        turned = any((i < k) != (j < m) for p, (k, m) in enumerate(pairs) if p != n)
        if {a[i].marker, b[j].marker} == {"by", ""} and not turned:
            return f"{a[i].text!r} does something in one question alone"
    return ""


def _coordinated(tokens: Sequence[Token], i: int, k: int) -> bool:
    low, high = sorted((i, k))
    return any(token.joined for token in tokens[low + 1 : high + 1])


def _stays(x: Token, y: Token) -> bool:
    return x.marker == y.marker or frozenset((x.marker, y.marker)) in _NEAR_MARKERS
