"""Owns the folded form of text, under which spellings that differ in case, accent or white space are equal."""

import re
import unicodedata
from functools import lru_cache

# On Latin, Greek and Cyrillic letters these marks are accents; elsewhere they are vowels and consonants.
_MARKS = "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_ACCENTS = re.compile(f"(?<=[\x00-\u02ff\u0370-\u0482\u048a-\u052f])[{_MARKS}]+")
_SURROGATES = re.compile("[\ud800-\udfff]")

_HYPHENS = "\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d"
_APOSTROPHES = "\u2018\u2019\u02bc\uff07"
_INVISIBLE = "\u00ad\u2060\ufeff"

_REPLACED: dict[int, str] = {
    **dict.fromkeys((*range(0x20), *range(0x7F, 0xA0), 0x200B), " "),
    **dict.fromkeys(map(ord, _HYPHENS), "-"),
    **dict.fromkeys(map(ord, _APOSTROPHES), "'"),
    **dict.fromkeys(map(ord, _INVISIBLE), ""),
}
# Letters that have no canonical decomposition but are read as an accented or joined base letter.
_LETTERS: dict[int, str] = {
    ord(k): v for k, v in {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"}.items()
}


def fold(text: str) -> str:
    """Return `text` in its comparison form: compatibility-normalised, case folded, without accents, single spaces.

    Accents go from Latin, Greek and Cyrillic letters only; other scripts keep their marks and are composed (NFC).
    Control characters and lone surrogates become spaces; typographic hyphens and apostrophes become ASCII. Idempotent.
    """
    if text.isascii():
        # Where all is printable, nothing is to be replaced: most of what is folded, many thousand times, is.
        plain = text if text.isprintable() else text.translate(_REPLACED)
        return " ".join(plain.lower().split())
    text = unicodedata.normalize("NFKD", _SURROGATES.sub(" ", text)).translate(_REPLACED)
    text = unicodedata.normalize("NFKD", text.casefold())
    text = unicodedata.normalize("NFC", _ACCENTS.sub("", text).translate(_LETTERS))
    return " ".join(text.split())


@lru_cache(maxsize=65536)
def fold_word(word: str) -> str:
    """Return `fold(word)` for a single token, remembered between calls."""
    return fold(word)
