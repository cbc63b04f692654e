"""Owns stage 1: what the form of a question or a text alone decides."""

from __future__ import annotations

import re
from functools import cache

from polyrag_cli.languages import UNDETERMINED, all_languages, language
from polyrag_cli.languages.schema import Language
from polyrag_cli.languages.sections.greetings import Greetings
from polyrag_cli.nl2sql.lexicon import figure_phrases, figure_words
from polyrag_cli.text.fold import fold
from polyrag_cli.text.utterance import Utterance
from polyrag_cli.text.words import Word

_MAX_GREETING_WORDS = 8
_NO_WORD = re.compile(r"[^\w' ]+")

_FIGURE = r"\(*\s*[-+]?\s*\d+(?:[.,]\d+)*\s*%?\s*\)*"
# Every sum begins so, whatever a language calls its signs.
_BEGINS = re.compile(_FIGURE)
_DATE_OR_RANGE = re.compile(r"^(?:\d{1,4}([-/.])\d{1,4}\1\d{1,4}|\d{4}\s?[-/]\s?\d{2,4}|\d{1,2}[-/]\d{4})$")
_READ_ARITHMETIC = 200
# With its marks.
_SHORTEST_QUOTED = 3

# What stands behind the digits of a decade, an ordinal or a quantity, besides a language's marks of days.
_UNITS = "s|h|hs|k|m|km|kg|g|cm|mm|ml|l|gb|mb|tb|kw|am|pm|x"


def greeting_language(text: str) -> Language | None:
    """The language in which a text greets, thanks or takes leave and does nothing else; None when it does more."""
    if len(text) > _READ_ARITHMETIC:
        return None
    folded = " ".join(_NO_WORD.sub(" ", fold(text)).split())
    tokens = folded.split()
    if not 0 < len(tokens) <= _MAX_GREETING_WORDS:
        return None
    return next((known for known in all_languages() if _greets(known.greetings, folded, tokens)), None)


def _greets(greetings: Greetings, folded: str, tokens: list[str]) -> bool:
    if not greetings.words.issuperset(tokens):
        return False
    return any(cues.search(folded) for cues in (greetings.hello, greetings.thanks, greetings.leave))


def is_greeting(text: str) -> bool:
    """Tell whether a text greets, thanks or takes leave and does nothing else."""
    return greeting_language(text) is not None


def sum_language(text: str) -> Language | None:
    """The language of a text that is a sum of figures to work out ("2+2", "what is 15% of 200"); None for any other.

    Where several would do, as for a sum in signs alone, it is the undetermined one. Dates and ranges are no sums.
    """
    if len(text) > _READ_ARITHMETIC or not any(c.isdigit() for c in text):
        return None
    folded = fold(text).strip(" ?!.=¿¡")
    found = [known for known in all_languages() if _is_sum(folded, known)]
    return found[0] if len(found) == 1 else language(UNDETERMINED) if found else None


def is_arithmetic(text: str) -> bool:
    """Tell whether a text is a sum of figures to work out."""
    return sum_language(text) is not None


def _is_sum(folded: str, known: Language) -> bool:
    asked = known.arithmetic.asks.match(folded)
    expression = folded[asked.end() :].strip() if asked else folded
    if _BEGINS.match(expression) is None or _DATE_OR_RANGE.match(expression) is not None:
        return False
    return _sums(known).match(expression) is not None


@cache
def _sums(known: Language) -> re.Pattern[str]:
    arithmetic = known.arithmetic
    said = "|".join(cues.source for sign, cues in arithmetic.signs.items() if sign != "%")
    of = "|".join(map(re.escape, sorted(arithmetic.of)))
    operator = rf"(?:\*\*|[-+*/x×÷^:]|{said}|(?<=%) ?(?:{of}))"
    return re.compile(rf"^{_FIGURE}(?:\s*{operator}\s*{_FIGURE})+\s*=?$")


def quoted_strings(asked: Utterance) -> tuple[str, ...]:
    """The strings of two letters or more that a question quotes, with their quotation marks."""
    found = (asked.text[start:end] for start, end in asked.quoted)
    return tuple(quoted for quoted in found if len(quoted) > _SHORTEST_QUOTED)


def is_identifier(word: Word) -> bool:
    """Tell whether a word is a code: with an underscore, or letters and digits mixed ("AB-12", not "3rd" or "5kg")."""
    folded = word.folded
    if "_" in folded.strip("_"):
        return True
    letters = any(c.isalpha() for c in folded)
    return letters and any(c.isdigit() for c in folded) and _quantity().match(folded) is None


@cache
def _quantity() -> re.Pattern[str]:
    marks = "|".join(map(re.escape, sorted({fold(mark) for mark in language(UNDETERMINED).dates.day_marks})))
    return re.compile(rf"^\d+(?:[.,]\d+)*(?:{marks}|{_UNITS})$")


def aggregate_word(asked: Utterance) -> str:
    """The first word or phrase of a clause that asks for a total, a count, an average or an extreme; "" without one."""
    for word in asked.words:
        if word.folded in figure_words(asked.language):
            return word.text
    said = [word.folded for word in asked.words]
    for at in range(len(said)):
        for phrase in figure_phrases(asked.language):
            if tuple(said[at : at + len(phrase)]) == phrase:
                return " ".join(phrase)
    return ""
