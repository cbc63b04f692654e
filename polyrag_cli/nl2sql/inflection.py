"""Owns the verb forms that word lists leave out because they follow from those listed."""

from __future__ import annotations

from collections.abc import Iterable


def first_person(word: str) -> str:
    """Return the "we" form of a Portuguese past in the third person plural ("venderam" gives "vendemos"); other words
    as they are.
    """
    return word[:-3] + "mos" if word.endswith(("aram", "eram", "iram")) else word


def with_first_person(words: Iterable[str]) -> frozenset[str]:
    """Return the words with the "we" forms of their verbs."""
    return frozenset(form for word in words for form in (word, first_person(word)))
