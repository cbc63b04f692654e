"""Which content word of one question stands for which of another, and what stands for nothing.

Owns the pairing: equal words first, then inflections and compounds, then near meanings, then what is left as phrases.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from polyrag_cli.answering.slot_content import Token
from polyrag_cli.answering.slots import Slots
from polyrag_cli.languages import UNDETERMINED

WordCosine = Callable[[str, str], float]
"""Cosine of two words or short phrases, in [-1, 1]; 0 without an embedder."""


@dataclass(frozen=True, slots=True)
class Nearness:
    """From which cosine two words stand for one another at no cost (`free`), and below which not at all (`none`)."""

    free: float
    none: float


# Two languages never share spelling by chance alone, so what is near across them says more.
SAME_LANGUAGE = Nearness(0.85, 0.80)
ACROSS_LANGUAGES = Nearness(0.60, 0.50)
# What is left on both sides is one thing said in two ways only where it is near as a whole.
PHRASE_SAME_LANGUAGE = 0.80
PHRASE_ACROSS_LANGUAGES = 0.60
# One word may say what two do; they must then be nearer to it together than the nearer one alone.
ABSORB_SAME_LANGUAGE = 0.80
ABSORB_ACROSS_LANGUAGES = 0.50
_SAME_END = 0.60
# Names are spelled nearly alike in two languages ("Brasil", "Brazil"), or are known as each other's translation.
_NAME_ACROSS = 0.74
_NAME_SPELLED = 0.65
# A name here and a plain word there: one language writes small what the other writes large.
_WORD_SPELLED = 0.55
_SPELLING = 57.0
_NAME_DERIVED = 0.80
_NAME_LETTERS, _DERIVED_LETTERS = 3, 5
_COMPOUND_LETTERS = 6

# A cognate is spelled nearly alike in two languages; a false friend of that length is rare, and far in meaning too.
_COGNATE_LETTERS, _COGNATE_SPELLING, _COGNATE_NEAR = 7, 70.0, 0.30

NAME_WEIGHT = 1.0
WORD_WEIGHT = 0.6
COMMON_WEIGHT = 0.4
LIGHT_WEIGHT = 0.2


@dataclass(frozen=True, slots=True)
class Alignment:
    """Pairs of positions, what each pair of near words costs in [0, 1], and the words that stand alone.

    phrase: cosine of what was left on both sides, where that was taken for one thing. grouped: pairs that the language
    files group, with the meaning.
    """

    pairs: tuple[tuple[int, int], ...]
    costs: tuple[tuple[str, str, float], ...] = ()
    left: tuple[Token, ...] = ()
    right: tuple[Token, ...] = ()
    phrase: float | None = None
    grouped: tuple[tuple[str, str, str], ...] = ()


def weight(token: Token) -> float:
    """How much it matters that a word stands on one side alone, in [0, 1]."""
    if token.light:
        return LIGHT_WEIGHT
    if token.name:
        return NAME_WEIGHT
    return COMMON_WEIGHT if token.common else WORD_WEIGHT


def between_languages(a: Slots, b: Slots) -> bool:
    """Whether two questions are surely in two languages."""
    return a.language != b.language and UNDETERMINED not in (a.language, b.language)


def align(a: Slots, b: Slots, cosine: WordCosine) -> Alignment:
    """The alignment of two questions' content words; symmetric in both."""
    work = _Work(a.tokens, b.tokens)
    work.pair(_equal)
    work.pair(_inflected)
    work.compounds()
    across = between_languages(a, b)
    told = len(work.pairs)
    work.pair(_same_concept_across if across else _same_concept)
    grouped = [(a.tokens[i], b.tokens[j]) for i, j in work.pairs[told:]]
    work.near(across, cosine)
    work.absorb(across, cosine)
    phrase = work.phrase(across, cosine)
    left, right = ([], []) if phrase is not None else (work.free_a, work.free_b)
    return Alignment(
        tuple(sorted(work.pairs)),
        tuple(work.costs),
        tuple(a.tokens[i] for i in left),
        tuple(b.tokens[j] for j in right),
        phrase,
        tuple((x.text, y.text, min(x.concepts & y.concepts)) for x, y in grouped),
    )


@dataclass(slots=True)
class _Work:
    """Two lists of words and what has been paired of them so far."""

    a: Sequence[Token]
    b: Sequence[Token]
    pairs: list[tuple[int, int]] = field(default_factory=list)
    costs: list[tuple[str, str, float]] = field(default_factory=list)
    free_a: list[int] = field(init=False)
    free_b: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.free_a, self.free_b = list(range(len(self.a))), list(range(len(self.b)))

    def take(self, i: int, j: int) -> None:
        self.pairs.append((i, j))
        self.free_a.remove(i)
        self.free_b.remove(j)

    def pair(self, same: Callable[[Token, Token], bool]) -> None:
        for i in list(self.free_a):
            for j in self.free_b:
                if same(self.a[i], self.b[j]):
                    self.take(i, j)
                    break

    def compounds(self) -> None:
        """Pairs "deep water" with "deepwater"."""
        self.free_a, self.free_b = _joined(self.a, self.b, self.free_a, self.free_b, self.pairs)
        turned: list[tuple[int, int]] = []
        self.free_b, self.free_a = _joined(self.b, self.a, self.free_b, self.free_a, turned)
        self.pairs += [(i, j) for j, i in turned]

    def near(self, across: bool, cosine: WordCosine) -> None:
        """Pairs words that are near in meaning, the nearest first."""
        bounds = ACROSS_LANGUAGES if across else SAME_LANGUAGE
        found = []
        for i in self.free_a:
            for j in self.free_b:
                x, y = self.a[i], self.b[j]
                cost = _cost(x, y, across, bounds, cosine)
                if cost is not None:
                    found.append((cost, abs(i - j), min(x.said, y.said), max(x.said, y.said), i, j))
        for cost, _, _, _, i, j in sorted(found):
            if i in self.free_a and j in self.free_b:
                self.take(i, j)
                self.costs.append((self.a[i].text, self.b[j].text, cost))

    def absorb(self, across: bool, cosine: WordCosine) -> None:
        """Takes a word into its paired neighbour where both together are nearer: "water depth" for "profundidade"."""
        turned = [(j, i) for i, j in self.pairs]
        self.free_a = _absorbed(self.a, self.b, self.free_a, self.pairs, across, cosine)
        self.free_b = _absorbed(self.b, self.a, self.free_b, turned, across, cosine)

    def phrase(self, across: bool, cosine: WordCosine) -> float | None:
        """Cosine of what is left on both sides, where it is one thing said in two ways."""
        left, right = [self.a[i] for i in self.free_a], [self.b[j] for j in self.free_b]
        # Of one word for another the words themselves have told already.
        if (
            not left
            or not right
            or len(left) == len(right) == 1
            or any(_only_itself(token) for token in (*left, *right))
        ):
            return None
        if not _axes_meet([end for t in left for end in t.axes], [end for t in right for end in t.axes], across):
            return None
        if any(x.degree != y.degree and not set(x.stems).isdisjoint(y.stems) for x in left for y in right):
            return None
        value = round(cosine(*sorted((" ".join(t.said for t in left), " ".join(t.said for t in right)))), 6)
        return value if value >= (PHRASE_ACROSS_LANGUAGES if across else PHRASE_SAME_LANGUAGE) else None


def _only_itself(token: Token) -> bool:
    return token.name or any(c.isdigit() for c in token.folded)


def _equal(x: Token, y: Token) -> bool:
    return x.folded == y.folded and x.degree == y.degree


def _inflected(x: Token, y: Token) -> bool:
    if x.degree != y.degree:
        return False
    if x.name or y.name:
        # "Silva's" and "Silvas" are one name.
        return x.folded.replace("'", "").rstrip("s") == y.folded.replace("'", "").rstrip("s")
    return not set(x.stems).isdisjoint(y.stems) and x.axes == y.axes


def _same_concept(x: Token, y: Token) -> bool:
    """Whether a language file groups two words of one language; names and units only stand for themselves."""
    return not (x.name or y.name) and _grouped(x, y)


def _same_concept_across(x: Token, y: Token) -> bool:
    """Whether the language files group two words of two languages; "Basin" may be part of a name in both."""
    return _grouped(x, y)


def _grouped(x: Token, y: Token) -> bool:
    if x.concepts.isdisjoint(y.concepts) or x.degree != y.degree or x.counted != y.counted or x.figure or y.figure:
        return False
    # What opposes the two on an axis that both name parts them; that one names an axis alone doesn't.
    shared = {axis for axis, _ in x.axes} & {axis for axis, _ in y.axes}
    return not shared or not set(x.axes).isdisjoint(y.axes)


def _joined(
    a: Sequence[Token], b: Sequence[Token], free_a: list[int], free_b: list[int], pairs: list[tuple[int, int]]
) -> tuple[list[int], list[int]]:
    """What stays free when two neighbours of `a` are written as one word in `b`; pairs the first of them."""
    for j in list(free_b):
        whole = b[j].folded.replace("-", "")
        if len(whole) < _COMPOUND_LETTERS:
            continue
        for i in list(free_a):
            if i + 1 in free_a and (a[i].folded + a[i + 1].folded).replace("-", "") == whole:
                pairs.append((i, j))
                free_a, free_b = [n for n in free_a if n not in (i, i + 1)], [n for n in free_b if n != j]
                break
    return free_a, free_b


def _absorbed(
    a: Sequence[Token],
    b: Sequence[Token],
    free: list[int],
    pairs: Sequence[tuple[int, int]],
    across: bool,
    cosine: WordCosine,
) -> list[int]:
    """What stays free of `a` when words are taken into a neighbour whose partner says both."""
    least = ABSORB_ACROSS_LANGUAGES if across else ABSORB_SAME_LANGUAGE
    partner = dict(pairs)
    stays = []
    for i in free:
        word = a[i]
        near = [k for k in (i - 1, i + 1) if k in partner and not a[k].name and not a[k].figure]
        if (
            word.name
            or word.figure
            or word.degree
            or word.axes
            or not any(_says_both(a[min(i, k)], a[max(i, k)], a[k], b[partner[k]], least, cosine) for k in near)
        ):
            stays.append(i)
    return stays


def _says_both(first: Token, second: Token, head: Token, other: Token, least: float, cosine: WordCosine) -> bool:
    if head.folded == other.folded:
        return False
    both = cosine(*sorted((f"{first.said} {second.said}", other.said)))
    return both >= least and both > cosine(*sorted((head.said, other.said)))


def _cost(x: Token, y: Token, across: bool, bounds: Nearness, cosine: WordCosine) -> float | None:
    """What it costs to let one word stand for another, in [0, 1); None where it can't."""
    if (
        not _axes_meet(x.axes, y.axes, across)
        or (x.counted and not across)
        or x.counted != y.counted
        or x.figure
        or y.figure
    ):
        return None
    if x.degree != y.degree and not set(x.stems).isdisjoint(y.stems):
        return None
    if any(c.isdigit() for c in x.folded + y.folded):
        return None
    if x.name or y.name:
        return _name_cost(x, y, across, cosine)
    value = round(cosine(*sorted((x.said, y.said))), 6)
    if x.axes and set(x.axes) == set(y.axes):
        # Words for the same end of an opposition need only be near.
        return 0.0 if value >= _SAME_END else None
    if value < bounds.none:
        return 0.0 if across and value >= _COGNATE_NEAR and _cognate(x, y) else None
    return round(max(0.0, (bounds.free - value) / (bounds.free - bounds.none)) * max(weight(x), weight(y)), 6)


def _cognate(x: Token, y: Token) -> bool:
    from rapidfuzz.fuzz import ratio

    short = min(len(x.folded), len(y.folded))
    return short >= _COGNATE_LETTERS and ratio(x.folded, y.folded) >= _COGNATE_SPELLING


def _axes_meet(x: Sequence[tuple[str, int]], y: Sequence[tuple[str, int]], across: bool) -> bool:
    """Whether what two words oppose allows that one stands for the other; across languages silence does too."""
    if set(x) == set(y) or not set(x).isdisjoint(y):
        return True
    if not across or {axis for axis, _ in x} & {axis for axis, _ in y}:
        return False
    return not x or not y


def _name_cost(x: Token, y: Token, across: bool, cosine: WordCosine) -> float | None:
    """0 where two words are forms of one name, in two languages or as noun and adjective ("Brazil", "Brazilian")."""
    from rapidfuzz.fuzz import ratio

    short, long = sorted((x.folded, y.folded), key=len)
    if len(short) < _NAME_LETTERS:
        return None
    value = round(cosine(*sorted((short, long))), 6)
    if not across:
        derived = x.name and y.name and long.startswith(short) and len(short) >= _DERIVED_LETTERS
        return 0.0 if derived and value >= _NAME_DERIVED else None
    spelled = value >= (_NAME_SPELLED if x.name and y.name else _WORD_SPELLED) and ratio(short, long) >= _SPELLING
    return 0.0 if spelled or value >= _NAME_ACROSS else None
