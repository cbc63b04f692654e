"""Owns how a cell is read as a number: currency and units around it, and a column's decimal mark."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Literal

from polyrag_cli.text.numbers import parse_number

Decimal = Literal[",", "."]
# Longer figures are no numbers that arithmetic could keep.
_LONGEST = 300

_CELL = re.compile(
    r"""^\s*(?P<open>\()?\s*(?P<sign>[-+−–])?\s*
    (?P<prefix>R\$|US\$|U\$|[$€£¥]|EUR|USD|BRL|GBP|CHF)?\s*
    (?P<sign2>[-+−–])?\s*
    (?P<body>\d+[.,]\d+[eE][-+]?\d{1,3}|\d+[eE][-+]\d{1,3}
    |\d{1,3}(?:[.,'’\ \u00a0\u202f]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?|[.,]\d+)
    \s*(?P<suffix>%|[^\W\d_]{1,10}[²³23]?(?:/[^\W\d_]{1,6}[²³]?)?|°[CF]?|[€£$])?
    (?:\s?(?P<after>R\$|US\$|[$€£¥]|EUR|USD|BRL|GBP|CHF))?
    \s*(?P<close>\))?\s*(?P<mark>[*†‡]+|\[[\w\s]{1,8}\]|\([a-z]{1,2}\))*\s*$""",
    re.VERBOSE | re.IGNORECASE,
)


NUMBER_START = (
    r"(?i)^[\s\p{Z}]*\(?[\s\p{Z}]*[-+−–]?[\s\p{Z}]*(?:R\$|US\$|U\$|[$€£¥]|EUR|USD|BRL|GBP|CHF)?[\s\p{Z}]*"
    r"[-+−–]?[\s\p{Z}]*[.,]?\p{Nd}"
)
"""How each cell begins that `read_cell` reads, as RE2 knows it; other cells may begin so as well."""


@dataclass(frozen=True, slots=True)
class NumericCell:
    """A cell that is mainly a number: its digits with separators, its sign, and what stands around it.

    unit: the currency, else the letters or sign behind the digits. mark: letters behind them beside a currency, which
    say how many times they count ("R$ 3 mi").
    """

    body: str
    negative: bool
    unit: str
    mark: str = ""

    @property
    def leading_zero(self) -> bool:
        """Whether it is written like a code (`007`), which a number would lose."""
        return len(self.body) > 1 and self.body[0] == "0" and self.body[1].isdigit()


def read_cell(text: str) -> NumericCell | None:
    """Return the cell as a number with its marks, None when it is something else."""
    if text.isdigit() and text.isascii():
        return NumericCell(text, False, "")
    match = _CELL.match(text)
    if match is None:
        return None
    bracketed = match["open"] is not None and match["close"] is not None
    if (match["open"] is None) != (match["close"] is None):
        return None
    currency, suffix = match["prefix"] or match["after"] or "", match["suffix"] or ""
    negative = bracketed or (match["sign"] or match["sign2"] or "+") != "+"
    return NumericCell(match["body"], negative, currency or suffix, suffix if currency else "")


def decimal_vote(bodies: Sequence[str]) -> str:
    """Return the decimal mark that a column's numbers prove: "," or ".", "" without proof, "?" when they disagree."""
    votes = {vote for body in bodies if not body.isdigit() and (vote := _vote(body))}
    if len(votes) > 1:
        return "?"
    return votes.pop() if votes else ""


def _vote(body: str) -> str:
    marks = [c for c in body if c in ".,"]
    if not marks:
        return ""
    last = marks[-1]
    if len(set(marks)) == 2:
        return last
    other = "," if last == "." else "."
    if len(marks) > 1 or re.search(r"[ '’\u00a0\u202f]", body):
        return other if len(marks) > 1 else last
    whole, _, fraction = body.partition(last)
    # A group of exactly three digits may be thousands; anything else, or a lone zero before it, is a fraction.
    return last if len(fraction) != 3 or whole in ("", "0") or len(whole) > 3 else ""


def settle_decimal(bodies: Sequence[str], own: str, table: Decimal | None, point_groups: bool) -> Decimal:
    """Return a column's decimal mark where its own numbers leave it open.

    Args:
        bodies: digits with separators, as `NumericCell.body`.
        own: the column's `decimal_vote`.
        table: the mark that the table's other columns prove, None when they don't.
        point_groups: whether the table's language or currency writes thousands with a point.
    """
    if own in (",", "."):
        return "," if own == "," else "."
    marked = [body for body in bodies if "." in body or "," in body]
    if table is not None or not marked:
        return table or "."
    mark: Decimal = "." if 2 * sum("." in body for body in marked) >= len(marked) else ","
    other: Decimal = "," if mark == "." else "."
    if any(len(body) > 3 and body.isdigit() for body in bodies):
        return mark
    if mark == ",":
        return other
    return other if point_groups or any(body.isdigit() for body in bodies) else mark


def to_number(cell: NumericCell, decimal: Decimal, factor: Fraction | None = None) -> float | int | None:
    """Return the value under a decimal mark; an int when it is whole and written without a fraction.

    None when the digits aren't grouped as that mark demands.

    Args:
        factor: how many times the number counts; None for once.
    """
    body = cell.body
    value = _plain_number(body, decimal)
    if value is None:
        value = parse_number(body, decimal)
    if value is None or not isfinite(value):
        return None
    if factor is not None:
        # Of 0.3 × 1,000 nothing is to be left behind the mark.
        exact = Fraction(str(value)) * factor
        value = int(exact) if exact.denominator == 1 else float(exact)
    if cell.negative:
        value = -value
    return int(value) if value == int(value) and (factor is not None or decimal not in body) else value


def _plain_number(body: str, decimal: Decimal) -> float | int | None:
    """Read figures in groups of three with a fraction, the commonest form; None for any other.

    Whole ones are read as integers: a float has 15 digits, an identifier often more.
    """
    if len(body) > _LONGEST:
        return None
    if body.isascii() and body.isdigit():
        return int(body)
    whole, _, fraction = body.partition(decimal)
    first, *groups = whole.split("." if decimal == "," else ",")
    if not (first.isascii() and first.isdigit() and (not fraction or (fraction.isascii() and fraction.isdigit()))):
        return None
    if groups and (first[0] == "0" or len(first) > 3 or not all(len(g) == 3 and g.isdigit() for g in groups)):
        return None
    digits = first + "".join(groups)
    if not digits.isascii():
        return None
    return float(f"{digits}.{fraction}") if decimal in body else int(digits)
