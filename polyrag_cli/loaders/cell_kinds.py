"""Owns what a cell's text looks like before any column is typed: a value, plain words, an address, a mark."""

from __future__ import annotations

import re
from functools import cache

from polyrag_cli.languages import UNDETERMINED, language
from polyrag_cli.text.fold import fold_word

_NUMBER = re.compile(
    r"[(+\-−]?\s*(?:R\$|US\$|[$€£¥]|[A-Z]{3}\s)?\s*[+\-−]?"
    r"(?:\d[\d.,'\s]*|[.,]\d+)(?:[eE][+-]?\d+)?\s*(?:%|[$€£¥]|[A-Z]{3})?\)?"
)
_DATE = re.compile(
    r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?"
    r"|\d{1,2}:\d{2}(?::\d{2})?"
)
_YEAR = re.compile(r"(?:1[89]|20|21)\d\d")
_WEB = re.compile(r"(?:https?://|www\.)\S+|[\w.+-]+@[\w-]+\.[\w.]+")
_WORDS = re.compile(r"[^\W_][\w .,:;/()&'’`+#%°ºª?!*-]*")


@cache
def _marker_words() -> frozenset[str]:
    """What cells say for yes, no and nothing, in any language."""
    cells = language(UNDETERMINED).cells
    empty = (text for texts in (cells.empty, cells.maybe_empty) for text in texts if " " not in text)
    return frozenset((*(word for pair in cells.booleans for word in pair), *map(fold_word, empty), "-"))


def is_value(cell: str) -> bool:
    """Whether a cell holds a number, date or time: what data holds and a header rarely does."""
    cell = cell.strip()
    return bool(cell) and bool(_NUMBER.fullmatch(cell) or _DATE.fullmatch(cell))


def is_year(cell: str) -> bool:
    """Whether a cell is a bare year, which names columns as well as rows."""
    return _YEAR.fullmatch(cell.strip()) is not None


def is_marker(cell: str) -> bool:
    """Whether a cell says yes, no or nothing."""
    return fold_word(cell.strip()) in _marker_words()


def is_typed(cell: str) -> bool:
    """Whether a cell reads as one regular value: empty, number, date, address, logical or plain words."""
    cell = cell.strip()
    return (
        not cell
        or is_value(cell)
        or is_marker(cell)
        or _WEB.fullmatch(cell) is not None
        or _WORDS.fullmatch(cell) is not None
    )


def kind(cell: str) -> str:
    """What a cell looks like, coarsely: empty, date, number, mark, web, word, words or text."""
    cell = cell.strip()
    if not cell:
        return "empty"
    if _DATE.fullmatch(cell):
        return "date"
    if _NUMBER.fullmatch(cell):
        return "number"
    if _WEB.fullmatch(cell):
        return "web"
    if any(char.isdigit() for char in cell) and " " not in cell:
        return "code"
    return "text" if len(cell) > 60 else "words" if " " in cell else "word"
