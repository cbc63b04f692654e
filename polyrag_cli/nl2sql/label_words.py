"""Owns the words of a label, also of one that programs write without spaces: "ShareWomen", "winpercent"."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from polyrag_cli.nl2sql.lexicon import Lexicon, every_language
from polyrag_cli.nl2sql.question import word_parts
from polyrag_cli.types import Column

# A capital behind a small letter begins a word, as the last of several does before one.
_HUMP = re.compile(r"(?<=[a-z\u00e0-\u00ff])(?=[A-Z\u00c0-\u00de])|(?<=[A-Z])(?=[A-Z][a-z])")
# In one word of small letters, the least of what stands beside a word for per cent, and of two words that are known.
_LEAST_BESIDE = 3
_LEAST_KNOWN = 4
# All of something, in per cent.
_WHOLE = 100
# What columns hold of things: other known words end words of their own ("warehouse", "showroom").
_HEADS = frozenset({"name", "date", "price", "amount", "quantity", "cost", "code", "type", "status", "title", "year"})


@lru_cache(maxsize=16384)
def label_parts(label: str) -> tuple[str, ...]:
    """Return the folded words of a label, those apart that are written in one."""
    spaced = label if " " in label.strip() or label.isupper() else _HUMP.sub(" ", label)
    return tuple(word for part in word_parts(spaced) for word in _apart(part, every_language()))


def _apart(word: str, known: Lexicon) -> tuple[str, ...]:
    """Return the two words that a label's word is made of: one for per cent and any other, or two that are known,
    of which the second says what is held of the first.
    """
    if not word.isalpha() or known.knows(word) or known.identifies(word) or known.date_parts.get(word):
        return (word,)
    for border in range(_LEAST_BESIDE, len(word) - _LEAST_BESIDE + 1):
        first, second = word[:border], word[border:]
        # "Percentile" only begins as the word does.
        if second in known.tables.percents or (first in known.tables.percents and known.knows(second)):
            return first, second
    for border in range(_LEAST_KNOWN, len(word) - _LEAST_KNOWN + 1):
        first, second = word[:border], word[border:]
        heads = bool(known.notions(second) & _HEADS) or known.identifies(second)
        if heads and (known.notions(first) or known.identifies(first) or known.date_parts.get(first)):
            return first, second
    return (word,)


def says_percent(column: Column, words: Collection[str]) -> bool:
    """Whether a column's unit or the words of its label say that its figures are per cents; words that may mean other
    things ("share capital") where all figures lie within 0 and 100.
    """
    tables = every_language().tables
    if column.unit == "%" or not tables.percents.isdisjoint(words):
        return True
    return not tables.parts.isdisjoint(words) and column.type in ("integer", "number") and _within(column.values)


def _within(values: Collection[str]) -> bool:
    return bool(values) and all(0 <= float(value) <= _WHOLE for value in values)
