"""Owns a question read once: its language, words, figures, dates, negations, quotations and capitalised names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from polyrag_cli.languages import UNDETERMINED
from polyrag_cli.languages import language as language_of
from polyrag_cli.languages.schema import Language
from polyrag_cli.text.dates import DateSpan, find_dates
from polyrag_cli.text.fold import fold
from polyrag_cli.text.language import detect
from polyrag_cli.text.names import name_spans
from polyrag_cli.text.numbers import NumberSpan, find_numbers
from polyrag_cli.text.parts import parted_words
from polyrag_cli.text.spans import Span
from polyrag_cli.text.words import Word, asked_content_of, words

# What follows is no question any more; offsets of what is read stay those of the whole text.
_REMEMBERED_CHARACTERS = 4096
_QUOTED = re.compile(
    r"\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”|„[^“”\n]{1,400}[“”]|«[^»\n]{1,400}»|‘[^’\n]{1,400}’|`[^`\n]{1,400}`"
)


@dataclass(frozen=True)
class Utterance:
    """A question or clause with what is found in it; each part is found when it is first asked for, and kept.

    text: as asked. language: the code of its language, "und" where it can't be told.
    """

    text: str
    language: str

    @property
    def known(self) -> Language:
        """What is known of its language; of every language together where it can't be told."""
        return language_of(self.language)

    @cached_property
    def folded(self) -> str:
        """The text in its comparison form."""
        return fold(self.text)

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """Its words in order."""
        return tuple(words(self.text))

    @cached_property
    def parts(self) -> tuple[Word, ...]:
        """Its words in order, hyphenated ones apart, possessives without their s, dotted letters together."""
        return tuple(parted_words(self.words, self.text))

    @cached_property
    def content(self) -> tuple[Word, ...]:
        """Its words but function words, interrogatives and what only asks for an answer, in order."""
        return tuple(asked_content_of(self.words, self.language))

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of its content words, under every language."""
        return frozenset(stem for word in self.content for stem in word.stems)

    @cached_property
    def numbers(self) -> tuple[NumberSpan, ...]:
        """Its figures and number words in order."""
        return tuple(find_numbers(self.text, self.language))

    @cached_property
    def dates(self) -> tuple[DateSpan, ...]:
        """Its dates that have a year, in order."""
        return tuple(find_dates(self.text, self.language))

    @cached_property
    def negations(self) -> tuple[Word, ...]:
        """Its words that turn round what is said, in order."""
        return tuple(word for word in self.words if self._negates(word.folded))

    @cached_property
    def quoted(self) -> tuple[Span, ...]:
        """What it quotes, each with its quotation marks, in order."""
        return tuple(match.span() for match in _QUOTED.finditer(self.text))

    @cached_property
    def capitals(self) -> tuple[Span, ...]:
        """Its capitalised names and identifiers, in order."""
        return tuple(name_spans(self.text, self.words, self.known))

    def start(self, characters: int) -> Utterance:
        """Its first characters, where it is longer, read in the same language."""
        return self if len(self.text) <= characters else read(self.text[:characters], self.language)

    def _negates(self, folded: str) -> bool:
        slots = self.known.slots
        if folded in slots.negators:
            return True
        endings = (end for end, meaning in slots.contractions.items() if meaning in slots.negators)
        return any(folded.endswith(end) for end in endings)


def read(text: str, language: str | None = None) -> Utterance:
    """Return the utterance of a text; the same one for the same text, as long as it is a question's length.

    Args:
        language: the code of its language; None detects it.
    """
    known = detect(text) if language is None else language or UNDETERMINED
    return _remembered(text, known) if len(text) <= _REMEMBERED_CHARACTERS else Utterance(text, known)


# As many as the clauses of the questions that are asked at one time.
_remembered = lru_cache(maxsize=256)(Utterance)
