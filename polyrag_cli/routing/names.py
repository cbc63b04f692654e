"""Owns which words of a question are names, told by their capitals."""

from __future__ import annotations

from polyrag_cli.text.dates import MONTHS
from polyrag_cli.text.language import detect
from polyrag_cli.text.words import Word, content_words, words

# Languages in which a capital inside a sentence marks a name.
_LANGUAGES = ("pt", "en", "es")
_MIN_LETTERS = 3
_WEEKDAYS = frozenset(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"])


def inner_names(text: str) -> list[Word]:
    """The capitalised content words inside a question, in order, but for its first word, months and weekdays.

    None where capitals say nothing: when no content word is in lower case, or in a language that gives them to nouns.
    """
    content = content_words(text)
    first = next(iter(words(text)), None)
    if first is None or not any(word.text[0].islower() for word in content) or detect(text) not in _LANGUAGES:
        return []
    return [word for word in content if word.start > first.start and _is_name(word)]


def _is_name(word: Word) -> bool:
    calendar = word.folded in MONTHS or word.folded.removesuffix("s") in _WEEKDAYS
    return word.text[0].isupper() and word.text.isalpha() and len(word.text) >= _MIN_LETTERS and not calendar
