"""Owns which units of columns a word behind a figure stands for."""

from __future__ import annotations

from collections.abc import Mapping
from unicodedata import category

from polyrag_cli.nl2sql.lexicon import Lexicon
from polyrag_cli.nl2sql.notions import MONEY

# By the name that the language files give it, how a column may write a unit.
_SYMBOLS: Mapping[str, frozenset[str]] = {
    "brl": frozenset({"r$", "brl"}),
    "usd": frozenset({"$", "us$", "usd", "u$"}),
    "eur": frozenset({"€", "eur"}),
    "gbp": frozenset({"£", "gbp"}),
    "kg": frozenset({"kg"}),
    "km": frozenset({"km"}),
    "m": frozenset({"m"}),
    "t": frozenset({"t", "ton"}),
    "ft": frozenset({"ft"}),
    "percent": frozenset({"%"}),
    "ha": frozenset({"ha"}),
    "min": frozenset({"min"}),
    "w": frozenset({"w"}),
    "l": frozenset({"l"}),
}
_CURRENCIES = frozenset({"brl", "usd", "eur", "gbp"})
_WRITTEN_ALIKE = _SYMBOLS.keys() - _CURRENCIES - {"percent"}
# By a unit's name, the notions that are counted in it.
_COUNTED: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(_CURRENCIES, MONEY),
    "m": frozenset({"height", "length", "distance"}),
    "ft": frozenset({"height", "length", "distance"}),
    "km": frozenset({"distance", "mileage", "length"}),
    "kg": frozenset({"weight"}),
    "t": frozenset({"weight"}),
    "ha": frozenset({"area"}),
    "min": frozenset({"minute", "duration", "wait"}),
}


def units_of(word: str, lexicon: Lexicon) -> frozenset[str]:
    """Return what a column of the unit that a folded word names may call it, in small letters; empty without one."""
    return frozenset().union(*(_SYMBOLS[name] for name in _named(word, lexicon)))


def counts(word: str, notions: frozenset[str], lexicon: Lexicon) -> bool:
    """Tell whether a folded word names a unit that something of one of these notions is counted in."""
    return any(not _COUNTED.get(name, frozenset()).isdisjoint(notions) for name in _named(word, lexicon))


def _named(word: str, lexicon: Lexicon) -> tuple[str, ...]:
    return (*lexicon.units.get(word, ()), *([word] if word in _WRITTEN_ALIKE else []))


def is_currency(unit: str) -> bool:
    """Whether a column's unit is money: a sign or the code of a currency."""
    return any(category(sign) == "Sc" for sign in unit) or any(unit.lower() in _SYMBOLS[name] for name in _CURRENCIES)
