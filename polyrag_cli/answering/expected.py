"""What kind of answer a question asks for, and whether a sentence holds one of that kind.

Owns that mild hint alone: it ranks sentences, it never rules one out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Literal

from polyrag_cli.answering.defining import any_of, defined
from polyrag_cli.languages import language as language_of
from polyrag_cli.languages.schema import Language
from polyrag_cli.text.capitals import capital_names, nouns_have_capitals
from polyrag_cli.text.dates import find_dates
from polyrag_cli.text.fold import fold
from polyrag_cli.text.numbers import NumberSpan, find_numbers
from polyrag_cli.text.utterance import Utterance
from polyrag_cli.text.words import Word, empty_words, words

Kind = Literal["person", "time", "duration", "count", "place", "reason", "definition", "name", ""]

# Kinds as [expected.kinds] names them; of two that are found at one place the first counts.
_KINDS: tuple[Kind, ...] = ("duration", "count", "time", "place", "reason", "person", "definition", "name")
# "today's", "8-month-old".
_PARTS = re.compile("['-]")
# Months and weekdays as short as this are more often something else.
_ABBREVIATION = 3
# Characters between a number and its unit.
_BESIDE = 2
# As long as utterances themselves are remembered: several ask this of one question.
_once = lru_cache(maxsize=256)
_CAPITAL = "[A-ZÀ-ÖØ-ÞΑ-ΩЁА-Я]"


@cache
def _full_name(language: Language) -> re.Pattern[str]:
    """A person named in full, or by a title of courtesy: one capital alone is as often a place or a thing."""
    small, honorifics = any_of(language.expected.inside_names), any_of(language.expected.honorifics)
    return re.compile(
        rf"\b{_CAPITAL}[\w'-]+(?: (?:{small} )?{_CAPITAL}[\w'-]+)+"
        rf"|\b(?i:{honorifics})\.? {_CAPITAL}[\w'-]*"
    )


@cache
def _times(language: Language) -> frozenset[str]:
    """Folded words that say when something is."""
    named = (*language.dates.months, *language.dates.weekdays)
    long = {name for names in named for name in names if len(name) > _ABBREVIATION}
    return language.expected.times | long | {f"{name}s" for name in long}


def asks_for_a_number(asked: Utterance) -> bool:
    """Whether a figure would answer the question."""
    return asked.known.expected.figure.search(asked.folded) is not None


@_once
def expected(asked: Utterance) -> Kind:
    """The kind of answer that a question's interrogative asks for; "" when it can't be told.

    The interrogative that stands first decides.
    """
    folded, cues = asked.folded, asked.known.expected.kinds
    found = [(m.start(), order, kind) for order, kind in enumerate(_KINDS) if (m := cues[kind].search(folded))]
    return min(found)[2] if found else ""


@_once
def interrogative(asked: Utterance) -> frozenset[str]:
    """The folded words that ask how long, how often or what it means ("long" of "how long"), which no answer repeats;
    units stay."""
    known = asked.known.expected
    if expected(asked) == "definition":
        return known.meaning
    if expected(asked) != "duration" or (found := known.kinds["duration"].search(asked.folded)) is None:
        return frozenset()
    return frozenset(word.folded for word in words(found[0])) - known.durations


def full_names(text: str, language: str) -> tuple[frozenset[str], ...]:
    """The folded words of each name that a text gives in full."""
    return tuple(names for _, names in _full_names(text, language))


def full_name_spans(text: str, language: str) -> list[tuple[int, int]]:
    """Where a text gives a name in full."""
    return [span for span, _ in _full_names(text, language)]


def _full_names(text: str, language: str) -> list[tuple[tuple[int, int], frozenset[str]]]:
    known = language_of(language)
    found = [(match.span(), fold(match[0]).split()) for match in _full_name(known).finditer(text)]
    if not nouns_have_capitals(known):
        return [(span, frozenset(names)) for span, names in found]
    # "Die Werft" is none; "Die Hanna Brandt" has two words besides its article.
    plain = [(span, [word for word in names if word not in empty_words(known.code)]) for span, names in found]
    return [(span, frozenset(names)) for span, names in plain if len(names) > 1]


def kinds_of(text: str, tokens: list[Word], language: str) -> frozenset[Kind]:
    """The kinds of answer that a sentence could hold."""
    folded, known = fold(text), language_of(language)
    kinds: set[Kind] = set()
    dates = find_dates(text, language)
    dated = [(date.start, date.end) for date in dates]
    free = [n for n in find_numbers(text, language) if not any(start <= n.start < end for start, end in dated)]
    numbers = [n for n in free if not n.year_like]
    if numbers:
        kinds.add("count")
    if any(_lasting(numbers, tokens, known)):
        kinds.update(("duration", "time"))
    in_time = any(part in _times(known) for word in tokens for part in _PARTS.split(word.folded))
    if dates or len(numbers) < len(free) or in_time:
        kinds.add("time")
    named = [word for word, marked in zip(tokens, capital_names(tokens, known), strict=True) if marked]
    if any(word.text[0].isupper() and word is not tokens[0] for word in named):
        kinds.update(("place", "name"))
    if full_names(text, language) or known.expected.roles.search(folded):
        kinds.add("person")
    if defined(text, language):
        kinds.add("definition")
    if known.expected.causes.search(folded):
        kinds.add("reason")
    return frozenset(kinds)


def lasting_spans(text: str, language: str) -> list[tuple[int, int]]:
    """Where a text says how long something lasts, or how often it is."""
    return list(_lasting(find_numbers(text, language), words(text), language_of(language)))


def _lasting(numbers: list[NumberSpan], tokens: list[Word], known: Language) -> Iterator[tuple[int, int]]:
    """Numbers of units of time with their unit, and words for how often."""
    cues = known.expected
    for word in tokens:
        if word.folded in cues.frequencies:
            yield word.start, word.end
        elif word.folded in cues.durations:
            yield from ((n.start, word.end) for n in numbers if 0 < word.start - n.end <= _BESIDE)
