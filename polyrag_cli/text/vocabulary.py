"""Owns which words of a text stand for something that other words may stand for too."""

from __future__ import annotations

import re

from polyrag_cli.languages import UNDETERMINED
from polyrag_cli.languages import language as language_of
from polyrag_cli.text.words import Word, content_words

MAX_LETTERS = 40
_STARTS = re.compile(r"(?:^|[^\w\s,'’&])\s*$")
_READ = 3


def is_plain_word(word: Word) -> bool:
    """Whether a word is one of the language: no figure, no identifier, two to forty letters."""
    return word.text.isalpha() and 1 < len(word.text) <= MAX_LETTERS


def vocabulary(text: str, code: str) -> frozenset[str]:
    """The plain content words of a text in lower case, accents kept.

    Names are left out: words that the text has only with a capital inside a sentence, or with one that another follows.
    A name is met as it is spelt. Where nouns have capitals too, or the language isn't known, nothing is left out.

    Args:
        code: of the text's language.
    """
    found: set[str] = set()
    known = language_of(code)
    every = known.code != code or code == UNDETERMINED or not known.writing.capitals_mark_names
    for word in content_words(text, code):
        if is_plain_word(word) and (every or word.text[0].islower() or _opens_a_sentence(text, word)):
            found.add(word.text.lower())
    return frozenset(found)


def _opens_a_sentence(text: str, word: Word) -> bool:
    following = text[word.end : word.end + 2].lstrip()
    return not following[:1].isupper() and _STARTS.search(text[max(0, word.start - _READ) : word.start]) is not None
