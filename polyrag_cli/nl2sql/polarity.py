"""Owns prefixes that turn a word round or into another ("unpaid", "inativo", "revenda"), in all languages at once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Literal

from polyrag_cli.languages import language
from polyrag_cli.text.stem import all_stems

Polarity = Literal["", "denied", "other"]
"""What a prefix makes of a word beside another: nothing, its opposite, or some other word."""

_MIN_BASE = 3
_LONG = 6
_FUZZY = 87.0


@cache
def prefixes() -> dict[str, bool]:
    """Return every prefix that makes another word, and whether it negates; longer ones first."""
    negation = language("und").tables.negation
    found = {prefix: prefix in negation.prefixes for prefix in negation.prefixes | negation.other_prefixes}
    return dict(sorted(found.items(), key=lambda item: (-len(item[0]), item[0])))


@lru_cache(maxsize=16384)
def bases(word: str) -> tuple[tuple[str, bool], ...]:
    """Return what is left of a folded word without a prefix, and whether that prefix negates.

    Words that only begin so are among them ("terest" of "interest"): what is left counts where it is a word itself.
    """
    if not word.isalpha():
        return ()
    found = [(word[len(p) :], negates) for p, negates in prefixes().items() if word.startswith(p)]
    for prefix, begins in language("und").tables.negation.assimilated.items():
        if word.startswith(prefix):
            found.append((begins + word[len(prefix) :], True))
    return tuple((base, negates) for base, negates in found if len(base) >= _MIN_BASE)


@lru_cache(maxsize=65536)
def polarity(word: str, label: str) -> Polarity:
    """Return what one of two folded words, whichever has the prefix, is to the other; "" where neither has one or
    what is left of it isn't the other.
    """
    if set(all_stems(word)) & set(all_stems(label)):
        return ""
    kinds = [negates for a, b in ((word, label), (label, word)) for base, negates in bases(a) if _same(base, b)]
    if not kinds:
        return ""
    return "denied" if any(kinds) else "other"


def _same(base: str, word: str) -> bool:
    from rapidfuzz.fuzz import ratio

    if base == word or set(all_stems(base)) & set(all_stems(word)):
        return True
    return min(len(base), len(word)) >= _LONG and ratio(base, word) >= _FUZZY


def without_prefix(text: str) -> Iterator[str]:
    """Yield a text of words in lower case with one word left without its prefix, for each that may have one."""
    words = text.split()
    for i, word in enumerate(words):
        for base, _ in bases(word):
            yield " ".join([*words[:i], base, *words[i + 1 :]])


def negated_base(text: str) -> str:
    """Return a single word without its negating prefix; "" where it has none that negates."""
    return next((base for base, negates in bases(text) if negates), "")
