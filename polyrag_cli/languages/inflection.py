"""Owns the forms of words that language files needn't list because a rule of `[inflections]` gives them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

_VOWEL = re.compile(r"[aeiouy]")


def replaced(word: str, endings: Mapping[str, str]) -> str:
    """Return a word with the first of the endings that it has put in the other's place; as it is without one.

    endings: regular expressions, anchored at the end, with their replacements.
    """
    for ending, other in endings.items():
        found, count = _compiled(ending).subn(other, word, count=1)
        if count:
            return found
    return word


@lru_cache(maxsize=256)
def _compiled(ending: str) -> re.Pattern[str]:
    return re.compile(ending)


def inflected(raw: Any, plurals: Mapping[str, str], verbs: Mapping[str, str]) -> Any:
    """Return what a key of words holds with all their forms: a list of words, or a table of such lists.

    What isn't words comes back as it is, for the reader to refuse.
    """
    if isinstance(raw, dict):
        return {key: inflected(value, plurals, verbs) for key, value in raw.items()}
    listed = raw.split() if isinstance(raw, str) else raw
    if not isinstance(listed, list) or not all(isinstance(word, str) for word in listed):
        return raw
    forms = [form for word in listed for form in _spelled_out(word)]
    return list(dict.fromkeys(f for form in forms for f in (form, replaced(form, verbs), replaced(form, plurals))))


def _spelled_out(word: str) -> list[str]:
    """Return a word with those that it names by their endings: "vendido/a" gives "vendido" and "vendida"."""
    base, *endings = word.split("/")
    joint = _VOWEL.fullmatch(base[-1:])
    return [base, *((base[:-1] if joint and _VOWEL.match(ending) else base) + ending for ending in endings)]
