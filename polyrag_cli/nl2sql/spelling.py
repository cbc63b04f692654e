"""Owns what is taken for one, or comes near it, by its spelling: words of labels, values."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, floor

from polyrag_cli.nl2sql.lexicon import every_language
from polyrag_cli.nl2sql.polarity import polarity
from polyrag_cli.text.fold import fold

_FUZZY = 87.0
_NEAR = 70
_ROOT = 6
_SHORT = (3, 4)


def alike(word: str, label: str) -> float:
    """Return how sure it is that a folded word spells a label's word: .8 by nearly all letters or a common root,
    .7 for an abbreviation of 3 or 4 letters, 0 otherwise, and for a word that a prefix turns round.
    """
    from rapidfuzz.fuzz import ratio

    if not word.isalpha() or polarity(word, label):
        return 0.0
    if len(word) >= _ROOT and len(label) >= _ROOT and ratio(word, label) >= _FUZZY:
        return 0.8
    if _same_root(word, label):
        return 0.8
    short = len(label) in _SHORT and len(word) > _SHORT[-1]
    return 0.7 if short and word.startswith(label) and not every_language().notions(label) else 0.0


def _same_root(word: str, label: str) -> bool:
    """Tell a verb and its noun ("anunciou", "anúncio") by what their spelling begins with."""
    shorter = min(len(word), len(label))
    root = max(_ROOT, shorter - 1)
    return shorter >= root and word[:root] == label[:root]


class Vocabulary:
    """Distinct words of labels, to be found by a word spelled alike without comparing it with each."""

    def __init__(self, labels: Iterable[str]) -> None:
        self._labels = frozenset(labels)
        self._long = sorted(label for label in self._labels if len(label) >= _ROOT)
        self._rooted: dict[str, list[str]] = {}
        for label in self._long:
            self._rooted.setdefault(label[:_ROOT], []).append(label)

    def near(self, word: str) -> list[str]:
        """Return the words for which `alike` isn't 0, sorted."""
        from rapidfuzz import process
        from rapidfuzz.fuzz import ratio

        if not word.isalpha():
            return []
        found = {word[:length] for length in _SHORT} & self._labels
        if len(word) >= _ROOT:
            found.update(self._rooted.get(word[:_ROOT], ()))
            close = process.extract(word, self._long, scorer=ratio, processor=None, score_cutoff=_FUZZY, limit=None)
            found.update(label for label, _, _ in close)
        return sorted(label for label in found if alike(word, label))


class Spellings:
    """Values, folded once, to be found by a text that is spelled nearly like them."""

    def __init__(self, values: Iterable[str]) -> None:
        self._values = sorted(values)
        self._folded = [fold(value) for value in self._values]

    @staticmethod
    def lengths(text: str) -> tuple[int, int]:
        """Return of how few and how many letters, folded, a value is that `nearest` may find by a text."""
        # A ratio is the share of both texts' letters that they have in common.
        length, share = len(fold(text)), _NEAR / 100
        return floor(length * share / (2 - share)), ceil(length * (2 - share) / share)

    def nearest(self, text: str, limit: int = 3) -> tuple[str, ...]:
        """Return the values of a ratio of 70 or more, best first, ties by value."""
        from rapidfuzz import process
        from rapidfuzz.fuzz import ratio

        found = process.extract(fold(text), self._folded, scorer=ratio, processor=None, score_cutoff=_NEAR, limit=limit)
        best = sorted((-score, self._values[place]) for _, score, place in found)
        return tuple(value for _, value in best)
