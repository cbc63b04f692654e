"""Owns the words of questions about tables as matching needs them: by language, of what a word or a phrase says."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, cached_property

from polyrag_cli.languages import UNDETERMINED, all_languages, language
from polyrag_cli.languages.inflection import replaced
from polyrag_cli.languages.making import joined
from polyrag_cli.languages.schema import Language
from polyrag_cli.text.fold import fold_word
from polyrag_cli.text.words import empty_words

Phrase = tuple[str, ...]

# Operators of the language files whose words change what is asked in a way that no reading expresses.
_UNREAD = frozenset({"again", "nearly", "reason"})
_FIGURES = ("count", "how_much", "sum", "average", "max", "min", "share")
# Of these, the ones whose phrases say so as a whole, whatever their words do elsewhere.
_COUNTED = ("count", "how_much", "sum")
FILLER = "filler"
_ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4}
# In a compound, letters before the noun that it ends in, and of that noun.
_LEAST_BEFORE = 3
_LEAST_NOUN = 4


class Lexicon:
    """What words and phrases say of tables in one language, or in any where it can't be told which.

    operations: by first word, phrases with their operation, the longest first: an operator's name; `max:`, `min:` or
    `ask:` with a notion; or a filler.
    """

    def __init__(self, language: Language) -> None:
        self.code = language.code
        self.tables = language.tables
        self.grammar = language.tables.grammar
        self.negation = language.tables.negation
        self.dates = language.dates
        self.denials = language.cells.no
        self.totals = frozenset(language.cells.totals)
        self._inflections = language.inflections
        self.numbers = language.numbers
        self.articles = language.function_words.articles
        self._function_words = language.function_words.words
        self._empty = self._function_words | empty_words(language.code) | self.tables.generic | self.tables.rows
        every = all_languages()
        self._borrowed = [each.code for each in every if each.code in self.tables.borrows and each.code != self.code]
        # Where any may be meant, a capital counts as where it counts most.
        known = [language] if self.code != UNDETERMINED else every
        self.capitals_mark_names = any(each.writing.capitals_mark_names for each in known)

    @cached_property
    def operations(self) -> Mapping[str, list[tuple[Phrase, str]]]:
        tables = self.tables
        named = [(name, phrases) for name, phrases in tables.operators.items() if name not in _UNREAD]
        named += [(f"max:{notion}", phrases) for notion, phrases in tables.most.items()]
        named += [(f"min:{notion}", phrases) for notion, phrases in tables.least.items()]
        named += [(f"ask:{notion}", phrases) for notion, phrases in tables.measured.items()]
        named.append((FILLER, tables.fillers))
        index: dict[str, list[tuple[Phrase, str]]] = {}
        for operation, phrases in named:
            for phrase in phrases:
                index.setdefault(phrase[0], []).append((phrase, operation))
        return {word: sorted(entries, key=lambda entry: -len(entry[0])) for word, entries in index.items()}

    @cached_property
    def blockers(self) -> Mapping[str, list[Phrase]]:
        """Phrases that no reading expresses, by first word: a question that holds one is declined."""
        index: dict[str, list[Phrase]] = {}
        for name, phrases in self.tables.operators.items():
            for phrase in phrases if name in _UNREAD else ():
                index.setdefault(phrase[0], []).append(phrase)
        return index

    @cached_property
    def periods(self) -> frozenset[str]:
        """Words for a stretch of time ("month", "weeks")."""
        return frozenset[str]().union(*self.dates.periods.values())

    @cached_property
    def nearness(self) -> frozenset[str]:
        """Words that tell a time from today ("this", "last", "next")."""
        return self.dates.this | self.dates.last | self.dates.next

    @cached_property
    def _notions(self) -> Mapping[str, frozenset[str]]:
        return {word: frozenset(names) for word, names in _by_word(self.tables.notions).items()}

    def notions(self, folded: str) -> frozenset[str]:
        """The general notions that a folded word names, by itself or by the noun that it ends in, or as a borrowed
        word.
        """
        found = self._notions.get(folded)
        if found is None:
            _, head = self._parted(folded, self._notions)
            found = self._notions.get(head) or frozenset()
            for code in self._borrowed if not found else ():
                found |= lexicon(code).notions(folded)
        return found

    def _parted(self, folded: str, nouns: Collection[str]) -> tuple[str, str]:
        """What stands before the longest of these nouns that a compound ends in, and that noun; "" without any."""
        if self.grammar.compounds:
            for border in range(_LEAST_BEFORE, len(folded) - _LEAST_NOUN + 1):
                if folded[border:] in nouns:
                    return folded[:border], folded[border:]
        return "", ""

    def identifies(self, folded: str) -> bool:
        """Whether a folded word of a column's name says that it numbers or names rows."""
        identifiers = self.tables.identifiers
        return folded in identifiers or bool(self._parted(folded, identifiers)[1])

    def described(self, folded: str) -> str:
        """What a compound says of the thing that it numbers or names ("kunden" of "kundenname"); "" of any other."""
        return self._parted(folded, self.tables.identifiers | self.tables.notions["name"])[0]

    @cached_property
    def preferred(self) -> Mapping[str, str]:
        """By a word of several notions, the one that comes first."""
        return {word: names[0] for word, names in _by_word(self.tables.preferred).items()}

    @cached_property
    def lacking(self) -> Mapping[str, str]:
        """By a word that says that there is none of it, the notion of a column of yes and no."""
        return {word: names[0] for word, names in _by_word(self.tables.lacking).items()}

    @cached_property
    def date_parts(self) -> Mapping[str, str]:
        """By a word that says what kind of date follows, the kind: "day", "date", "month" or "year"."""
        return {word: names[0] for word, names in _by_word(self.tables.date_parts).items()}

    @cached_property
    def dimensions(self) -> Mapping[str, tuple[str, ...]]:
        """By an adjective that compares, the notions that it may compare."""
        return {word: tuple(names) for word, names in _by_word(self.tables.dimensions).items()}

    @cached_property
    def months(self) -> Mapping[str, int]:
        """By a month's name, its number."""
        return {name: number for number, names in enumerate(self.dates.months, 1) for name in names}

    @cached_property
    def ordinals(self) -> Mapping[str, int]:
        """By a word, a figure with its mark or a Roman one, which of several is meant."""
        marks = ("", *sorted(fold_word(mark) for mark in self.dates.day_marks))
        figures = {f"{n}{mark}": n for n in range(1, 13) for mark in marks}
        return {**figures, **_ROMAN, **self.numbers.ordinals}

    @cached_property
    def short_parts(self) -> Mapping[str, tuple[int, int]]:
        """By a short name of a part of a year ("q2"), which it is, and its months."""
        marks = self.tables.short_parts.items()
        return {mark.format(n): (n, months) for mark, months in marks for n in range(1, 12 // months + 1)}

    @cached_property
    def units(self) -> Mapping[str, tuple[str, ...]]:
        """By a word behind a figure, the names of the units that it may stand for."""
        return {word: tuple(names) for word, names in _by_word(self.tables.units).items()}

    @cached_property
    def between(self) -> frozenset[str]:
        """What opens a range with both ends."""
        return frozenset(phrase[0] for phrase in self.tables.operators["between"] if len(phrase) == 1)

    def singular(self, word: str) -> str:
        """The singular that a word is the plural of; the word itself where no ending says so, or in any language."""
        return replaced(word, self._inflections.singulars) if self.code != UNDETERMINED else word

    def plural(self, word: str) -> str:
        """The regular plural of a singular; the word itself in any language."""
        return replaced(word, self._inflections.plurals) if self.code != UNDETERMINED else word

    def unstemmed(self, folded: str) -> str:
        """The singular of a folded plural that the stemmer leaves apart from it; the word itself of any other."""
        return replaced(folded, self._inflections.unstemmed)

    def knows(self, folded: str) -> bool:
        """Whether a folded word means anything in questions about tables."""
        return folded in self._empty or folded in self.operations or folded in self._notions

    def is_function_word(self, folded: str) -> bool:
        """Whether a folded word is a function word."""
        return folded in self._function_words

    def is_empty(self, folded: str) -> bool:
        """Whether a folded word restricts nothing by itself."""
        return folded in self._empty


@cache
def _lexicon(code: str) -> Lexicon:
    return Lexicon(language(code))


def lexicon(code: str) -> Lexicon:
    """Return the words of a language; for one without a file, and for "und", those of all."""
    return _lexicon(language(code).code)


def lexicon_of(words: Sequence[str]) -> Lexicon:
    """Return the words of the languages that know the most of these, where the language of a question can't be told.

    words: a question's, folded.
    """
    known = [(sum(map(lexicon(each.code).knows, words)), each.code) for each in all_languages()]
    most = max(count for count, _ in known)
    return _together(tuple(code for count, code in known if count == most))


@cache
def _together(codes: tuple[str, ...]) -> Lexicon:
    if len(codes) == 1:
        return lexicon(codes[0])
    return every_language() if len(codes) == len(all_languages()) else Lexicon(joined([language(c) for c in codes]))


def every_language() -> Lexicon:
    """Return the words of all languages together."""
    return lexicon(UNDETERMINED)


@cache
def figure_words(code: str) -> frozenset[str]:
    """Return the single words that by themselves ask for a figure, in a language or, where it isn't known, in any."""
    tables = language(code).tables
    words = {phrase[0] for name in _FIGURES for phrase in tables.operators[name] if len(phrase) == 1}
    return frozenset(words - tables.no_figures) | tables.figures


@cache
def figure_phrases(code: str) -> tuple[Phrase, ...]:
    """Return the phrases of several words that ask for a figure, as `figure_words` does, the longest first."""
    tables = language(code).tables
    found = {phrase for name in _COUNTED for phrase in tables.operators[name] if len(phrase) > 1}
    return tuple(sorted((p for p in found if p[0] not in tables.no_figures), key=lambda phrase: (-len(phrase), phrase)))


def _by_word(words: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, listed in words.items():
        for word in listed:
            found.setdefault(word, []).append(name)
    return found
