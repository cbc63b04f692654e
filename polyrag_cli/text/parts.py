"""Owns words as names are compared: hyphenated ones apart, possessives without their s, dotted initials as one."""

from __future__ import annotations

import re
from collections.abc import Iterable

from polyrag_cli.text.fold import fold_word
from polyrag_cli.text.words import Word, words

_PARTS = re.compile(r"[^-_\u2010-\u2015]+")
_POSSESSIVE = re.compile(r"['’](?:s|S)?$")


def parted(text: str) -> list[Word]:
    """Return the words of a text in order, hyphenated ones apart, possessives without their s, dotted letters as one.

    "Ana's semi-final in the U.S." gives Ana, semi, final, in, the, U.S (folded: us).
    """
    return parted_words(words(text), text)


def parted_words(found: Iterable[Word], text: str) -> list[Word]:
    """Return the same for the words of a text, where they have been found already."""
    plain: list[Word] = []
    for word in found:
        if word.folded and word.text.isalnum():
            plain.append(word)
            continue
        # A hyphen joins names in one text and not in the next: the parts are what both have.
        for part in _PARTS.finditer(word.text) if _PARTS.fullmatch(word.text) is None else (None,):
            raw, start = (word.text, word.start) if part is None else (part[0], word.start + part.start())
            raw = _POSSESSIVE.sub("", raw)
            folded = fold_word(raw)
            if folded:
                plain.append(Word(raw, folded, start, start + len(raw)))
    return _join_dotted(plain, text) if "." in text else plain


def _join_dotted(found: list[Word], text: str) -> list[Word]:
    joined: list[Word] = []
    for word in found:
        last = joined[-1] if joined else None
        if (
            last is not None
            and len(word.text) == 1
            and word.text.isupper()
            and last.text.isupper()
            and (len(last.text) == 1 or "." in last.text)
            and text[last.end : word.start] == "."
        ):
            joined[-1] = Word(text[last.start : word.end], last.folded + word.folded, last.start, word.end)
        else:
            joined.append(word)
    return joined
