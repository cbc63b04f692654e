"""Owns a question taken apart: words with stems, operation phrases, numbers and dates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from polyrag_cli.languages import UNDETERMINED
from polyrag_cli.nl2sql.date_ranges import with_first_days
from polyrag_cli.nl2sql.lexicon import FILLER, Lexicon, every_language, lexicon, lexicon_of
from polyrag_cli.nl2sql.polarity import prefixes
from polyrag_cli.nl2sql.units import units_of
from polyrag_cli.text.dates import Precision
from polyrag_cli.text.fold import fold_word
from polyrag_cli.text.utterance import Utterance
from polyrag_cli.text.words import Word, words

MAX_TOKENS = 80
MAX_LENGTH = 2000
# What may be left of a word without what is written together with it.
_LEAST_LETTERS = 4
# What a question asks by; a word for a place behind one of these joins what restricts.
_ASKING = frozenset(
    ("which", "who", "list", "count", "how_much", "sum", "average", "median", "share", "object", "exists", "difference")
)
_JOINTS = "-_\u2010\u2011"
_JOINT = re.compile(r"([-_\u2010\u2011])")


@dataclass(frozen=True, slots=True)
class AskedWord:
    """A word of the question, a hyphenated one apart, with what it says of tables. `empty` ones restrict nothing alone.

    noun: it asks elsewhere, but not here ("which show"). capital: written so as names are. notions: what it means in
    the question's language. date_part: "day", "date", "month" or "year" where it says what kind of date follows.
    trade: a sale or a purchase.
    """

    word: Word
    empty: bool
    capital: bool
    noun: bool = False
    notions: frozenset[str] = frozenset()
    date_part: str = ""
    trade: bool = False

    @property
    def text(self) -> str:
        """As asked."""
        return self.word.text

    @property
    def folded(self) -> str:
        """In the form that words are compared in."""
        return self.word.folded

    @property
    def stems(self) -> tuple[str, ...]:
        """Its stems under every language."""
        return self.word.stems


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
    """A question taken apart; marks are in order of place and don't overlap. lexicon: the words of its language."""

    asked: Utterance
    tokens: tuple[AskedWord, ...]
    marks: tuple[Mark, ...]
    numbers: tuple[NumberMention, ...]
    dates: tuple[DateMention, ...]
    lexicon: Lexicon = field(compare=False, repr=False)
    truncated: bool = False

    @property
    def text(self) -> str:
        """As asked, as far as it is read."""
        return self.asked.text

    @property
    def language(self) -> str:
        """Its code; "und" where it can't be told."""
        return self.asked.language

    def find(self, *operations: str) -> list[Mark]:
        """The marks of any of these operations."""
        return [mark for mark in self.marks if mark.operation in operations]

    @property
    def asks_amount(self) -> bool:
        """Whether it asks how much of something, also "how much more"."""
        amounts = [
            phrase
            for m in self.find("difference")
            for phrase, operation in self.lexicon.operations.get(self.tokens[m.first].folded, ())
            if operation == "how_much"
            and phrase == tuple(t.folded for t in self.tokens[m.first : m.first + len(phrase)])
        ]
        return bool(self.find("how_much") or amounts)

    def superlatives(self) -> list[Mark]:
        """The marks that ask for the most or the least of something."""
        return [mark for mark in self.marks if mark.operation[:3] in ("max", "min")]

    @property
    def blocker(self) -> str:
        """Words that change what is asked in a way that no reading expresses; "" without any."""
        marked = {i for mark in self.marks for i in range(mark.first, mark.last + 1)} | self.figures()
        free = ["" if i in marked else token.folded for i, token in enumerate(self.tokens)]
        blockers = self.lexicon.blockers
        for i, word in enumerate(free):
            for phrase in blockers.get(word, ()):
                if tuple(free[i : i + len(phrase)]) == phrase:
                    return " ".join(phrase)
        return ""

    def figures(self) -> set[int]:
        """Positions of the words of numbers and dates."""
        spans = [(n.first, n.last) for n in self.numbers] + [(d.first, d.last) for d in self.dates]
        return {i for first, last in spans for i in range(first, last + 1)}

    def content(self) -> list[int]:
        """Positions of the words that must be explained."""
        marked = {i for mark in self.marks for i in range(mark.first, mark.last + 1)}
        marked |= self.figures()
        return [i for i, token in enumerate(self.tokens) if i not in marked and not token.empty]


@lru_cache(maxsize=256)
def take_apart(asked: Utterance) -> Question:
    """Return the question's words, operation phrases, numbers and dates.

    What lies beyond 2,000 characters or 80 words is left out, and `truncated` says so. Where its language can't be
    told, it is read in the languages that know most of it.
    """
    truncated = len(asked.text) > MAX_LENGTH
    asked = asked.start(MAX_LENGTH)
    words_of = lexicon(asked.language)
    if words_of.code == UNDETERMINED:
        words_of = lexicon_of([word.folded for word in asked.words])
    every = tuple(_asked_words(asked, words_of))
    tokens = tuple(_as_noun(every, i, words_of) for i in range(min(len(every), MAX_TOKENS)))
    parts = tuple(_parts_of_year(tokens, words_of))
    within = {i for part in parts for i in range(part.first, part.last + 1)}
    marks = _relative(m for m in _marks(tokens, words_of) if not within.intersection(range(m.first, m.last + 1)))
    dates = tuple(d for d in _dates(asked, tokens, words_of) if not _is_amount(d, marks, tokens, words_of))
    dates = tuple(sorted((*parts, *(d for d in dates if d.first not in within)), key=lambda d: d.first))
    dates = with_first_days([token.folded for token in tokens], dates, words_of)
    dated = {i for date in dates for i in range(date.first, date.last + 1)}
    numbers = tuple(n for n in _numbers(asked, tokens) if n.first not in dated)
    return Question(asked, tokens, marks, numbers, dates, words_of, truncated or len(every) > MAX_TOKENS)


def _as_noun(tokens: Sequence[AskedWord], i: int, words_of: Lexicon) -> AskedWord:
    """Return a word that may be a request as the noun that it is behind a determiner ("which show")."""
    token = tokens[i]
    behind = tokens[i - 1].folded if i else ""
    if token.folded in words_of.tables.asked_nouns and behind in words_of.grammar.determiners:
        return replace(token, empty=False, noun=True)
    return token


def _is_amount(date: DateMention, marks: tuple[Mark, ...], tokens: tuple[AskedWord, ...], words_of: Lexicon) -> bool:
    """Tell "more than 2000" and "2000 reais" from a year, before which people say after or since."""
    behind = tokens[date.last + 1].folded if date.last + 1 < len(tokens) else ""
    if date.precision == "year" and units_of(behind, words_of):
        return True
    bounds = [mark.last for mark in marks if mark.operation in ("above", "below")]
    return date.precision == "year" and date.first - 1 in bounds


def _asked_words(asked: Utterance, words_of: Lexicon) -> Iterator[AskedWord]:
    # Among capitals alone, a capital says nothing.
    capitals = not asked.text.isupper()
    for word in asked.words:
        start = word.start
        pieces = _pieces(word.text)
        for place, part in enumerate(pieces):
            if part not in _JOINTS:
                whole = len(part) == len(word.text)
                found = word if whole and "'" not in word.folded else _piece(part, start)
                # "Un-paid" says more than "paid".
                prefix = found.folded in prefixes() and pieces[place + 1 : place + 2] == ["-"]
                yield _asked_word(found, capitals, prefix, words_of)
            start += len(part)


def _piece(text: str, start: int) -> Word:
    return Word(text, _bare(fold_word(text)), start, start + len(text))


def _bare(folded: str) -> str:
    """Return a folded word without the sign of a possessive."""
    return folded.removesuffix("'s").removesuffix("'")


def _asked_word(word: Word, capitals: bool, prefix: bool, words_of: Lexicon) -> AskedWord:
    folded = word.folded
    acronym = capitals and word.acronym and word.text.isalpha()
    empty = words_of.is_empty(folded) or (len(folded) == 1 and folded.isalpha())
    return AskedWord(
        word=word,
        empty=empty and not acronym and not prefix,
        capital=capitals and word.text[:1].isupper() and words_of.capitals_mark_names,
        notions=words_of.notions(folded),
        date_part=words_of.date_parts.get(folded, ""),
        trade=folded in words_of.tables.trades,
    )


@lru_cache(maxsize=16384)
def word_parts(text: str) -> tuple[str, ...]:
    """Return the folded tokens of a label or a cell, cut as a question's are."""
    if text.isascii() and text.isalnum():
        return (text.lower(),)
    parts = (p for word in words(text) for p in _pieces(word.text) if p not in _JOINTS)
    return tuple(_bare(fold_word(part)) for part in parts)


def _pieces(word: str) -> list[str]:
    parts = [word] if word.isalnum() else [part for part in _JOINT.split(word) if part]
    joined = every_language().tables.joined
    return [piece for part in parts for piece in _apart(part, joined)] if joined else parts


def _apart(part: str, joined: frozenset[str]) -> list[str]:
    """Return a word apart from what is written together with it but is a word of its own ("Gesamtumsatz")."""
    for length in range(len(part) - _LEAST_LETTERS, 0, -1):
        if part[:length].lower() in joined or fold_word(part[:length]) in joined:
            return [part[:length], part[length:]]
    return [part]


def _marks(tokens: tuple[AskedWord, ...], words_of: Lexicon) -> Iterator[Mark]:
    position = marked = 0
    while position < len(tokens):
        if _is_undone(tokens, position, words_of):
            yield Mark("not", position, position)
            position = marked = position + 1
            continue
        compound = marked < position and _numbers_a_thing(tokens, position, words_of)
        phrases = () if tokens[position].noun else words_of.operations.get(tokens[position].folded, ())
        for phrase, operation in phrases:
            end = position + len(phrase)
            if (
                not (compound and operation == "count")
                and tuple(token.folded for token in tokens[position:end]) == phrase
            ):
                yield Mark(_meant(phrase, operation, phrases, tokens[end : end + 1], words_of), position, end - 1)
                position = marked = end
                break
        else:
            position += 1


def _is_undone(tokens: tuple[AskedWord, ...], position: int, words_of: Lexicon) -> bool:
    """Tell a word that says that what follows is still to be done: "por pagar" isn't paid."""
    said = words_of.negation
    following = tokens[position + 1 : position + 2]
    if tokens[position].folded not in said.undone or not following:
        return False
    return not following[0].empty and following[0].folded.endswith(tuple(said.infinitives))


def _numbers_a_thing(tokens: tuple[AskedWord, ...], position: int, words_of: Lexicon) -> bool:
    """Tell the second half of a compound ("phone number of") from what counts things ("number of phones")."""
    before = tokens[position - 1]
    return words_of.grammar.noun_last and words_of.identifies(tokens[position].folded) and not before.empty


def _relative(marks: Iterable[Mark]) -> tuple[Mark, ...]:
    """Return marks with a "where" behind what asks as the joint that it is ("how many sales where the city is …")."""
    found: list[Mark] = []
    for mark in marks:
        asked_before = mark.operation == "where" and any(m.operation in _ASKING for m in found)
        found.append(replace(mark, operation=FILLER) if asked_before else mark)
    return tuple(found)


def _meant(
    phrase: tuple[str, ...],
    operation: str,
    phrases: Sequence[tuple[tuple[str, ...], str]],
    following: Sequence[AskedWord],
    words_of: Lexicon,
) -> str:
    """Return the operation of a phrase; of two, the one of time where a figure or a month follows ("nach 2023")."""
    bounds = [other for known, other in phrases if known == phrase and other in ("after", "before")]
    dated = bool(following) and (following[0].folded[:1].isdigit() or following[0].folded in words_of.months)
    return bounds[0] if bounds and dated else operation


def _covered(tokens: tuple[AskedWord, ...], start: int, end: int) -> tuple[int, int] | None:
    inside = [i for i, token in enumerate(tokens) if token.word.start < end and token.word.end > start]
    return (inside[0], inside[-1]) if inside else None


def _numbers(asked: Utterance, tokens: tuple[AskedWord, ...]) -> Iterator[NumberMention]:
    for number in asked.numbers:
        span = _covered(tokens, number.start, number.end)
        if span is not None:
            yield NumberMention(*span, number.value, number.year_like, number.percent)


def _dates(asked: Utterance, tokens: tuple[AskedWord, ...], words_of: Lexicon) -> Iterator[DateMention]:
    taken: set[int] = set()
    for date in asked.dates:
        span = _covered(tokens, date.start, date.end)
        if span is None:
            continue
        taken.update(range(span[0], span[1] + 1))
        parts: list[int | None] = [*(int(part) for part in date.iso.split("-")), None, None]
        yield DateMention(*span, parts[0], parts[1], parts[2], date.precision)
    for i, token in enumerate(tokens):
        month = words_of.months.get(token.folded)
        if month is not None and i not in taken and _is_month(tokens, i, words_of):
            yield DateMention(i, i, None, month, None, "month")


def _parts_of_year(tokens: tuple[AskedWord, ...], words_of: Lexicon) -> Iterator[DateMention]:
    """Yield quarters, halves and the like of a year ("primeiro semestre", "second quarter", "Q2")."""
    short, lengths, ordinals = words_of.short_parts, words_of.dates.parts, words_of.ordinals
    for i, token in enumerate(tokens):
        place, months = short.get(token.folded, (0, 0))
        first = i
        if token.folded in lengths and i and tokens[i - 1].folded in ordinals:
            place, months, first = ordinals[tokens[i - 1].folded], lengths[token.folded], i - 1
        if place and place * months <= 12:
            start = (place - 1) * months + 1
            yield DateMention(first, i, None, start, None, "month", start + months - 1)


def _is_month(tokens: tuple[AskedWord, ...], i: int, words_of: Lexicon) -> bool:
    """Tell a month's name from an ordinary word written alike: short ones need a capital or a preposition of time."""
    token, dates = tokens[i], words_of.dates
    if len(token.folded) > 3 and token.folded not in dates.ambiguous_months:
        return True
    before = tokens[i - 1].folded if i else ""
    return before in dates.month_cues or (token.capital and i > 0 and not words_of.is_function_word(token.folded))
