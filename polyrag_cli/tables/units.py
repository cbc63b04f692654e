"""Owns units of measure and scales: what headers and cells write, and which units convert into each other exactly."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from polyrag_cli.languages import UNDETERMINED
from polyrag_cli.languages import language as language_of
from polyrag_cli.tables.markers import multipliers
from polyrag_cli.text.fold import fold, fold_word

# Signs and codes of one currency each; a table that mixes those of a line mixes nothing.
_SAME_CURRENCY: tuple[tuple[str, ...], ...] = (
    ("$", "us$", "u$", "usd"),
    ("r$", "brl"),
    ("€", "eur"),
    ("£", "gbp"),
    ("¥", "jpy"),
    ("chf",),
)
CURRENCIES = frozenset(sign for signs in _SAME_CURRENCY for sign in signs)
_CURRENCY_OF = {sign: signs[0] for signs in _SAME_CURRENCY for sign in signs}
# By kind of quantity, each unit with how many of the first it holds.
_FAMILIES: tuple[Mapping[str, Fraction], ...] = tuple(
    {unit: Fraction(factor) for unit, factor in (pair.split("=") for pair in family.split())}
    for family in (
        "mg=1/1000 g=1 kg=1000 t=1000000 ton=1000000",
        "mm=1/1000 cm=1/100 m=1 km=1000",
        "cm2=1/10000 m2=1 ha=10000 km2=1000000",
        "ml=1/1000 cl=1/100 dl=1/10 l=1 hl=100 m3=1000",
        "w=1 kw=1000 mw=1000000 gw=1000000000",
        "wh=1 kwh=1000 mwh=1000000 gwh=1000000000",
        "s=1 min=60 h=3600",
        "hz=1 khz=1000 mhz=1000000 ghz=1000000000",
    )
)
_OTHERS = """
    lb lbs oz ft in yd mi mph ac gal km/h m/s °c °f bar pa kpa ppm db kcal cal kj rpm l/s m3/s m3/h kg/m3 kg/m2
    g/l mg/l µg µm µg/m3 mm/h kb mb gb tb dpi px
"""
UNITS = frozenset(unit for family in _FAMILIES for unit in family) | frozenset(_OTHERS.split())
# Behind a header's words these are as likely letters of a series or words: units only in brackets.
_AMBIGUOUS = frozenset({"s", "in", "mi", "ac", "bar", "cal", "min", "mb", "tb"})
_TIMES = frozenset({"s", "min"})
_BRACKETED = re.compile(r"[(\[]\s*([^()\[\]]{1,24}?)\s*[)\]]")
_SHORT_UNIT = re.compile(r"[^\W\d_]{1,5}[²³23]?(?:/[^\W\d_]{1,5})?")
_THOUSANDS = re.compile(r"['’]?000s?")
_SIGN = r"R\$|US\$|U\$|[$€£¥]"
_GLUED = re.compile(
    rf"(?:(?P<sign>{_SIGN}|[A-Z]{{3}})(?P<scale>['’]?000s?|[^\W\d_]{{1,4}})"
    rf"|(?P<scale2>[^\W\d_]{{1,3}})(?P<sign2>{_SIGN}|[A-Z]{{3}}))"
)


@dataclass(frozen=True, slots=True)
class Unit:
    """What a header says of its figures: the unit, and how many of it a figure stands for."""

    unit: str = ""
    scale: float = 1.0


def header_unit(label: str, language: str) -> Unit:
    """Return the unit that a column's header names: in brackets, behind a comma, or as its last words.

    Args:
        language: code of the table's language, whose words for thousands and millions are known.
    """
    found: Unit | None = None
    for content in reversed(_BRACKETED.findall(label)):
        found = _read(re.split(r"[\s,]+", content), language, whole=True)
        if found is not None:
            return found
    outside = _BRACKETED.sub(" ", label).strip()
    if outside.startswith("%"):
        return Unit("%")
    tokens = [token for token in re.split(r"[\s_,;:]+", outside) if token]
    if len(tokens) > 1 and tokens[-1] in _TIMES and not _times().isdisjoint(map(fold_word, tokens[:-1])):
        found = Unit(tokens[-1])
    elif len(tokens) > 1:
        found = _read(tokens, language, whole=False)
    elif tokens and folded_unit(tokens[0]) not in _AMBIGUOUS and len(tokens[0]) > 1 - (not tokens[0].isalnum()):
        found = _read(tokens, language, whole=True)
    short = next((c for c in reversed(_BRACKETED.findall(label)) if _SHORT_UNIT.fullmatch(c)), "")
    return found or Unit(short)


@cache
def _times() -> frozenset[str]:
    """Folded words for how long something takes, in every language."""
    notions = language_of(UNDETERMINED).tables.notions
    return frozenset().union(*(notions.get(name, frozenset()) for name in ("duration", "minute", "wait")))


def _read(tokens: Sequence[str], language: str, whole: bool) -> Unit | None:
    """Return what the tokens say from their end on; None when that is nothing, or not all of them where `whole`."""
    unit, scale, rest = "", 1.0, len(tokens)
    small = language_of(language).function_words.words
    linked = False
    while rest > 0:
        token = tokens[rest - 1].strip(".,;:")
        said = _token(token, language, whole, unit)
        if said is not None and not (said.unit and unit) and (said.scale == 1 or scale == 1):
            unit, scale = said.unit or unit, said.scale * scale
        elif fold_word(token) in small and (unit or scale != 1):
            linked = True
        else:
            break
        rest -= 1
    if whole:
        return Unit(unit, scale) if rest == 0 and (unit or scale != 1) else None
    # Words for thousands are a unit's beginning, or linked to the header ("in thousands"); others are what is counted.
    return Unit(unit, scale) if rest > 0 and (unit or (scale != 1 and linked)) else None


def _token(token: str, language: str, whole: bool, unit: str) -> Unit | None:
    """Return what one token says of a unit or scale. unit: what stands behind it already."""
    money = unit.lower() in CURRENCIES
    scale = 1000 if _THOUSANDS.fullmatch(token) else scale_of(token, language, money)
    if scale is not None and (len(token) > 1 or money):
        return Unit(scale=float(scale))
    folded = folded_unit(token)
    if token == "%" or folded in CURRENCIES or (folded in UNITS and (whole or _is_sure(token, folded))):
        return Unit(token)
    glued = _GLUED.fullmatch(token)
    if glued is None:
        return None
    sign, mark = glued["sign"] or glued["sign2"], glued["scale"] or glued["scale2"]
    factor = 1000 if _THOUSANDS.fullmatch(mark) else scale_of(mark, language, money=True)
    return Unit(sign, float(factor)) if factor is not None and sign.lower() in CURRENCIES else None


def _is_sure(token: str, folded: str) -> bool:
    """Whether a header's last word can only be a unit: a capital letter may stand for anything."""
    return folded not in _AMBIGUOUS and (len(token) > 1 or token.islower())


def scale_of(mark: str, language: str, money: bool) -> int | None:
    """Return how many times a figure counts by the mark behind it ("k", "M", "mi", "million"); None for no scale.

    Args:
        money: whether the figure is surely an amount of money, so that "m" means no metres.
    """
    factor = multipliers(language).get(fold(mark))
    if factor is not None:
        return factor
    suffixes = language_of(language).numbers.suffixes
    if mark in suffixes:
        return int(suffixes[mark])
    return int(suffixes[mark.upper()]) if money and mark.upper() in suffixes else None


def folded_unit(text: str) -> str:
    """Return a unit in the spelling that its equals share: "kg" for "Kg", "m2" for "m²", "$" for "USD"."""
    folded = text.lower().replace("²", "2").replace("³", "3")
    return _CURRENCY_OF.get(folded, folded)


def conversions(units: Collection[str]) -> tuple[str, dict[str, Fraction]] | None:
    """Return the unit that all of several folded units convert to exactly, the largest that is used, and each one's
    factor; None where they measure different things."""
    for family in _FAMILIES:
        if set(units) <= family.keys():
            target = max(units, key=lambda unit: (family[unit], unit))
            return target, {unit: family[unit] / family[target] for unit in units}
    return None


def is_known(unit: str) -> bool:
    """Whether a folded unit is one of measure or a currency."""
    return unit in UNITS or unit in CURRENCIES or unit == "%"
