"""Owns which units of columns a word behind a figure stands for."""

from __future__ import annotations

from collections.abc import Mapping

from polyrag_cli.nl2sql.lexicon import Lexicon

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


def units_of(word: str, lexicon: Lexicon) -> frozenset[str]:
    """Return what a column of the unit that a folded word names may call it, in small letters; empty without one."""
    names = [*lexicon.units.get(word, ()), *([word] if word in _WRITTEN_ALIKE else [])]
    return frozenset().union(*(_SYMBOLS[name] for name in names))


def is_money(word: str, lexicon: Lexicon) -> bool:
    """Tell whether a folded word names a currency."""
    return not _CURRENCIES.isdisjoint(lexicon.units.get(word, ()))
