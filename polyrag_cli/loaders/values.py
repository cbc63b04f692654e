"""Owns typed values as cell texts, for sources that have types: workbooks, databases, records."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Sequence
from decimal import Decimal

from polyrag_cli.loaders.encoding import cleaned
from polyrag_cli.types import ColumnType

MAX_CELLS = 5_000_000
"""So many cells of a file are read."""

# Numbers are numbers where at least so many of a column's cells are.
_NUMBERS = 0.6
# A text that could be read as a figure, and one that has a decimal point or no mark at all, whatever the language.
_FIGURE = re.compile(r"\W*(?:[^\W\d_]{1,3}\W*)?\d")
_POINTED = re.compile(r"\D*(?:\d+|\d{1,3}(?:,\d{3})+\.\d+|\d+\.(?:\d{1,2}|\d{4,})|0?\.\d+)\D*")


class NumberText(str):
    """The text of a cell that its file holds as a number: always with a decimal point, whatever the language."""

    __slots__ = ()


def cell_text(value: object) -> str:
    """A value as text: dates in ISO form, whole numbers without a fraction."""
    if type(value) is float:
        # Most cells are.
        return NumberText(_decimal(value)) if math.isfinite(value) else ""
    if isinstance(value, str):
        return value.strip() if value.isascii() and value.isprintable() else cleaned(value)[0].strip()
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return NumberText(value)
    if isinstance(value, datetime.datetime):
        midnight = value.time() == datetime.time.min
        return value.date().isoformat() if midnight else value.isoformat(" ", "seconds")
    if isinstance(value, datetime.timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    return cleaned(str(value))[0].strip()


def _decimal(value: float) -> str:
    """A number's digits without an exponent."""
    if value.is_integer() and abs(value) < 1e21:
        return str(int(value))
    text = repr(value)
    return f"{Decimal(text):f}" if "e" in text else text


def column_type(cells: Sequence[str]) -> ColumnType | None:
    """What cell texts with their types say of a column: figures where most cells are; None leaves it to the texts.

    Where figures stand beside texts with marks of thousands or decimals, nobody knows which of them such a mark is.
    """
    numbers = sum(isinstance(cell, NumberText) for cell in cells)
    if not numbers:
        return None
    texts = [cell for cell in cells if cell and not isinstance(cell, NumberText)]
    if any(_FIGURE.match(text) and not _POINTED.fullmatch(text) for text in texts):
        return "text"
    if numbers < _NUMBERS * (numbers + len(texts)):
        return None
    return "number" if any("." in cell for cell in cells if isinstance(cell, NumberText)) else "integer"
