"""Owns the other ways in which a whole number of one word may be written: "two" and "2", "first" and "1st"."""

from __future__ import annotations

import re
from functools import lru_cache

from polyrag_cli.languages import all_languages
from polyrag_cli.languages import language as language_of

# One is an article in many languages, and beyond a hundred nobody writes a figure for what is said in one word.
_SMALLEST, _LARGEST = 2, 100
_FIGURE = re.compile(r"\d{1,3}")


@lru_cache(maxsize=4096)
def number_forms(folded: str, code: str) -> tuple[str, ...]:
    """The other spellings, folded and in order, of a number of 2 to 100 or an ordinal; none of any other word.

    A word is read in one language, a figure in all of them: "terceira" may be written "3a" or "3rd", and "3rd"
    "terceira" or "third".

    Args:
        code: of the word's language.
    """
    numbers = language_of(code).numbers
    if (place := numbers.ordinals.get(folded)) is not None:
        return _marked(place)
    if (value := numbers.words.get(folded)) is not None:
        return (str(value),) if _SMALLEST <= value <= _LARGEST else ()
    figure = _FIGURE.match(folded)
    if figure is None:
        return ()
    value = int(figure[0])
    if figure[0] == folded:
        return _said(value) if _SMALLEST <= value <= _LARGEST else ()
    others = _marked(value)
    return tuple(sorted({*others, *_ordinals(value)} - {folded})) if folded in others else ()


def _marked(place: int) -> tuple[str, ...]:
    """The figure of an ordinal with each mark that it may bear."""
    return tuple(sorted({f"{place}{mark}" for known in all_languages() for mark in known.numbers.ordinal_marks}))


def _ordinals(place: int) -> set[str]:
    return {word for known in all_languages() for word, own in known.numbers.ordinals.items() if own == place}


def _said(value: int) -> tuple[str, ...]:
    """The words of a number."""
    return tuple(
        sorted({word for known in all_languages() for word, own in known.numbers.words.items() if own == value})
    )
