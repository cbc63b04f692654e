"""Sums that stand in a question: "what is 15% of 200", "(2 + 3) × 4".

Owns a small parser of its own: nothing of the text is ever executed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Context, Decimal, DecimalException, DivisionByZero, InvalidOperation, Overflow
from functools import cache

from polyrag_cli.languages import language as language_of
from polyrag_cli.languages.schema import Language
from polyrag_cli.text.fold import fold
from polyrag_cli.text.numbers import find_numbers, format_number

MAX_CHARACTERS = 200
_MAX_EXPONENT = 128
_LIMIT = Decimal(10) ** 24
_EXACT = Context(prec=50, Emax=999, Emin=-999, traps=[DivisionByZero, InvalidOperation, Overflow])

_LEAD = re.compile(r"^[^\d(+\-]*")
# Other signs for each sign, besides its words; ":" divides.
_SIGNS = {"/": "[÷:]", "^": r"\*\*", "*": r"×|(?<=[\d)\s])x(?=[\d(\s])", "-": "[−–]"}
_TOKEN = re.compile(r"\s*(?:(\d+(?:[.,]\d+)*)|([-+*/^%()]))")
_SHOWN = {"*": "×", "/": "÷", "-": "−"}


class SumError(ValueError):
    """A sum that has no value; the message is "zero" or "size"."""


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum as it was read, and its value; `expression` shows the figures without separators."""

    expression: str
    value: Decimal


def evaluate(text: str, language: str) -> Sum | None:
    """The sum that a question asks for, or None when it holds none.

    text: at most 200 characters; + − × ÷ ^ %, parentheses, and their words.
    language: of the words; settles "1.000", as in `text.numbers`.

    Raises SumError for a division by zero ("zero") and for values beyond 10^24 ("size").
    """
    if len(text) > MAX_CHARACTERS:
        return None
    tokens = _tokens(text, language)
    if tokens is None or not any(t in ("+", "-", "*", "/", "^", "%") for t in tokens[1:]):
        return None
    parser = _Parser(tokens)
    try:
        value = parser.whole()
    except InvalidOperation:
        # No real number: a root of a negative one, or 0 ^ 0.
        return None
    except DivisionByZero:
        raise SumError("zero") from None
    except DecimalException:
        raise SumError("size") from None
    return None if value is None else Sum(_shown(tokens), value)


def _tokens(text: str, language: str) -> list[str | Decimal] | None:
    expression = _LEAD.sub("", fold(text).strip(" ?!.=¿¡"), count=1)
    for pattern, sign in _words(language_of(language)):
        expression = pattern.sub(f" {sign} ", expression)
    tokens: list[str | Decimal] = []
    position = 0
    expression = expression.rstrip()
    while position < len(expression):
        match = _TOKEN.match(expression, position)
        if match is None:
            return None
        if match[1] is not None:
            found = find_numbers(match[1], language)
            if len(found) != 1:
                return None
            tokens.append(Decimal(repr(found[0].value)))
        else:
            tokens.append(match[2])
        position = match.end()
    return tokens or None


@cache
def _words(known: Language) -> tuple[tuple[re.Pattern[str], str], ...]:
    """What is read as each sign, in the order in which it is replaced: "per cent" may hold the word for another."""
    arithmetic = known.arithmetic
    found = []
    for sign in ("%", "/", "^", "*", "+", "-"):
        said = arithmetic.signs[sign].whole
        found.append((re.compile(f"{said}|{_SIGNS[sign]}" if sign in _SIGNS else said), sign))
    of = "|".join(map(re.escape, sorted(arithmetic.of)))
    return (*found, (re.compile(rf"(?<=%)\s*(?:{of})\b"), "*"))


def _shown(tokens: list[str | Decimal]) -> str:
    pieces: list[str] = []
    for i, token in enumerate(tokens):
        if isinstance(token, Decimal):
            pieces.append(f"{token.normalize():f}")
        elif token == "%" or token in "()":
            pieces.append(token)
        elif i == 0 or (isinstance(tokens[i - 1], str) and tokens[i - 1] not in (")", "%")):
            pieces.append(_SHOWN.get(token, token))
        else:
            pieces.append(f" {_SHOWN.get(token, token)} ")
    return "".join(pieces)


class _Parser:
    """Recursive descent; each method reads one level of precedence and gives None where the form is wrong."""

    def __init__(self, tokens: list[str | Decimal]) -> None:
        self._tokens = tokens
        self._at = 0

    def whole(self) -> Decimal | None:
        value = self._sum()
        return value if self._at == len(self._tokens) else None

    def _peek(self) -> str | Decimal:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self, *signs: str) -> str:
        token = self._peek()
        if isinstance(token, str) and token in signs:
            self._at += 1
            return token
        return ""

    def _sum(self) -> Decimal | None:
        value = self._product()
        while value is not None and (sign := self._take("+", "-")):
            start = self._at
            part = self._product()
            if part is None:
                return None
            if self._bare_percent(start):
                # "200 + 10%" adds ten per cent of what stands before.
                part = _EXACT.multiply(value, part)
            value = _bounded(_EXACT.add(value, part) if sign == "+" else _EXACT.subtract(value, part))
        return value

    def _bare_percent(self, start: int) -> bool:
        taken = self._tokens[start : self._at]
        return len(taken) == 2 and isinstance(taken[0], Decimal) and taken[1] == "%"

    def _product(self) -> Decimal | None:
        value = self._power()
        while value is not None and (sign := self._take("*", "/")):
            part = self._power()
            if part is None:
                return None
            if sign == "/" and part == 0:
                raise SumError("zero")
            value = _bounded(_EXACT.multiply(value, part) if sign == "*" else _EXACT.divide(value, part))
        return value

    def _power(self) -> Decimal | None:
        if self._take("-"):
            value = self._power()
            return None if value is None else _EXACT.minus(value)
        if self._take("+"):
            return self._power()
        base = self._atom()
        if base is None or not self._take("^"):
            return base
        exponent = self._power()
        if exponent is None:
            return None
        if abs(exponent) > _MAX_EXPONENT:
            raise SumError("size")
        return _bounded(_EXACT.power(base, exponent))

    def _atom(self) -> Decimal | None:
        token = self._peek()
        self._at += 1
        if isinstance(token, Decimal):
            value: Decimal | None = token
        elif token == "(":
            value = self._sum()
            if not self._take(")"):
                return None
        else:
            return None
        while value is not None and self._take("%"):
            value = _EXACT.divide(value, Decimal(100))
        return value


def _bounded(value: Decimal) -> Decimal:
    if abs(value) > _LIMIT:
        raise SumError("size")
    return value


def shown_value(value: Decimal, language: str) -> tuple[str, bool]:
    """A value as a reader of `language` writes it, and whether digits were left out of it."""
    text = format_number(float(value), language)
    digits = "".join(c for c in text if c.isdigit() or c == "-").lstrip("0")
    exact = f"{value.normalize():f}".replace(".", "").lstrip("0").lstrip("-").lstrip("0")
    return text, digits.lstrip("-") != exact
