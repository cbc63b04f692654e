"""Owns the words of questions about tables as matching needs them: by language, of what a word or a phrase says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, cached_property

from polyrag_cli.languages import language
from polyrag_cli.languages.schema import Language
from polyrag_cli.text.words import is_stopword

Phrase = tuple[str, ...]

# What a question may ask for; words of any other operator that a language file names change what is asked in a way
# that no plan expresses.
_ANSWERED = frozenset(
    """
    count count_distinct how_much sum average max min more less group difference versus share not except list distinct
    exists who when where which object above at_least below at_most or_more or_less between equal after before since
    until single or than
    """.split()
)
_FIGURES = ("count", "how_much", "sum", "average", "max", "min", "share")
FILLER = "filler"


class Lexicon:
    """What words and phrases say of tables in one language, or in any where it can't be told which.

    operations: by first word, phrases with their operation, the longest first: an operator's name, `max:` or `min:` with
    a notion, `ask:` with one, or a filler. units: by a word, the units that a column has to have.
    """

    def __init__(self, language: Language) -> None:
        self.code = language.code
        self.tables = language.tables
        self.grammar = language.tables.grammar
        self.negation = language.tables.negation
        function_words = language.function_words
        self.empty_words = function_words.interrogatives | function_words.requests | self.tables.generic
        self.empty_words |= self.tables.rows

    @cached_property
    def operations(self) -> Mapping[str, list[tuple[Phrase, str]]]:
        tables = self.tables
        named = [(name, phrases) for name, phrases in tables.operators.items() if name in _ANSWERED]
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
    def blockers(self) -> frozenset[Phrase]:
        """Phrases of operators of which no plan is made: a question that holds one is declined."""
        operators = self.tables.operators.items()
        return frozenset(phrase for name, phrases in operators if name not in _ANSWERED for phrase in phrases)

    @cached_property
    def _notions(self) -> Mapping[str, frozenset[str]]:
        return {word: frozenset(names) for word, names in _by_word(self.tables.notions).items()}

    def notions(self, folded: str) -> frozenset[str]:
        """The general notions that a folded word names."""
        return self._notions.get(folded, frozenset())

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
    def units(self) -> Mapping[str, tuple[str, ...]]:
        """By a word behind a figure, the names of the units that it may stand for."""
        return {word: tuple(names) for word, names in _by_word(self.tables.units).items()}

    @cached_property
    def between(self) -> frozenset[str]:
        """What opens a range with both ends."""
        return frozenset(phrase[0] for phrase in self.tables.operators["between"] if len(phrase) == 1)

    def is_function_word(self, folded: str) -> bool:
        """Whether a folded word is a function word."""
        return is_stopword(folded)

    def is_empty(self, folded: str) -> bool:
        """Whether a folded word restricts nothing by itself."""
        return folded in self.empty_words or is_stopword(folded)


@cache
def _lexicon(code: str) -> Lexicon:
    return Lexicon(language(code))


def lexicon(code: str) -> Lexicon:
    """Return the words of a language; for one without a file, and for "und", those of all."""
    return _lexicon(language(code).code)


def every_language() -> Lexicon:
    """Return the words of all languages together."""
    return lexicon("und")


@cache
def figure_words() -> frozenset[str]:
    """Return the single words, in any language, that by themselves ask for a figure."""
    tables = language("und").tables
    words = {phrase[0] for name in _FIGURES for phrase in tables.operators[name] if len(phrase) == 1}
    return frozenset(words - tables.no_figures) | tables.figures


def _by_word(words: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, listed in words.items():
        for word in listed:
            found.setdefault(word, []).append(name)
    return found
