"""Owns what cells say besides values, in any language: nothing, yes and no, that a row is a total."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from polyrag_cli.languages import UNDETERMINED, all_languages, language
from polyrag_cli.languages.schema import Language
from polyrag_cli.text.fold import fold_word

_NOTHING = ("", "-", "--", "–", "—")
_MAYBE_NOTHING = ("?", "..", "...", "x")


@cache
def empty_cells() -> frozenset[str]:
    """What stands for nothing in any column, in small letters."""
    return frozenset((*_NOTHING, *(text.lower() for text in language(UNDETERMINED).cells.empty)))


@cache
def maybe_empty_cells() -> frozenset[str]:
    """What stands for nothing among numbers and dates, in small letters, with what does so in any column."""
    maybe = (text.lower() for text in language(UNDETERMINED).cells.maybe_empty)
    return empty_cells() | frozenset((*_MAYBE_NOTHING, *maybe))


@cache
def booleans() -> tuple[tuple[str, str], ...]:
    """Folded pairs of a word for true and one for false."""
    return tuple((yes, no) for yes, no in language(UNDETERMINED).cells.booleans)


@cache
def boolean_words() -> frozenset[str]:
    """The words of all pairs."""
    return frozenset(word for pair in booleans() for word in pair)


@cache
def totals() -> frozenset[tuple[str, ...]]:
    """What a row of totals is called, as folded words."""
    return frozenset(language(UNDETERMINED).cells.totals)


@cache
def multipliers(code: str) -> Mapping[str, int]:
    """By what stands behind a figure, folded, how many times it counts: "million", "mi", "k".

    code: of the table's language, whose own words come first; of others, those count on which none disagrees
    ("billion").
    """
    known = language(code)
    agreed: dict[str, set[int]] = {}
    for each in all_languages():
        for word, factor in _scales(each).items():
            agreed.setdefault(word, set()).add(factor)
    shared = {word: min(factors) for word, factors in agreed.items() if len(factors) == 1}
    return shared if known.code == UNDETERMINED else {**shared, **_scales(known)}


def _scales(known: Language) -> dict[str, int]:
    """A language's scales; of its single letters only those that aren't units as well when case is folded."""
    marks = known.numbers.suffixes.items()
    letters = {fold_word(mark): factor for mark, factor in marks if len(mark) > 1 or mark == "k"}
    return {**known.numbers.scales, **letters}
