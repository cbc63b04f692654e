"""Limits that a sentence states ("above fifty thousand", "entre dez e vinte dias"), and whether a quantity keeps them.

Owns the reading of limits.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cache

from polyrag_cli.languages import language as language_of
from polyrag_cli.languages.schema import Language
from polyrag_cli.text.fold import fold
from polyrag_cli.text.numbers import NumberSpan, find_numbers
from polyrag_cli.text.stem import all_stems
from polyrag_cli.text.utterance import Utterance
from polyrag_cli.text.words import words

_MONEY = r"(?:r\$|us\$|[$€£])?"
_READ_BACK = 40
# Signs of money, the longer ones first, as [tables.units] names what they stand for.
_CURRENCIES = {"R$": "brl", "US$": "usd", "$": "usd", "€": "eur", "£": "gbp"}


@dataclass(frozen=True)
class _Borders:
    """What stands before a figure that is a limit: all but `to` at the end of a text, `to` between two figures."""

    above: re.Pattern[str]
    below: re.Pattern[str]
    between: re.Pattern[str]
    to: re.Pattern[str]


@cache
def _borders(language: Language) -> _Borders:
    found = language.limits
    above, below, between = (
        re.compile(rf"{cues.whole}\s*{_MONEY}\s*$") for cues in (found.above, found.below, found.between)
    )
    return _Borders(above, below, between, re.compile(rf"^[^.;]{{0,20}}?{found.to.whole}\s*{_MONEY}\s*$"))


@dataclass(frozen=True, slots=True)
class Limit:
    """An interval of allowed values and the stems of the word that they count ("" for none)."""

    low: float
    high: float
    unit: frozenset[str]


@dataclass(frozen=True, slots=True)
class Amount:
    """A quantity and the stems of the word that it counts."""

    value: float
    unit: frozenset[str]


def amounts(asked: Utterance) -> tuple[Amount, ...]:
    """The quantities of a question; years aren't any."""
    named = (number for number in asked.numbers if not number.year_like)
    return tuple(Amount(number.value, _unit(asked.text, number, asked.language)) for number in named)


def limits(text: str, language: str) -> tuple[Limit, ...]:
    """The limits that a text states."""
    numbers = [n for n in find_numbers(text, language) if not n.year_like]
    borders = _borders(language_of(language))
    found: list[Limit] = []
    used: set[int] = set()
    for i, number in enumerate(numbers):
        before = fold(text[max(0, number.start - _READ_BACK) : number.start]) + " "
        following = numbers[i + 1] if i + 1 < len(numbers) else None
        if i in used:
            continue
        if (
            following is not None
            and borders.between.search(before)
            and borders.to.match(fold(text[number.end : following.start]) + " ")
        ):
            low, high = sorted((number.value, following.value))
            found.append(Limit(low, high, _unit(text, following, language)))
            used.add(i + 1)
        elif borders.above.search(before):
            found.append(Limit(number.value, math.inf, _unit(text, number, language)))
        elif borders.below.search(before):
            found.append(Limit(-math.inf, number.value, _unit(text, number, language)))
    return tuple(found)


def verdict(asked: tuple[Amount, ...], stated: tuple[Limit, ...]) -> int:
    """1 when a quantity keeps a limit on the same unit, -1 when all such limits exclude it, 0 when there are none."""
    inside = [
        limit.low <= amount.value <= limit.high
        for amount in asked
        for limit in stated
        if amount.unit and not amount.unit.isdisjoint(limit.unit)
    ]
    if not inside:
        return 0
    return 1 if any(inside) else -1


def _unit(text: str, number: NumberSpan, language: str) -> frozenset[str]:
    known = language_of(language)
    before = text[max(0, number.start - 4) : number.start].rstrip()
    for sign, currency in _CURRENCIES.items():
        if before.endswith(sign):
            # "R$ 500" and "500 reais" are one unit.
            return frozenset((sign, *(stem for name in known.tables.units[currency] for stem in all_stems(name))))
    if number.percent:
        return frozenset(("%",))
    following = words(text[number.end : number.end + _READ_BACK])
    if len(following) > 1 and following[0].folded in known.function_words.of:
        following = following[1:]
    return frozenset(all_stems(following[0].folded)) if following else frozenset()
