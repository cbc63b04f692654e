"""Owns the number words of a language in the form that they are read in, also those written in one word."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from polyrag_cli.languages import UNDETERMINED, all_languages
from polyrag_cli.languages import language as language_of
from polyrag_cli.languages.sections.numbers import Numbers

# Signs behind a figure that are the same in all languages.
_SIGNS = "h min s ms g kg mg t m m2 m² km cm mm l ml kb mb gb tb w kw kwh mwh v x pp"
_SHORTEST_COMPOUND = 6


@dataclass(frozen=True, slots=True)
class NumberWords:
    """The number words of a language.

    said: what its file says of them; those of all languages together where it isn't known, and what says percent in
    any language. percent: finds that directly behind a figure; mark: what follows digits and isn't part of the figure.
    decimal: the decimal mark, "" where it isn't known.
    """

    said: Numbers
    percent: re.Pattern[str]
    mark: re.Pattern[str]
    decimal: str

    def compound(self, folded: str) -> int | None:
        """The number that a word of several number words is ("einundzwanzig"); None for any other word."""
        if not self.said.unit_joint or len(folded) < _SHORTEST_COMPOUND or folded in self.said.words:
            return None
        thousands = [word for word, factor in self.said.scales.items() if factor == 1000]
        for scale in thousands:
            left, found, right = folded.partition(scale)
            if found:
                many = 1 if not left else self._below_thousand(left)
                rest = 0 if not right else self._below_thousand(right.removeprefix(self.said.unit_joint))
                return None if many is None or rest is None else many * 1000 + rest
        return self._below_thousand(folded)

    def _below_thousand(self, word: str) -> int | None:
        for hundred in self.said.hundred:
            left, found, right = word.partition(hundred)
            if found:
                many = 1 if not left else self.said.words.get(left)
                rest = 0 if not right else self._below_hundred(right.removeprefix(self.said.unit_joint))
                return None if many is None or many >= 20 or rest is None else many * 100 + rest
        return self._below_hundred(word)

    def _below_hundred(self, word: str) -> int | None:
        if (known := self.said.words.get(word)) is not None and known < 100:
            return known
        for unit, value in self.said.words.items():
            if 0 < value < 10 and word.startswith(unit + self.said.unit_joint):
                ten = self.said.words.get(word[len(unit) + len(self.said.unit_joint) :])
                if ten is not None and 20 <= ten < 100:
                    return value + ten
        return None


@lru_cache(maxsize=32)
def number_words(code: str) -> NumberWords:
    """The number words of a language; of all together for "und" or a language without a file."""
    known = language_of(code)
    said = known.numbers
    every = language_of(UNDETERMINED).numbers.percent
    phrases = [r"\s+".join(map(re.escape, phrase)) for phrase in every]
    percent = re.compile(rf"\s?[%\uff05]|\s(?:{'|'.join(phrases) or '(?!)'})\b", re.IGNORECASE)
    marks = "|".join(
        sorted(map(re.escape, (*_SIGNS.split(), *known.dates.day_marks)), key=lambda mark: (-len(mark), mark))
    )
    words = said.words if known.code != UNDETERMINED else _in_any_language()
    return NumberWords(
        said=Numbers(**{**vars(said), "words": words, "percent": every}),
        percent=percent,
        mark=re.compile(rf"(?:{marks})\b|[º°]", re.IGNORECASE),
        decimal=known.writing.decimal,
    )


def _in_any_language() -> Mapping[str, int]:
    """Number words of all languages, without those that say something else in another ("once", "dos")."""
    found = dict(language_of(UNDETERMINED).numbers.words)
    for other in all_languages():
        for word in found.keys() & (other.function_words.words | other.detection.common) - other.numbers.words.keys():
            del found[word]
    return found
