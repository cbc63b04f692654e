"""Owns a question taken apart: words with stems, operation phrases, numbers and dates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from polyrag_cli.nl2sql.concepts import CONCEPTS_OF
from polyrag_cli.nl2sql.lexicon import BLOCKERS, GENERIC, OPERATIONS, ROW_NOUNS, UNIT_NAMES
from polyrag_cli.nl2sql.polarity import PREFIXES
from polyrag_cli.text.dates import MONTHS, Precision, find_dates
from polyrag_cli.text.fold import fold_word
from polyrag_cli.text.numbers import find_numbers
from polyrag_cli.text.stem import both_stems
from polyrag_cli.text.words import INTERROGATIVES, REQUEST_VERBS, is_stopword, words

MAX_TOKENS = 80
MAX_LENGTH = 2000
_JOINTS = "-_\u2010\u2011"
_JOINT = re.compile(r"([-_\u2010\u2011])")
_AMBIGUOUS_MONTHS = frozenset({"may", "mar", "set", "out", "sep", "ago", "march"})


@dataclass(frozen=True, slots=True)
class Token:
    """One word of the question; a hyphenated word is several. `empty` words restrict nothing by themselves.

    noun: a word that asks elsewhere, but not here ("which show").
    """

    text: str
    folded: str
    stems: tuple[str, ...]
    start: int
    end: int
    empty: bool
    capital: bool
    noun: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """An operation phrase over the tokens `first` to `last` (inclusive)."""

    operation: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class NumberMention:
    """A figure over the tokens `first` to `last`."""

    first: int
    last: int
    value: float
    year_like: bool
    percent: bool


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date over the tokens `first` to `last`; `month` alone when no year is named.

    last_month: where a part of the year of several months ends, which begins with `month`.
    """

    first: int
    last: int
    year: int | None
    month: int | None
    day: int | None
    precision: Precision
    last_month: int | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A question taken apart; marks are in order of place and don't overlap."""

    text: str
    language: str
    tokens: tuple[Token, ...]
    marks: tuple[Mark, ...]
    numbers: tuple[NumberMention, ...]
    dates: tuple[DateMention, ...]
    truncated: bool = False

    def find(self, *operations: str) -> list[Mark]:
        """The marks of any of these operations."""
        return [mark for mark in self.marks if mark.operation in operations]

    def superlatives(self) -> list[Mark]:
        """The marks that ask for the most or the least of something."""
        return [mark for mark in self.marks if mark.operation[:3] in ("max", "min")]

    @property
    def blocker(self) -> str:
        """A word that changes what is asked in a way that no plan expresses; "" without one."""
        marked = {i for mark in self.marks for i in range(mark.first, mark.last + 1)} | self.figures()
        return next((t.folded for i, t in enumerate(self.tokens) if i not in marked and t.folded in BLOCKERS), "")

    def figures(self) -> set[int]:
        """Positions of the words of numbers and dates."""
        spans = [(n.first, n.last) for n in self.numbers] + [(d.first, d.last) for d in self.dates]
        return {i for first, last in spans for i in range(first, last + 1)}

    def content(self) -> list[int]:
        """Positions of the words that must be explained."""
        marked = {i for mark in self.marks for i in range(mark.first, mark.last + 1)}
        marked |= self.figures()
        return [i for i, token in enumerate(self.tokens) if i not in marked and not token.empty]


def _compiled() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    index: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for operation, phrases in OPERATIONS.items():
        for phrase in phrases:
            index.setdefault(phrase[0], []).append((phrase, operation))
    # Longest first; of equal phrases the one named first in the lexicon.
    return {word: sorted(entries, key=lambda entry: -len(entry[0])) for word, entries in index.items()}


_OPERATIONS = _compiled()


@lru_cache(maxsize=256)
def take_apart(text: str, language: str) -> Question:
    """Return the question's tokens, operation phrases, numbers and dates.

    What lies beyond 2,000 characters or 80 words is left out, and `truncated` says so.

    Args:
        text: the question as asked.
        language: "pt" or "en"; others are read with both.
    """
    truncated = len(text) > MAX_LENGTH
    text = text[:MAX_LENGTH]
    every = tuple(_tokens(text))
    tokens = tuple(_as_noun(every, i) for i in range(min(len(every), MAX_TOKENS)))
    parts = tuple(_parts_of_year(tokens))
    within = {i for part in parts for i in range(part.first, part.last + 1)}
    marks = tuple(mark for mark in _marks(tokens) if not within.intersection(range(mark.first, mark.last + 1)))
    dates = tuple(d for d in _dates(text, tokens, language) if not _is_amount(d, marks, tokens))
    dates = tuple(sorted((*parts, *(d for d in dates if d.first not in within)), key=lambda d: d.first))
    dated = {i for date in dates for i in range(date.first, date.last + 1)}
    numbers = tuple(n for n in _numbers(text, tokens, language) if n.first not in dated)
    return Question(text, language, tokens, marks, numbers, dates, truncated or len(every) > MAX_TOKENS)


_DETERMINERS = frozenset({"which", "what", "the", "each", "every", "per", "by", "of", "any", "a"})


def _as_noun(tokens: Sequence[Token], i: int) -> Token:
    """Return a word that may be a request as the noun that it is behind a determiner ("which show")."""
    token = tokens[i]
    if token.folded in ("show", "shows") and i and tokens[i - 1].folded in _DETERMINERS:
        return replace(token, empty=False, noun=True)
    return token


def _is_amount(date: DateMention, marks: tuple[Mark, ...], tokens: tuple[Token, ...]) -> bool:
    """Tell "more than 2000" and "2000 reais" from a year, before which people say after or since."""
    if date.precision == "year" and date.last + 1 < len(tokens) and tokens[date.last + 1].folded in UNIT_NAMES:
        return True
    bounds = [mark.last for mark in marks if mark.operation in (">", "<")]
    return date.precision == "year" and date.first - 1 in bounds


def _tokens(text: str) -> Iterator[Token]:
    # Among capitals alone, a capital says nothing.
    text = text.lower() if text.isupper() else text
    for word in words(text):
        offset = word.start
        pieces = _pieces(word.text)
        for place, part in enumerate(pieces):
            if part not in _JOINTS:
                token = _token(part, word.folded if part == word.text else "", offset)
                # "Un-paid" says more than "paid".
                prefix = token.folded in PREFIXES and pieces[place + 1 : place + 2] == ["-"]
                yield replace(token, empty=False) if prefix else token
            offset += len(part)


def _token(text: str, folded: str, start: int) -> Token:
    folded = folded or fold_word(text)
    folded = folded.removesuffix("'s").removesuffix("'")
    acronym = len(text) > 1 and text.isupper() and text.isalpha()
    empty = not acronym and (
        is_stopword(folded)
        or folded in INTERROGATIVES
        or folded in REQUEST_VERBS
        or folded in GENERIC
        or folded in ROW_NOUNS
        or (len(folded) == 1 and folded.isalpha())
    )
    return Token(text, folded, both_stems(folded), start, start + len(text), empty, text[:1].isupper())


@lru_cache(maxsize=16384)
def word_parts(text: str) -> tuple[str, ...]:
    """Return the folded tokens of a label or a cell, cut as a question's are."""
    if text.isascii() and text.isalnum():
        return (text.lower(),)
    parts = (p for word in words(text) for p in _pieces(word.text) if p not in _JOINTS)
    return tuple(fold_word(part).removesuffix("'s").removesuffix("'") for part in parts)


def _pieces(word: str) -> list[str]:
    return [word] if word.isalnum() else [part for part in _JOINT.split(word) if part]


def is_empty_word(folded: str) -> bool:
    """Tell whether a folded word is a function word, in any language."""
    return is_stopword(folded)


def known_concepts(folded: str) -> frozenset[str]:
    """Return the general notions that a folded word names."""
    return CONCEPTS_OF.get(folded, frozenset())


def _marks(tokens: tuple[Token, ...]) -> Iterator[Mark]:
    position = 0
    while position < len(tokens):
        phrases = () if tokens[position].noun else _OPERATIONS.get(tokens[position].folded, ())
        for phrase, operation in phrases:
            end = position + len(phrase)
            if tuple(token.folded for token in tokens[position:end]) == phrase:
                yield Mark(operation, position, end - 1)
                position = end
                break
        else:
            position += 1


def _covered(tokens: tuple[Token, ...], start: int, end: int) -> tuple[int, int] | None:
    inside = [i for i, token in enumerate(tokens) if token.start < end and token.end > start]
    return (inside[0], inside[-1]) if inside else None


def _numbers(text: str, tokens: tuple[Token, ...], language: str) -> Iterator[NumberMention]:
    for number in find_numbers(text, language):
        span = _covered(tokens, number.start, number.end)
        if span is not None:
            yield NumberMention(*span, number.value, number.year_like, number.percent)


def _dates(text: str, tokens: tuple[Token, ...], language: str) -> Iterator[DateMention]:
    taken: set[int] = set()
    for date in find_dates(text, language):
        span = _covered(tokens, date.start, date.end)
        if span is None:
            continue
        taken.update(range(span[0], span[1] + 1))
        parts: list[int | None] = [*(int(part) for part in date.iso.split("-")), None, None]
        yield DateMention(*span, parts[0], parts[1], parts[2], date.precision)
    for i, token in enumerate(tokens):
        month = MONTHS.get(token.folded)
        if month is not None and i not in taken and _is_month(tokens, i):
            yield DateMention(i, i, None, month, None, "month")


_ORDINALS = {
    form: place
    for place, forms in enumerate(
        (
            "primeiro first 1 1o 1st i",
            "segundo second 2 2o 2nd ii",
            "terceiro third 3 3o 3rd iii",
            "quarto fourth 4 4o 4th iv",
        ),
        1,
    )
    for form in forms.split()
}
_PART_MONTHS = {
    **dict.fromkeys(("bimestre",), 2),
    **dict.fromkeys(("trimestre", "quarter"), 3),
    **dict.fromkeys(("quadrimestre",), 4),
    **dict.fromkeys(("semestre", "semester", "half"), 6),
}
_SHORT_PARTS = {f"q{n}": (n, 3) for n in range(1, 5)} | {f"{n}t": (n, 3) for n in range(1, 5)}
_SHORT_PARTS |= {f"{letter}{n}": (n, 6) for letter in "hs" for n in (1, 2)}


def _parts_of_year(tokens: tuple[Token, ...]) -> Iterator[DateMention]:
    """Yield quarters, halves and the like of a year ("primeiro semestre", "second quarter", "Q2")."""
    for i, token in enumerate(tokens):
        place, months = _SHORT_PARTS.get(token.folded, (0, 0))
        first = i
        if token.folded in _PART_MONTHS and i and tokens[i - 1].folded in _ORDINALS:
            place, months, first = _ORDINALS[tokens[i - 1].folded], _PART_MONTHS[token.folded], i - 1
        if place and place * months <= 12:
            start = (place - 1) * months + 1
            yield DateMention(first, i, None, start, None, "month", start + months - 1)


def _is_month(tokens: tuple[Token, ...], i: int) -> bool:
    """Tell a month's name from an ordinary word written alike: short ones need a capital or a preposition of time."""
    token = tokens[i]
    if len(token.folded) > 3 and token.folded not in _AMBIGUOUS_MONTHS:
        return True
    before = tokens[i - 1].folded if i else ""
    return before in ("in", "em", "de", "of", "mes", "month", "for", "since", "until", "and", "e") or (
        token.capital and i > 0 and token.folded not in ("set", "out")
    )
