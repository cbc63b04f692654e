"""Owns what a number format adds to a figure: a percent sign, a currency, decimals."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from polyrag_cli.loaders.values import NumberText

# What ECMA-376 part 1, 18.8.30 says of numbers that stand for a format without a code; those of dates are left out.
BUILTIN: dict[int, str] = {
    2: "0.00",
    4: "#,##0.00",
    5: '"$"#,##0',
    6: '"$"#,##0',
    7: '"$"#,##0.00',
    8: '"$"#,##0.00',
    9: "0%",
    10: "0.00%",
    39: "#,##0.00",
    40: "#,##0.00",
    42: '_("$"* #,##0_)',
    44: '_("$"* #,##0.00_)',
}
_BRACKETED = re.compile(r"\[\$([^\]-]*)(?:-[^\]]*)?\]")
_SECTION = re.compile(r'(?:"[^"]*"|\\.|[^;"\\])*')
_QUOTED = re.compile(r'"([^"]*)"|\\(.)')
# A space as wide as a character, a character that fills the cell, a colour or a condition.
_SKIPPED = re.compile(r"_.|\*.|\[[^\]]*\]")
_SIGN = re.compile(r"(?<![^\W\d_])(?:R|US)?\$|[€£¥]")
_LETTERS = re.compile(r"[^\W\d_]{2,4}")
_SCALED = re.compile(r"[0#?],+(?![0#?,])|[Ee][+-]|/")
_FIXED = re.compile(r"0\.(0+)(?![#?])")
_LONGEST = 12


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """What a figure's text gets: a percent sign on its hundredfold, the sign or letters of a currency (or a percent
    sign that stands for itself), at least so many decimals."""

    percent: bool = False
    currency: str = ""
    decimals: int = 0

    @property
    def plain(self) -> bool:
        """Whether it adds nothing."""
        return not self.percent and not self.currency and not self.decimals


@lru_cache(maxsize=1024)
def number_format(code: str) -> NumberFormat:
    """What a format's code says of a number, by its part for positive ones."""
    part = _SECTION.match(code)[0]  # type: ignore[index]
    currency = next((found[1].strip() for found in _BRACKETED.finditer(part) if found[1].strip()), "")
    shown = _SKIPPED.sub("", _BRACKETED.sub("", part))
    quoted = "".join(one or other for one, other in _QUOTED.findall(shown))
    bare = _QUOTED.sub("", shown)
    if _SCALED.search(bare) or not re.search(r"[0#?]", bare):
        # Shown as another figure than it is, or as no figure at all.
        return NumberFormat()
    if "%" not in bare and not currency:
        sign = _SIGN.search(bare) or _SIGN.search(quoted)
        currency = sign[0] if sign else "%" * ("%" in quoted)
    fixed = _FIXED.search(bare)
    return NumberFormat("%" in bare, currency, min(len(fixed[1]), _LONGEST) if fixed else 0)


def formatted(text: str, form: NumberFormat) -> str:
    """A figure's text under a format; all of its digits stay, and what isn't a figure comes back unchanged."""
    if not isinstance(text, NumberText) or form.plain:
        return text
    try:
        value = Decimal(text)
    except InvalidOperation:
        return text
    if not value.is_finite() or abs(value.adjusted()) > 300:
        return text
    digits = _digits(value * 100 if form.percent else value, form.decimals)
    if form.percent or form.currency == "%":
        return NumberText(f"{digits}%")
    sign, figure = ("-", digits[1:]) if digits.startswith("-") else ("", digits)
    if _SIGN.fullmatch(form.currency):
        return NumberText(f"{sign}{form.currency} {figure}")
    return NumberText(f"{digits} {form.currency}") if _LETTERS.fullmatch(form.currency) else NumberText(digits)


def _digits(value: Decimal, decimals: int) -> str:
    whole, _, fraction = f"{value:f}".partition(".")
    fraction = fraction.rstrip("0").ljust(decimals, "0")
    return f"{whole}.{fraction}" if fraction else whole
