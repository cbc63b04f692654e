"""Limits that a sentence states ("above fifty thousand", "entre dez e vinte dias"), and whether a quantity keeps them.

Owns the reading of limits.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from polyrag_cli.text.fold import fold
from polyrag_cli.text.numbers import NumberSpan, find_numbers
from polyrag_cli.text.stem import both_stems
from polyrag_cli.text.words import words

_ABOVE = re.compile(
    r"\b(?:acima d[eo]s?|mais d[eo]|superior(?:es)? a|maior(?:es)? (?:do )?que|excede\w*|ultrapass\w*|a"
    r" partir de|ao menos|"
    r"pelo menos|no minimo(?: de)?|minim[oa] de|above|over|more than|greater than|longer than|heavier than|larger than|"
    r"exceed\w*|at least|minimum of|starting at)\s*(?:r\$|us\$|[$€£])?\s*$"
)
_BELOW = re.compile(
    r"\b(?:abaixo d[eo]s?|menos d[eo]|inferior(?:es)? a|menor(?:es)? (?:do )?que|ate|no maximo(?: de)?|"
    r"maxim[oa] de|below|"
    r"under|less than|fewer than|smaller than|shorter than|up to|at most|maximum of|no more"
    r" than)\s*(?:r\$|us\$|[$€£])?\s*$"
)
_BETWEEN = re.compile(r"\b(?:entre|between|from|de)\s*(?:r\$|us\$|[$€£])?\s*$")
_TO = re.compile(r"^[^.;]{0,20}?\b(?:e|a|ate|and|to)\s*(?:r\$|us\$|[$€£])?\s*$")
_READ_BACK = 40


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


def amounts(text: str, language: str) -> tuple[Amount, ...]:
    """The quantities of a text; years aren't any."""
    return tuple(Amount(n.value, _unit(text, n)) for n in find_numbers(text, language) if not n.year_like)


def limits(text: str, language: str) -> tuple[Limit, ...]:
    """The limits that a text states."""
    numbers = [n for n in find_numbers(text, language) if not n.year_like]
    found: list[Limit] = []
    used: set[int] = set()
    for i, number in enumerate(numbers):
        before = fold(text[max(0, number.start - _READ_BACK) : number.start]) + " "
        following = numbers[i + 1] if i + 1 < len(numbers) else None
        if i in used:
            continue
        if (
            following is not None
            and _BETWEEN.search(before)
            and _TO.match(fold(text[number.end : following.start]) + " ")
        ):
            low, high = sorted((number.value, following.value))
            found.append(Limit(low, high, _unit(text, following)))
            used.add(i + 1)
        elif _ABOVE.search(before):
            found.append(Limit(number.value, math.inf, _unit(text, number)))
        elif _BELOW.search(before):
            found.append(Limit(-math.inf, number.value, _unit(text, number)))
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


def _unit(text: str, number: NumberSpan) -> frozenset[str]:
    before = text[max(0, number.start - 4) : number.start].rstrip()
    for sign in ("R$", "US$", "$", "€", "£"):
        if before.endswith(sign):
            # "R$ 500" and "500 reais" are one unit.
            return frozenset((sign, *({"R$": both_stems("reais"), "$": both_stems("dollars")}.get(sign, ()))))
    if number.percent:
        return frozenset(("%",))
    following = words(text[number.end : number.end + _READ_BACK])
    if following and following[0].folded in ("de", "of") and len(following) > 1:
        following = following[1:]
    return frozenset(both_stems(following[0].folded)) if following else frozenset()
