"""Owns which words of a question are names, told by their capitals."""

from __future__ import annotations

from functools import cache

from polyrag_cli.languages import UNDETERMINED
from polyrag_cli.languages.schema import Language
from polyrag_cli.text.utterance import Utterance
from polyrag_cli.text.words import Word

_MIN_LETTERS = 3


def inner_names(asked: Utterance) -> list[Word]:
    """The capitalised content words inside a question, in order, but for its first word, months and weekdays.

    None where capitals say nothing: when no content word is in lower case, or in a language that gives them to nouns.
    """
    content, known = asked.content, asked.known
    first = next(iter(asked.words), None)
    if first is None or not any(word.text[0].islower() for word in content):
        return []
    if known.code == UNDETERMINED or not known.writing.capitals_mark_names:
        return []
    return [word for word in content if word.start > first.start and _is_name(word, known)]


def _is_name(word: Word, known: Language) -> bool:
    if not (word.text[0].isupper() and word.text.isalpha() and len(word.text) >= _MIN_LETTERS):
        return False
    return _calendar_words(known).isdisjoint((word.folded, word.folded.removesuffix("s")))


@cache
def _calendar_words(known: Language) -> frozenset[str]:
    """Months, and weekdays in full; of these not what is an ordinal as well."""
    months, weekdays = (frozenset().union(*names) for names in (known.dates.months, known.dates.weekdays))
    return months | {day for day in weekdays - known.numbers.ordinals.keys() if len(day) > _MIN_LETTERS}
