"""Owns figures: finding them in running text, reading them from cells, writing them."""

import math
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from polyrag_cli.languages import UNDETERMINED
from polyrag_cli.languages import language as language_of
from polyrag_cli.text.fold import fold_word
from polyrag_cli.text.number_words import NumberWords, number_words

_YEARS = range(1700, 2101)
# Longer than any sentence.
_REMEMBERED_CHARACTERS = 4096


@dataclass(frozen=True, slots=True)
class NumberSpan:
    """A figure in a text: `text` is the characters from `start` to `end` with scale, sign and percent, no currency.

    `value` has the scale applied ("3 milhões" → 3000000.0) and the percent not (12% → 12.0 with `percent`);
    `year_like` marks a bare whole number of four digits from 1700 to 2100.
    """

    start: int
    end: int
    value: float
    text: str
    percent: bool
    year_like: bool


@dataclass(frozen=True, slots=True)
class _Token:
    start: int
    end: int
    folded: str
    value: float | None
    bare_year: bool = False
    # Of a number that is written in one word.
    compound: int | None = None


# A date's parts are no quantities; an identifier's digits aren't either (hence the borders).
_DATE = r"\d{1,2}[/.-]\d{1,2}[/.-](?:\d{4}|\d{2})(?![\w/]|[.,-]\d)|\d{4}[/-]\d{1,2}[/-]\d{1,2}(?!\d)"
_FIGURE = r"\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d+)?(?![\d])|\d+(?:[.,'’]\d+)*"
_TOKENS = re.compile(
    rf"(?P<skip>(?<![\w/])(?:{_DATE})|[^\W\d_]+[-_]?\d[\w-]*(?:[.,]\d[\w-]*)*|\d+(?:[.,]\d+)*_\w*|\d+[xX]\d+\w*|\d+[-–]?[^\W\d_]+\d\w*)"
    rf"|(?P<sign>(?<![\w)%.,])[-\u2212])?(?P<figure>{_FIGURE})"
    r"|(?P<word>[^\W\d_]+)|(?P<other>[^\s\w])"
)
_SUFFIX = re.compile(r" ?([^\W\d_]+)")


def find_numbers(text: str, language: str | None = None) -> list[NumberSpan]:
    """Return the figures and number words of `text` in order of place, without overlaps.

    Digits inside identifiers and full numeric dates are no figures; a lone "um", "uma" or "one" isn't one either.

    Args:
        language: settles "1.234" and "1,234" by its decimal mark, and which words are numbers; when it is None or has
            no file, such a figure is read as thousands, and number words of every language are read.
    """
    found = _remembered if len(text) <= _REMEMBERED_CHARACTERS else _numbers
    return list(found(text, language or UNDETERMINED))


def _numbers(text: str, language: str) -> tuple[NumberSpan, ...]:
    known = number_words(language)
    tokens = list(_tokenize(text, known))
    found: list[NumberSpan] = []
    i = 0
    while i < len(tokens):
        parsed = _quantity(tokens, i, known)
        if parsed is None:
            i += 1
            continue
        value, following = parsed
        start, end = tokens[i].start, tokens[following - 1].end
        percent = known.percent.match(text, end)
        end = percent.end() if percent else end
        year = tokens[i].bare_year and following == i + 1 and percent is None and value in _YEARS
        found.append(NumberSpan(start, end, value, text[start:end], percent is not None, year))
        i = following
    return tuple(found)


# What looks for quantities, limits and durations in a sentence asks one after the other.
_remembered = lru_cache(maxsize=64)(_numbers)


def _tokenize(text: str, known: NumberWords) -> Iterator[_Token]:
    position = 0
    while (match := _TOKENS.search(text, position)) is not None:
        position = match.end()
        if (figure := match["figure"]) is None:
            folded = fold_word(match["word"]) if match["word"] else ""
            yield _Token(match.start(), match.end(), folded, None, compound=known.compound(folded))
            continue
        value = _read(figure, known.decimal)
        suffix = _SUFFIX.match(text, position)
        scale = _suffix_scale(suffix, position, known)
        if suffix is not None and scale:
            position = suffix.end()
        elif suffix is not None and suffix.start(1) == position:
            unit = known.mark.match(text, position)
            value, position = (value, unit.end()) if unit else (None, suffix.end())
        if value is not None:
            value *= (scale or 1) * (-1 if match["sign"] else 1)
        end = position if scale else match.end()
        yield _Token(match.start(), end, "", value, bare_year=len(figure) == 4 and figure.isdigit() and not scale)


def _suffix_scale(suffix: re.Match[str] | None, position: int, known: NumberWords) -> int:
    if suffix is None:
        return 0
    apart = suffix.start(1) > position
    if apart and len(suffix[1]) == 1 and suffix[1] != "M":
        return 0
    return known.said.suffixes.get(suffix[1], 0)


def _read(figure: str, decimal: str) -> float | None:
    """Read digits with either convention; None for what is no single figure (a version, a section number).

    decimal: the decimal mark that settles what both conventions allow, "" for thousands.
    """
    compact = re.sub(r"[\s'’]", "", figure)
    separators = [c for c in compact if c in ".,"]
    if not separators:
        return float(compact)
    last = separators[-1]
    if len(set(separators)) == 1:
        groups = compact.split(last)
        grouped = 1 <= len(groups[0]) <= 3 and groups[0] != "0" and all(len(group) == 3 for group in groups[1:])
        if len(separators) == 1 and (not grouped or last == decimal):
            return float(compact.replace(",", "."))
        return float(compact.replace(last, "")) if grouped else None
    return _strict(compact, "," if last == "," else ".")


def _strict(digits: str, decimal: str) -> float | None:
    thousands = "." if decimal == "," else ","
    pattern = rf"(?:[1-9]\d{{0,2}}(?:{re.escape(thousands)}\d{{3}})+|\d+)?(?:{re.escape(decimal)}\d*)?"
    if not re.fullmatch(pattern, digits) or not any(c.isdigit() for c in digits):
        return None
    return float(digits.replace(thousands, "").replace(decimal, "."))


def _quantity(tokens: list[_Token], i: int, known: NumberWords) -> tuple[float, int] | None:
    """Parse groups of falling scale from token `i`; return the value and the index behind the last token."""
    first = _scaled_group(tokens, i, known, alone=True)
    if first is None:
        return None
    total, scale, following, digits = first
    while scale > 1:
        connected = following < len(tokens) and tokens[following].folded in known.said.connectors
        at = following + 1 if connected else following
        part = _scaled_group(tokens, at, known, alone=False)
        if part is None or part[0] >= scale or (part[3] and (not connected or part[1] == 1)):
            break
        if digits and not part[3] and part[1] == 1 and not connected:
            break
        total, scale, following = total + part[0], part[1], part[2]
    return total, following


def _scaled_group(
    tokens: list[_Token], i: int, known: NumberWords, *, alone: bool
) -> tuple[float, int, int, bool] | None:
    """Return (value, scale, next index, whether written in digits) of a group below 1000 with its scale word."""
    if i >= len(tokens):
        return None
    token = tokens[i]
    digits = token.value is not None
    if digits or token.compound is not None:
        group: tuple[float, int] | None = (float(token.value or token.compound or 0), i + 1)
    else:
        group = _words_below_thousand(tokens, i, known, alone=alone)
    if group is None:
        # "mil" is a number of its own, "thousand" and "milhões" are not.
        lone = float(known.said.scales[token.folded]) if token.folded in known.said.lone_scales else 0.0
        return (lone, int(lone), i + 1, False) if lone else None
    value, following = group
    following, value = _and_a_half(tokens, following, value, known)
    scale = 1
    if following < len(tokens) and (factor := known.said.scales.get(tokens[following].folded)):
        scale, following = factor, following + 1
        value *= scale
        following, extra = _and_a_half(tokens, following, 0.0, known)
        value += extra * scale
    elif following < len(tokens) and (factor := known.said.collectives.get(tokens[following].folded)):
        value, following = value * factor, following + 1
    return value, scale, following, digits


def _and_a_half(tokens: list[_Token], i: int, value: float, known: NumberWords) -> tuple[int, float]:
    """Read "e meio", "e meia", "and a half" at `i`."""
    for phrase in known.said.and_a_half:
        if tuple(token.folded for token in tokens[i : i + len(phrase)]) == phrase:
            return i + len(phrase), value + 0.5
    return i, value


def _words_below_thousand(tokens: list[_Token], i: int, known: NumberWords, *, alone: bool) -> tuple[float, int] | None:
    word = tokens[i].folded
    ahead = tokens[i + 1].folded if i + 1 < len(tokens) else ""
    if word in known.said.halves:
        at = i + 2 if ahead in known.said.articles else i + 1
        counted = tokens[at].folded if at < len(tokens) else ""
        return (0.5, at) if counted in known.said.collectives or known.said.scales.get(counted, 0) > 1000 else None
    if ahead in known.said.hundred and word in known.said.articles:
        return _small_words(tokens, i, known)
    if word in known.said.articles or (alone and word in known.said.one and ahead not in known.said.hundred):
        measured = (
            ahead in known.said.collectives
            or ahead in known.said.scales
            or (word in known.said.one and ahead in known.said.measured)
        )
        return (1.0, i + 1) if measured and ahead not in known.said.lone_scales else None
    if word not in known.said.words or _ends_percent(tokens, i, known):
        return None
    return _small_words(tokens, i, known)


def _ends_percent(tokens: list[_Token], i: int, known: NumberWords) -> bool:
    """Tell whether a number word belongs to a phrase for percent ("por cento")."""
    return any(
        len(phrase) > 1 and tuple(token.folded for token in tokens[max(0, i + 1 - len(phrase)) : i + 1]) == phrase
        for phrase in known.said.percent
    )


def _small_words(tokens: list[_Token], i: int, known: NumberWords) -> tuple[float, int]:
    """Add hundreds, tens and units as long as each is smaller than what the last left open."""
    value, open_below, following = 0.0, 1000, i
    at = i
    while at < len(tokens):
        size = 1 if at == i and tokens[at].folded in known.said.articles else known.said.words.get(tokens[at].folded)
        if size is None or size >= open_below or (size == 0 and at > i):
            break
        value, following = value + size, at + 1
        open_below = 100 if size >= 100 else 10 if size >= 20 and size % 10 == 0 else 0
        at = following
        if at < len(tokens) and tokens[at].folded in known.said.hundred and value < 10:
            value, open_below, following = value * 100, 100, at + 1
            at = following
        if at < len(tokens) and _joins(tokens, at, open_below, known):
            at += 1
    return value, following


def _joins(tokens: list[_Token], at: int, open_below: int, known: NumberWords) -> bool:
    """Tell whether the token joins a smaller word: "and" after hundreds, "e", a tight hyphen."""
    if tokens[at].folded:
        return tokens[at].folded in (known.said.connectors if open_below == 100 else known.said.tens_joints)
    adjacent = at + 1 < len(tokens) and tokens[at - 1].end == tokens[at].start
    return adjacent and tokens[at].end == tokens[at + 1].start and open_below == 10


_CURRENCY = re.compile(
    r"^(?:R\$|US\$|[$€£¥₹]|BRL|USD|EUR|GBP|JPY)\s*|\s*(?:R\$|[$€£¥₹]|BRL|USD|EUR|GBP|JPY)$", re.IGNORECASE
)
_EXPONENT = re.compile(r"\d+(?:[.,]\d+)?[eE][+-]?\d{1,3}")


def parse_number(cell: str, decimal: Literal[",", "."] | None = None) -> float | None:
    """Return the number that a whole cell holds, or None when it is anything else.

    Currency signs, a percent sign (12% → 12.0), signs, accounting parentheses and thousands separators are read.

    Args:
        decimal: the column's decimal sign; None takes the last of two kinds of separator, a lone comma before three
            digits as thousands, and any other lone separator as decimal.
    """
    text = unicodedata.normalize("NFKC", cell).replace("\u2212", "-").strip()
    negative = False
    if len(text) > 2 and text[0] == "(" and text[-1] == ")":
        text, negative = text[1:-1].strip(), True
    text, minus = _unsigned(text)
    text = _CURRENCY.sub("", text.removesuffix("%").rstrip(), count=2).strip()
    text, second_minus = _unsigned(text)
    if negative + minus + second_minus > 1:
        return None
    value = _cell_value(text, decimal)
    if value is None or not math.isfinite(value):
        return None
    return -value if negative or minus or second_minus else value


def _unsigned(text: str) -> tuple[str, bool]:
    return (text[1:].lstrip(), text[0] == "-") if text[:1] in ("-", "+") else (text, False)


def _cell_value(text: str, decimal: Literal[",", "."] | None) -> float | None:
    if _EXPONENT.fullmatch(text):
        return float(text.replace(",", "."))
    if re.search(r"[\s'’]", text):
        if not re.fullmatch(r"\d{1,3}(?:[ '’]\d{3})+(?:[.,]\d*)?", text):
            return None
        text = re.sub(r"[ '’]", "", text)
    if not re.fullmatch(r"[\d.,]*\d[\d.,]*", text):
        return None
    if decimal is not None:
        return _strict(text, decimal)
    kinds = {c for c in text if c in ".,"}
    if len(kinds) == 2:
        return _strict(text, max(kinds, key=text.rfind))
    if kinds and text.count(next(iter(kinds))) > 1:
        return _strict(text, "." if kinds == {","} else ",")
    if kinds == {","} and re.fullmatch(r"[1-9]\d{0,2},\d{3}", text):
        return float(text.replace(",", ""))
    return _strict(text, "," if kinds == {","} else ".")


def format_number(value: float, language: str) -> str:
    """Return `value` as a reader of `language` writes it: "4.988.300" and "12,35", or "4,988,300" and "12.35".

    The second where the language has no file or isn't known. At most two decimals, half rounded up, trailing zeros
    dropped; a value under 0.01 keeps two significant digits, so that it isn't shown as nothing.

    Raises:
        ValueError: `value` is not finite.
    """
    if not math.isfinite(value):
        raise ValueError(f"no figure to show: {value}")
    # Questions are read without it.
    from decimal import ROUND_HALF_UP, Decimal

    exact = Decimal(repr(value))
    places = 2 if exact == 0 or abs(exact) >= Decimal("0.01") else 1 - exact.adjusted()
    rounded = exact.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP) if abs(exact) < 10**24 else exact
    shown = f"{rounded:,f}"
    shown = shown.rstrip("0").rstrip(".") if "." in shown else shown
    shown = "0" if shown == "-0" else shown
    marks = language_of(language).writing
    return shown.translate({ord(","): marks.thousands, ord("."): marks.decimal}) if marks.decimal else shown
